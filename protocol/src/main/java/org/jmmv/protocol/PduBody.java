package org.jmmv.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;

/**
 * The body of a PDU, read field by field. Whatever does not fit is refused before anything is made
 * of it, so that a decoder may allocate what it is told to. Offsets count in bytes from the start
 * of the PDU's header.
 */
final class PduBody {

  private final ByteBuf bytes;
  private final int start;

  /** A body that reaches from the buffer's reader index to its writer index. */
  PduBody(ByteBuf bytes) {
    this.bytes = bytes;
    this.start = bytes.readerIndex() - Pdu.HEADER_LENGTH;
  }

  /** Where the next field is. */
  int offset() {
    return bytes.readerIndex() - start;
  }

  /** The length of the whole PDU. */
  int length() {
    return bytes.writerIndex() - start;
  }

  /** The bytes that are left. */
  int left() {
    return bytes.readableBytes();
  }

  int word(String what) throws MalformedPduException {
    if (left() < 4) {
      throw malformed(what + " missing");
    }
    return bytes.readInt();
  }

  /** The next word: how many elements follow, of at least {@code size} bytes each. */
  int count(String what, int size) throws MalformedPduException {
    int count = word(what);
    requireLeft(what, count, size);
    return count;
  }

  /** Refuses a count, just read, of elements that can't be in what is left. */
  void requireLeft(String what, int count, int size) throws MalformedPduException {
    if (count < 0 || count > left() / size) {
      throw malformed(what + " " + count + " does not fit the " + left() + " bytes left");
    }
  }

  /** A length, as many bytes, and their padding to a multiple of 4. */
  String text(String what) throws MalformedPduException {
    int length = count(what + " length", 1);
    int padding = -length & 3;
    if (padding > left() - length) {
      throw malformed(what + " of " + length + " bytes without its padding");
    }
    String text = bytes.toString(bytes.readerIndex(), length, ISO_8859_1);
    bytes.skipBytes(length + padding);
    return text;
  }

  /** All bytes that are left. */
  String rest() {
    String text = bytes.toString(ISO_8859_1);
    bytes.skipBytes(left());
    return text;
  }

  /** Passes over as many bytes as are known to be left. */
  void skip(int length) {
    bytes.skipBytes(length);
  }

  /** As many bytes as are known to be left, as a view. */
  ByteBuf slice(int length) {
    return bytes.readSlice(length);
  }

  int wordAt(int offset, String what) throws MalformedPduException {
    return bytes.getInt(index(offset, 4, what));
  }

  byte[] bytesAt(int offset, int length, String what) throws MalformedPduException {
    int index = index(offset, length, what);
    byte[] copy = new byte[length];
    bytes.getBytes(index, copy);
    return copy;
  }

  String textAt(int offset, int length, String what) throws MalformedPduException {
    return bytes.toString(index(offset, length, what), length, ISO_8859_1);
  }

  private int index(int offset, int length, String what) throws MalformedPduException {
    if (length < 0 || offset < Pdu.HEADER_LENGTH || offset > length() - length) {
      throw malformed(what + " of " + length + " bytes at " + offset + " is outside the body");
    }
    return start + offset;
  }

  /** Refuses anything after the last field. */
  void end() throws MalformedPduException {
    if (left() > 0) {
      throw malformed(left() + " bytes too many");
    }
  }

  MalformedPduException malformed(String reason) {
    return new MalformedPduException(offset(), reason);
  }

  /** Appends a length, as many bytes, and their padding. */
  static void writeText(ByteBuf out, String text) {
    out.writeInt(text.length());
    writeBytes(out, text);
    writePadding(out, text.length());
  }

  /** Appends one byte for each char, whatever it is: lengths and offsets are those of the chars. */
  static void writeBytes(ByteBuf out, String text) {
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      char c = text.charAt(i);
      bytes[i] = (byte) (c <= 0xff ? c : '?');
    }
    out.writeBytes(bytes);
  }

  /** Appends what is missing to a multiple of 4 after so many bytes. */
  static void writePadding(ByteBuf out, int length) {
    for (int i = length; (i & 3) != 0; i++) {
      out.writeByte('~');
    }
  }
}
