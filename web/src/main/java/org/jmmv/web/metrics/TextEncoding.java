package org.jmmv.web.metrics;

import java.util.List;

/** The text formats: OpenMetrics 1.0, and that of Prometheus, 0.0.4. */
final class TextEncoding implements Encoding {
  private static final String IN_LABELS = "\\\n\"";
  private static final String IN_HELP = "\\\n";
  private static final byte[] END_OF_LABELS = {'}', ' '};

  private final boolean isOpen;
  private EncodedFamily family;
  private Bytes out;
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
  public EncodedFamily encode(Family family) {
    String series = family.series();
    String name = isOpen ? family.name() : series;
    Bytes head = new Bytes();
    head.add("# HELP ").add(name).add(' ');
    head.addEscaped(family.help(), isOpen ? IN_LABELS : IN_HELP);
    head.add("\n# TYPE ").add(name).add(' ').add(type(family)).add('\n');
    if (isOpen && !family.unit().isEmpty()) {
      head.add("# UNIT ").add(name).add(' ').add(family.unit()).add('\n');
    }
    Bytes line = new Bytes().add(series);
    for (LabelPair label : family.labels()) {
      line.add(line.size() == series.length() ? '{' : ',');
      add(label, line);
    }
    return new EncodedFamily(family, head.toArray(), line.toArray());
  }

  private String type(Family family) {
    return switch (family.kind()) { // OpenMetrics has no counter whose series are not called _total
      case COUNTER -> isOpen && family.series().equals(family.name()) ? "unknown" : "counter";
      case GAUGE -> "gauge";
      case INFO -> isOpen ? "info" : "gauge";
      case UNKNOWN -> isOpen ? "unknown" : "untyped";
    };
  }

  private static void add(LabelPair label, Bytes to) {
    to.add(label.name()).add("=\"").addEscaped(label.value(), IN_LABELS).add('"');
  }

  @Override
  public void begin(EncodedFamily next, boolean isContinued, Bytes to) {
    family = next;
    out = to;
    start = to.size();
    if (!isContinued) {
      out.add(next.head);
    }
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
    boolean hasLabels = !own.isEmpty() || !family.family.labels().isEmpty();
    if (own.isEmpty()) {
      out.add(family.series);
    } else {
      addMerged(own, out.add(family.family.series()));
    }
    if (instances != null) {
      out.add(hasLabels ? ',' : '{').add(instances, from, to).add(END_OF_LABELS);
    } else if (hasLabels) {
      out.add(END_OF_LABELS);
    } else {
      out.add(' ');
    }
  }

  /** Adds the labels of the instance, and those of all series that it has not. */
  private void addMerged(List<LabelPair> own, Bytes to) {
    char separator = '{';
    for (LabelPair label : LabelPair.merged(family.family.labels(), own)) {
      add(label, to.add(separator));
      separator = ',';
    }
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
  public boolean end() {
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
