package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.IntBuffer;
import org.jmmv.pcp.InDom;

/**
 * The part of a {@link Profile} that applies to one instance domain. Immutable.
 *
 * @param inDom an {@link InDom}
 * @param include true: all instances except the listed ones; false: only the listed ones
 * @param instances instance numbers from index 0 to the limit, in any order, with or without
 *     duplicates
 */
public record InDomProfile(int inDom, boolean include, IntBuffer instances) {
  public InDomProfile {
    instances = instances.asReadOnlyBuffer();
  }

  /** As the other constructor. The instance numbers are kept: the caller must not change them. */
  public InDomProfile(int inDom, boolean include, int... instances) {
    this(inDom, include, IntBuffer.wrap(instances));
  }

  /**
   * Decodes the head at an offset, and its instances at the reader's position.
   *
   * @param head the head's offset from the start of the PDU's header
   */
  static InDomProfile decode(PduBody in, int head) throws MalformedPduException {
    int inDom = in.wordAt(head, "indom");
    boolean include = in.wordAt(head + 4, "state") == 0;
    int count = in.wordAt(head + 8, "nInst");
    in.requireLeft("nInst", count, 4);
    return new InDomProfile(inDom, include, in.words(count));
  }

  void encodeHead(ByteBuf out) {
    out.writeInt(inDom).writeInt(include ? 0 : 1).writeInt(instances.limit()).writeInt(0);
  }

  void encodeInstances(ByteBuf out) {
    for (int i = 0; i < instances.limit(); i++) {
      out.writeInt(instances.get(i));
    }
  }
}
