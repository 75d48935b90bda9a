package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Encodes the body of one {@link ListReply} in small steps. A PDU begins with its length, so all
 * entries are measured before the first one is written.
 */
public abstract class ListEncoder {
  private final int entries;
  private int length; // of the body
  private int measured; // number of entries
  private int written = -1; // number of entries; -1: what precedes them is not written yet

  /**
   * Creates an encoder.
   *
   * @param headLength the length of what precedes the entries, in bytes
   * @param entries the number of entries, each of which can be written in a short time
   */
  ListEncoder(int headLength, int entries) {
    length = headLength;
    this.entries = entries;
  }

  abstract int lengthOf(int entry);

  /** Appends what precedes the entries, which have been measured. */
  abstract void writeHead(ByteBuf out);

  abstract void write(int entry, ByteBuf out);

  /**
   * Measures the next entry, if there is one.
   *
   * @return whether there are more
   * @throws ArithmeticException if the PDU would have more than 2 GiB
   */
  public final boolean measureNext() {
    if (measured < entries) {
      length = Math.addExact(length, lengthOf(measured++));
    }
    return measured < entries;
  }

  /** Returns the length of the PDU in bytes, header included, after all entries were measured. */
  public final int length() {
    return Math.addExact(PduBody.HEADER_LENGTH, length);
  }

  /**
   * Appends what precedes the entries, and then one entry after the other.
   *
   * @return whether there are more
   */
  public final boolean writeNext(ByteBuf out) {
    if (written < 0) {
      writeHead(out);
    } else {
      write(written, out);
    }
    return ++written < entries;
  }
}
