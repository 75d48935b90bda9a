package org.jmmv.reader.watch;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;

/**
 * The faults of all files and directories: which they are, since when, how often they were found,
 * and which of them have not been published yet. A fault that repeats one of the same file is
 * counted, but not published again.
 */
final class FaultBook {
  private static final Set<FaultKind> OF_MANY_FILES =
      EnumSet.of(FaultKind.OVER_LIMIT, FaultKind.ROOM_NEEDED);

  /** The faults of one file or directory. They are forgotten with it. */
  static final class History {
    private List<CountedFault> faults = List.of();
    private Map<FaultKind, Long> counts = Map.of();

    /** Returns the faults that the file had when it was last examined and had any. */
    List<CountedFault> faults() {
      return faults;
    }

    /**
     * Returns the one fault of a file that is not served. A file that stays unfinished may have
     * another one than was recorded, and has its count.
     */
    CountedFault counted(Fault fault) {
      return faults.getFirst().of(fault);
    }

    /** Returns how many faults of each kind were found, including repeated ones, but not hints. */
    Map<FaultKind, Long> counts() {
      return counts;
    }
  }

  private final InstantSource clock;
  private final List<Fault> pending = new ArrayList<>();
  private final Map<List<Object>, Fault> pendingLimits = new LinkedHashMap<>();

  FaultBook(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Records the faults that a file or directory has now, of which some have just been found.
   *
   * @param found those that have just been found, at most one of each kind; they count
   * @param all those that it has, at most one of each kind
   * @return those found of whose kind the last faults had none, or another one than now
   */
  List<Fault> record(History history, List<Fault> found, List<Fault> all) {
    Instant now = clock.instant();
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class); // of those found
    Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    counts.putAll(history.counts);
    for (Fault fault : found) {
      kinds.add(fault.kind());
      if (!fault.isHint()) {
        counts.merge(fault.kind(), 1L + fault.more(), Long::sum);
      }
    }
    Set<FaultKind> repeated = EnumSet.noneOf(FaultKind.class);
    List<CountedFault> counted = new ArrayList<>();
    for (Fault fault : all) {
      CountedFault before = find(history, fault);
      if (before == null) {
        counted.add(new CountedFault(fault, 1, now, now));
      } else if (kinds.contains(fault.kind())) {
        repeated.add(fault.kind());
        counted.add(new CountedFault(fault, before.count() + 1, before.first(), now));
      } else {
        counted.add(before.of(fault));
      }
    }
    history.counts = Map.copyOf(counts);
    history.faults = List.copyOf(counted);
    return found.stream().filter(fault -> !repeated.contains(fault.kind())).toList();
  }

  /** Returns the recorded fault that another one repeats; null if there is none. */
  private static CountedFault find(History history, Fault fault) {
    return history.faults.stream()
        .filter(counted -> fault.repeats(counted.fault()))
        .findFirst()
        .orElse(null);
  }

  /** Records the faults of a directory, to be published with the next change. */
  void report(History history, List<Fault> faults) {
    pending.addAll(record(history, faults, faults));
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
  void report(History history, Fault fault) {
    List<Fault> one = List.of(fault);
    if (!OF_MANY_FILES.contains(fault.kind())) {
      report(history, one);
    } else if (!record(history, one, one).isEmpty()) {
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
