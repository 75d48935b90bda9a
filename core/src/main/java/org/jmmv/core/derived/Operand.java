package org.jmmv.core.derived;

import org.jmmv.core.KeptValues;
import org.jmmv.pcp.HeapSize;

/** A metric that an expression names, as it was when its values were read. */
public record Operand(Descriptor descriptor, KeptValues values) {
  /** Returns what it takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofObject(2, 0) + descriptor.bytes() + values.bytes();
  }
}
