package org.jmmv.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RunDelayTest {
  private final RunDelay delay = new RunDelay();
  private volatile boolean isOver;

  @AfterEach
  void close() {
    isOver = true;
    delay.close();
  }

  @Test
  @Timeout(300)
  void aThreadIsDelayedByOthersThatHaveTheCpus() throws Exception {
    long before = delay.nanos();
    long start = System.nanoTime();
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      others.add(
          Thread.ofPlatform()
              .start(() -> {
                while (!isOver) {
                  Thread.onSpinWait();
                }
              }));
    }
    while (delay.nanos() == before) {
      Thread.onSpinWait();
    }
    long waited = delay.nanos() - before;
    assertTrue(waited > 0 && waited < System.nanoTime() - start, waited + " ns");
    isOver = true;
    for (Thread other : others) {
      other.join();
    }
  }

  @Test
  void itIsThatOfTheCallingThread() throws Exception {
    var _ = delay.nanos();
    long[] other = new long[2];
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              other[0] = delay.nanos();
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
              try (RunDelay own = new RunDelay()) {
                other[1] = own.nanos();
              }
            });
    thread.join();
    assertTrue(other[0] <= other[1], other[0] + " ns, then " + other[1]);
  }

  @Test
  void aClosedOneKeepsNoDescriptorAndOpensItAgain() throws Exception {
    long before = delay.nanos();
    delay.close();
    long descriptors = descriptors();
    assertTrue(delay.nanos() >= before);
    assertEquals(descriptors + 1, descriptors());
    delay.close();
    assertEquals(descriptors, descriptors());
  }

  private static long descriptors() throws Exception {
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }
}
