package org.jmmv.micrometer;

import io.micrometer.core.instrument.Meter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.jmmv.writer.DoubleGauge;

/** Asks meters for their values once a second, in a thread of its own. */
final class Poller implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.jmmv.micrometer");

  /** A value, and what a meter returns for it. */
  private record Polled(DoubleGauge value, DoubleSupplier from) {}

  private final Map<Meter.Id, List<Polled>> polled = new ConcurrentHashMap<>();
  private final AtomicLong rounds = new AtomicLong();
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
   * Adds a value of a meter. It has none until the meter is asked, which is soon: a 0 would be
   * wrong.
   */
  void add(Meter.Id id, DoubleGauge value, DoubleSupplier from) {
    Polled one = new Polled(value, from);
    value.noValue();
    polled.computeIfAbsent(id, unused -> new CopyOnWriteArrayList<>()).add(one);
    try {
      thread.execute(() -> poll(id, one));
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "the registry is closed", e);
    }
  }

  /** Removes a meter, whose values are then withdrawn. */
  void remove(Meter.Id id) {
    polled.remove(id);
  }

  /** Returns how many times all meters have been asked, with this time. */
  long round() {
    return rounds.get();
  }

  /** Asks all meters. */
  void poll() {
    rounds.incrementAndGet();
    polled.forEach((id, values) -> values.forEach(one -> poll(id, one)));
  }

  /** Asks a meter. If it fails, in whatever way, it has no value, and others are asked. */
  private void poll(Meter.Id id, Polled one) {
    try {
      one.value.set(one.from.getAsDouble());
    } catch (RuntimeException | Error e) {
      one.value.noValue();
      LOG.log(System.Logger.Level.DEBUG, () -> "the meter " + id + " has no value", e);
    }
    if (!polled.containsKey(id)) { // removed while it was asked
      one.value.noValue();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
