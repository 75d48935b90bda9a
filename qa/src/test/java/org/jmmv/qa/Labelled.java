package org.jmmv.qa;

import java.util.Locale;

/** An enum constant that a command line names in lower case, with hyphens. */
interface Labelled {

  /** Returns the name of the constant. */
  String name();

  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the constant of a label; fails if there is none. */
  static <E extends Enum<E> & Labelled> E of(Class<E> type, String label) {
    return Enum.valueOf(type, label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
