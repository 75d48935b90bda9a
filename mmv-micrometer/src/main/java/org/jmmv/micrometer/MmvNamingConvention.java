package org.jmmv.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.NamingConvention;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Names as PCP has them: parts between dots, of letters, digits and {@code _}, each of which begins
 * with a letter. Units are not a part of names: PCP has them in the metadata.
 */
public final class MmvNamingConvention implements NamingConvention {
  @Override
  public String name(String name, Meter.Type type, String baseUnit) {
    return Arrays.stream(name.split("\\.", -1))
        .filter(part -> !part.isEmpty())
        .map(MmvNamingConvention::part)
        .collect(Collectors.joining("."));
  }

  @Override
  public String tagKey(String key) {
    return part(key);
  }

  private static String part(String text) {
    String valid = text.replaceAll("[^A-Za-z0-9_]", "_");
    return valid.matches("[A-Za-z].*") ? valid : "x" + valid;
  }
}
