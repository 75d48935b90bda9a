package org.jmmv.protocol;

/**
 * A PDU's body contradicts itself or its length. The message says in ASCII what is wrong and at
 * which offset, in bytes from the start of the PDU's header.
 */
public final class MalformedPduException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedPduException(int offset, String reason) {
    // Without a stack trace: a hostile client may cause any number of these, and the message says
    // all.
    super(reason + " at offset " + offset, null, false, false);
  }
}
