package org.jmmv.core;

import java.util.List;
import java.util.function.Function;
import org.jmmv.reader.fault.FaultKind.Severity;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.CountedFault;
import org.jmmv.reader.watch.EntryStatus;
import org.jmmv.reader.watch.FileState;

/**
 * An entry of a directory of a {@link Catalog}, and what is served of it. The numbers of metrics
 * are counted when they are asked for, and conflicts with other files are found then.
 */
public final class CatalogEntry {
  /**
   * The maximum number of entries in a list: in {@code mmv.control.file} of all, those of served
   * files first, and in Prometheus of those that are not served. Everybody can create millions, and
   * a client gets some 300 bytes for each.
   */
  public static final int MAX_LISTED = 20_000;

  private final EntryStatus recorded;
  private final ServedFile file; // null if it is not served
  private final NameTree names;
  private final Function<ServedFile, List<CountedFault>> conflicts;
  private EntryStatus status; // null: not asked for
  private String reason; // likewise

  /**
   * Creates an entry.
   *
   * @param recorded its status, perhaps with former conflicts
   * @param conflicts returns the conflicts that a file has with others now
   */
  CatalogEntry(
      EntryStatus recorded,
      ServedFile file,
      NameTree names,
      Function<ServedFile, List<CountedFault>> conflicts) {
    this.recorded = recorded;
    this.file = file;
    this.names = names;
    this.conflicts = conflicts;
  }

  /** Returns the name of the entry. */
  public FileName name() {
    return recorded.name();
  }

  /** Returns the status, perhaps with conflicts that are over. */
  EntryStatus recorded() {
    return recorded;
  }

  /** Returns the status of the entry in its directory. */
  public EntryStatus status() {
    if (status == null) {
      status = file == null ? recorded : recorded.withConflicts(conflicts.apply(file));
    }
    return status;
  }

  /**
   * Returns whether it is served, and if not, why. At the start, a file may wait for a cluster,
   * which is not the state of its {@link #status}.
   */
  public FileState state() {
    return recorded.file() != null && file == null ? FileState.WAITING : recorded.state();
  }

  /** Returns whether something is wrong with it, more than a {@linkplain Severity#HINT hint}. */
  public boolean isFaulty() {
    return status().reasons().stream()
        .map(fault -> fault.kind().severity())
        .anyMatch(severity -> severity == Severity.WARNING || severity == Severity.ERROR);
  }

  /** Returns the number of metrics that are served under their names. */
  public long served() {
    return file == null ? 0 : file.served(names);
  }

  /** Returns the number of entries of all METRICS sections, 0 if the file is not served. */
  public long metrics() {
    return file == null ? 0 : file.schema().metricEntries();
  }

  /**
   * Returns when the application has made the file, in nanoseconds since the epoch; 0 if it is not
   * served, or its generation is not a time.
   */
  public long startNanos() {
    return file == null ? 0 : file.schema().header().startNanos();
  }

  /** Returns why the entry is not served, or not completely; empty if it is. */
  String reason() {
    if (reason == null) {
      String all = status().reason();
      String some = served() < metrics() ? FaultLog.summary(served(), metrics()) : "";
      reason = some + (some.isEmpty() || all.isEmpty() ? "" : "; ") + all;
    }
    return reason;
  }
}
