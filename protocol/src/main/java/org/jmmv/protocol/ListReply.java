package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A reply with a list that may be long: the instances of a domain, their labels, the names of all
 * metrics. It can be encoded an entry at a time. The list is not copied; it must not change.
 */
public sealed interface ListReply extends Reply permits Instances, Label, PmnsNames {
  /** Returns the number of elements of the list. */
  int size();

  /**
   * Returns what an element takes in the heap, in bytes, if it is kept by the list alone.
   *
   * @param index 0 to {@link #size} - 1
   */
  long heapOf(int index);

  /** Returns a new encoder. */
  ListEncoder encoder();

  @Override
  default void encodeBody(ByteBuf out) {
    ListEncoder encoder = encoder();
    while (encoder.measureNext()) {}
    while (encoder.writeNext(out)) {}
  }
}
