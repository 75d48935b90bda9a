package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jmmv.pcp.InDom;

/**
 * What a {@link Profile} says of one instance domain. Immutable; a class for the sake of its array.
 */
public final class InDomProfile {

  private final int inDom;
  private final boolean include;
  private final int[] instances;

  /**
   * @param include true: all instances but the listed are wanted; false: only the listed
   */
  public InDomProfile(int inDom, boolean include, int... instances) {
    this.inDom = inDom;
    this.include = include;
    this.instances = instances.clone();
  }

  public int inDom() {
    return inDom;
  }

  /** True: all instances but the listed are wanted; false: only the listed. */
  public boolean include() {
    return include;
  }

  /** A copy of the listed instance numbers, in no particular order, repeats possible. */
  public int[] instances() {
    return instances.clone();
  }

  /** Decodes one of the heads and, where the body stands, its instances. */
  static InDomProfile decode(PduBody in, int head) throws MalformedPduException {
    int inDom = in.wordAt(head, "indom");
    boolean include = in.wordAt(head + 4, "state") == 0;
    int count = in.wordAt(head + 8, "nInst");
    in.requireLeft("nInst", count, 4);
    int[] instances = new int[count];
    for (int i = 0; i < count; i++) {
      instances[i] = in.word("inst");
    }
    return new InDomProfile(inDom, include, instances);
  }

  void encodeHead(ByteBuf out) {
    out.writeInt(inDom).writeInt(include ? 0 : 1).writeInt(instances.length).writeInt(0);
  }

  void encodeInstances(ByteBuf out) {
    for (int instance : instances) {
      out.writeInt(instance);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InDomProfile that
        && inDom == that.inDom
        && include == that.include
        && Arrays.equals(instances, that.instances);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * inDom + Boolean.hashCode(include)) + Arrays.hashCode(instances);
  }

  @Override
  public String toString() {
    return "InDomProfile[inDom="
        + InDom.toString(inDom)
        + ", include="
        + include
        + ", instances="
        + Arrays.toString(instances)
        + "]";
  }
}
