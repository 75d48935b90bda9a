package org.jmmv.protocol;

import java.util.List;
import org.jmmv.pcp.PmError;

/**
 * The values of one metric in a {@link Result}; all of them words, or all of them blocks.
 *
 * @param status the number of values; without values 0 (none now) or an error, negative: a {@link
 *     PmError} or -errno
 */
public record ValueSet(int pmid, int status, List<InstanceValue> values) {

  /** Value format: the value is the 32-bit word itself, for types 32 and U32. */
  public static final int INSITU = 0;

  /** Value format: the value is in a block at the end of the PDU. */
  public static final int DPTR = 1;

  /** Value format: on the wire the same as {@link #DPTR}. */
  static final int SPTR = 2;

  public ValueSet {
    values = List.copyOf(values);
    if (values.isEmpty() ? status > 0 : status != values.size()) {
      throw new IllegalArgumentException("status " + status + " with " + values.size() + " values");
    }
    for (InstanceValue value : values) {
      if (format(value) != format(values.getFirst())) {
        throw new IllegalArgumentException("words and blocks in one set");
      }
    }
  }

  /** The values of a metric. */
  public static ValueSet of(int pmid, List<InstanceValue> values) {
    return new ValueSet(pmid, values.size(), values);
  }

  /** A metric without values: status 0, or why, as a negative code. */
  public static ValueSet none(int pmid, int status) {
    return new ValueSet(pmid, status, List.of());
  }

  /** The value format of a set that has values. */
  int format() {
    return format(values.getFirst());
  }

  private static int format(InstanceValue value) {
    return value.value() instanceof Value.Word ? INSITU : DPTR;
  }

  /** Bytes in the PDU, without blocks. */
  int encodedLength() {
    return 8 + (values.isEmpty() ? 0 : 4 + 8 * values.size());
  }
}
