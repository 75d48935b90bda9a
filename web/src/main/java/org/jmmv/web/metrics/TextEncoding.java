package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;
import org.jmmv.pcp.FileText;

/** The text formats: OpenMetrics 1.0, and that of Prometheus, 0.0.4. */
final class TextEncoding extends Encoding {
  private static final String IN_LABELS = "\\\n\"";
  private static final String IN_HELP = "\\\n";
  private static final byte[] END_OF_LABELS = {'}', ' '};

  private final boolean isOpen;
  private final Bytes line = new Bytes(); // what each series begins with: its name and labels

  /**
   * Creates an encoding.
   *
   * @param isOpen whether the format is OpenMetrics
   */
  TextEncoding(boolean isOpen) {
    this.isOpen = isOpen;
  }

  @Override
  EncodedFamily encode(Family next) {
    FamilyName names = next.names();
    String name = isOpen ? names.name() : names.series();
    line.truncate(0);
    line.add("# HELP ").add(name).add(' ');
    line.addEscaped(next.help(), isOpen ? IN_LABELS : IN_HELP);
    line.add("\n# TYPE ").add(name).add(' ').add(type(names)).add('\n');
    if (isOpen && !names.unit().isEmpty()) {
      line.add("# UNIT ").add(name).add(' ').add(names.unit()).add('\n');
    }
    return new EncodedFamily(next, line.toArray(), names.series().getBytes(US_ASCII));
  }

  @Override
  void begin(boolean isContinued) {
    line.truncate(0);
    line.add(family.series);
    int first = line.size();
    line.add(labels);
    if (labels.size() > 0) {
      line.set(first, '{');
    }
    if (!isContinued) {
      out.add(family.head);
    }
  }

  @Override
  void add(LabelPair pair, Bytes to) {
    to.add(',').add(pair.name()).add("=\"");
    to.addEscaped(pair.value(), IN_LABELS).add('"');
  }

  private String type(FamilyName names) {
    return switch (names.kind()) { // OpenMetrics has no counter whose series are not called _total
      case COUNTER -> isOpen && names.series().equals(names.name()) ? "unknown" : "counter";
      case GAUGE -> "gauge";
      case INFO -> isOpen ? "info" : "gauge";
      case UNKNOWN -> isOpen ? "unknown" : "untyped";
    };
  }

  @Override
  void add(int instance, String name, Bytes to) {
    to.add("instname=\"").addEscaped(FileText.decode(name), IN_LABELS).add("\",instid=\"");
    to.addDecimal(false, Integer.toUnsignedLong(instance), 0).add('"');
  }

  @Override
  void sample(Bytes instance, int from, int to, List<LabelPair> own) {
    if (own.isEmpty()) {
      out.add(line);
    } else {
      out.add(family.series);
      int first = out.size();
      addMerged(own, out);
      out.set(first, '{');
    }
    boolean isOpened = labels.size() > 0 || !own.isEmpty();
    if (instance != null) {
      out.add(isOpened ? ',' : '{').add(instance, from, to).add(END_OF_LABELS);
    } else if (isOpened) {
      out.add(END_OF_LABELS);
    } else {
      out.add(' ');
    }
  }

  @Override
  void integer(boolean isNegative, long magnitude, int decimals) {
    out.addDecimal(isNegative, magnitude, decimals).add('\n');
  }

  @Override
  void number(double value) {
    out.addNumber(value).add('\n');
  }

  @Override
  void real(float value) {
    out.addNumber(value).add('\n');
  }

  @Override
  void endSamples() {}

  @Override
  void endPage() {
    if (isOpen) {
      out.add("# EOF\n");
    }
  }
}
