package org.jmmv.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jmmv.core.Catalog;
import org.jmmv.core.FaultListener;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.reader.InspectedFile;
import org.jmmv.reader.Limits;
import org.jmmv.reader.MmvFault;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.PosixDirectory;
import org.jmmv.reader.posix.PosixProcess;

/**
 * The files of a directory as the agent would serve them now: it runs the agent's {@link Catalog}
 * over the directory, and collects the faults.
 */
final class CheckedDirectory implements FaultListener {
  private static final int DOMAIN = 70; // does not matter, there is only one agent
  private static final int MAX_ENTRIES = 100_000; // as many as the agent reads at once
  private static final long SECOND = 1_000_000_000;

  private final PosixDirectory posix;
  private final SortedMap<String, List<MmvFault>> faults = new TreeMap<>(); // by file
  private final SortedMap<String, CheckedFile> files = new TreeMap<>();

  private CheckedDirectory(Path directory) {
    posix = new PosixDirectory(directory);
  }

  /**
   * Checks a directory.
   *
   * @param pcpVersion PCP's major version
   * @return the entries whose names do not begin with a dot, in byte order; faults of the directory
   *     itself have an empty name
   * @throws IOException if the directory can't be read
   */
  static List<CheckedFile> check(Path directory, int pcpVersion) throws IOException {
    CheckedDirectory checked = new CheckedDirectory(directory);
    SortedSet<String> names = new TreeSet<>();
    try {
      checked.posix.list(0, MAX_ENTRIES, entry -> names.add(entry.name()));
    } finally {
      checked.posix.close();
    }
    checked.serve(directory, pcpVersion);
    for (String name : names) {
      if (!checked.files.containsKey(name)) {
        checked.addUnserved(name);
      }
    }
    return List.copyOf(checked.files.values());
  }

  private void serve(Path directory, int pcpVersion) {
    Limits limits = Limits.DEFAULT.within(PosixProcess.maxMappings());
    try (Catalog catalog =
        new Catalog(
            DOMAIN, pcpVersion, directory, Optional.empty(), limits, new DebugOptions(), this)) {
      catalog.load();
      while (catalog.isBehind()) {
        catalog.catchUp(SECOND);
      }
      for (Map.Entry<String, Catalog.MetricCount> file : catalog.files().entrySet()) {
        List<Finding> found = findings(faults.getOrDefault(file.getKey(), List.of()));
        Catalog.MetricCount count = file.getValue();
        add(new CheckedFile(file.getKey(), true, count.served(), count.entries(), found));
      }
    }
    faults.forEach((name, found) ->
        files.computeIfAbsent(name, _ -> CheckedFile.notServed(name, findings(found))));
  }

  private void add(CheckedFile file) {
    files.put(file.name(), file);
  }

  @Override
  public void fault(MmvFault fault) {
    faults.computeIfAbsent(fault.file(), _ -> new ArrayList<>()).add(fault);
  }

  /**
   * Returns the findings for the faults of a file. The agent logs only the first fault of a kind;
   * if there are more, the file is read again for them.
   */
  private List<Finding> findings(List<MmvFault> logged) {
    List<MmvFault> all = new ArrayList<>(logged);
    if (logged.stream().anyMatch(fault -> fault.more() > 0)) {
      String name = logged.getFirst().file();
      try (InspectedFile first = InspectedFile.open(posix, name, 1);
          InspectedFile many = InspectedFile.open(posix, name, InspectedFile.MANY_FAULTS)) {
        if (all.containsAll(first.faults())) { // otherwise the file has changed meanwhile
          all.removeAll(first.faults());
          all.addAll(0, many.faults());
        }
      } catch (IOException e) {
        // the file was removed meanwhile
      }
    }
    return all.stream().map(Finding::of).toList();
  }

  @Override
  public void partlyServed(String file, long served, long entries) {
    // counted at the end
  }

  /**
   * Adds an entry that is not served for a reason that the agent does not log: at all, or before 5
   * s have passed.
   */
  private void addUnserved(String name) {
    FileStatus entry = posix.entryStatus(name);
    FileStatus target = posix.status(name);
    if (entry == null) {
      return; // removed meanwhile
    }
    if (target == null) {
      addUnserved(name, "a symbolic link to a file that does not exist");
    } else if (!target.isRegular()) {
      addUnserved(name, "a " + target.type() + ", not a regular file");
    } else {
      addUnservedFile(name);
    }
  }

  private void addUnservedFile(String name) {
    try (InspectedFile file = InspectedFile.open(posix, name, 1)) {
      if (file.faults().isEmpty() && file.file().schema().isProcessGone()) {
        addUnserved(name, "its process " + file.header().pid() + " has ended");
      } else if (file.faults().isEmpty()) {
        addUnserved(
            name, "valid, but the agent has no room for it within its limits, or it was new");
      } else {
        MmvFault fault = file.faults().getFirst(); // in flux, or too short
        add(CheckedFile.notServed(name, List.of(Finding.unfinished(fault))));
      }
    } catch (IOException e) {
      addUnserved(name, "can't be opened: " + e.getMessage());
    }
  }

  private void addUnserved(String name, String problem) {
    add(CheckedFile.notServed(name, List.of(Finding.notServed(problem))));
  }
}
