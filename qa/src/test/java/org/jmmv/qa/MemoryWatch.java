package org.jmmv.qa;

import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Watches the resident memory of a process until it is closed. */
final class MemoryWatch implements AutoCloseable {
  private static final int INTERVAL_MILLIS = 20;

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Path status;
  private volatile long kilobytes;
  private volatile long peakKilobytes;
  private volatile long peakWithFilesKilobytes;

  /** Begins to watch. */
  MemoryWatch(long pid) {
    status = Path.of("/proc", Long.toString(pid), "status");
    thread.scheduleAtFixedRate(this::look, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    for (String line : TemporaryPcp.text(status).lines().toList()) {
      if (line.startsWith("RssAnon:")) {
        kilobytes = Long.parseLong(line.replaceAll("\\D", ""));
        peakKilobytes = Math.max(peakKilobytes, kilobytes);
      } else if (line.startsWith("VmHWM:")) {
        peakWithFilesKilobytes = Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
  }

  /** Returns the last figure: resident memory without pages of files (RssAnon). */
  long kilobytes() {
    return kilobytes;
  }

  /** Returns the largest figure so far. */
  long peakKilobytes() {
    return peakKilobytes;
  }

  /** Returns the maximum with the pages of mapped files, which the kernel takes back (VmHWM). */
  long peakWithFilesKilobytes() {
    return peakWithFilesKilobytes;
  }

  @Override
  public void close() {
    thread.close();
  }
}
