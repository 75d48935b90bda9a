package org.jmmv.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.PosixDirectory;

/**
 * Lists the directory and compares it with the files known so far, the slots.
 *
 * <p>A scan of thousands of files of which one has changed must be quick. It allocates nothing for
 * a served file that is still there: the name and the inode number are compared inside the buffer
 * that the kernel has filled. A regular file with the inode number of the served file is that file,
 * because the kernel does not give the number to another file while the first one is mapped. All
 * other files are compared by their status, which takes a system call for each.
 */
final class DirectoryScan {
  /** Directory times are as coarse as the kernel's tick: one this young may hide a later change. */
  private static final long YOUNG_NANOS = 50_000_000;

  /** The directory's name among its files. */
  private static final String ITSELF = "";

  /**
   * The outcome of a scan.
   *
   * @param changed slots that are new or whose status has changed, in byte order of their names
   * @param gone slots whose file is no longer there
   * @param faults of the directory itself, those that the scan before did not have
   */
  record Outcome(List<Slot> changed, List<Slot> gone, List<MmvFault> faults) {}

  private final PosixDirectory posix;
  private final Budget budget;
  private final Map<String, Slot> slotByName = new HashMap<>();
  private List<Slot> slots = new ArrayList<>(); // in the order of the last scan
  private FileStatus scanned; // the directory's status at the last scan
  private boolean young = true; // whether that status may hide a later change
  private long scans;
  private int unseen; // files over the limit, in the last scan
  private String problem = ""; // why the last scan could not read the directory

  // where the current scan is
  private int next; // index in slots of the slot that is expected next
  private boolean strayed; // whether the last entry was not the predicted one
  private List<Slot> found = new ArrayList<>();
  private List<Slot> changed = new ArrayList<>();

  DirectoryScan(PosixDirectory posix, Budget budget) {
    this.posix = posix;
    this.budget = budget;
  }

  /** The files of the directory, in the order of the file system. */
  List<Slot> slots() {
    return slots;
  }

  /** The slot of this name, or null. */
  Slot slot(String name) {
    return slotByName.get(name);
  }

  /** Whether a scan may find something else than the last one. */
  boolean isDue() {
    return young || (unseen > 0 && budget.hasRoomForFile()) || !posix.hasStatus(ITSELF, scanned);
  }

  /** Forgets all files. */
  void clear() {
    budget.returnFiles(slots.size());
    slotByName.clear();
    slots = new ArrayList<>();
    young = true;
  }

  /** Lists the directory. If it can't be read, all files are gone. */
  Outcome run() {
    scanned = posix.status(ITSELF);
    long age = System.currentTimeMillis() * 1_000_000 - (scanned == null ? 0 : scanned.changed());
    young = Math.abs(age) < YOUNG_NANOS;
    scans++;
    next = 0;
    strayed = false;
    found = new ArrayList<>(slots.size());
    changed = new ArrayList<>();
    int unseenBefore = unseen;
    String problemBefore = problem;
    unseen = 0;
    problem = "";
    try {
      posix.list(this::compare);
    } catch (IOException e) {
      problem = e.getMessage();
    }
    changed.sort(Comparator.comparing(slot -> slot.name));
    slots = found;
    List<MmvFault> faults = new ArrayList<>();
    if (!problem.isEmpty() && !problem.equals(problemBefore)) {
      faults.add(fault("the directory can't be read: " + problem + ", no files"));
    }
    if (unseen > 0 && unseenBefore == 0) {
      int limit = budget.limits().files();
      faults.add(fault(unseen + " files over the limit of " + limit + ", left out"));
    }
    return new Outcome(changed, removeGone(), faults);
  }

  private static MmvFault fault(String reason) {
    return new MmvFault("", "", 0, reason);
  }

  private void compare(PosixDirectory.DirectoryEntry entry) {
    Slot slot = find(entry);
    if (slot == null) {
      if (!budget.hasRoomForFile()) {
        unseen++;
        return;
      }
      if (!entry.isRegular() && !isRegular(entry.status())) {
        return;
      }
      budget.takeFile();
      slot = new Slot(entry.name());
      slotByName.put(slot.name, slot);
      changed.add(slot);
    } else if (!entry.isRegular() || entry.inode() != slot.servedInode) {
      FileStatus status = entry.status();
      if (!isRegular(status)) {
        return;
      }
      if (!status.equals(slot.status)) {
        changed.add(slot);
      }
    }
    if (slot.scan != scans) { // a directory that changes meanwhile may list a name twice
      slot.scan = scans;
      slot.place = found.size();
      found.add(slot);
    }
  }

  /**
   * The slot of an entry, or null if the name is new.
   *
   * <p>File systems list a directory in the same order again, but for the entries that have come or
   * gone. So the slot after the last one found is tried first, by comparing the name's bytes in
   * place; looking it up by name takes as long as the rest of the scan. After a name out of order,
   * the prediction goes on behind that name if one entry was skipped, or if the name before was out
   * of order, too; a single name that has moved does not mislead it.
   */
  private Slot find(PosixDirectory.DirectoryEntry entry) {
    if (next < slots.size()) {
      Slot expected = slots.get(next);
      if (entry.hasName(expected.bytes)) {
        strayed = false;
        next++;
        return expected;
      }
    }
    Slot slot = slotByName.get(entry.name());
    if (slot != null && slot.scan == scans - 1) {
      if (strayed || slot.place == next + 1) {
        next = slot.place + 1;
      }
      strayed = true;
    }
    return slot;
  }

  private static boolean isRegular(FileStatus status) {
    return status != null && status.isRegular();
  }

  private List<Slot> removeGone() {
    if (found.size() == slotByName.size()) {
      return List.of();
    }
    List<Slot> gone = slotByName.values().stream().filter(slot -> slot.scan != scans).toList();
    gone.forEach(slot -> slotByName.remove(slot.name));
    budget.returnFiles(gone.size());
    return gone;
  }
}
