package org.jmmv.config;

import static org.jmmv.pcp.Printable.printable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.tomlj.TomlPosition;

/** The errors of a settings file, with line and column. */
final class SettingsErrors {
  /** A file that is not meant to be TOML has an error in each line, which would fill the log. */
  private static final int MAX_SHOWN = 20;

  private record SettingsError(int line, int column, String text) {}

  private final List<SettingsError> errors = new ArrayList<>();

  void add(TomlPosition at, String text) {
    add(at.line(), at.column(), text);
  }

  void add(int line, int column, String text) {
    errors.add(new SettingsError(line, column, text));
  }

  /**
   * Throws an exception if there are errors, of which it names up to 20, in the order of the file.
   *
   * @param file for messages
   */
  void throwIfAny(Path file) throws SettingsException {
    if (errors.isEmpty()) {
      return;
    }
    errors.sort(
        Comparator.comparingInt(SettingsError::line).thenComparingInt(SettingsError::column));
    String name = printable(file.toString());
    List<String> lines = new ArrayList<>();
    for (SettingsError error : errors.subList(0, Math.min(MAX_SHOWN, errors.size()))) {
      lines.add("%s:%d:%d: %s".formatted(name, error.line, error.column, printable(error.text)));
    }
    if (errors.size() > MAX_SHOWN) {
      lines.add("%s: %d more errors".formatted(name, errors.size() - MAX_SHOWN));
    }
    throw new SettingsException(lines);
  }
}
