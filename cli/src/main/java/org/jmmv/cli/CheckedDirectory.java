package org.jmmv.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jmmv.config.Settings;
import org.jmmv.core.Catalog;
import org.jmmv.core.FaultListener;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.reader.EntryStatus;
import org.jmmv.reader.FileState;
import org.jmmv.reader.InspectedFile;
import org.jmmv.reader.Limits;
import org.jmmv.reader.MmvFault;
import org.jmmv.reader.posix.PosixDirectory;
import org.jmmv.reader.posix.PosixProcess;

/**
 * The files of a directory as the agent would serve them now: it runs the agent's {@link Catalog}
 * over the directory, and collects the faults.
 */
final class CheckedDirectory implements FaultListener {
  private static final int DOMAIN = 70; // does not matter, there is only one agent
  private static final long SECOND = 1_000_000_000;

  private final PosixDirectory posix;
  private final SortedMap<String, CheckedFile> files = new TreeMap<>();

  private CheckedDirectory(Path directory) {
    posix = new PosixDirectory(directory);
  }

  /**
   * Checks a directory.
   *
   * @param pcpVersion PCP's major version
   * @param settings the limits and rules that apply
   * @return the entries, in byte order; faults of the directory itself have an empty name
   * @throws IOException if the directory can't be read
   */
  static List<CheckedFile> check(Path directory, int pcpVersion, Settings settings)
      throws IOException {
    CheckedDirectory checked = new CheckedDirectory(directory);
    try {
      checked.posix.list(0, 1, _ -> {}); // the agent waits for a directory that does not exist
    } finally {
      checked.posix.close();
    }
    checked.serve(directory, pcpVersion, settings);
    return List.copyOf(checked.files.values());
  }

  private void serve(Path directory, int pcpVersion, Settings settings) {
    Limits limits = settings.limits().within(PosixProcess.maxMappings());
    DebugOptions debug = new DebugOptions();
    try (Catalog catalog =
        new Catalog(DOMAIN, pcpVersion, "", directory, Optional.empty(), limits, debug, this)) {
      SettingsSource.Settings first = new SettingsSource.Settings(limits, settings.directory());
      catalog.setSettings(first, _ -> null);
      catalog.load();
      while (catalog.isBehind()) {
        catalog.catchUp(SECOND);
      }
      catalog.entries().forEach(this::add);
    }
  }

  private void add(Catalog.Entry entry) {
    EntryStatus status = entry.status();
    String name = status.name();
    List<Finding> found =
        switch (entry.state()) {
          case SERVED -> findings(status.faults());
          case IN_FLUX, TOO_SHORT -> unfinished(name);
          default ->
              status.faults().isEmpty()
                  ? List.of(Finding.notServed(status.reason()))
                  : findings(status.faults());
        };
    boolean isServed = entry.state() == FileState.SERVED;
    files.put(name, new CheckedFile(name, isServed, entry.served(), entry.metrics(), found));
  }

  @Override
  public void fault(MmvFault fault) {
    if (fault.file().isEmpty()) {
      CheckedFile known = files.get("");
      List<Finding> found = new ArrayList<>(known == null ? List.of() : known.findings());
      found.add(Finding.of(fault));
      files.put("", CheckedFile.notServed("", found));
    } // the status of a file has its faults
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
  public void partlyServed(String file, String summary) {
    // Catalog.Entry has the numbers
  }

  /** Returns the findings for a file that its application may not have finished writing. */
  private List<Finding> unfinished(String name) {
    try (InspectedFile file = InspectedFile.open(posix, name, 1)) {
      return file.faults().stream().map(Finding::unfinished).toList();
    } catch (IOException e) {
      return List.of(Finding.notServed("can't be opened: " + e.getMessage()));
    }
  }
}
