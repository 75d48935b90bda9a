package org.jmmv.web.history;

import java.util.Locale;

/** What the series of a {@link Top} are ordered by, the largest first. */
public enum Order {
  /** In how many rounds of the last minute the value has changed. */
  CHANGES,

  /** How much a counter increases in a second. */
  RATE,

  /** The value. */
  VALUE;

  /** Returns the name for clients. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  double of(Activity activity) {
    return switch (this) {
      case CHANGES -> activity.changes();
      case RATE -> activity.rate();
      case VALUE -> activity.number();
    };
  }
}
