package org.jmmv.qa;

import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jmmv.testkit.MmvWriter;

/** An application that counts: the first values of its file increase ten times a second. */
final class CountingApplication implements AutoCloseable {
  private static final int PERIOD_MILLIS = 100;

  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();

  /**
   * Starts an application.
   *
   * @param file what the writer has written
   * @param steps by how much each value increases, in the order of the file; all begin at 0
   */
  CountingApplication(MmvWriter writer, Path file, long... steps) {
    long[] values = new long[steps.length];
    loop.scheduleAtFixedRate(
        () -> {
          for (int i = 0; i < steps.length; i++) {
            values[i] += steps[i];
            MmvWriter.storeLong(file, writer.valueAt(i), values[i]);
          }
        },
        0,
        PERIOD_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    loop.shutdownNow();
  }
}
