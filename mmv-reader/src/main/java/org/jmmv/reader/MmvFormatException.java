package org.jmmv.reader;

import static org.jmmv.pcp.Printable.printable;

import org.jmmv.reader.fault.Fault;

/**
 * Thrown if nothing of a file can be served: it is not an MMV file, or its header is invalid. Other
 * faults only leave out parts of a file; they are in {@link MmvSchema#faults}.
 */
public final class MmvFormatException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Fault fault;

  /** Creates an exception with the fault's text as the message. */
  public MmvFormatException(Fault fault) {
    super(printable(fault.place().file().toString()) + ": " + fault.text());
    this.fault = fault;
  }

  public Fault fault() {
    return fault;
  }
}
