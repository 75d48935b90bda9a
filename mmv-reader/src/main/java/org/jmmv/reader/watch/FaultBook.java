package org.jmmv.reader.watch;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;

/**
 * The faults of all files and directories: which they are, since when, and which of them have not
 * been published yet. A fault that repeats one of the same file is counted, but not published
 * again.
 */
final class FaultBook {
  private static final Set<FaultKind> OF_MANY_FILES =
      EnumSet.of(FaultKind.OVER_LIMIT, FaultKind.ROOM_NEEDED, FaultKind.TOO_MANY_NAMES);

  /** The faults of one file or directory. They are forgotten with it. */
  static final class Page {
    private List<Fault> faults = List.of();
    private long count;
    private long first = -1;
    private long last = -1;

    /** Returns the faults that the file had when it was last examined and had any. */
    List<Fault> faults() {
      return faults;
    }

    /** Returns how many faults were found, including repeated ones, but not hints. */
    long count() {
      return count;
    }

    /** Returns when the first fault was found, in seconds since the epoch; -1 if there was none. */
    long first() {
      return first;
    }

    /** Returns when the last fault was found, likewise. */
    long last() {
      return last;
    }
  }

  private final InstantSource clock;
  private final List<Fault> pending = new ArrayList<>();
  private final Map<List<Object>, Fault> pendingLimits = new LinkedHashMap<>();

  FaultBook(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Records the faults that a file or directory has now.
   *
   * @return those that do not repeat one of the last faults
   */
  List<Fault> record(Page page, List<Fault> faults) {
    List<Fault> real = faults.stream().filter(fault -> !fault.isHint()).toList();
    if (!real.isEmpty()) {
      real.forEach(fault -> page.count += 1L + fault.more());
      page.last = clock.instant().getEpochSecond();
      page.first = page.first < 0 ? page.last : page.first;
    }
    List<Fault> added =
        faults.stream().filter(fault -> page.faults.stream().noneMatch(fault::repeats)).toList();
    page.faults = List.copyOf(faults);
    return added;
  }

  /** Records the faults of a directory, to be published with the next change. */
  void report(Page page, List<Fault> faults) {
    pending.addAll(record(page, faults));
  }

  /** Lets something be published with the next change that is not recorded. */
  void publish(Fault fault) {
    pending.add(fault);
  }

  /**
   * Records why a file is not served, to be published with the next change. Of all files that the
   * same limit concerns, only the first is published, with the number of the others: there can be
   * tens of thousands.
   */
  void report(Page page, Fault fault) {
    if (!OF_MANY_FILES.contains(fault.kind())) {
      report(page, List.of(fault));
    } else if (!record(page, List.of(fault)).isEmpty()) {
      pendingLimits.merge(
          List.of(fault.kind(), fault.arguments()),
          fault,
          (first, _) -> first.withMore(first.more() + 1));
    }
  }

  /** Returns whether faults are to be published. */
  boolean hasPending() {
    return !pending.isEmpty() || !pendingLimits.isEmpty();
  }

  /** Returns the faults that are to be published. They count as published then. */
  List<Fault> takePending() {
    List<Fault> faults = new ArrayList<>(pending);
    faults.addAll(pendingLimits.values());
    pending.clear();
    pendingLimits.clear();
    return faults;
  }
}
