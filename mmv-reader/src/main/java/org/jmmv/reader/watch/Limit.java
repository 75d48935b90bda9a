package org.jmmv.reader.watch;

import java.util.List;
import java.util.Locale;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.FileLimits;

/**
 * A limit of what is served. The limits bound the memory and the time that the agent needs,
 * whatever the files contain: all users can often write to the directory.
 *
 * <p>A constant is all that a limit needs: the option of the command line, the key of the settings
 * file, the metrics {@code mmv.control.agent} and the man pages are made of it. The order is that
 * of the numbers of {@link Limits}.
 */
public enum Limit {
  /** The size of a file in bytes. Files are mapped, so their size does not count as heap. */
  FILE_SIZE("bytes per file", FileLimits.DEFAULT.size(), "Larger files are left out."),

  /** The number of files. */
  FILES(
      "files served at the same time",
      20_000,
      "Fewer are served if the kernel permits fewer mappings of a process."),

  /** The number of metrics. */
  METRICS(
      "metrics in all files",
      100_000,
      "A file that would exceed a limit is left out until other files are removed."),

  /** The number of instances. */
  INSTANCES(
      "instances in all files",
      FileLimits.DEFAULT.instances(),
      "Each instance domain counts as one more instance."),

  /** The number of values. */
  VALUES("values in all files", FileLimits.DEFAULT.values(), ""),

  /** The number of label records. */
  LABELS("label records in all files", 50_000, ""),

  /**
   * The memory for metadata in MiB. By default it is a quarter of the heap; the rest is for reading
   * files, for replies, and for what the collector has not freed yet.
   */
  MEMORY(
      "MiB for metadata",
      (int) Math.ceilDiv(Runtime.getRuntime().maxMemory(), 4L << 20),
      "A single file may use half of it."),

  /** The number of clusters: a file to which one is assigned is the only one in it. */
  CLUSTERS(
      "clusters in use",
      Pmid.MAX_CLUSTER,
      "Each file that leaves its cluster to jmmv counts as one, and so does each cluster in the"
          + " headers of files of one user."),

  /** The percentage of {@link #COUNTED} that one user may use while others need room. */
  SHARE(
      "percentage of these limits for one user while others need room",
      50,
      "Up to that, each user gets at least an equal part. If there is no room for it, the user with"
          + " the most gives up files, those that were loaded last first."),

  /** The time in milliseconds that a request waits for files to be loaded. */
  WAIT("milliseconds that a request waits for files", 200, "The other files are read later.");

  /** The limits of what {@code MmvCounts} counts, in the order of its numbers. */
  public static final List<Limit> COUNTED =
      List.of(FILES, METRICS, INSTANCES, VALUES, LABELS, MEMORY, CLUSTERS);

  private final String what;
  private final int byDefault;
  private final String details;

  Limit(String what, int byDefault, String details) {
    this.what = what;
    this.byDefault = byDefault;
    this.details = details;
  }

  /** Returns the key in the table {@code limits} of the settings file, for example file-size. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the long option of the command line, for example --max-file-size. */
  public String option() {
    return "--max-" + key();
  }

  /** Returns the largest permitted number; the smallest is 1. */
  public int max() {
    return switch (this) {
      case SHARE -> 100;
      case CLUSTERS -> Pmid.MAX_CLUSTER;
      default -> 999_999_999;
    };
  }

  /** Returns the number that applies if no other one is set. */
  public int byDefault() {
    return byDefault;
  }

  /** Returns {@link #byDefault} for people. */
  public String defaultText() {
    return this == MEMORY ? "a quarter of the heap" : Integer.toString(byDefault);
  }

  /** Returns what is limited, with its unit: "bytes per file". */
  public String what() {
    return what;
  }

  /** Returns sentences with details, which may be empty. */
  public String details() {
    return details;
  }
}
