package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collections;
import java.util.List;
import org.jmmv.core.InstanceDomain;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/** Writes the values of a metric as the samples of its family. */
final class SampleWriter implements ValueSink {
  /** The maximum length of a text that is shown, in bytes. */
  private static final int MAX_TEXT = 200;

  private final Encoding encoding;
  private final Bytes out;
  private final InstanceTexts texts;
  private EncodedFamily family;
  private InstanceDomain instances; // null for a singular metric
  private boolean haveLabels;
  private int start; // of the family, or of its part
  private boolean isContinued;
  private long negative; // counters left out
  private long tooLong; // texts left out

  SampleWriter(Encoding encoding, Bytes out) {
    this.encoding = encoding;
    this.out = out;
    texts = new InstanceTexts(encoding);
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return texts.bytes().size();
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
   * @param isNextPart whether the part before was of the same family
   */
  void begin(EncodedFamily next, InstanceDomain domain, boolean isNextPart) {
    family = next;
    instances = domain;
    haveLabels = domain != null && domain.hasLabels();
    if (domain != null) {
      texts.begin(domain);
    }
    start = out.size();
    isContinued &= isNextPart;
    clear();
  }

  @Override
  public void clear() {
    out.truncate(start);
    encoding.begin(family, isContinued, out);
  }

  void end() {
    isContinued |= encoding.end();
  }

  @Override
  public void numbers(int type, int[] numbers, long[] bits, int count) {
    boolean isCounter = family.family.kind() == Family.Kind.COUNTER;
    for (int i = 0; i < count; i++) {
      if (isCounter && !isOfCounter(type, bits[i])) {
        negative++;
      } else {
        sample(numbers[i], labels(numbers[i]));
        write(type, bits[i]);
      }
    }
  }

  private static boolean isOfCounter(int type, long bits) {
    return switch (type) {
      case ValueType.I32 -> (int) bits >= 0;
      case ValueType.I64 -> bits >= 0;
      case ValueType.FLOAT -> Float.intBitsToFloat((int) bits) >= 0;
      case ValueType.DOUBLE -> Double.longBitsToDouble(bits) >= 0;
      default -> true;
    };
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
    Scale scale = family.family.scale();
    if (scale.isNone()) {
      encoding.integer(isNegative, magnitude, 0);
    } else if (scale instanceof Scale.Exact(long factor, int decimals)
        && Math.unsignedMultiplyHigh(magnitude, factor) == 0) {
      encoding.integer(isNegative, magnitude * factor, decimals);
    } else {
      double value = Scale.ofUnsigned(magnitude);
      encoding.number(scale.of(isNegative ? -value : value));
    }
  }

  private void writeFloat(float value) {
    if (family.family.scale().isNone()) {
      encoding.real(value);
    } else {
      writeDouble(value);
    }
  }

  private void writeDouble(double value) {
    Scale scale = family.family.scale();
    encoding.number(scale.isNone() ? value : scale.of(value));
  }

  @Override
  public void text(int number, byte[] bytes, int offset, int length) {
    if (length > MAX_TEXT) {
      tooLong++;
    } else {
      String text = new String(bytes, offset, length, UTF_8);
      sample(number, LabelPair.merged(labels(number), List.of(new LabelPair("value", text))));
      encoding.integer(false, 1, 0);
    }
  }

  private void sample(int number, List<LabelPair> own) {
    if (number == Instance.NULL) {
      encoding.sample(null, 0, 0, own);
      return;
    }
    int index = texts.indexOf(number, instances);
    encoding.sample(texts.bytes(), texts.from(index), texts.to(index), own);
  }

  private List<LabelPair> labels(int number) {
    return haveLabels
        ? LabelPair.of(Collections.singletonList(instances.labels(number)))
        : List.of();
  }

  @Override
  public void none(int status) {}
}
