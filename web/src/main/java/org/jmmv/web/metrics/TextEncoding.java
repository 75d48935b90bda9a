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
  private int start; // of the family
  private boolean hasSamples;

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
    start = out.size();
    hasSamples = false;
    line.truncate(0);
    line.add(family.series).add(labels);
    if (!isContinued) {
      out.add(family.head);
    }
  }

  @Override
  void add(List<LabelPair> pairs, Bytes to) {
    add('{', pairs, to);
  }

  private static void add(char first, List<LabelPair> pairs, Bytes to) {
    char separator = first;
    for (LabelPair label : pairs) {
      to.add(separator).add(label.name()).add("=\"");
      to.addEscaped(label.value(), IN_LABELS).add('"');
      separator = ',';
    }
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
    hasSamples = true;
    if (own.isEmpty()) {
      out.add(line);
    } else {
      out.add(family.series);
      addMerged(own);
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

  /** Adds the labels of all series that the instance has not, and those of the instance. */
  private void addMerged(List<LabelPair> own) {
    char separator = '{';
    LabelPair.Cursor others = new LabelPair.Cursor(own);
    for (int at = 0; at < labels.size(); ) {
      int name = at + 1; // behind '{' or ','
      int value = labels.indexOf('=', name) + 2;
      for (at = value; labels.get(at) != '"'; at++) {
        at += labels.get(at) == '\\' ? 1 : 0;
      }
      at++;
      if (!others.have(labels, name, value - 2)) {
        out.add(separator).add(labels, name, at);
        separator = ',';
      }
    }
    add(separator, own, out);
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
  int size() {
    return out.size() - start;
  }

  @Override
  boolean endSamples() {
    if (!hasSamples) {
      out.truncate(start);
    }
    return hasSamples;
  }

  @Override
  void endPage() {
    if (isOpen) {
      out.add("# EOF\n");
    }
  }
}
