package org.jmmv.protocol;

import java.util.List;
import org.jmmv.pcp.PmError;

/**
 * The values of one metric in a {@link Result}. Either all of them are {@link Value.Word}s or all
 * of them are {@link Value.Block}s.
 *
 * @param pmid a {@link org.jmmv.pcp.Pmid}
 * @param status the number of values; if there are none, 0 (none at the moment) or a negative
 *     {@link PmError} code or -errno
 * @param values one per instance
 */
public record ValueSet(int pmid, int status, List<InstanceValue> values) {

  /** Value format: 32-bit values in place, for types I32 and U32. */
  public static final int INSITU = 0;

  /** Value format: values in blocks at the end of the PDU. */
  public static final int DPTR = 1;

  /** Value format: encoded like {@link #DPTR}. */
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

  /** Returns a set of at least one value. */
  public static ValueSet of(int pmid, List<InstanceValue> values) {
    return new ValueSet(pmid, values.size(), values);
  }

  /** Returns a set without values; {@code status} is 0 or a negative error code. */
  public static ValueSet none(int pmid, int status) {
    return new ValueSet(pmid, status, List.of());
  }

  /** Returns the value format; the set must have values. */
  int format() {
    return format(values.getFirst());
  }

  private static int format(InstanceValue value) {
    return value.value() instanceof Value.Word ? INSITU : DPTR;
  }

  /** Returns the encoded length in bytes, without blocks. */
  int encodedLength() {
    return 8 + (values.isEmpty() ? 0 : 4 + 8 * values.size());
  }
}
