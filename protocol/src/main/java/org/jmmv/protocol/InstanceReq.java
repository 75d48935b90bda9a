package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.Instance;

/**
 * INSTANCE_REQ: requests all instances of a domain (neither instance nor name given), the name of
 * an instance (instance given), or the number of an instance (name given). The reply is {@link
 * Instances}.
 *
 * <pre>
 * 12 indom
 * 16 0, 0
 * 24 inst
 * 28 namelen, name
 * </pre>
 *
 * @param from the client context
 * @param inDom an {@link org.jmmv.pcp.InDom}
 * @param instance an instance number; {@link Instance#NULL} if not given
 * @param name an instance name; "" if not given
 */
public record InstanceReq(int from, int inDom, int instance, String name) implements Request {
  static InstanceReq decode(int from, ByteBuf body) throws MalformedPduException {
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
