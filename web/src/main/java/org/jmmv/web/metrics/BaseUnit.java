package org.jmmv.web.metrics;

import org.jmmv.pcp.Units;

/**
 * The base unit of a metric, as Prometheus recommends it.
 *
 * @param suffix the end of the metric's name, for example {@code seconds}; empty if the units are
 *     not those of a base unit, such as Kbyte / sec
 */
record BaseUnit(String suffix, Scale scale) {
  private static final BaseUnit NONE = new BaseUnit("", Scale.NONE);

  /** By timeScale: the factor, and the decimals by which the result is shifted. */
  private static final Scale.Exact[] TIMES = {
    new Scale.Exact(1, 9),
    new Scale.Exact(1, 6),
    new Scale.Exact(1, 3),
    new Scale.Exact(1, 0),
    new Scale.Exact(60, 0),
    new Scale.Exact(3600, 0)
  };

  private static final int MAX_SPACE = 6; // exabytes; the factors of larger units exceed 64 bits
  private static final int BITS_PER_SPACE = 10;

  private static final int TEMPERATURE = 1;
  private static final int VOLTAGE = 2;
  private static final int CURRENT = 3;
  private static final int POWER = 4;

  private static final Scale CELSIUS_OF_FAHRENHEIT = new Scale.Shifted(-32, 5.0 / 9);
  private static final Scale CELSIUS_OF_KELVIN = new Scale.Shifted(-273.15, 1);

  static BaseUnit of(Units units) {
    if (!units.isKnown()) {
      return NONE;
    }
    int dimensions = Math.abs(units.space()) + Math.abs(units.time()) + Math.abs(units.count());
    if (units.extra() != 0) {
      return units.extra() < 0
          ? NONE
          : dimensions == 0
              ? ofExtra(units)
              : dimensions == 1 && units.time() == 1 && units.extra() == POWER
                  ? new BaseUnit("joules", product(ofExtra(units).scale, TIMES[units.timeScale()]))
                  : NONE;
    }
    if (dimensions > 1) {
      return NONE;
    }
    if (units.space() == 1 && units.spaceScale() <= MAX_SPACE) {
      return new BaseUnit("bytes", new Scale.Exact(1L << (BITS_PER_SPACE * units.spaceScale()), 0));
    }
    if (units.time() == 1) {
      return new BaseUnit("seconds", TIMES[units.timeScale()]);
    }
    return dimensions == units.count() ? new BaseUnit("", ofCount(units.countScale())) : NONE;
  }

  private static Scale product(Scale power, Scale.Exact time) {
    Scale.Exact watts = (Scale.Exact) power;
    return new Scale.Exact(watts.factor() * time.factor(), watts.decimals() + time.decimals());
  }

  private static Scale ofCount(int exponent) {
    return exponent < 0
        ? new Scale.Exact(1, -exponent)
        : new Scale.Exact(Math.powExact(10L, exponent), 0);
  }

  private static BaseUnit ofExtra(Units units) {
    int scale = units.extraScale();
    return switch (units.extra()) {
      case TEMPERATURE ->
          new BaseUnit(
              "celsius",
              switch (scale) {
                case 2 -> CELSIUS_OF_FAHRENHEIT;
                case 3 -> CELSIUS_OF_KELVIN;
                default -> Scale.NONE;
              });
      case VOLTAGE -> new BaseUnit("volts", new Scale.Exact(1, 3 * (scale - 1)));
      case CURRENT -> new BaseUnit("amperes", new Scale.Exact(1, 3 * (scale - 1)));
      case POWER ->
          new BaseUnit(
              "watts", scale == 1 ? new Scale.Exact(1000, 0) : new Scale.Exact(1, 3 * (scale - 2)));
      default -> NONE;
    };
  }
}
