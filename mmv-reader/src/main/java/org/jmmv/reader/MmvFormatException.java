package org.jmmv.reader;

/**
 * A file that can't be served: it is not an MMV file, or its header is broken. Smaller faults do
 * not stop a file from being served; they are in {@link MmvSchema#faults}.
 */
public final class MmvFormatException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient MmvFault fault;

  /** An exception whose message is the fault's line. */
  public MmvFormatException(MmvFault fault) {
    super(fault.toString());
    this.fault = fault;
  }

  /** What is wrong, and where. */
  public MmvFault fault() {
    return fault;
  }
}
