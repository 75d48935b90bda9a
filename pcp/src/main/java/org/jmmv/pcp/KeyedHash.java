package org.jmmv.pcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * A 64-bit hash with a per-process key, so that nobody can write a file whose changes leave the
 * hash as it is, or whose names all collide: SipHash-1-3 (Aumasson, Bernstein, 2012), without the
 * length, over 64-bit words.
 */
public final class KeyedHash {
  private static final ByteBuffer KEY = ofKernel();
  private static final int SECRET = KEY.getInt(0);

  private long v0;
  private long v1;
  private long v2;
  private long v3;

  /** Begins a hash. */
  public KeyedHash() {
    this(KEY.getLong(0), KEY.getLong(Long.BYTES));
  }

  private KeyedHash(long key0, long key1) {
    v0 = key0 ^ 0x736f6d6570736575L;
    v1 = key1 ^ 0x646f72616e646f6dL;
    v2 = key0 ^ 0x6c7967656e657261L;
    v3 = key1 ^ 0x7465646279746573L;
  }

  private static ByteBuffer ofKernel() {
    try (InputStream random = new FileInputStream("/dev/urandom")) { // urandom(4)
      return ByteBuffer.wrap(random.readNBytes(2 * Long.BYTES));
    } catch (IOException e) { // every Linux has it
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the hash of a text whose chars are bytes. */
  public static long of(String text) {
    return new KeyedHash().end(text);
  }

  /**
   * Returns a hash of a text whose chars are bytes, the same in each process: its key is 0. To find
   * a text with n given bits of its hash, one still has to try some 2<sup>n</sup>.
   */
  public static long withoutKey(String text) {
    return new KeyedHash(0, 0).end(text);
  }

  private long end(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1); // fewer than chars if a client sends other ones
    add(ByteBuffer.wrap(bytes), bytes.length);
    add(bytes.length);
    return end();
  }

  /**
   * Returns a hash of a number that applications or clients choose, such as a PMID, an instance or
   * an offset. Each step is invertible, so different numbers have different hashes, and any bits of
   * the hash can be used.
   */
  public static int of(int number) {
    int mixed = (number ^ SECRET) * 0x85ebca6b;
    mixed = (mixed ^ mixed >>> 15) * 0xc2b2ae35;
    return mixed ^ mixed >>> 16;
  }

  /** Adds a word. */
  public void add(long word) {
    v3 ^= word;
    round();
    v0 ^= word;
  }

  /**
   * Adds bytes as words; the last one is filled up with zeros.
   *
   * @param bytes the bytes, from index 0 on
   * @param length their number
   */
  public void add(ByteBuffer bytes, int length) {
    int end = length - length % Long.BYTES;
    for (int i = 0; i < end; i += Long.BYTES) {
      add(bytes.getLong(i));
    }
    if (end < length) {
      long rest = 0;
      for (int i = end; i < length; i++) {
        rest = rest << Byte.SIZE | (bytes.get(i) & 0xff);
      }
      add(rest);
    }
  }

  /** Returns the hash of the words. Nothing can be added any more. */
  public long end() {
    v2 ^= 0xff;
    round();
    round();
    round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void round() {
    v0 += v1;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v3;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v2 = Long.rotateLeft(v2, 32);
  }
}
