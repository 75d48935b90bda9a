package org.jmmv.micrometer;

import io.micrometer.core.instrument.Meter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Asks meters for their values once a second, in a thread of its own. */
final class Poller implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.jmmv.micrometer");

  private final Map<Meter.Id, List<Runnable>> polled = new ConcurrentHashMap<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "MMV gauges");
        daemon.setDaemon(true);
        return daemon;
      });

  Poller() {
    var unused = thread.scheduleWithFixedDelay(this::poll, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * Adds a value of a meter.
   *
   * @param poll asks the meter, and writes the value
   */
  void add(Meter.Id id, Runnable poll) {
    polled.computeIfAbsent(id, unused -> new CopyOnWriteArrayList<>()).add(poll);
  }

  /** Removes a meter. It may be asked once more at the same time. */
  void remove(Meter.Id id) {
    polled.remove(id);
  }

  /** Asks all meters. */
  void poll() {
    polled.forEach((id, values) -> values.forEach(poll -> poll(id, poll)));
  }

  private static void poll(Meter.Id id, Runnable poll) {
    try {
      poll.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> "the meter " + id + " has no value", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
