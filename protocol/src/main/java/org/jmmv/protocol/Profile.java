package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;

/**
 * PROFILE: which instances a client wants to see. It comes before the fetch that it concerns and
 * stays in force until the next; it has no reply.
 *
 * <pre>
 * 12 context      not negative
 * 16 globalState  for instance domains that are not listed: 0 all instances, otherwise none
 * 20 nIndoms
 * 24 pad
 * 28 nIndoms times
 *      indom
 *      state      0: all but the listed instances; otherwise: only the listed
 *      nInst
 *      pad
 *    inst...      of all the instance domains, one after the other
 * </pre>
 *
 * @param include whether the instances of a domain that is not listed are wanted
 */
public record Profile(int from, int context, boolean include, List<InDomProfile> inDoms)
    implements Pdu {

  private static final int HEAD_LENGTH = 16;

  public Profile {
    inDoms = List.copyOf(inDoms);
  }

  /** A profile that lets everything pass. */
  public static Profile all(int from, int context) {
    return new Profile(from, context, true, List.of());
  }

  @Override
  public PduType type() {
    return PduType.PROFILE;
  }

  public static Profile decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int context = in.word("context");
    if (context < 0) {
      throw in.malformed("context " + context);
    }
    boolean include = in.word("globalState") == 0;
    int count = in.word("nIndoms");
    in.word("pad");
    in.requireLeft("nIndoms", count, HEAD_LENGTH);
    List<InDomProfile> inDoms = count == 0 ? List.of() : decodeInDoms(in, count);
    in.end();
    return new Profile(from, context, include, inDoms);
  }

  private static List<InDomProfile> decodeInDoms(PduBody in, int count)
      throws MalformedPduException {
    int heads = in.offset();
    in.skip(HEAD_LENGTH * count);
    InDomProfile[] inDoms = new InDomProfile[count];
    for (int i = 0; i < count; i++) {
      inDoms[i] = InDomProfile.decode(in, heads + HEAD_LENGTH * i);
    }
    return Arrays.asList(inDoms);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(context).writeInt(include ? 0 : 1).writeInt(inDoms.size()).writeInt(0);
    inDoms.forEach(inDom -> inDom.encodeHead(out));
    inDoms.forEach(inDom -> inDom.encodeInstances(out));
  }
}
