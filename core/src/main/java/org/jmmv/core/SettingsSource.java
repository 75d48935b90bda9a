package org.jmmv.core;

import java.util.List;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limits;

/** Where a catalogue gets settings from while it serves. */
@FunctionalInterface
public interface SettingsSource {
  /**
   * Settings that can change while files are served.
   *
   * @param directories at least one
   */
  record Settings(Limits limits, List<DirectorySettings> directories) {
    public Settings {
      directories = List.copyOf(directories);
    }
  }

  /**
   * Returns settings that differ from those returned last; null if there are none. A catalogue
   * calls this method at the beginning of each request.
   *
   * @param isNow whether changes have to be looked for; otherwise that may be delayed
   */
  Settings changed(boolean isNow);
}
