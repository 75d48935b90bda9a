package org.jmmv.reader;

/**
 * A 64-bit hash with a per-process key, so that nobody can write a file whose changes leave the
 * hash as it is: SipHash-1-3 (Aumasson, Bernstein, 2012), without the length, over 64-bit words.
 */
final class KeyedHash {
  private static final long KEY0 = System.nanoTime() * 0x9e3779b97f4a7c15L;
  private static final long KEY1 = Long.reverse(KEY0) * 0xbf58476d1ce4e5b9L;

  private long v0 = KEY0 ^ 0x736f6d6570736575L;
  private long v1 = KEY1 ^ 0x646f72616e646f6dL;
  private long v2 = KEY0 ^ 0x6c7967656e657261L;
  private long v3 = KEY1 ^ 0x7465646279746573L;

  /** Adds a word. */
  void add(long word) {
    v3 ^= word;
    round();
    v0 ^= word;
  }

  /** Returns the hash of the words. Nothing can be added any more. */
  long end() {
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
