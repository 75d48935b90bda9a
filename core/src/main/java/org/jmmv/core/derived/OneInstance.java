package org.jmmv.core.derived;

import org.jmmv.core.KeptValues;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InstanceTable;

/** The value of one instance. */
final class OneInstance implements Calculation {
  private final int inDom;
  private final String name;
  private Object identity; // of the table that was searched
  private int expected = -1; // its index in that table, negative if it is not there
  private int number;

  OneInstance(int inDom, String name) {
    this.inDom = inDom;
    this.name = name;
  }

  @Override
  public KeptValues calculate(KeptValues[] operands, Moment moment) {
    InstanceTable table = moment.instances().apply(inDom);
    if (!table.identity().equals(identity)) {
      identity = table.identity();
      expected = table.indexOf(name);
      number = expected < 0 ? 0 : table.number(expected);
    }
    KeptValues one = new KeptValues();
    int index = expected < 0 ? -1 : new InstanceIndex(operands[0]).find(number, expected);
    if (index >= 0) {
      one.add(number, operands[0], index);
    }
    return one;
  }

  @Override
  public long bytes() {
    return HeapSize.ofObject(2, 3 * Integer.BYTES) + HeapSize.of(name);
  }
}
