package org.jmmv.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jmmv.core.FileValues;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvMetric;

/** Turns the values of a metric into text. */
final class ValuePrinter implements ValueSink {
  /** Receives the values of a metric. */
  interface Output {
    /**
     * Receives a value.
     *
     * @param instance an instance number; {@link org.jmmv.pcp.Instance#NULL} for a singular metric
     * @param text a number in decimal form, or {@code NaN}, {@code Infinity} or {@code -Infinity};
     *     otherwise a string, one char per byte
     */
    void print(int instance, String text, boolean isNumber) throws IOException;
  }

  private final Output out;
  private String reason; // why there are no values

  private ValuePrinter(Output out) {
    this.out = out;
  }

  /**
   * Prints the values of a metric.
   *
   * @return why it has no values, or no more values; null if it has them all
   */
  static String print(FileValues values, MmvMetric metric, Output out) throws IOException {
    ValuePrinter printer = new ValuePrinter(out);
    try {
      values.read(metric, printer);
      return printer.reason;
    } catch (FileTruncated e) {
      return e.getMessage();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void print(int instance, String text, boolean isNumber) {
    try {
      out.print(instance, text, isNumber);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int numbers(int type, int[] instances, long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      print(instances[i], ValueType.decimal(type, bits[i]), true);
    }
    return count;
  }

  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    print(instance, new String(bytes, offset, length, ISO_8859_1), false);
    return true;
  }

  @Override
  public void none(int status) {
    if (status == 0) {
      reason = "no value at the moment";
    } else if (status == PmError.INST.code()) {
      reason = "the file has no value for it";
    } else if (status == PmError.APPVERSION.code()) {
      reason = "not supported by the application";
    } else if (status == PmError.TYPE.code()) {
      reason = "the type is unknown";
    } else { // PM_ERR_GENERIC
      reason = "the offset of the string is invalid";
    }
  }

  @Override
  public void clear() {
    // values are read once: the file is the only one
  }
}
