package org.jmmv.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jline.terminal.Terminal;

/**
 * Prints each table below the previous one, as wide as the terminal. In a file or a pipe, nothing
 * is cut.
 */
final class Printout implements View {

  private final Terminal terminal;

  Printout(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void show(Frame frame) {
    int width = terminal.getWidth(); // 0 if standard output is not a terminal
    for (String line : frame.lines(width > 0 ? width : Integer.MAX_VALUE, terminal.encoding())) {
      terminal.writer().println(line);
    }
    terminal.writer().println();
    terminal.flush();
  }

  @Override
  public boolean pause(Duration time) throws InterruptedException {
    // checkError is true if standard output has been closed, for example by head(1).
    if (terminal.writer().checkError()) {
      return false;
    }
    Thread.sleep(time);
    return true;
  }

  @Override
  public void close() {
    try {
      terminal.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
