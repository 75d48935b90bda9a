package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.Instance;

/**
 * INSTANCE_REQ: instances of a domain, please: all of them (no instance, no name), the name of one
 * (an instance), or the number of one (a name). The reply is {@link Instances}.
 *
 * <pre>
 * 12 indom
 * 16 0, 0
 * 24 inst
 * 28 namelen, name
 * </pre>
 *
 * @param instance {@link Instance#NULL} if none
 * @param name "" if none
 */
public record InstanceReq(int from, int inDom, int instance, String name) implements Pdu {

  @Override
  public PduType type() {
    return PduType.INSTANCE_REQ;
  }

  public static InstanceReq decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int inDom = in.word("indom");
    in.word("time");
    in.word("time");
    int instance = in.word("inst");
    String name = in.text("name");
    in.end();
    return new InstanceReq(from, inDom, instance, name);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(inDom).writeInt(0).writeInt(0).writeInt(instance);
    PduBody.writeText(out, name);
  }
}
