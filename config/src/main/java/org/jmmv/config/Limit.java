package org.jmmv.config;

import java.util.function.ToIntFunction;
import org.jmmv.reader.Limits;

/**
 * The limits of {@link Limits}, as options of the command line and as keys of the settings file.
 */
enum Limit {
  FILE_SIZE("file-size", "bytes per file"),
  FILES("files", "files served at the same time"),
  METRICS("metrics", "metrics in all files"),
  INSTANCES("instances", "instances in all files"),
  VALUES("values", "values in all files"),
  LABELS("labels", "label records in all files"),
  MEMORY("memory", "MiB for metadata"),
  SHARE("share", "percentage of these limits for one user while others need room"),
  WAIT("wait", "milliseconds that a request waits for files");

  private static final int MAX = 999_999_999;

  /** The key in the table {@code limits} of the settings file. */
  final String key;

  /** What the limit is about. */
  final String what;

  Limit(String key, String what) {
    this.key = key;
    this.what = what;
  }

  /** Returns the long option of the command line. */
  String option() {
    return "--max-" + key;
  }

  /** Returns the largest number that is permitted; the smallest is 1. */
  int most() {
    return this == SHARE ? 100 : MAX;
  }

  /** Returns this limit of all limits. */
  int of(Limits limits) {
    return switch (this) {
      case FILE_SIZE -> limits.fileSize();
      case FILES -> limits.files();
      case METRICS -> limits.metrics();
      case INSTANCES -> limits.instances();
      case VALUES -> limits.values();
      case LABELS -> limits.labels();
      case MEMORY -> limits.memory();
      case SHARE -> limits.share();
      case WAIT -> limits.loadTime();
    };
  }

  /** Returns the default, for people. */
  String byDefault() {
    return this == MEMORY ? "a quarter of the heap" : Integer.toString(of(Limits.DEFAULT));
  }

  /** Returns the limits with a number for each of them. */
  static Limits limits(ToIntFunction<Limit> numbers) {
    return new Limits(
        numbers.applyAsInt(FILE_SIZE),
        numbers.applyAsInt(FILES),
        numbers.applyAsInt(METRICS),
        numbers.applyAsInt(INSTANCES),
        numbers.applyAsInt(VALUES),
        numbers.applyAsInt(LABELS),
        numbers.applyAsInt(MEMORY),
        numbers.applyAsInt(SHARE),
        numbers.applyAsInt(WAIT));
  }
}
