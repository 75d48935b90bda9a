package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.PosixDirectory;
import org.jmmv.reader.posix.PosixProcess;

/**
 * The files of a directory that can be served, kept up to date.
 *
 * <p>Names are taken in byte order; those that begin with a dot are skipped, and what is not a
 * regular file (symbolic links are followed). A file in flux (its generations differ or are 0), too
 * short for a header, or refused, is looked at again when its size, time or generation changes.
 * While an application starts, the first two are normal; they are reported only after 5 s.
 *
 * <p>A file that is rewritten in place within one second may carry the generation it had. So sizes
 * and times are compared as well, of a few files at a time, in turn.
 *
 * <p>Everything happens in the caller's thread, in {@link #refresh} and its like.
 */
public final class MmvDirectory implements AutoCloseable {
  /** Directory times are as coarse as the kernel's tick: one this young may hide a later change. */
  private static final long YOUNG_NANOS = 50_000_000;

  private static final long SWEEP_NANOS = 1_000_000;

  /** How many files that are served a sweep looks at, in turn. */
  private static final int ROUND = 512;

  /** Likewise, if the request has waited for a scan already. */
  private static final int ROUND_AFTER_SCAN = 64;

  /** How many files it compares the sizes and times of. */
  private static final int STATUSES = 16;

  /** The scan of an entry that is none any more. */
  private static final long GONE = -1;

  /** The directory's name among its files. */
  private static final String ITSELF = "";

  private static final long PATIENCE_NANOS = 5_000_000_000L;

  /** Who is told of what changes. */
  public interface Listener {
    /**
     * The set of files has changed.
     *
     * @param withdrawn must not be read from any more when this returns
     * @param loaded can be read from now on; a file that was rewritten is in both lists, as two
     */
    void changed(List<MmvFile> withdrawn, List<MmvFile> loaded);

    /** Something is wrong with a file, or with the directory (then the file's name is empty). */
    void fault(MmvFault fault);
  }

  /** A name in the directory, and what came of it. */
  private static final class Entry {
    final String name;
    final byte[] bytes; // of the name
    FileStatus status;
    MmvFile file; // if it is served
    long inode; // its, here and with the bytes above, because a scan asks for it
    MmvMapping waiting; // otherwise, if it could be opened
    long generation1;
    long generation2;
    MmvCounts served = MmvCounts.NONE; // what it adds to what is served
    MmvCounts excess = MmvCounts.NONE; // what it would add, if that is too much
    MmvFault unfinished; // why it can't be served yet
    long unfinishedSince;
    Set<MmvFault> reported = Set.of(); // the last time
    long scan; // the last one that found it, or GONE
    int place; // where that one found it

    Entry(String name) {
      this.name = name;
      bytes = name.getBytes(ISO_8859_1);
    }
  }

  private final Limits limits;
  private final Listener listener;
  private final PosixDirectory posix;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Deque<Entry> rounds = new ArrayDeque<>(); // whose turn it is in a sweep
  private final Set<Entry> unserved = new HashSet<>();
  private List<Entry> listed = new ArrayList<>(); // in the order of the last scan
  private int next; // whose turn it is there
  private boolean strayed; // another came instead
  private final List<MmvFile> withdrawn = new ArrayList<>();
  private final List<MmvFile> loaded = new ArrayList<>();
  private FileStatus scanned;
  private long scans;
  private boolean young = true;
  private String unreadable = "";
  private MmvCounts total = MmvCounts.NONE;
  private int unseen; // files beyond the limit, in the last scan
  private final LongSupplier nanoTime;
  private long swept;

  /**
   * A directory, which need not exist yet. Nothing is read before the first {@link #refresh}.
   *
   * @param directory its path; its chars stand for bytes as {@code sun.jnu.encoding} says
   */
  public MmvDirectory(Path directory, Limits limits, Listener listener) {
    this(directory, limits, listener, System::nanoTime);
  }

  /** With a clock like {@link System#nanoTime}. */
  MmvDirectory(Path directory, Limits limits, Listener listener, LongSupplier nanoTime) {
    posix = new PosixDirectory(directory);
    this.limits = limits;
    this.listener = listener;
    this.nanoTime = nanoTime;
    swept = nanoTime.getAsLong() - SWEEP_NANOS;
  }

  /**
   * Looks for what has changed: at the directory's time now, and at the files unless that was done
   * within the last millisecond: at those that are not served yet, and at some hundreds of those
   * that are.
   */
  public void refresh() {
    boolean hasScanned = scanIfChanged();
    long time = nanoTime.getAsLong();
    if (time - swept >= SWEEP_NANOS) {
      sweep(time, hasScanned ? ROUND_AFTER_SCAN : ROUND);
    }
    tell();
  }

  /** Like {@link #refresh}, and looks at every file's generation and process now. */
  public void refreshAll() {
    scanIfChanged();
    sweep(nanoTime.getAsLong(), Integer.MAX_VALUE);
    tell();
  }

  /** Whether a file is in flux: its application is not done with writing its metrics. */
  public boolean isInFlux() {
    return unserved.stream()
        .anyMatch(entry -> entry.unfinished != null && entry.waiting.hasHeader());
  }

  /** Looks at the generation and the process of a file that is served, now. */
  public void check(MmvFile file) {
    Entry entry = entries.get(file.name());
    if (entry != null && entry.file == file && !isGood(file)) {
      look(entry, nanoTime.getAsLong());
      tell();
    }
  }

  /** Withdraws a file whose values could not be read, until it is no longer what it was. */
  public void drop(MmvFile file) {
    Entry entry = entries.get(file.name());
    if (entry != null && entry.file == file) {
      release(entry);
      unserved.add(entry);
      entry.status = file.mapping().status();
      report(entry, List.of(new MmvFault(entry.name, "", 0, "a part of the file can't be read")));
      tell();
    }
  }

  /** Loads every file anew. */
  public void reload() {
    entries.values().forEach(this::release);
    entries.clear();
    rounds.clear();
    unserved.clear();
    listed.clear();
    young = true;
    refreshAll();
  }

  @Override
  public void close() {
    entries.values().forEach(this::release);
    entries.clear();
    tell();
  }

  private void tell() {
    if (withdrawn.isEmpty() && loaded.isEmpty()) {
      return;
    }
    listener.changed(List.copyOf(withdrawn), List.copyOf(loaded));
    withdrawn.forEach(file -> file.mapping().close());
    withdrawn.clear();
    loaded.clear();
  }

  private boolean scanIfChanged() {
    boolean hasChanged = young || !posix.hasStatus(ITSELF, scanned);
    if (hasChanged) {
      scan();
    }
    return hasChanged;
  }

  private void scan() {
    scanned = posix.status(ITSELF);
    long age = System.currentTimeMillis() * 1_000_000 - (scanned == null ? 0 : scanned.changed());
    young = Math.abs(age) < YOUNG_NANOS;
    scans++;
    int unseenBefore = unseen;
    unseen = 0;
    next = 0;
    strayed = false;
    List<Entry> present = new ArrayList<>(listed.size());
    List<Entry> changed = new ArrayList<>();
    String problem = "";
    try {
      posix.list(found -> compare(found, present, changed));
    } catch (IOException e) {
      problem = e.getMessage();
    }
    if (!problem.equals(unreadable)) {
      unreadable = problem;
      if (!problem.isEmpty()) {
        listener.fault(
            new MmvFault("", "", 0, "the directory can't be read: " + problem + ", no files"));
      }
    }
    long time = nanoTime.getAsLong();
    changed.sort((one, other) -> one.name.compareTo(other.name));
    changed.forEach(entry -> look(entry, time));
    listed = present;
    if (present.size() < entries.size()) {
      entries.values().removeIf(this::hasGone);
      if (unseen > 0) {
        young = true; // there is room for others now
      }
    }
    if (unseen > 0 && unseenBefore == 0) {
      listener.fault(
          new MmvFault(
              "", "", 0, unseen + " files over the limit of " + limits.files() + ", left out"));
    }
  }

  /**
   * Finds out whether what is in the directory is what we know. A file that is served is, if it has
   * the same inode: that can't be another file's while the first one is mapped.
   */
  private void compare(
      PosixDirectory.DirectoryEntry found, List<Entry> present, List<Entry> changed) {
    Entry entry = find(found);
    if (entry == null) {
      if (entries.size() >= limits.files()) {
        unseen++;
        return;
      }
      if (!found.isRegular() && !isRegular(found.status())) {
        return;
      }
      entry = new Entry(found.name());
      entries.put(entry.name, entry);
      rounds.add(entry);
      changed.add(entry);
    } else if (entry.file == null || !found.isRegular() || found.inode() != entry.inode) {
      FileStatus status = found.status();
      if (!isRegular(status)) {
        return;
      }
      if (!status.equals(entry.status)) {
        changed.add(entry);
      }
    }
    if (entry.scan != scans) {
      entry.scan = scans;
      entry.place = present.size();
      present.add(entry);
    }
  }

  /**
   * The entry of what a scan has found, or null. Mostly it is the one that comes next in the order
   * of the scan before; to look for it by its name would take as long as the rest of the scan.
   */
  private Entry find(PosixDirectory.DirectoryEntry found) {
    if (next < listed.size()) {
      Entry expected = listed.get(next);
      if (found.hasName(expected.bytes)) {
        strayed = false;
        next++;
        return expected;
      }
    }
    Entry entry = entries.get(found.name());
    if (entry != null && entry.scan == scans - 1) {
      if (strayed || entry.place == next + 1) {
        next = entry.place + 1;
      }
      strayed = true;
    }
    return entry;
  }

  private static boolean isRegular(FileStatus status) {
    return status != null && status.isRegular();
  }

  private boolean hasGone(Entry entry) {
    if (entry.scan == scans) {
      return false;
    }
    release(entry);
    unserved.remove(entry);
    entry.scan = GONE;
    return true;
  }

  private void sweep(long time, int round) {
    swept = time;
    if (!unserved.isEmpty()) {
      for (Entry entry : List.copyOf(unserved)) {
        if (hasSettled(entry) || hasRoom(entry)) {
          look(entry, time);
        } else if (entry.unfinished != null && time - entry.unfinishedSince >= PATIENCE_NANOS) {
          report(entry, List.of(entry.unfinished));
        }
      }
    }
    lookInTurn(round, entry -> entry.file != null && !isGood(entry.file), time);
    lookInTurn(STATUSES, this::hasChanged, time);
  }

  /** Asks about the entries whose turn it is, and looks at those of which it is true. */
  private void lookInTurn(int most, Predicate<Entry> question, long time) {
    for (int i = Math.min(most, rounds.size()); i > 0; i--) {
      Entry entry = rounds.remove();
      if (entry.scan != GONE) {
        rounds.add(entry);
        if (question.test(entry)) {
          look(entry, time);
        }
      }
    }
  }

  /** Whether there is a file whose size or time is another than when it was looked at. */
  private boolean hasChanged(Entry entry) {
    return !posix.hasStatus(entry.name, entry.status) && posix.status(entry.name) != null;
  }

  private boolean isGood(MmvFile file) {
    try {
      boolean isCurrent = file.isCurrent();
      MmvFile.awaitFault();
      return isCurrent && isRunning(file.schema());
    } catch (InternalError cutOff) {
      return false;
    }
  }

  /** Whether a file that is not served has other generations than when it was looked at. */
  private static boolean hasSettled(Entry entry) {
    if (entry.waiting == null || !entry.waiting.hasHeader()) {
      return false;
    }
    try {
      boolean hasChanged =
          entry.waiting.generation1() != entry.generation1
              || entry.waiting.generation2() != entry.generation2;
      MmvFile.awaitFault();
      return hasChanged;
    } catch (InternalError cutOff) {
      return true;
    }
  }

  private boolean isRunning(MmvSchema schema) {
    return !schema.has(MmvSchema.FLAG_PROCESS)
        || schema.pid() == 0
        || (schema.pid() > 0 && PosixProcess.processExists(schema.pid()));
  }

  /** Whether a file that was too much is not any more. */
  private boolean hasRoom(Entry entry) {
    return !entry.excess.equals(MmvCounts.NONE) && total.plus(entry.excess).over(limits) == null;
  }

  /** Finds out whether a file can be served. */
  private void look(Entry entry, long time) {
    open(entry, time);
    if (entry.file == null) {
      unserved.add(entry);
    } else {
      unserved.remove(entry);
    }
  }

  private void open(Entry entry, long time) {
    MmvFile before = entry.file;
    MmvMapping mapping;
    try {
      mapping = new MmvMapping(posix.map(entry.name, limits.fileSize()));
    } catch (IOException e) {
      release(entry);
      entry.unfinished = null;
      entry.status = posix.status(entry.name);
      if (entry.status != null) { // it has not gone again
        refuse(entry, null, new MmvFault(entry.name, "", 0, "can't be opened: " + e.getMessage()));
      }
      return;
    }
    entry.status = mapping.status();
    try {
      // before the rest: what is written meanwhile has to be a change
      entry.generation1 = mapping.hasHeader() ? mapping.generation1() : 0;
      entry.generation2 = mapping.hasHeader() ? mapping.generation2() : 0;
      MmvSchema schema = mapping.hasHeader() ? read(entry, mapping) : null;
      if (before != null && schema != null && isSame(before, schema, mapping)) {
        mapping.close();
        return;
      }
      release(entry);
      if (schema == null) {
        entry.waiting = mapping;
        entry.unfinishedSince = entry.unfinished == null ? time : entry.unfinishedSince;
        entry.unfinished = new MmvFault(entry.name, "", 0, unfinished(mapping, entry));
      } else if (!isRunning(schema)) {
        entry.waiting = mapping;
        entry.unfinished = null;
      } else {
        serve(entry, schema, mapping);
      }
    } catch (MmvFormatException e) {
      release(entry);
      refuse(entry, mapping, e.fault());
    } catch (InternalError cutOff) {
      release(entry);
      refuse(entry, mapping, new MmvFault(entry.name, "", 0, "cut off while it was read"));
    } catch (RuntimeException e) { // the other files must not suffer from a fault of ours
      release(entry);
      refuse(entry, mapping, new MmvFault(entry.name, "", 0, "can't be read: " + e));
    }
  }

  private MmvSchema read(Entry entry, MmvMapping mapping) throws MmvFormatException {
    try {
      return SchemaReader.read(entry.name, mapping, limits);
    } finally {
      MmvFile.awaitFault(); // what is refused may be what could not be read
    }
  }

  private void serve(Entry entry, MmvSchema schema, MmvMapping mapping) {
    MmvCounts counts = MmvCounts.of(schema);
    MmvCounts more = total.plus(counts);
    String over = more.over(limits);
    if (over != null) {
      entry.excess = counts;
      refuse(entry, mapping, new MmvFault(entry.name, "", 0, "over " + over + " in all, left out"));
      return;
    }
    total = more;
    entry.served = counts;
    entry.file = new MmvFile(schema, mapping);
    entry.inode = mapping.status().inode();
    entry.unfinished = null;
    loaded.add(entry.file);
    report(entry, schema.faults());
  }

  /** Whether a file that was written to is the one that we have, with the same metadata. */
  private boolean isSame(MmvFile file, MmvSchema schema, MmvMapping mapping) {
    FileStatus old = file.mapping().status();
    FileStatus now = mapping.status();
    return old.inode() == now.inode()
        && old.device() == now.device()
        && old.size() == now.size()
        && file.schema().digest() == schema.digest()
        && isRunning(schema);
  }

  private static String unfinished(MmvMapping mapping, Entry entry) {
    return mapping.hasHeader()
        ? "in flux for 5 s: generations "
            + Long.toUnsignedString(entry.generation1)
            + " and "
            + Long.toUnsignedString(entry.generation2)
        : "too short for 5 s: " + mapping.size() + " bytes, a header has " + MmvLayout.HEADER_SIZE;
  }

  private void refuse(Entry entry, MmvMapping mapping, MmvFault fault) {
    entry.waiting = mapping;
    entry.unfinished = null;
    report(entry, List.of(fault));
  }

  /** Says what is wrong with a file, unless it was wrong with it the last time, too. */
  private void report(Entry entry, List<MmvFault> faults) {
    Set<MmvFault> news = Set.copyOf(faults);
    for (MmvFault fault : faults) {
      if (!entry.reported.contains(fault)) {
        listener.fault(fault);
      }
    }
    entry.reported = news;
  }

  private void release(Entry entry) {
    if (entry.waiting != null) {
      entry.waiting.close();
      entry.waiting = null;
    }
    if (entry.file != null) {
      if (loaded.remove(entry.file)) {
        entry.file.mapping().close();
      } else {
        withdrawn.add(entry.file);
      }
      entry.file = null;
    }
    total = total.minus(entry.served);
    entry.served = MmvCounts.NONE;
    entry.excess = MmvCounts.NONE;
  }
}
