package org.jmmv.qa;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Watches the resident memory of a process until it is closed. */
final class MemoryWatch implements AutoCloseable {
  private static final int INTERVAL_MILLIS = 20;

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Path status;
  private final long half; // a time of System.nanoTime
  private volatile long kilobytes;
  private volatile long earlyKilobytes; // peak until then
  private volatile long peakKilobytes;
  private volatile long peakWithFilesKilobytes;

  /**
   * Begins to watch.
   *
   * @param time how long the process is attacked
   */
  MemoryWatch(long pid, Duration time) {
    half = System.nanoTime() + time.toNanos() / 2;
    status = Path.of("/proc", Long.toString(pid), "status");
    thread.scheduleAtFixedRate(this::look, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    for (String line : TemporaryPcp.text(status).lines().toList()) {
      if (line.startsWith("RssAnon:")) {
        kilobytes = Long.parseLong(line.replaceAll("\\D", ""));
        peakKilobytes = Math.max(peakKilobytes, kilobytes);
        if (System.nanoTime() - half < 0) {
          earlyKilobytes = peakKilobytes;
        }
      } else if (line.startsWith("VmHWM:")) {
        peakWithFilesKilobytes = Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
  }

  /** Returns by how much the last figure is larger than the largest of the first half. */
  long grownKilobytes() {
    return kilobytes - earlyKilobytes;
  }

  /** Returns the largest figure so far: resident memory without pages of files (RssAnon). */
  long peakKilobytes() {
    return peakKilobytes;
  }

  /**
   * Returns, in MB, the maximum of RssAnon, that with the pages of mapped files, which the kernel
   * takes back (VmHWM), and the last figure of RssAnon.
   */
  @Override
  public String toString() {
    return "%d/%d/%d"
        .formatted(peakKilobytes / 1000, peakWithFilesKilobytes / 1000, kilobytes / 1000);
  }

  @Override
  public void close() {
    thread.close();
  }
}
