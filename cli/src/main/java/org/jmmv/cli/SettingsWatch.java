package org.jmmv.cli;

import org.jmmv.config.AgentCommand;
import org.jmmv.config.AgentOptions;
import org.jmmv.config.HttpSettings;
import org.jmmv.config.SettingsException;
import org.jmmv.config.SettingsFile;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.DebugOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParseResult;

/**
 * Reads the settings file again when it has changed. It looks for changes at most once a second,
 * when a request arrives. If the file is invalid, the settings stay as they are.
 */
final class SettingsWatch implements SettingsSource {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);
  private static final long LOOK_NANOS = 1_000_000_000;

  private final SettingsFile file;
  private final ParseResult given;
  private final DebugOptions live; // also mmv.control.debug changes them
  private AgentOptions options; // of the last valid file
  private HttpSettings http; // likewise
  private String debug; // the names of these debug options
  private long looked = System.nanoTime();

  /**
   * Creates an object for a file that was read.
   *
   * @param given the command line
   * @param settings what was read
   * @param options the options that result from both; its debug options are those of the agent
   */
  SettingsWatch(
      SettingsFile file,
      ParseResult given,
      org.jmmv.config.Settings settings,
      AgentOptions options) {
    http = settings.http();
    this.file = file;
    this.given = given;
    this.options = options;
    live = options.debug();
    debug = live.names();
  }

  /** Returns the settings for HTTP that are in force. */
  HttpSettings http() {
    return http;
  }

  @Override
  public Settings changed(boolean isNow) {
    long time = System.nanoTime();
    if (!isNow) {
      if (time - looked < LOOK_NANOS) {
        return null;
      }
      looked = time;
      if (!file.hasChanged()) {
        return null;
      }
    }
    AgentOptions next;
    try {
      org.jmmv.config.Settings read = file.read();
      next = AgentCommand.options(given, read);
      http = read.http();
    } catch (SettingsException e) {
      e.lines().forEach(LOG::error);
      LOG.error("{} has errors: the settings stay as they are", file.path());
      return null;
    }
    return change(next);
  }

  private Settings change(AgentOptions next) {
    AgentOptions before = options;
    options = next;
    if (!next.log().equals(before.log())) {
      LOG.warn("{}: log.file takes effect at the next start", file.path());
    }
    if (next.hasStatus() != before.hasStatus()) {
      LOG.warn("{}: status takes effect at the next start", file.path());
    }
    String names = next.debug().names();
    if (!names.equals(debug)) {
      debug = names;
      live.clear();
      live.set(names);
    }
    if (next.limits().equals(before.limits()) && next.directories().equals(before.directories())) {
      return null;
    }
    LOG.info("{} has changed: all files are read with the new settings", file.path());
    return new Settings(Main.limits(next), next.directories());
  }
}
