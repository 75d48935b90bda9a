package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;

/**
 * PROFILE: selects the instances that a client wants; see pmAddProfile(3). It precedes a fetch and
 * stays in force until the next PROFILE. There is no reply.
 *
 * <pre>
 * 12 context      not negative
 * 16 globalState  for all instance domains that are not listed: 0 all instances, otherwise none
 * 20 nIndoms
 * 24 pad
 * 28 nIndoms times
 *      indom
 *      state      0 all instances except the listed ones, otherwise only the listed ones
 *      nInst
 *      pad
 *    inst...      the instances of all listed domains, in the same order
 * </pre>
 *
 * @param from the client context
 * @param context the client's own number of the context, 0 or more
 * @param include whether the instances of domains that are not listed are selected
 * @param inDoms the listed instance domains
 */
public record Profile(int from, int context, boolean include, List<InDomProfile> inDoms)
    implements Notice {
  private static final int HEAD_LENGTH = 16;

  public Profile {
    inDoms = List.copyOf(inDoms);
  }

  /** Returns a profile that selects all instances. */
  public static Profile all(int from, int context) {
    return new Profile(from, context, true, List.of());
  }

  static Profile decode(int from, ByteBuf body) throws MalformedPduException {
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
