package org.jmmv.config;

import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;

/** The settings file is invalid, or can't be read. The message has all errors in one line. */
public final class SettingsException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final ArrayList<String> lines;

  SettingsException(List<String> lines) {
    super(String.join("; ", lines));
    this.lines = new ArrayList<>(lines);
  }

  /**
   * Returns one line for each error, in printable ASCII, for example {@code
   * /etc/pcp/jmmv/jmmv.toml:12:9: limits.files: 0 is not a number from 1 to 999999999}.
   */
  public List<String> lines() {
    return List.copyOf(lines);
  }
}
