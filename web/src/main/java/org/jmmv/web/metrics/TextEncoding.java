package org.jmmv.web.metrics;

import java.util.List;

/** The text formats: OpenMetrics 1.0, and that of Prometheus, 0.0.4. */
final class TextEncoding implements Encoding {
  private static final String IN_LABELS = "\\\n\"";
  private static final String IN_HELP = "\\\n";
  private static final byte[] END_OF_LABELS = {'}', ' '};

  private final boolean isOpen;
  private final EncodedLabels lastLabels = new EncodedLabels();
  private EncodedFamily family;
  private Bytes out;
  private int start; // of the family
  private boolean hasLabels; // the family
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
  public void addHead(Family next, Bytes to) {
    FamilyName names = next.names();
    String name = isOpen ? names.name() : names.series();
    to.add("# HELP ").add(name).add(' ');
    to.addEscaped(next.help(), isOpen ? IN_LABELS : IN_HELP);
    to.add("\n# TYPE ").add(name).add(' ').add(type(names)).add('\n');
    if (isOpen && !names.unit().isEmpty()) {
      to.add("# UNIT ").add(name).add(' ').add(names.unit()).add('\n');
    }
  }

  @Override
  public void addLine(Family next, Bytes to) {
    to.add(next.names().series());
    to.add(lastLabels.of(next.labels(), (labels, bytes) -> addLabels('{', labels, bytes)));
  }

  private static void addLabels(char first, List<LabelPair> labels, Bytes to) {
    char separator = first;
    for (LabelPair label : labels) {
      to.add(separator).add(label.name()).add("=\"");
      to.addEscaped(label.value(), IN_LABELS).add('"');
      separator = ',';
    }
  }

  private String type(FamilyName family) {
    return switch (family.kind()) { // OpenMetrics has no counter whose series are not called _total
      case COUNTER -> isOpen && family.series().equals(family.name()) ? "unknown" : "counter";
      case GAUGE -> "gauge";
      case INFO -> isOpen ? "info" : "gauge";
      case UNKNOWN -> isOpen ? "unknown" : "untyped";
    };
  }

  @Override
  public void begin(EncodedFamily next, boolean isContinued, Bytes to) {
    family = next;
    out = to;
    start = to.size();
    if (!isContinued) {
      out.add(next.bytes(), next.head(), next.line());
    }
    hasLabels = next.bytes().get(next.end() - 1) == '"';
    hasSamples = false;
  }

  @Override
  public void encode(int instance, String name, Bytes to) {
    to.add("instname=\"").addFileText(name, IN_LABELS).add("\",instid=\"");
    to.addDecimal(false, Integer.toUnsignedLong(instance), 0).add('"');
  }

  @Override
  public void sample(Bytes instances, int from, int to, List<LabelPair> own) {
    hasSamples = true;
    if (own.isEmpty()) {
      out.add(family.bytes(), family.line(), family.end());
    } else {
      addMerged(own);
    }
    boolean isOpened = hasLabels || !own.isEmpty();
    if (instances != null) {
      out.add(isOpened ? ',' : '{').add(instances, from, to).add(END_OF_LABELS);
    } else if (isOpened) {
      out.add(END_OF_LABELS);
    } else {
      out.add(' ');
    }
  }

  /** Adds the labels of all series that the instance has not, and those of the instance. */
  private void addMerged(List<LabelPair> own) {
    Bytes line = family.bytes();
    int at = line.indexOf('{', family.line(), family.end());
    out.add(line, family.line(), at);
    char separator = '{';
    LabelPair.Cursor others = new LabelPair.Cursor(own);
    while (at < family.end()) {
      int name = at + 1; // behind '{' or ','
      int value = line.indexOf('=', name, family.end()) + 2;
      for (at = value; line.get(at) != '"'; at++) {
        at += line.get(at) == '\\' ? 1 : 0;
      }
      at++;
      if (!others.have(line, name, value - 2)) {
        out.add(separator).add(line, name, at);
        separator = ',';
      }
    }
    addLabels(separator, own, out);
  }

  @Override
  public void integer(boolean isNegative, long magnitude, int decimals) {
    out.addDecimal(isNegative, magnitude, decimals).add('\n');
  }

  @Override
  public void number(double value) {
    out.addNumber(value).add('\n');
  }

  @Override
  public void real(float value) {
    out.addNumber(value).add('\n');
  }

  @Override
  public int size() {
    return out.size() - start;
  }

  @Override
  public boolean end() {
    family = null; // it keeps all families of its plan
    if (!hasSamples) {
      out.truncate(start);
    }
    return hasSamples;
  }

  @Override
  public void endPage(Bytes to) {
    if (isOpen) {
      to.add("# EOF\n");
    }
  }
}
