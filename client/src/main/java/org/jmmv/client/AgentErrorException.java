package org.jmmv.client;

import java.io.IOException;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.PduType;

/** Thrown if the agent replies to a request with an ERROR. The connection remains usable. */
public final class AgentErrorException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int code;

  AgentErrorException(PduType request, int code) {
    super("the agent replied to " + request + " with " + PmError.describe(code));
    this.code = code;
  }

  /** Returns the code of the ERROR, usually negative: a {@link PmError} code or -errno. */
  public int code() {
    return code;
  }

  /** Returns whether the code is that of {@code error}. */
  public boolean is(PmError error) {
    return code == error.code();
  }
}
