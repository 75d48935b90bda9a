package org.jmmv.cli;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jmmv.config.Settings;
import org.jmmv.config.SettingsException;
import org.jmmv.config.SettingsFile;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings in force. The settings file is read again when it has changed. That is looked for at
 * most once a second, when a request arrives. If the file is invalid, the settings stay as they
 * are.
 */
final class SettingsWatch {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);

  private final SettingsFile file;
  private final UnaryOperator<Settings> options;
  private final List<AtStart> atStart;
  private final DebugOptions debug; // also mmv.control.debug changes them
  private final Settings first;
  private Settings settings;
  private long looked = System.nanoTime();

  /**
   * Reads the file.
   *
   * @param options replaces settings by the options of the command line
   * @param atStart the settings that this program applies at its start only
   * @throws SettingsException if the file is invalid or can't be read
   */
  SettingsWatch(SettingsFile file, UnaryOperator<Settings> options, List<AtStart> atStart)
      throws SettingsException {
    this.file = file;
    this.options = options;
    this.atStart = atStart;
    first = options.apply(file.read());
    settings = first;
    debug = DebugOptions.parse(settings.debug());
  }

  Settings settings() {
    return settings;
  }

  /** Returns the debug options that are on, always the same object. */
  DebugOptions debug() {
    return debug;
  }

  /** Returns what a catalogue needs of the settings in force, with a warning in the log. */
  SettingsSource.Settings ofCatalog() {
    return ofCatalog(settings);
  }

  /** Returns what a catalogue needs of settings, with as many files as the kernel can map. */
  static SettingsSource.Settings ofCatalog(Settings settings) {
    int mappings = PosixProcess.maxMappings();
    Limits limits = settings.limits().within(mappings);
    if (limits.of(Limit.FILES) < settings.limits().of(Limit.FILES)) {
      LOG.warn(
          "at most {} files are served, not {} (--max-files): a process can have only {} mappings;"
              + " sysctl vm.max_map_count permits more",
          limits.of(Limit.FILES),
          settings.limits().of(Limit.FILES),
          mappings);
    }
    return new SettingsSource.Settings(limits, settings.directories());
  }

  /** See {@link SettingsSource#changed}. */
  SettingsSource.Settings changed(boolean isNow) {
    if (!isNow) {
      long time = System.nanoTime();
      if (time - looked < SettingsFile.LOOK_NANOS) {
        return null;
      }
      looked = time;
      if (!file.hasChanged()) {
        return null;
      }
    }
    try {
      return change(options.apply(file.read()));
    } catch (SettingsException e) {
      e.lines().forEach(LOG::error);
      LOG.error("{} has errors: the settings stay as they are", file.path());
      return null;
    }
  }

  private SettingsSource.Settings change(Settings next) {
    Settings before = settings;
    settings = next;
    for (AtStart one : atStart) {
      if (one.differs(next, before) && one.differs(next, first)) {
        LOG.warn("{}: {} takes effect at the next start", file.path(), one.key());
      }
    }
    if (!next.debug().equals(before.debug())) {
      debug.clear();
      debug.set(next.debug());
    }
    if (next.limits().equals(before.limits()) && next.directories().equals(before.directories())) {
      if (!next.equals(before)) {
        LOG.info("{} has changed", file.path());
      }
      return null;
    }
    LOG.info("{} has changed: files with other settings or limits are read again", file.path());
    return ofCatalog(next);
  }
}
