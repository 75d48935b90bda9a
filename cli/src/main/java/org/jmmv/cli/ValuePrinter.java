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

/** Turns the values of metrics into text. */
final class ValuePrinter implements ValueSink {
  /** Receives the values of a metric, or the reason why there are none. */
  interface Output {
    /**
     * Receives a number in decimal form, or {@code NaN}, {@code Infinity} or {@code -Infinity}.
     *
     * @param instance an instance number; {@link org.jmmv.pcp.Instance#NULL} for a singular metric
     */
    void number(int instance, String decimal) throws IOException;

    /** Receives a string, one char per byte. */
    void text(int instance, String text) throws IOException;

    /** Receives the reason why the metric has no values, or no more values. */
    void none(String reason) throws IOException;
  }

  private final Output out;

  /** Creates a printer. */
  ValuePrinter(Output out) {
    this.out = out;
  }

  /** Prints the values of a metric. */
  void print(FileValues values, MmvMetric metric) throws IOException {
    try {
      values.read(metric, this);
    } catch (FileTruncated e) {
      out.none(e.getMessage());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public int numbers(int type, int[] instances, long[] bits, int count) {
    try {
      for (int i = 0; i < count; i++) {
        out.number(instances[i], ValueType.decimal(type, bits[i]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return count;
  }

  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    try {
      out.text(instance, new String(bytes, offset, length, ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  @Override
  public void none(int status) {
    try {
      out.none(reason(status));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void clear() {
    // values are read once: the file is the only one
  }

  private static String reason(int status) {
    if (status == 0) {
      return "no value at the moment";
    }
    if (status == PmError.INST.code()) {
      return "the file has no value for it";
    }
    if (status == PmError.APPVERSION.code()) {
      return "not supported by the application";
    }
    if (status == PmError.TYPE.code()) {
      return "the type is unknown";
    }
    return "the offset of the string is invalid"; // PM_ERR_GENERIC
  }
}
