package org.jmmv.protocol;

/**
 * Thrown if the body of a PDU is inconsistent or does not match the PDU's length. The message is
 * printable ASCII without a full stop. It ends with the offset at which decoding failed, in bytes
 * from the start of the PDU's header.
 */
public final class MalformedPduException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedPduException(int offset, String reason) {
    // No stack trace: a hostile client can cause any number of these exceptions, and the message
    // locates the fault.
    super(reason + " at offset " + offset, null, false, false);
  }
}
