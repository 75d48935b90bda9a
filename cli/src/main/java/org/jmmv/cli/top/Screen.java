package org.jmmv.cli.top;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import org.jline.keymap.BindingReader;
import org.jline.keymap.KeyMap;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jline.utils.ShutdownHooks;
import org.jmmv.posix.PosixProcess;

/**
 * The alternate screen of the terminal. Keys are not echoed. {@link #close}, which any thread may
 * call, leaves the terminal as it was.
 */
final class Screen implements AutoCloseable {
  private static final Size UNKNOWN_SIZE = Size.of(80, 24); // columns, lines

  /**
   * How long a byte of a key's sequence may come after the one before. Later, Escape would be a key
   * of its own.
   */
  private static final long KEY_MILLIS = 100;

  private final Terminal terminal;
  private final BindingReader keys;
  private final Attributes original;
  private final AttributedStyle titleStyle;
  private boolean isClosed;

  private Screen(Terminal terminal, boolean hasColors) {
    this.terminal = terminal;
    titleStyle =
        hasColors ? AttributedStyle.BOLD.foreground(AttributedStyle.CYAN) : AttributedStyle.BOLD;
    keys = new BindingReader(terminal.reader());
    original = terminal.getAttributes();
    enter();
  }

  private void enter() {
    terminal.enterRawMode();
    Attributes raw = terminal.getAttributes();
    raw.setLocalFlag(LocalFlag.ISIG, true); // Ctrl-C ends the process
    raw.setControlChar(ControlChar.VSUSP, 0); // Ctrl-Z is a key, for which suspend() is called
    terminal.setAttributes(raw);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.keypad_xmit);
    terminal.puts(Capability.cursor_invisible);
    terminal.puts(Capability.exit_am_mode); // a line that is too wide is cut, not wrapped
    terminal.flush();
  }

  private void leave() {
    terminal.puts(Capability.exit_attribute_mode);
    terminal.puts(Capability.enter_am_mode);
    terminal.puts(Capability.cursor_normal);
    terminal.puts(Capability.keypad_local);
    terminal.puts(Capability.exit_ca_mode);
    terminal.flush();
    terminal.setAttributes(original);
  }

  /**
   * Leaves the terminal to the shell, as Ctrl-Z does, until that continues this process.
   *
   * @throws IOException if the process can't be stopped
   */
  synchronized void suspend() throws IOException {
    if (!isClosed) {
      leave();
      PosixProcess.stopGroup();
      enter();
    }
  }

  /**
   * Opens the screen.
   *
   * @param hasColors whether colours are used
   * @throws IOException if standard input or output is not a terminal, or if it can't move the
   *     cursor
   */
  static Screen open(boolean hasColors) throws IOException {
    if (!PosixProcess.isTerminal(0) || !PosixProcess.isTerminal(1)) {
      throw new IOException(
          "standard input and output must be a terminal; otherwise use --once, --csv or --json");
    }
    // JLine's own hook would close the terminal before close() restores it.
    System.setProperty(ShutdownHooks.PROP_DISABLE_SHUTDOWN_HOOK, "true");
    // nativeSignals(false): JLine would replace the JVM's handlers, which run the shutdown hook.
    Terminal terminal =
        TerminalBuilder.builder().provider("ffm").dumb(true).nativeSignals(false).build();
    if (terminal.getStringCapability(Capability.cursor_address) == null) {
      String type = terminal.getType();
      terminal.close();
      throw new IOException(
          "the cursor of a terminal of type \"%s\" can't be moved; use --once, --csv or --json"
              .formatted(type));
    }
    return new Screen(terminal, hasColors);
  }

  /** Returns whether the terminal shows all of Unicode: the launcher sets this property. */
  boolean isUnicode() {
    return Charset.forName(System.getProperty("stdout.encoding")).equals(UTF_8);
  }

  Size size() {
    Size size = terminal.getSize();
    return size.getRows() > 0 && size.getColumns() > 0 ? size : UNKNOWN_SIZE;
  }

  /** Returns what the terminal sends for a key, for a {@link KeyMap}. */
  String key(Capability key) {
    return KeyMap.key(terminal, key);
  }

  /**
   * Shows lines. The cursor is moved to each line, so that it does not matter what the screen shows
   * before.
   *
   * @param lines not wider than the screen; those that it has no room for are left out
   * @param titles the index of the line in bold and in a colour
   * @param selected the index of the line in reverse video
   */
  synchronized void draw(List<String> lines, int titles, int selected) {
    if (isClosed) {
      return;
    }
    int height = size().getRows();
    for (int i = 0; i < height; i++) {
      terminal.puts(Capability.cursor_address, i, 0);
      terminal.puts(Capability.exit_attribute_mode);
      // before the line: behind a line of full width, it would clear the last character
      terminal.puts(Capability.clr_eol);
      if (i < lines.size()) {
        if (i == selected) {
          terminal.puts(Capability.enter_reverse_mode);
        }
        String line = lines.get(i);
        terminal
            .writer()
            .print(i == titles ? new AttributedString(line, titleStyle).toAnsi(terminal) : line);
      }
    }
    terminal.puts(Capability.exit_attribute_mode);
    terminal.flush();
  }

  /**
   * Waits for a key.
   *
   * @return what it stands for, or null if there is none within a time
   */
  <T> T key(KeyMap<T> map, T endOfInput, long millis) {
    map.setAmbiguousTimeout(KEY_MILLIS);
    int next = keys.peekCharacter(millis);
    if (next == NonBlockingReader.READ_EXPIRED) {
      return null;
    }
    return next == NonBlockingReader.EOF ? endOfInput : keys.readBinding(map, null, false);
  }

  /** Returns the characters of the last key. */
  String lastKey() {
    return keys.getLastBinding();
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    leave();
    // Not terminal.close(): it waits for the thread that reads keys. The process ends now.
  }
}
