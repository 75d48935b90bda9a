package org.jmmv.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
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
   * the wrong length for a numeric type is not a number. Immutable.
   *
   * <p>This is not a record because a record would expose its array and compare it by identity.
   */
  final class Block implements Value {

    private static final int MAX_LENGTH = 0xffffff;

    private final int type;
    private final byte[] data;

    /**
     * Creates a block.
     *
     * @param type one of {@link ValueType}, or any other number from 0 to 255
     * @param data at most 16,777,211 bytes; copied
     * @throws IllegalArgumentException if an argument is out of range
     */
    public Block(int type, byte[] data) {
      if (type < 0 || type > 0xff || data.length > MAX_LENGTH - 4) {
        throw new IllegalArgumentException("type " + type + " with " + data.length + " bytes");
      }
      this.type = type;
      this.data = data.clone();
    }

    /** Returns the type, 0 to 255. */
    public int type() {
      return type;
    }

    /** Returns a copy of the data, without head and padding. */
    public byte[] data() {
      return data.clone();
    }

    static Block decode(PduBody in, int offset) throws MalformedPduException {
      int head = in.wordAt(offset, "value block");
      int length = head & MAX_LENGTH;
      if (length < 4) {
        throw in.malformed("value block of length " + length);
      }
      return new Block(head >>> 24, in.bytesAt(offset + 4, length - 4, "value block"));
    }

    void encode(ByteBuf out) {
      out.writeInt(type << 24 | (data.length + 4)).writeBytes(data);
      PduBody.writePadding(out, data.length);
    }

    /** Returns the encoded length in bytes, head and padding included. */
    int encodedLength() {
      return 4 + data.length + (-data.length & 3);
    }

    @Override
    public String asText() {
      if (data.length == ValueType.size(type)) {
        ByteBuffer number = ByteBuffer.wrap(data);
        return ValueType.decimal(
            type, data.length == Long.BYTES ? number.getLong() : number.getInt());
      }
      int length = 0;
      while (length < data.length && data[length] != 0) {
        length++;
      }
      return new String(data, 0, length, ISO_8859_1);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Block that && type == that.type && Arrays.equals(data, that.data);
    }

    @Override
    public int hashCode() {
      return 31 * type + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
      return "Block[type=" + type + ", " + asText() + "]";
    }
  }

  /**
   * Returns an integer value: a {@link Word} for types I32 and U32, a {@link Block} for I64 and
   * U64.
   *
   * @throws IllegalArgumentException for any other type
   */
  static Value ofInteger(int type, long value) {
    return switch (type) {
      case ValueType.I32, ValueType.U32 -> new Word((int) value);
      case ValueType.I64, ValueType.U64 ->
          new Block(type, ByteBuffer.allocate(8).putLong(value).array());
      default -> throw new IllegalArgumentException("type " + type + " is no integer");
    };
  }

  /** Returns a value of type FLOAT. */
  static Value ofFloat(float value) {
    return new Block(ValueType.FLOAT, ByteBuffer.allocate(4).putFloat(value).array());
  }

  /** Returns a value of type DOUBLE. */
  static Value ofDouble(double value) {
    return new Block(ValueType.DOUBLE, ByteBuffer.allocate(8).putDouble(value).array());
  }

  /** Returns a value of type STRING; {@code text} has no terminating NUL. */
  static Value ofText(String text) {
    return new Block(ValueType.STRING, (text + '\0').getBytes(ISO_8859_1));
  }
}
