package org.jmmv.config;

import java.io.Serial;
import java.util.List;

/** The settings file is invalid, or can't be read. */
public final class SettingsException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  SettingsException(List<String> lines) {
    super(String.join("\n", lines));
  }

  /**
   * Returns one line for each error, in printable ASCII, for example {@code
   * /etc/pcp/jmmv/jmmv.toml:12:9: limits.files: 0 is not a number from 1 to 999999999}.
   */
  public List<String> lines() {
    return getMessage().lines().toList();
  }
}
