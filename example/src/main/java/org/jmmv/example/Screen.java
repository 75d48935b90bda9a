package org.jmmv.example;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * Shows the current table on the alternate screen of a terminal, and redraws it when the terminal's
 * size changes. The key {@code q} ends the program. Keys are not echoed.
 */
final class Screen implements View {

  private static final Size UNKNOWN_SIZE = new Size(80, 24); // columns, lines

  private final Terminal terminal;
  private final Attributes original;
  private Frame frame;
  private boolean closed;

  /** Whether a terminal can show a screen: its type has control sequences that move the cursor. */
  static boolean fits(Terminal terminal) {
    return terminal.getStringCapability(Capability.cursor_address) != null;
  }

  Screen(Terminal terminal) {
    this.terminal = terminal;
    original = terminal.enterRawMode();
    Attributes raw = terminal.getAttributes();
    raw.setControlChar(ControlChar.VSUSP, 0); // Ctrl-Z would leave the shell on this screen
    terminal.setAttributes(raw);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
    terminal.handle(Signal.WINCH, _ -> draw());
  }

  @Override
  public synchronized void show(Frame next) {
    frame = next;
    draw();
  }

  /** Writes every line to its place, so that it does not matter what the screen shows before. */
  private synchronized void draw() {
    if (closed || frame == null) {
      return;
    }
    Size size = terminal.getSize();
    boolean known = size.getRows() > 0 && size.getColumns() > 0;
    List<String> lines = known ? lines(size) : lines(UNKNOWN_SIZE);
    for (int i = 0; i < lines.size(); i++) {
      terminal.puts(Capability.cursor_address, i, 0);
      // before the line: behind a line of full width, it would clear the last character
      terminal.puts(Capability.clr_eos);
      terminal.puts(i == 1 ? Capability.enter_bold_mode : Capability.exit_attribute_mode);
      terminal.writer().print(lines.get(i));
    }
    terminal.flush();
  }

  private List<String> lines(Size size) {
    int height = size.getRows();
    int width = size.getColumns();
    List<String> all = frame.lines(width, terminal.encoding());
    List<String> lines = new ArrayList<>(all.subList(0, Math.min(all.size(), height)));
    lines.set(0, Table.cut(lines.getFirst() + "  (q: quit)", width));
    if (lines.size() < all.size()) {
      String rest = "... and %d more".formatted(all.size() - height + 1);
      lines.set(height - 1, Table.cut(rest, width));
    }
    return lines;
  }

  @Override
  public boolean pause(Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toMillis(); left > 0; left = (end - System.nanoTime()) / 1_000_000) {
      int key = terminal.reader().read(left);
      if (key == 'q' || key == 'Q' || key == NonBlockingReader.EOF) {
        return false;
      }
    }
    return true;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    terminal.puts(Capability.exit_attribute_mode);
    terminal.puts(Capability.cursor_normal);
    terminal.puts(Capability.exit_ca_mode);
    terminal.setAttributes(original);
    try (Printout last = new Printout(terminal)) {
      if (frame != null) {
        last.show(frame);
      }
    }
  }
}
