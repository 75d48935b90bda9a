package org.jmmv.client;

import java.io.IOException;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.PduType;

/** Thrown if the agent replies to a request with an ERROR. The connection remains usable. */
public final class AgentErrorException extends IOException {

  private static final long serialVersionUID = 1L;

  AgentErrorException(PduType request, int code) {
    super("the agent replied to " + request + " with " + PmError.describe(code));
  }
}
