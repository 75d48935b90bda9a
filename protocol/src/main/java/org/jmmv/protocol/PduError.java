package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.PmError;

/**
 * ERROR: a request has failed or, with code 0, a store has succeeded. From a collector to a client
 * also: metadata has changed.
 *
 * <pre>
 * 12 code
 * 16 datum    only in a {@link Greeting}; ignored
 * </pre>
 *
 * @param from 0 in a reply; otherwise the client context
 * @param code 0; negative: a {@link PmError} code or -errno; positive: bits of {@link
 *     org.jmmv.pcp.StateChange}
 */
public record PduError(int from, int code) implements Reply, Notice {
  static PduError decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int code = in.word("code");
    if (in.left() > 0) {
      in.word("datum");
    }
    in.end();
    return new PduError(from, code);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(code);
  }
}
