package org.jmmv.qa;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jmmv.micrometer.MmvMeterRegistry;
import org.jmmv.writer.MmvApplication;

/**
 * An application with Micrometer, argument DIRECTORY. It adds its meters in another order each time
 * it is started, and then counts {@link #PER_SECOND} requests for each of its {@link #URIS}.
 */
final class MicrometerApplication {
  static final String FILE = "micro";
  static final List<String> URIS = List.of("/a", "/b", "/c");
  static final int PER_SECOND = 100;

  private MicrometerApplication() {}

  public static void main(String[] directory) {
    MeterRegistry registry =
        new MmvMeterRegistry(MmvApplication.named(FILE).directory(Path.of(directory[0])));
    Metrics.addRegistry(registry);
    List<Runnable> meters = new ArrayList<>();
    URIS.forEach(uri -> meters.add(() -> registry.counter("requests", "uri", uri)));
    meters.add(() -> Gauge.builder("queue", () -> 3).register(registry));
    Duration objective = Duration.ofMillis(10);
    meters.add(() -> Timer.builder("work").serviceLevelObjectives(objective).register(registry));
    Collections.shuffle(meters);
    meters.forEach(Runnable::run);
    System.out.println("ready");
    long start = System.nanoTime();
    for (long count = 1; ; count++) {
      URIS.forEach(uri -> registry.counter("requests", "uri", uri).increment());
      registry.timer("work").record(1, TimeUnit.MILLISECONDS);
      LockSupport.parkNanos(start + count * 1_000_000_000 / PER_SECOND - System.nanoTime());
    }
  }
}
