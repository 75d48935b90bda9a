package org.jmmv.reader.watch;

import org.jmmv.posix.RunDelay;

/** The clock of the thread that owns the files. */
final class ThreadClock implements WorkClock {
  private final RunDelay delay = new RunDelay();

  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public long worked() {
    return now() - delay.nanos();
  }

  @Override
  public void close() {
    delay.close();
  }
}
