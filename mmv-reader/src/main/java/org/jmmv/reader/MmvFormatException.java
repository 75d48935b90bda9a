package org.jmmv.reader;

/**
 * Thrown if nothing of a file can be served: it is not an MMV file, or its header is invalid. Other
 * faults only leave out parts of a file; they are in {@link MmvSchema#faults}.
 */
public final class MmvFormatException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient MmvFault fault;

  /** Creates an exception with the fault's text as the message. */
  public MmvFormatException(MmvFault fault) {
    super(fault.toString());
    this.fault = fault;
  }

  /** Returns the fault. */
  public MmvFault fault() {
    return fault;
  }
}
