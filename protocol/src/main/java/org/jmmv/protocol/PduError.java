package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.PmError;

/**
 * ERROR: a request has failed, or with code 0, is done.
 *
 * <pre>
 * 12 code  0, or a negative {@link PmError} or -errno
 * 16       (a second word, from pmcd to a new client only: ignored)
 * </pre>
 */
public record PduError(int from, int code) implements Pdu {

  @Override
  public PduType type() {
    return PduType.ERROR;
  }

  public static PduError decode(int from, ByteBuf body) throws MalformedPduException {
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
