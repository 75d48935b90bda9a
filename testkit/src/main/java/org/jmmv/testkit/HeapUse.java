package org.jmmv.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Compares what objects say that they keep with what they take in the heap. */
public final class HeapUse {
  private static final double MAX_FACTOR = 1.5;

  private HeapUse() {}

  /** Makes an object that keeps as much as it can. */
  public interface Maker<T> {
    T make(int number) throws Exception;
  }

  /**
   * Compares what some objects take, which should be megabytes, with what they say.
   *
   * @param name for a message
   * @param bytes what one of them says that it keeps
   */
  public static <T> void assertCounted(
      String name, int count, Maker<T> maker, ToLongFunction<T> bytes) throws Exception {
    maker.make(0); // what is made once
    List<T> kept = new ArrayList<>();
    long before = used();
    for (int i = 1; i <= count; i++) {
      kept.add(maker.make(i));
    }
    long with = used();
    long counted = kept.stream().mapToLong(bytes).sum();
    kept.clear();
    long without = Math.min(before, used()); // what other tests have left may be freed by now
    long taken = with - without;
    if (taken >= MAX_FACTOR * counted || counted >= MAX_FACTOR * taken) {
      throw new AssertionError(
          "%s: %,d bytes are counted, %,d are taken".formatted(name, counted, taken));
    }
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }
}
