package org.jmmv.client;

import java.io.IOException;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.PduType;

/** The agent has answered a request with an ERROR. The connection is fine, and can be used on. */
public final class AgentErrorException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int code;

  AgentErrorException(PduType request, int code) {
    super("the agent answers " + request + " with " + PmError.describe(code));
    this.code = code;
  }

  /** What the ERROR says: negative, a {@link PmError} or -errno. */
  public int code() {
    return code;
  }

  /** Whether it is this error. */
  public boolean is(PmError error) {
    return code == error.code();
  }
}
