package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Set;
import org.jmmv.reader.posix.FileStatus;

/** A regular file in the directory, and what came of it. */
final class Slot {
  final String name;
  final byte[] bytes; // of the name

  /** The file's status when it was last examined, or null. */
  FileStatus status;

  /** The faults of the last examination that found any, so that none is reported twice. */
  Set<MmvFault> reported = Set.of();

  /**
   * Inode number of the file if it is served, otherwise 0. Copied from the status, because a scan
   * compares it with every directory entry.
   */
  long servedInode;

  // kept by DirectoryScan
  long scan; // number of the last scan that found the file
  int place; // index in the order of that scan

  private State state = new Closed();

  /** What came of a file when it was last examined. Each state has what belongs to it alone. */
  sealed interface State {}

  /** Not mapped: never examined, can't be opened, or withdrawn because of a fault. */
  record Closed() implements State {}

  /**
   * Too short for a header, as files are while their application starts.
   *
   * @param since time at which the file was first found unfinished, in nanoseconds
   */
  record TooShort(long since) implements State {}

  /**
   * Its application is writing its metadata: the generations differ, or are 0.
   *
   * @param since as in {@link TooShort}
   */
  record InFlux(Watch watch, long since) implements State {}

  /** Not an MMV file, or broken. */
  record Refused(Watch watch) implements State {}

  /**
   * Sound, but more than the budget has room for.
   *
   * @param counts what the file would take of the budget
   */
  record OverBudget(Watch watch, MmvCounts counts) implements State {}

  /** Sound, but to be served only while its process runs, which has ended. */
  record ProcessGone(Watch watch) implements State {}

  /**
   * Served.
   *
   * @param counts what the file has taken of the budget
   */
  record Served(MmvFile file, MmvCounts counts) implements State {}

  /**
   * The mapping of a file that is not served, kept to see when its application writes a new
   * generation.
   *
   * @param generation1 first generation number, read before the rest of the file was examined
   * @param generation2 second one, likewise
   */
  record Watch(MmvMapping mapping, long generation1, long generation2) {
    static Watch of(MmvMapping mapping) throws MappingCutOff {
      return mapping.read(() -> new Watch(mapping, mapping.generation1(), mapping.generation2()));
    }

    boolean hasChanged() {
      return !mapping.hasGenerations(generation1, generation2);
    }
  }

  Slot(String name) {
    this.name = name;
    bytes = name.getBytes(ISO_8859_1);
  }

  State state() {
    return state;
  }

  /** Enters a state. What the state before holds is the caller's to release. */
  void enter(State next) {
    state = next;
    servedInode = next instanceof Served ? status.inode() : 0;
  }

  /** The time since which the file has been too short or in flux; {@code now} if it was not. */
  long unfinishedSince(long now) {
    return switch (state) {
      case TooShort(long since) -> since;
      case InFlux(_, long since) -> since;
      default -> now;
    };
  }
}
