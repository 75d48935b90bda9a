package org.jmmv.core;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.reader.MmvFile;

/**
 * What the reads of one request share: the files that it has found truncated, the entries of the
 * directories, its time, and the {@link Selections} of all its turns. A {@link View} has one. It
 * ends with the next request.
 */
final class RequestState {
  private final ValueReader reader;
  private final Selections selections;
  private Set<MmvFile> truncated = Set.of();
  private InstanceDomain entries; // null: not asked for
  private long checkBegin; // when its files were checked, as times of System.nanoTime
  private long checkEnd;
  private long now;
  private boolean isOver;

  /**
   * Begins a request.
   *
   * @param reader reads the values of all metrics
   * @param selections those of all turns of the request
   */
  RequestState(ValueReader reader, Selections selections) {
    this.reader = reader;
    this.selections = selections;
  }

  /** Ends the request: what it has found is not valid any more. */
  void end() {
    isOver = true;
    reader.forget();
    entries = null; // they keep all files, and so what these have in the heap
  }

  /**
   * Returns the entries of the directories as this request sees them.
   *
   * @param first makes them when they are first asked for
   */
  InstanceDomain entries(Supplier<InstanceDomain> first) {
    if (entries == null) {
      entries = first.get();
    }
    return entries;
  }

  boolean isOver() {
    return isOver;
  }

  /** Sets when the check of the request's files has begun and ended. */
  void checked(long begin, long end) {
    checkBegin = begin;
    checkEnd = end;
  }

  /** Returns what {@link View#isOver} does. */
  boolean isOver(Turn turn) {
    return turn.isOver() && System.nanoTime() - checkEnd >= checkEnd - checkBegin;
  }

  ValueReader reader() {
    return reader;
  }

  /** Returns the files that were found truncated. */
  Set<MmvFile> truncated() {
    return truncated;
  }

  /** Called when a file was found truncated. */
  void addTruncated(MmvFile file) {
    if (truncated.isEmpty()) {
      truncated = new LinkedHashSet<>();
    }
    truncated.add(file);
  }

  /** Returns the indexes of the selected instances in a table, or null if all are selected. */
  int[] indexes(InstanceFilter.Selection selection, InstanceTable table) {
    return selection.isAll() ? null : selections.of(selection, table);
  }

  /** Returns the time in microseconds since the epoch, the same for all values of the request. */
  long now() {
    if (now == 0) {
      Instant instant = Instant.now();
      now = instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }
    return now;
  }
}
