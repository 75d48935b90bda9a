package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.ValueType;

/**
 * The messages {@code io.prometheus.client.MetricFamily} of prometheus/client_model, each after its
 * length.
 */
final class ProtobufEncoding extends Encoding {
  private static final int VARINT = 0; // wire types
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;

  private static final int FAMILY_NAME = 1;
  private static final int FAMILY_HELP = 2;
  private static final int FAMILY_TYPE = 3;
  private static final int FAMILY_METRIC = 4;
  private static final int FAMILY_UNIT = 5;
  private static final int METRIC_LABEL = 1;
  private static final int LABEL_NAME = 1;
  private static final int LABEL_VALUE = 2;
  private static final int NUMBER = 1; // of Counter, Gauge and Untyped
  private static final int COUNTER_CREATED = 3;
  private static final int SECONDS = 1; // of google.protobuf.Timestamp
  private static final int NANOS = 2;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Bytes message = new Bytes(); // the family
  private final Bytes metric = new Bytes(); // the current one
  private final Bytes value = new Bytes();
  private final Bytes text = new Bytes();

  @Override
  EncodedFamily encode(Family next) {
    FamilyName names = next.names();
    message.truncate(0);
    addText(FAMILY_NAME, names.series(), message);
    addText(FAMILY_HELP, next.help(), message);
    tag(FAMILY_TYPE, VARINT, message).addVarint(type(names.kind()));
    if (!names.unit().isEmpty()) {
      addText(FAMILY_UNIT, names.unit(), message);
    }
    return new EncodedFamily(next, message.toArray(), new byte[0]);
  }

  @Override
  void begin(boolean isContinued) { // each part is a message
    message.truncate(0);
    message.add(family.head);
  }

  @Override
  void add(LabelPair pair, Bytes to) {
    text.truncate(0);
    addText(LABEL_NAME, pair.name(), text);
    addText(LABEL_VALUE, pair.value(), text);
    addMessage(METRIC_LABEL, text, to);
  }

  /** Returns a {@code MetricType}. */
  private static int type(Family.Kind kind) {
    return switch (kind) {
      case COUNTER -> 0;
      case GAUGE, INFO -> 1;
      case UNKNOWN -> 3;
    };
  }

  /** Returns the field of {@code Metric} that has the value. */
  private static int field(Family.Kind kind) {
    return switch (kind) {
      case COUNTER -> 3;
      case GAUGE, INFO -> 2;
      case UNKNOWN -> 5;
    };
  }

  private static Bytes tag(int field, int type, Bytes to) {
    return to.addVarint(((long) field << 3) | type);
  }

  private static void addText(int field, String text, Bytes to) {
    byte[] bytes = text.replace('\0', '\ufffd').getBytes(UTF_8); // as in the text formats
    tag(field, LENGTH, to).addVarint(bytes.length).add(bytes);
  }

  private static void addMessage(int field, Bytes part, Bytes to) {
    tag(field, LENGTH, to).addVarint(part.size()).add(part);
    part.truncate(0);
  }

  @Override
  void add(int instance, String name, Bytes to) {
    add(new LabelPair("instname", FileText.decode(name)), to);
    add(new LabelPair("instid", Integer.toUnsignedString(instance)), to);
  }

  @Override
  void sample(Bytes instance, int from, int to, List<LabelPair> own) {
    metric.truncate(0);
    if (own.isEmpty()) {
      metric.add(labels);
    } else {
      addMerged(own, metric);
    }
    if (instance != null) {
      metric.add(instance, from, to);
    }
  }

  @Override
  void integer(boolean isNegative, long magnitude, int decimals) {
    double number = ValueType.number(ValueType.U64, magnitude);
    if (decimals > 0) {
      number /= Math.pow(10, decimals);
    }
    number(isNegative ? -number : number);
  }

  @Override
  void real(float number) {
    number(number);
  }

  @Override
  void number(double number) {
    tag(NUMBER, FIXED64, value).addDouble(number);
    long start = family.start;
    if (family.kind == Family.Kind.COUNTER && start != 0) {
      tag(SECONDS, VARINT, text).addVarint(start / NANOS_PER_SECOND);
      tag(NANOS, VARINT, text).addVarint(start % NANOS_PER_SECOND);
      addMessage(COUNTER_CREATED, text, value);
    }
    addMessage(field(family.kind), value, metric);
    addMessage(FAMILY_METRIC, metric, message);
  }

  @Override
  int size() {
    return message.size();
  }

  @Override
  void endSamples() {
    out.addVarint(message.size()).add(message);
  }

  @Override
  void endPage() {}
}
