package org.jmmv.core.derived;

import java.util.BitSet;
import org.jmmv.core.BoundedPattern;
import org.jmmv.core.KeptValues;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InstanceTable;

/**
 * The values of the instances whose names match a pattern: of a name, the part before its first
 * space. Names are matched once, as long as the instances are the same.
 */
final class Matching implements Calculation {
  private final int inDom;
  private final BoundedPattern pattern;
  private final boolean isNegated;
  private Object identity; // of the table whose names are matched
  private int next; // of these names
  private BitSet matching = new BitSet(); // indexes in that table

  Matching(int inDom, BoundedPattern pattern, boolean isNegated) {
    this.inDom = inDom;
    this.pattern = pattern;
    this.isNegated = isNegated;
  }

  @Override
  public KeptValues calculate(KeptValues[] operands, Moment moment) {
    InstanceTable table = moment.instances().apply(inDom);
    if (!table.identity().equals(identity)) {
      identity = table.identity();
      next = 0;
      matching = new BitSet(table.size());
    }
    while (next < table.size()) {
      matching.set(next, matches(table.name(next)) != isNegated);
      next++;
      if (next < table.size() && moment.turn().isOver()) {
        return null;
      }
    }
    KeptValues selected = new KeptValues();
    KeptValues all = operands[0];
    for (int i = 0; i < all.count(); i++) {
      int index = table.indexOf(all.instance(i));
      if (index >= 0 && matching.get(index)) {
        selected.add(all.instance(i), all, i);
      }
    }
    return selected;
  }

  private boolean matches(String name) {
    int space = name.indexOf(' ');
    return pattern.isIn(space < 0 ? name : name.substring(0, space));
  }

  @Override
  public long bytes() {
    return HeapSize.ofObject(3, 2 * Integer.BYTES + 1)
        + HeapSize.ofLongs(matching.size() / Long.SIZE)
        + pattern.bytes();
  }
}
