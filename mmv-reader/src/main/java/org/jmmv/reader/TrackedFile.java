package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import org.jmmv.posix.FileStatus;

/** A regular file in the directory, and its state. */
final class TrackedFile {
  final MmvDirectory directory;
  final FileName id;
  final String name;
  final byte[] bytes; // bytes of the name

  /** The file's status when it was last examined, or null. */
  FileStatus status;

  /** The file's faults. */
  final FaultBook.Page page = new FaultBook.Page();

  /** Whether it was reported that the file has been too short or in flux for a long time. */
  boolean reportedUnfinished;

  /**
   * The inode number of the file if it is served, otherwise 0. It is copied from the status,
   * because a scan compares it with every directory entry.
   */
  long servedInode;

  /** The file that the name stood for when it was last found to be new or changed. */
  FileId file;

  /** The owner of the directory entry, which for a symbolic link is that of the link. */
  Owner owner;

  /** When the file may be examined again, because that took long; otherwise null. */
  Retry rest;

  /** Whether the file is to be read again although it has not changed. */
  boolean isToReload;

  // kept by Backlog
  boolean isWaiting;
  long work; // an estimate of the time for examining the file
  long turn; // when it is this file's turn among those of its owner

  // kept by DirectoryScan
  long scan; // number of the last scan that has found the file
  int place; // index in the order of that scan

  /**
   * The counts that the file has added to the budget. An application that restarts keeps them while
   * it writes its file, so that no other file takes its place.
   */
  MmvCounts held = MmvCounts.NONE;

  /** The owner to whose counts {@link #held} was added. */
  Owner payer;

  // counts for EntryStatus
  long loads;
  long loadNanos;

  private State state = new Waiting();

  /**
   * The result of the last examination of a file. Each state contains the data that only this state
   * needs.
   */
  sealed interface State {
    /** Returns what is told about a file in this state. */
    FileState shown();

    /** Returns the mapping that the state keeps, or null. */
    default Watch watch() {
      return null;
    }

    /** Returns the header's fields, or null if no header of an MMV file is mapped. */
    default EntryStatus.Head head() {
      return watch() == null ? null : watch().head();
    }
  }

  /** Not mapped: the file is new, and has not been examined yet. */
  record Waiting() implements State {
    @Override
    public FileState shown() {
      return FileState.WAITING;
    }
  }

  /**
   * Not mapped: the file can't be opened, was truncated while it was read, or too many files that
   * are not served are mapped.
   *
   * @param shown what is told about it
   */
  record Closed(FileState shown) implements State {}

  /** Not mapped, and not opened: the rules of the directory exclude its name. */
  record Excluded() implements State {
    @Override
    public FileState shown() {
      return FileState.EXCLUDED;
    }
  }

  /**
   * Not mapped: a name of a file that is mapped under enough other names.
   *
   * @param file the file
   */
  record Linked(FileId file) implements State {
    @Override
    public FileState shown() {
      return FileState.TOO_MANY_NAMES;
    }
  }

  /**
   * Not mapped: the file could not be opened or mapped for a passing reason.
   *
   * @param retry when it is tried again
   */
  record Unavailable(Retry retry) implements State {
    @Override
    public FileState shown() {
      return FileState.UNREADABLE;
    }
  }

  /**
   * Too short for a header, which is normal while an application starts.
   *
   * @param size the size of the file in bytes
   * @param since the time at which the file was first found to be unfinished, in nanoseconds of
   *     {@link System#nanoTime}
   */
  record TooShort(long size, long since) implements State {
    @Override
    public FileState shown() {
      return FileState.TOO_SHORT;
    }
  }

  /**
   * In flux: the application is writing the metadata, so the generations differ or are 0.
   *
   * @param watch the mapping
   * @param since as in {@link TooShort}
   */
  record InFlux(Watch watch, long since) implements State {
    @Override
    public FileState shown() {
      return FileState.IN_FLUX;
    }
  }

  /**
   * Not an MMV file, or its header is invalid, or it was truncated while it was read.
   *
   * @param watch the mapping
   * @param shown what is told about it
   */
  record Refused(Watch watch, FileState shown) implements State {}

  /**
   * Not mapped: beyond the limits of the budget.
   *
   * @param counts the counts that the file would add to the budget; {@link MmvCounts#ONE_FILE} if
   *     the file was not read, because there was no room for any file
   */
  record OverBudget(MmvCounts counts) implements State {
    @Override
    public FileState shown() {
      return FileState.OVER_LIMIT;
    }
  }

  /** Valid, but the file has the PROCESS flag and its process has ended. */
  record ProcessGone(Watch watch) implements State {
    @Override
    public FileState shown() {
      return FileState.PROCESS_ENDED;
    }
  }

  /** Served. */
  record Served(MmvFile file) implements State {
    @Override
    public FileState shown() {
      return FileState.SERVED;
    }

    @Override
    public EntryStatus.Head head() {
      MmvSchema schema = file.schema();
      return new EntryStatus.Head(schema.version(), schema.pid(), schema.generation());
    }
  }

  /**
   * The mapping of a file that is not served. It is kept in order to detect a new generation.
   *
   * @param mapping the mapping
   * @param magic the first four bytes, read before the rest of the file
   * @param generation1 the first generation number, read before the rest of the file
   * @param generation2 the second generation number, read before the rest of the file
   * @param version the version, likewise
   * @param pid the process number, likewise
   */
  record Watch(
      MmvMapping mapping, int magic, long generation1, long generation2, int version, int pid) {
    static Watch of(MmvMapping mapping) throws MappingTruncated {
      return mapping.read(() ->
          new Watch(
              mapping,
              mapping.magic(),
              mapping.generation1(),
              mapping.generation2(),
              mapping.version(),
              mapping.pid()));
    }

    /** Returns the fields of the header; null if the file has another magic: it may be secret. */
    EntryStatus.Head head() {
      return magic == MmvLayout.MAGIC ? new EntryStatus.Head(version, pid, generation1) : null;
    }

    boolean hasChanged() {
      return !mapping.hasGenerations(generation1, generation2);
    }
  }

  TrackedFile(MmvDirectory directory, FileName id) {
    this.directory = directory;
    this.id = id;
    name = id.name();
    bytes = name.getBytes(ISO_8859_1);
  }

  State state() {
    return state;
  }

  /** Enters a state. The caller has to release the resources of the previous state. */
  void enter(State next) {
    state = next;
    servedInode = next instanceof Served ? status.inode() : 0;
    reportedUnfinished &= next instanceof TooShort || next instanceof InFlux;
  }

  /** Returns the mapping of a served or watched file, or null. */
  MmvMapping mapping() {
    return state instanceof Served(MmvFile served)
        ? served.mapping()
        : state.watch() == null ? null : state.watch().mapping();
  }

  /** Returns whether this tracked has mapped a file. */
  boolean isMappedAs(FileId id) {
    return mapping() != null && mapping().file().equals(id);
  }

  /** Returns whether the size or a time of a file has changed, unless it is examined anyway. */
  boolean hasOtherStatus() {
    return !isWaiting && !directory.posix.hasStatus(name, status);
  }

  /** Returns the faults that the file has in its state. */
  List<Fault> currentFaults() {
    return switch (state.shown()) {
      case WAITING, PROCESS_ENDED -> List.of();
      case IN_FLUX, TOO_SHORT -> reportedUnfinished ? page.faults() : List.of();
      default -> page.faults();
    };
  }

  /** Returns the attempt that the file waits for, or null. */
  Retry retry() {
    return state instanceof Unavailable(Retry retry) ? retry : null;
  }

  /**
   * Returns the time since which the file has been too short or in flux; {@code now} if it is
   * neither.
   */
  long unfinishedSince(long now) {
    return switch (state) {
      case TooShort(_, long since) -> since;
      case InFlux(_, long since) -> since;
      default -> now;
    };
  }
}
