package org.jmmv.example;

import java.io.IOException;
import java.time.Duration;

/** Shows tables to the user, one after the other. */
sealed interface View extends AutoCloseable permits Screen, Printout {

  /** Shows a table. */
  void show(Frame frame);

  /**
   * Waits until the next table is due.
   *
   * @return false if the user has ended the program, or can't see tables any more
   */
  boolean pause(Duration time) throws IOException, InterruptedException;

  /** Leaves the terminal as it was, with the last table on it. Further calls have no effect. */
  @Override
  void close();
}
