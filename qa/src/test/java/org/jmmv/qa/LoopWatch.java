package org.jmmv.qa;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures the steps of an event loop: what it does between two looks at its sockets, when nobody
 * else is served. A task that runs once in each round of the loop takes the CPU time since the last
 * one, so that it does not matter how busy the machine is. Collections of the heap do not count.
 */
final class LoopWatch implements AutoCloseable {
  private static final int SAMPLE_MILLIS = 5; // a step that takes longer is looked at so often

  private static final long QUIET_NANOS = 300_000; // a round without work takes a tenth of it
  private static final int QUIET_ROUNDS = 200;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ScheduledExecutorService loop;
  private final Thread sampler = new Thread(this::sample, "sampler");
  private final List<String> places = new ArrayList<>(); // in the current step
  private Thread watched;
  private long cpuNanos; // at the end of the last step
  private long longest;
  private List<String> placesOfLongest = List.of();
  private volatile long start; // of the current step
  private volatile int quiet; // number of short steps in a row
  private volatile boolean isClosed;

  /**
   * The longest step.
   *
   * @param nanos its CPU time
   * @param place the classes and lines in which it was most of the time, the innermost first
   */
  record Longest(long nanos, String place) {}

  /** Begins to watch a loop of one thread. */
  LoopWatch(ScheduledExecutorService loop) {
    this.loop = loop;
    get(() -> {
      watched = Thread.currentThread();
      cpuNanos = threads.getCurrentThreadCpuTime();
      run();
      return watched;
    });
    sampler.setDaemon(true);
    sampler.start();
  }

  private void run() {
    endStep();
    if (!isClosed) {
      loop.schedule(this::run, 0, TimeUnit.NANOSECONDS);
    }
  }

  private void endStep() {
    long now = threads.getCurrentThreadCpuTime();
    quiet = now - cpuNanos < QUIET_NANOS ? quiet + 1 : 0;
    boolean isLongest = now - cpuNanos > longest;
    if (isLongest) {
      longest = now - cpuNanos;
    }
    synchronized (places) {
      placesOfLongest = isLongest ? List.copyOf(places) : placesOfLongest;
      places.clear();
    }
    cpuNanos = now;
    start = System.nanoTime();
  }

  private void sample() {
    while (!isClosed) {
      try {
        Thread.sleep(SAMPLE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
      long sampled = start;
      if (System.nanoTime() - sampled > TimeUnit.MILLISECONDS.toNanos(SAMPLE_MILLIS)) {
        String place = place(watched.getStackTrace());
        synchronized (places) {
          if (start == sampled) {
            places.add(place);
          }
        }
      }
    }
  }

  private static String place(StackTraceElement... stack) {
    Map<String, String> lines = new LinkedHashMap<>(); // of each class, the innermost
    Stream.of(stack)
        .filter(frame -> frame.getClassName().startsWith("org.jmmv."))
        .filter(frame -> !frame.getClassName().startsWith("org.jmmv.qa."))
        .forEach(frame ->
            lines.putIfAbsent(
                frame.getFileName(),
                frame.getFileName().replace(".java", "")
                    + "."
                    + frame.getMethodName()
                    + ":"
                    + frame.getLineNumber()));
    return lines.values().stream().limit(4).collect(Collectors.joining(" < "));
  }

  /** Returns whether the loop has had nothing to do for some rounds. */
  boolean isIdle() {
    return quiet >= QUIET_ROUNDS;
  }

  /** Returns the longest step since the last call. */
  Longest take() {
    return get(() -> {
      endStep();
      String place =
          placesOfLongest.stream()
              .collect(Collectors.groupingBy(each -> each, Collectors.counting()))
              .entrySet()
              .stream()
              .max(Map.Entry.comparingByValue())
              .map(Map.Entry::getKey)
              .orElse("");
      Longest taken = new Longest(longest, place);
      longest = 0;
      placesOfLongest = List.of();
      return taken;
    });
  }

  /** Has the loop compute something. */
  <T> T get(Callable<T> task) {
    try {
      return loop.submit(task).get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
