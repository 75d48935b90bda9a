package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.jmmv.core.InstanceDomain;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Scale;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Body;

/**
 * Writes the values of a metric as the samples of its family. It takes no more after a {@linkplain
 * Body#PIECE piece} of a family.
 */
final class SampleWriter implements ValueSink {
  /**
   * The maximum length of a text that is shown, in bytes: each other text is another series, and a
   * long one is seldom a state.
   */
  private static final int MAX_TEXT = 200;

  private final Encoding encoding;
  private InstanceDomain labelled; // the instances; null if they have no labels
  private BooleanSupplier isTurnOver; // that of this part
  private boolean isOver; // as far as values were left out
  private long negative; // counters left out
  private long tooLong; // texts left out

  SampleWriter(Encoding encoding) {
    this.encoding = encoding;
  }

  /** Returns the number of counters that were left out, because they are negative or no number. */
  long negative() {
    return negative;
  }

  /** Returns the number of texts that were left out, because they are too long. */
  long tooLong() {
    return tooLong;
  }

  /**
   * Begins a family, or a part of a large one.
   *
   * @param domain the instances, null for a singular metric
   * @param hasBegun whether samples of the family have been written before
   * @param isTurnOver returns whether the part ends if values are left out, which make no piece
   *     longer: a large instance domain may have nothing else
   */
  void begin(
      EncodedFamily next,
      List<Labels> sets,
      InstanceDomain domain,
      boolean hasBegun,
      BooleanSupplier isTurnOver) {
    this.isTurnOver = isTurnOver;
    isOver = false;
    labelled = domain != null && domain.hasLabels() ? domain : null;
    encoding.begin(next, sets, domain, hasBegun);
  }

  @Override
  public void clear() {
    encoding.restart();
  }

  /** Ends a family, or a part of it. Returns whether it has had samples so far. */
  boolean end() {
    labelled = null; // it keeps the files that have it
    isTurnOver = null; // it keeps the view
    return encoding.end();
  }

  /** Returns whether it takes no more. Each part takes one value at least. */
  private boolean isFull() {
    return isOver || (encoding.hasSamples() && encoding.size() >= Body.PIECE);
  }

  @Override
  public int numbers(int type, int[] numbers, long[] bits, int count) {
    boolean isCounter = encoding.family.kind == Family.Kind.COUNTER;
    for (int i = 0; i < count; i++) {
      if (isFull()) {
        return i;
      }
      if (isCounter && !(ValueType.number(type, bits[i]) >= 0)) { // also NaN
        negative++;
        isOver = isTurnOver.getAsBoolean();
      } else {
        encoding.sample(numbers[i], labels(numbers[i]));
        write(type, bits[i]);
      }
    }
    return count;
  }

  private void write(int type, long bits) {
    switch (type) {
      case ValueType.I32 -> writeSigned(bits << 32 >> 32);
      case ValueType.U32 -> writeInteger(false, Integer.toUnsignedLong((int) bits));
      case ValueType.I64 -> writeSigned(bits);
      case ValueType.U64 -> writeInteger(false, bits);
      case ValueType.FLOAT -> writeFloat(Float.intBitsToFloat((int) bits));
      default -> writeDouble(Double.longBitsToDouble(bits));
    }
  }

  private void writeSigned(long value) {
    writeInteger(value < 0, value < 0 ? -value : value);
  }

  private void writeInteger(boolean isNegative, long magnitude) {
    Scale scale = encoding.family.scale;
    if (scale instanceof Scale.Exact(long factor, int decimals)
        && Math.unsignedMultiplyHigh(magnitude, factor) == 0) {
      encoding.integer(isNegative, magnitude * factor, decimals);
    } else {
      double value = ValueType.number(ValueType.U64, magnitude);
      encoding.number(scale.of(isNegative ? -value : value));
    }
  }

  private void writeFloat(float value) {
    if (encoding.family.scale.isNone()) {
      encoding.real(value);
    } else {
      writeDouble(value);
    }
  }

  private void writeDouble(double value) {
    Scale scale = encoding.family.scale;
    encoding.number(scale.isNone() ? value : scale.of(value));
  }

  @Override
  public boolean text(int number, byte[] bytes, int offset, int length) {
    if (isFull()) {
      return false;
    }
    if (length > MAX_TEXT) {
      tooLong++;
      isOver = isTurnOver.getAsBoolean();
    } else {
      LabelPair value = new LabelPair("value", new String(bytes, offset, length, UTF_8));
      encoding.sample(number, LabelPair.with(value, labels(number)));
      encoding.integer(false, 1, 0);
    }
    return true;
  }

  private List<LabelPair> labels(int number) {
    Labels own = labelled == null ? null : labelled.labels(number);
    return own == null ? List.of() : LabelPair.of(List.of(own));
  }
}
