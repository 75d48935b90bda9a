package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jmmv.config.Settings;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code jmmv top} while applications restart all the time. Set the system property {@code
 * restarts.seconds} for a longer run.
 */
final class RestartsTest {
  private static final int APPLICATIONS = 3;
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("restarts.seconds", 3));
  private static final Duration INTERVAL = Duration.ofMillis(10);

  @TempDir private Path directory;
  private final AtomicBoolean hasEnded = new AtomicBoolean();
  private final ExecutorService threads = Executors.newFixedThreadPool(APPLICATIONS);
  private final List<Future<Void>> applications = new ArrayList<>();

  @BeforeEach
  void start() {
    for (int i = 0; i < APPLICATIONS; i++) {
      String name = "app" + i;
      write(name, 0);
      applications.add(threads.submit(() -> restart(name)));
    }
  }

  /** Replaces, removes or overwrites the file; an overwritten file may become shorter. */
  private Void restart(String name) throws IOException, InterruptedException {
    Path file = directory.resolve(name);
    for (int generation = 1; !hasEnded.get(); generation++) {
      switch (generation % 3) {
        case 0 -> write(name, generation);
        case 1 -> application(generation).rewrite(file);
        default -> {
          Files.delete(file);
          Thread.sleep(INTERVAL);
          write(name, generation);
        }
      }
      Thread.sleep(INTERVAL);
    }
    return null;
  }

  private void write(String name, int generation) {
    application(generation).write(directory, name);
  }

  /** Every other generation has more metrics, so that their values are on several pages. */
  private static MmvWriter application(int generation) {
    MmvWriter writer = new MmvWriter(1).generation(generation + 1);
    MmvWriter.InDom inDom = writer.inDom(1).instance(0, "zero").instance(1, "one");
    for (int item = 0; item < (generation % 2 == 0 ? 1000 : 10); item++) {
      writer.metric("m" + item, item, ValueType.U64).inDom(inDom).at(0, item).at(1, item);
    }
    return writer;
  }

  @AfterEach
  void end() throws Exception {
    hasEnded.set(true);
    threads.shutdown();
    for (Future<Void> application : applications) {
      application.get();
    }
  }

  private LiveMetrics open() throws IOException {
    return LiveMetrics.open(
        7, Settings.DEFAULT.with(List.of(DirectorySettings.DEFAULT.at(directory))));
  }

  /** As on a terminal: some of the listed metrics are read, more often than they are listed. */
  @Test
  void metricsAreReadUntilTheNextRefresh() throws IOException {
    boolean hasValue = false;
    long end = System.nanoTime() + TIME.toNanos();
    try (LiveMetrics metrics = open()) {
      while (System.nanoTime() < end) {
        metrics.refresh();
        for (int i = 0; i < 3; i++) {
          metrics.read(metrics.metrics());
          for (WatchedMetric metric : metrics.metrics()) {
            assertTrue(metric.series().size() <= 2, metric::name);
            hasValue |= metric.series().stream().anyMatch(Series::hasValue);
          }
        }
      }
    }
    assertTrue(hasValue);
  }
}
