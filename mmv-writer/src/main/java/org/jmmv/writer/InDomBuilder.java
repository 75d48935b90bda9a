package org.jmmv.writer;

/** Describes an instance domain before it is added. */
public final class InDomBuilder {
  private final Metrics metrics;
  private final InDomDescription described;

  InDomBuilder(Metrics metrics, String name) {
    this.metrics = metrics;
    described = new InDomDescription(name);
  }

  /**
   * Sets the serial number. Without one, the next free one is assigned, and kept for this name.
   *
   * @param number 1 to 2,047
   * @throws IllegalArgumentException if it is out of range
   */
  public InDomBuilder serial(int number) {
    if (number < 1 || number > MmvLayout.MAX_SERIAL) {
      throw new IllegalArgumentException("the serial of " + described.name + " is " + number);
    }
    described.serial = number;
    return this;
  }

  /** Sets the help: one line. Of more than 255 bytes of UTF-8, the beginning is taken. */
  public InDomBuilder help(String line) {
    described.oneLine = line;
    return this;
  }

  /** Sets the help: one line, and a text. Of more than 255 bytes each, the beginning is taken. */
  public InDomBuilder help(String line, String details) {
    described.oneLine = line;
    described.text = details;
    return this;
  }

  /**
   * Adds a label for all instances. It replaces that of the same name.
   *
   * @param value a {@link String}, a {@link Number} or a {@link Boolean}
   * @throws IllegalArgumentException if the label is invalid, or has more than 243 bytes of JSON
   */
  public InDomBuilder label(String labelName, Object value) {
    described.labels.put(labelName, Labels.json(labelName, value));
    return this;
  }

  /**
   * Adds the domain. If there is one of this name, it is returned as it is.
   *
   * @throws IllegalArgumentException if another domain has this serial
   */
  public InDom add() {
    return metrics.addInDom(described);
  }
}
