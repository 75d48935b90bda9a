package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jmmv.pcp.InDom;

/**
 * The part of a {@link Profile} that applies to one instance domain. Immutable.
 *
 * <p>This is not a record because a record would expose its array and compare it by identity.
 */
public final class InDomProfile {

  private final int inDom;
  private final boolean include;
  private final int[] instances;

  /**
   * Creates a profile for an instance domain.
   *
   * @param inDom an {@link InDom}
   * @param include true: all instances except the listed ones; false: only the listed ones
   * @param instances instance numbers, in any order, with or without duplicates; copied
   */
  public InDomProfile(int inDom, boolean include, int... instances) {
    this.inDom = inDom;
    this.include = include;
    this.instances = instances.clone();
  }

  /** Returns the instance domain, an {@link InDom}. */
  public int inDom() {
    return inDom;
  }

  /** Returns true for all instances except the listed ones, false for only the listed ones. */
  public boolean include() {
    return include;
  }

  /** Returns a copy of the listed instance numbers, in any order, possibly with duplicates. */
  public int[] instances() {
    return instances.clone();
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
