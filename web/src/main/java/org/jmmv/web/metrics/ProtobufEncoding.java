package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.jmmv.pcp.FileText;

/**
 * The messages {@code io.prometheus.client.MetricFamily} of prometheus/client_model, each after its
 * length.
 */
final class ProtobufEncoding implements Encoding {
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

  private final EncodedLabels lastLabels = new EncodedLabels();
  private final Bytes families = new Bytes(); // the current one
  private final Bytes metric = new Bytes(); // the current one
  private final Bytes value = new Bytes();
  private final Bytes text = new Bytes();
  private EncodedFamily family;
  private Bytes out;
  private boolean hasSamples;

  @Override
  public void addHead(Family next, Bytes to) {
    FamilyName names = next.names();
    addText(FAMILY_NAME, names.series(), to);
    addText(FAMILY_HELP, next.help(), to);
    tag(FAMILY_TYPE, VARINT, to).addVarint(type(names.kind()));
    if (!names.unit().isEmpty()) {
      addText(FAMILY_UNIT, names.unit(), to);
    }
  }

  @Override
  public void addLine(Family next, Bytes to) {
    to.add(lastLabels.of(next.labels(), this::addLabels));
  }

  private void addLabels(List<LabelPair> labels, Bytes to) {
    labels.forEach(label -> add(label.name(), label.value(), to));
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

  private static void addMessage(int field, Bytes message, Bytes to) {
    tag(field, LENGTH, to).addVarint(message.size()).add(message);
    message.truncate(0);
  }

  private void add(String name, String value, Bytes to) {
    text.truncate(0);
    addText(LABEL_NAME, name, text);
    addText(LABEL_VALUE, value, text);
    addMessage(METRIC_LABEL, text, to);
  }

  @Override
  public void begin(EncodedFamily next, boolean isContinued, Bytes to) { // each part is a message
    family = next;
    out = to;
    families.truncate(0);
    families.add(next.bytes(), next.head(), next.line());
    hasSamples = false;
  }

  @Override
  public void encode(int instance, String name, Bytes to) {
    add("instname", FileText.decode(name), to);
    add("instid", Integer.toUnsignedString(instance), to);
  }

  @Override
  public void sample(Bytes instances, int from, int to, List<LabelPair> own) {
    hasSamples = true;
    metric.truncate(0);
    if (own.isEmpty()) {
      metric.add(family.bytes(), family.line(), family.end());
    } else {
      addMerged(own);
    }
    if (instances != null) {
      metric.add(instances, from, to);
    }
  }

  /** Adds the labels of all series that the instance has not, and those of the instance. */
  private void addMerged(List<LabelPair> own) {
    Bytes line = family.bytes();
    LabelPair.Cursor others = new LabelPair.Cursor(own);
    int at = family.line();
    while (at < family.end()) {
      int label = at;
      int name = afterLength(line, label); // its tag
      int text = afterLength(line, name);
      at = name + (int) line.varint(label + 1);
      if (!others.have(line, text, text + (int) line.varint(name + 1))) {
        metric.add(line, label, at);
      }
    }
    addLabels(own, metric);
  }

  /** Returns where the text or message begins whose tag is somewhere. */
  private static int afterLength(Bytes bytes, int tag) {
    int at = tag + 1;
    while (bytes.get(at) < 0) {
      at++;
    }
    return at + 1;
  }

  @Override
  public void integer(boolean isNegative, long magnitude, int decimals) {
    double number = Scale.ofUnsigned(magnitude);
    if (decimals > 0) {
      number /= Math.pow(10, decimals);
    }
    number(isNegative ? -number : number);
  }

  @Override
  public void real(float number) {
    number(number);
  }

  @Override
  public void number(double number) {
    tag(NUMBER, FIXED64, value).addDouble(number);
    long start = family.start();
    if (family.kind() == Family.Kind.COUNTER && start != 0) {
      tag(SECONDS, VARINT, text).addVarint(start / NANOS_PER_SECOND);
      tag(NANOS, VARINT, text).addVarint(start % NANOS_PER_SECOND);
      addMessage(COUNTER_CREATED, text, value);
    }
    addMessage(field(family.kind()), value, metric);
    addMessage(FAMILY_METRIC, metric, families);
  }

  @Override
  public int size() {
    return families.size();
  }

  @Override
  public boolean end() {
    family = null; // it keeps all families of its plan
    if (hasSamples) {
      out.addVarint(families.size()).add(families);
    }
    return hasSamples;
  }

  @Override
  public void endPage(Bytes to) {}
}
