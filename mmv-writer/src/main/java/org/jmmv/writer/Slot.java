package org.jmmv.writer;

import java.nio.ByteBuffer;

/**
 * Where a value is written, and how.
 *
 * @param maySayNone whether readers know the number that stands for no value
 * @param hasRoom whether it is the value's own
 * @param strings where the copies of a text are; null of a number
 * @param stringsOffset the offset of the copies in the file
 */
record Slot(
    Cell cell,
    Type type,
    boolean maySayNone,
    boolean hasRoom,
    ByteBuffer strings,
    long stringsOffset) {}
