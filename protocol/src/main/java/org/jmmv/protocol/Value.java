package org.jmmv.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jmmv.pcp.ValueType;

/** A value in a {@link Result}. */
public sealed interface Value {

  /** Returns a number in decimal; for anything else the bytes up to the first NUL. */
  String asText();

  /**
   * A value of type I32 or U32. Only the metric's descriptor tells which; {@link #asText} treats it
   * as I32.
   *
   * @param bits the 32 bits of the value
   */
  record Word(int bits) implements Value {
    @Override
    public String asText() {
      return Integer.toString(bits);
    }
  }

  /**
   * A value of any other type. It is encoded as {@code vtype:8 vlen:24}, where vlen includes these
   * 4 bytes, then the data, then padding with {@code ~} to a multiple of 4 bytes. Numbers are
   * big-endian, a string ends with a NUL. pmcd does not check values that a client stores: data of
   * the wrong length for a numeric type is not a number.
   *
   * @param type one of {@link ValueType}, or any other number from 0 to 255
   * @param data at most 16,777,211 bytes, one char each
   */
  record Block(int type, String data) implements Value {
    private static final int MAX_LENGTH = 0xffffff;

    public Block {
      if (type < 0 || type > 0xff || data.length() > MAX_LENGTH - 4) {
        throw new IllegalArgumentException("type " + type + " with " + data.length() + " bytes");
      }
    }

    static Block decode(PduBody in, int offset) throws MalformedPduException {
      int head = in.wordAt(offset, "value block");
      int length = head & MAX_LENGTH;
      if (length < 4) {
        throw in.malformed("value block of length " + length);
      }
      return new Block(head >>> 24, in.textAt(offset + 4, length - 4, "value block"));
    }

    void encode(ByteBuf out) {
      out.writeInt(type << 24 | (data.length() + 4));
      PduBody.writeBytes(out, data);
      PduBody.writePadding(out, data.length());
    }

    /** Returns the encoded length in bytes, head and padding included. */
    int encodedLength() {
      return PduBody.textLength(data);
    }

    @Override
    public String asText() {
      if (data.length() == ValueType.size(type)) {
        ByteBuffer number = ByteBuffer.wrap(data.getBytes(ISO_8859_1));
        return ValueType.decimal(
            type, number.remaining() == Long.BYTES ? number.getLong() : number.getInt());
      }
      int nul = data.indexOf('\0');
      return nul < 0 ? data : data.substring(0, nul);
    }

    @Override
    public String toString() {
      return "Block[type=" + type + ", " + asText() + "]";
    }
  }

  /** Returns a value of type STRING; {@code text} has no terminating NUL. */
  static Value ofText(String text) {
    return new Block(ValueType.STRING, text + '\0');
  }
}
