package org.jmmv.pcp;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The base unit of a metric, as Prometheus recommends it.
 *
 * @param suffix the end of the metric's name, for example {@code seconds}; empty if the units are
 *     not those of a base unit, such as Kbyte / sec
 * @param scale how values become multiples of the base unit
 * @param spelling what the unit of the values is called in names of metrics, for example {@code ms}
 */
public record BaseUnit(String suffix, Scale scale, Pattern spelling) {
  private static final BaseUnit NONE = unit("", Scale.NONE, "");

  private static final String SECOND = "(s|secs?|seconds?)";

  /** By timeScale. A factor, and the decimals by which the result is shifted. */
  private static final List<BaseUnit> TIMES =
      List.of(
          unit("seconds", new Scale.Exact(1, 9), "nano|(n|nano)" + SECOND),
          unit("seconds", new Scale.Exact(1, 6), "micro|(u|micro)" + SECOND),
          unit("seconds", new Scale.Exact(1, 3), "milli|(m|milli)" + SECOND),
          unit("seconds", Scale.NONE, SECOND),
          unit("seconds", new Scale.Exact(60, 0), "mins|minutes?"),
          unit("seconds", new Scale.Exact(3600, 0), "h|hrs?|hours?"));

  /** By spaceScale, up to exabytes: the factors of larger units exceed 64 bits. */
  private static final List<BaseUnit> SPACES =
      spaces(
          "",
          "ki?|kilo|kibi",
          "mi?|mega|mebi",
          "gi?|giga|gibi",
          "ti?|tera|tebi",
          "pi?|peta|pebi",
          "ei?|exa|exbi");

  /** By extra - 1 and extraScale - 1. */
  private static final List<List<BaseUnit>> EXTRA =
      List.of(
          List.of(
              unit("celsius", Scale.NONE, "celsius"),
              unit("celsius", new Scale.Shifted(-32, 5.0 / 9), "fahrenheit"),
              unit("celsius", new Scale.Shifted(-273.15, 1), "kelvins?")),
          List.of(
              unit("volts", Scale.NONE, "volts?"),
              unit("volts", new Scale.Exact(1, 3), "(m|milli)(v|volts?)"),
              unit("volts", new Scale.Exact(1, 6), "(u|micro)(v|volts?)")),
          List.of(
              unit("amperes", Scale.NONE, "amps?|amperes?"),
              unit("amperes", new Scale.Exact(1, 3), "(m|milli)(a|amps?|amperes?)"),
              unit("amperes", new Scale.Exact(1, 6), "(u|micro)(a|amps?|amperes?)")),
          List.of(
              unit("watts", new Scale.Exact(1000, 0), "(k|kilo)(w|watts?)"),
              unit("watts", Scale.NONE, "w|watts?"),
              unit("watts", new Scale.Exact(1, 3), "(m|milli)(w|watts?)"),
              unit("watts", new Scale.Exact(1, 6), "(u|micro)(w|watts?)")));

  /** By countScale + 8: the exponent of ten. */
  private static final List<BaseUnit> COUNTS =
      IntStream.range(-8, 8).mapToObj(exponent -> unit("", ofCount(exponent), "")).toList();

  /** By extraScale - 1 and timeScale: power times time. */
  private static final List<List<BaseUnit>> ENERGIES =
      EXTRA.get(Units.POWER - 1).stream()
          .map(power -> TIMES.stream().map(time -> joules(power, time)).toList())
          .toList();

  private static BaseUnit unit(String suffix, Scale scale, String spelling) {
    return new BaseUnit(suffix, scale, Pattern.compile(spelling, Pattern.CASE_INSENSITIVE));
  }

  private static List<BaseUnit> spaces(String... prefixes) {
    List<BaseUnit> units = new ArrayList<>();
    for (String prefix : prefixes) {
      Scale scale = new Scale.Exact(1L << (Units.BITS_PER_SPACE_SCALE * units.size()), 0);
      units.add(unit("bytes", scale, "(%s)(b|bytes?)".formatted(prefix)));
    }
    return units;
  }

  /** Returns the base unit for values of some units; that without a name for most compound ones. */
  public static BaseUnit of(Units units) {
    if (!units.isKnown()) {
      return NONE;
    }
    int dimensions = Math.abs(units.space()) + Math.abs(units.time()) + Math.abs(units.count());
    if (units.extra() != 0) {
      return units.extra() < 0
          ? NONE
          : dimensions == 0
              ? ofExtra(units)
              : dimensions == 1 && units.time() == 1 && units.extra() == Units.POWER
                  ? ENERGIES.get(units.extraScale() - 1).get(units.timeScale())
                  : NONE;
    }
    if (dimensions > 1) {
      return NONE;
    }
    if (units.space() == 1 && units.spaceScale() < SPACES.size()) {
      return SPACES.get(units.spaceScale());
    }
    if (units.time() == 1) {
      return TIMES.get(units.timeScale());
    }
    return dimensions == units.count() ? COUNTS.get(units.countScale() + 8) : NONE;
  }

  private static BaseUnit ofExtra(Units units) {
    return EXTRA.get(units.extra() - 1).get(units.extraScale() - 1);
  }

  private static BaseUnit joules(BaseUnit power, BaseUnit time) {
    Scale.Exact watts = (Scale.Exact) power.scale;
    Scale.Exact seconds = (Scale.Exact) time.scale;
    return unit(
        "joules",
        new Scale.Exact(watts.factor() * seconds.factor(), watts.decimals() + seconds.decimals()),
        "(%s)(%s)".formatted(power.spelling, time.spelling));
  }

  private static Scale ofCount(int exponent) {
    return exponent < 0
        ? new Scale.Exact(1, -exponent)
        : new Scale.Exact(Math.powExact(10L, exponent), 0);
  }

  /**
   * Returns the name of a metric so that it ends with this unit. A last part that is the unit of
   * the values is replaced: {@code wait_ms} becomes {@code wait_seconds}. Of single letters only
   * {@code s} is taken for a unit, because others tell metrics apart: {@code phase_a} and {@code
   * phase_b}; so does {@code min}, a minimum.
   */
  public String named(String name) {
    int end = name.lastIndexOf('_');
    if (suffix.isEmpty() || end <= 0) {
      return name;
    }
    String last = name.substring(end + 1);
    boolean isUnit =
        last.equalsIgnoreCase(suffix)
            || ((last.length() > 1 || last.equals("s")) && spelling.matcher(last).matches());
    return (isUnit ? name.substring(0, end) : name) + '_' + suffix;
  }
}
