package org.jmmv.core;

/**
 * Returns unused heap memory to the operating system.
 *
 * <p>The serial collector expands the heap up to its maximum before it collects the old generation,
 * and shrinks it only after a full collection. Files that are read again and again would therefore
 * make a heap of 30 MB of live objects take 512 MiB. A full collection takes 1 to 2 ms per MB of
 * live objects. The heap grows by at least {@link #ROOM} bytes between two of them.
 */
final class HeapTrim {
  /** With less, a small heap would be collected again and again, while requests wait. */
  private static final long ROOM = 32 << 20;

  private static final Runtime JVM = Runtime.getRuntime();

  /** The size of the heap in bytes, above which it is collected. */
  private long limit = Math.max(ROOM, JVM.totalMemory());

  /**
   * Collects the heap if it has grown. Called after replies were written, and after files were
   * read.
   *
   * @return how long that took, in nanoseconds
   */
  long trim() {
    if (JVM.totalMemory() <= limit) {
      return 0;
    }
    long start = System.nanoTime();
    System.gc();
    long size = JVM.totalMemory(); // not less than -Xms
    long live = size - JVM.freeMemory();
    limit = size + Math.max(ROOM, live / 4);
    return System.nanoTime() - start;
  }
}
