package org.jmmv.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * How long a thread was ready to run but had no CPU, because other threads or processes had them:
 * the second number of {@code /proc/PID/task/TID/schedstat}, which is explained in the kernel's
 * documentation (scheduler/sched-stats.rst). Asking takes about 1 µs.
 *
 * <p>Not thread-safe, but several threads may use an object one after the other.
 */
public final class RunDelay implements AutoCloseable {
  private static final CFunction OPEN = CFunction.of("open");
  private static final CFunction PREAD = CFunction.of("pread");
  private static final String PATH = "/proc/thread-self/schedstat";
  private static final int O_RDONLY = 0;
  private static final int O_CLOEXEC = 0x80000;
  private static final int SIZE = 64; // three numbers of up to 20 digits
  private static final int NONE = -1;

  private final MemorySegment text = Arena.ofAuto().allocate(SIZE);
  private long thread; // the ID of the one that the descriptor is about; 0: none
  private int descriptor = NONE;

  /**
   * Returns the run delay of the calling thread since it was started, in nanoseconds; always 0 if
   * the kernel does not count it or no descriptor is left.
   */
  public long nanos() {
    if (thread != Thread.currentThread().threadId()) {
      close();
      open();
    }
    long length = descriptor == NONE ? 0 : PREAD.call(descriptor, text.address(), SIZE, 0, 0, 0);
    return secondNumber(Math.max(0, length));
  }

  private void open() {
    thread = Thread.currentThread().threadId();
    try (Arena arena = Arena.ofConfined()) {
      descriptor = (int) OPEN.call(CFunction.string(arena, PATH), O_RDONLY | O_CLOEXEC);
    }
  }

  private long secondNumber(long length) {
    long number = 0;
    int spaces = 0;
    for (long i = 0; i < length && spaces < 2; i++) {
      byte c = text.get(JAVA_BYTE, i);
      if (c == ' ') {
        spaces++;
      } else if (spaces == 1) {
        number = 10 * number + c - '0';
      }
    }
    return number;
  }

  /** Closes the descriptor, which the next question opens again. */
  @Override
  public void close() {
    if (descriptor != NONE) {
      PosixProcess.close(descriptor);
    }
    descriptor = NONE;
    thread = 0;
  }
}
