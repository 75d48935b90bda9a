package org.jmmv.reader.watch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jmmv.posix.OpenForWriting;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvHeader;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * The status of an entry of the directory, see {@link DirectoryEntries#status}.
 *
 * @param name the entry
 * @param state whether it is served, and if not, why
 * @param counted the {@link #faults}, with their counts and times
 * @param file the file if it is served, otherwise null
 * @param header the header, unchecked; null if it is not that of an MMV file, or is not mapped
 * @param writer whether any process has the file open for writing, as far as that was asked
 * @param modified when the file was last written, as far as its status shows it; null if it was not
 *     examined yet, or is not to be
 * @param loads how often the file was read, whether it was served then or not, since the entry was
 *     found
 * @param isSuccessor whether another file was served under this name before, also if it was removed
 *     in between
 * @param faultCounts the number of faults that were found since the entry was found, by their
 *     kinds: hints not included, but those that were not logged again
 */
public record EntryStatus(
    FileName name,
    FileState state,
    List<CountedFault> counted,
    MmvFile file,
    MmvHeader header,
    OpenForWriting writer,
    Instant modified,
    long loads,
    boolean isSuccessor,
    Map<FaultKind, Long> faultCounts) {

  /** Returns the status of an entry that no {@link TrackedFile} knows. */
  static EntryStatus ofSkipped(FileName name, FileState state) {
    return new EntryStatus(
        name, state, List.of(), null, null, OpenForWriting.UNKNOWN, null, 0, false, Map.of());
  }

  /** Returns the status of a file that may be served. */
  static EntryStatus of(TrackedFile tracked) {
    return new EntryStatus(
        tracked.name,
        tracked.state().shown(),
        tracked.faults(),
        tracked.state() instanceof LoadState.Served(MmvFile file, _) ? file : null,
        tracked.header(),
        tracked.presence.writer(),
        tracked.status() == null ? null : tracked.status().modifiedTime(),
        tracked.loads(),
        tracked.isSuccessor(),
        tracked.history.counts());
  }

  /**
   * Returns the faults and hints of the file that were last reported: the first one of each kind,
   * with the number of the others.
   */
  public List<Fault> faults() {
    return counted.stream().map(CountedFault::fault).toList();
  }

  /**
   * Returns the same status with the conflicts that the file has with others now. Those that were
   * recorded may be over; of their kind, the others keep the count and the times.
   */
  public EntryStatus withConflicts(List<CountedFault> conflicts) {
    Map<FaultKind, CountedFault> recorded = new EnumMap<>(FaultKind.class);
    List<CountedFault> all = new ArrayList<>();
    int at = counted.size(); // where the conflicts are
    for (CountedFault one : counted) {
      if (one.fault().kind().isConflict()) {
        at = recorded.isEmpty() ? all.size() : at;
        recorded.put(one.fault().kind(), one);
      } else {
        all.add(one);
      }
    }
    if (conflicts.isEmpty() && recorded.isEmpty()) {
      return this;
    }
    for (CountedFault one : conflicts) {
      all.add(at++, recorded.getOrDefault(one.fault().kind(), one).of(one.fault()));
    }
    return new EntryStatus(
        name,
        state,
        List.copyOf(all),
        file,
        header,
        writer,
        modified,
        loads,
        isSuccessor,
        faultCounts);
  }

  /** Returns the number of faults that were found, whatever their kinds. */
  public long faultCount() {
    long all = 0;
    for (long count : faultCounts.values()) {
      all += count;
    }
    return all;
  }

  /**
   * Returns why the entry is not served, or what of it is not: its {@link #faults}, or what its
   * state means. Empty if all of it is served.
   */
  public List<Fault> reasons() {
    if (!counted.isEmpty() || state == FileState.SERVED) {
      return faults();
    }
    Place place = Place.of(name);
    return List.of(
        switch (state) {
          case PROCESS_ENDED -> Fault.of(state.reason(), place, header.pid());
          case STALE -> Fault.of(state.reason(), place, modified);
          default -> Fault.of(state.reason(), place);
        });
  }

  /**
   * Returns the first of the {@link #reasons} as in the log, without the file's name. Hints are
   * left out.
   */
  public String reason() {
    for (Fault reason : reasons()) {
      if (!reason.isHint()) {
        return reason.sentence();
      }
    }
    return "";
  }

  /** Returns the number of hints among the {@link #faults}. */
  public long hints() {
    long all = 0;
    for (CountedFault each : counted) {
      all += each.fault().isHint() ? 1L + each.fault().more() : 0;
    }
    return all;
  }
}
