package org.jmmv.writer;

import java.nio.ByteBuffer;

/**
 * A text. It is kept several times, and the value says where the last one is: a reader never gets
 * half of one and half of another, unless the text changes {@link #COPIES} times while it reads 255
 * bytes.
 */
public final class Text extends MetricValue {
  /** A reader may take as long as seven changes to read a text that it has found. */
  static final int COPIES = 8;

  /** The size of all copies in bytes. */
  static final int SIZE = COPIES * MmvLayout.STRING;

  private final ByteBuffer copies;
  private final long fileOffset; // of the copies
  private int next = 1; // a reader may be reading the first copy, which is empty

  Text(Slot slot) {
    super(slot);
    copies = slot.strings();
    fileOffset = slot.stringsOffset();
  }

  /** Sets the text. Of a longer one than 255 bytes of UTF-8, the beginning is taken. */
  public synchronized void set(String text) {
    int start = next * MmvLayout.STRING;
    MmvImage.put(copies, start, MmvLayout.STRING, Utf8.encode(text, MmvLayout.STRING - 1));
    cell.setExtra(fileOffset + start);
    next = (next + 1) % COPIES;
  }

  @Override
  void setNoValue() {
    set("");
  }
}
