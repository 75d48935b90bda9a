package org.jmmv.core;

import java.util.List;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueSink;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.fault.FileName;

/** A metric that a name was granted to. Its descriptor is that of pmLookupDesc(3). */
public abstract class Metric {
  /** What {@link #read} returns when all values have been read. */
  static final int COMPLETE = -1;

  Metric() {}

  /** Returns the PMID. */
  public abstract int pmid();

  /** Returns the type: a {@link org.jmmv.pcp.ValueType}, or any other number from a file. */
  public abstract int type();

  /** Returns the instance domain, {@link org.jmmv.pcp.InDom#NULL} for a singular metric. */
  public abstract int inDom();

  /** Returns the semantics: a {@link org.jmmv.pcp.Semantics}, or any other number from a file. */
  public abstract int semantics();

  /** Returns the units as one 32-bit word, see {@link org.jmmv.pcp.Units}. */
  public abstract int units();

  /**
   * Returns the full names. There are none if all are also the beginning of other metrics' names,
   * as {@code x} of {@code x.y}, which were granted first.
   */
  public abstract List<String> names();

  /**
   * A file with a record of a metric.
   *
   * @param startNanos when its application has started, in nanoseconds since the epoch; 0 if that
   *     is not known, or if another file was served under this name before: an application can make
   *     a new file for more metrics, whose counters go on
   */
  public record Origin(FileName file, long startNanos) {}

  /**
   * Returns the files that the metric comes from, in the order of precedence; empty for a metric of
   * this program.
   *
   * @param max how many are returned at most: tens of thousands of files may share a metric
   */
  public List<Origin> origins(int max) {
    return List.of();
  }

  /** Returns one line of help, or null if there is none. */
  public abstract String oneLine();

  /** Returns the help text, or null if there is none. */
  public abstract String help();

  /** Returns an upper bound for the number of values, see {@link View#maxValues}. */
  abstract int maxValues(InstanceFilter filter, RequestState request);

  /**
   * Reads the current values, see {@link View#readUntil}.
   *
   * @throws FileTruncated if a file was truncated; the sink may have received some values before.
   *     The next call leaves the file out
   */
  abstract int read(InstanceFilter filter, Turn turn, ValueSink sink, RequestState request)
      throws FileTruncated;

  /**
   * Returns whether clients may store values. If not, a store is answered with {@link
   * PmError#PERMISSION}.
   */
  public boolean isStorable() {
    return false;
  }

  /**
   * Stores a 32-bit value.
   *
   * @return null, or why it can't be stored
   */
  public PmError store(int number) {
    return PmError.PERMISSION;
  }

  /**
   * Stores a string, or the decimal form of a value of another type.
   *
   * @param client the number of the client that stores it, from {@link PmcdClients#add}, or {@link
   *     PmcdClients#NONE}
   * @return null, or why it can't be stored
   */
  public PmError store(String text, int client) {
    return PmError.PERMISSION;
  }
}
