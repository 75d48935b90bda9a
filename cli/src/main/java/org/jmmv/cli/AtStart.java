package org.jmmv.cli;

import java.util.List;
import java.util.function.Function;
import org.jmmv.config.Settings;

/**
 * A setting that a program applies at its start only.
 *
 * @param key its name in the settings file
 * @param value returns it
 */
record AtStart(String key, Function<Settings, Object> value) {
  private static final AtStart STATUS = new AtStart("status", Settings::hasStatus);

  static final List<AtStart> OF_AGENT = List.of(new AtStart("log.file", Settings::log), STATUS);

  static final List<AtStart> OF_SERVER =
      List.of(
          STATUS,
          new AtStart("http.listen", settings -> settings.http().addresses()),
          new AtStart("http.cert or http.key", settings -> settings.http().certificate()),
          new AtStart("http.client_ca", settings -> settings.http().clientCa()));

  boolean differs(Settings one, Settings other) {
    return !value.apply(one).equals(value.apply(other));
  }
}
