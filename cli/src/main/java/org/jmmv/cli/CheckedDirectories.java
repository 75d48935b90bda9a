package org.jmmv.cli;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jmmv.cli.command.ToolCatalog;
import org.jmmv.config.Settings;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogEntry;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.reader.InspectedFile;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.CountedFault;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.DirectoryStatus;
import org.jmmv.reader.watch.EntryStatus;
import org.jmmv.reader.watch.FileState;

/**
 * The files of directories as the agent would serve them now: it runs the agent's {@link Catalog}
 * over the directories.
 */
final class CheckedDirectories {
  /**
   * A directory with its entries.
   *
   * @param files by name; faults of the directory itself have an empty name
   */
  private record Checked(PosixDirectory posix, SortedMap<String, CheckedFile> files) {}

  private final Map<String, Checked> directories = new HashMap<>(); // by path, one char per byte
  private final AtomicInteger unnamed;

  private CheckedDirectories(Settings settings, AtomicInteger unnamed) {
    this.unnamed = unnamed;
    for (DirectorySettings directory : settings.directories()) {
      Path path = directory.path().orElseThrow();
      directories.put(key(path), new Checked(new PosixDirectory(path), new TreeMap<>()));
    }
  }

  private static String key(Path path) {
    return FileName.ofDirectory(0, path).directory();
  }

  /**
   * Checks directories.
   *
   * @param settings the directories, each with a path, and the limits and rules that apply
   * @param pcpVersion PCP's version, as from {@link org.jmmv.config.PcpConfig#version}
   * @param watch how long counters are watched; zero: not at all
   * @param unnamed how many faults may still be named beyond the first ones of files; the others
   *     are counted
   * @return the entries by directory, in byte order; faults of a directory itself have an empty
   *     name
   * @throws IOException if there is one directory, which can't be read for another reason than its
   *     permissions
   */
  static SequencedMap<Path, List<CheckedFile>> check(
      Settings settings, int pcpVersion, Duration watch, AtomicInteger unnamed) throws IOException {
    List<Path> paths = settings.paths();
    if (paths.size() == 1) {
      checkPresent(paths.getFirst());
    }
    CheckedDirectories checked = new CheckedDirectories(settings, unnamed);
    checked.serve(settings, pcpVersion, watch);
    SequencedMap<Path, List<CheckedFile>> files = new LinkedHashMap<>();
    for (Path path : paths) {
      files.put(path, List.copyOf(checked.directories.get(key(path)).files.values()));
    }
    return files;
  }

  private static void checkPresent(Path directory) throws IOException {
    try {
      ToolCatalog.checkReadable(directory);
    } catch (IOException e) {
      if (!(e.getCause() instanceof PosixException cause && cause.isDenied())) {
        throw e;
      } // otherwise the catalogue reports it
    }
  }

  private void serve(Settings settings, int pcpVersion, Duration watch) throws IOException {
    try (Catalog catalog = ToolCatalog.open(pcpVersion, settings)) {
      ToolCatalog.catchUp(catalog);
      View view = catalog.begin(new Scope.NoFiles());
      view.directories().forEach(this::add);
      List<CatalogEntry> entries =
          view.entries(null, Integer.MAX_VALUE).stream()
              .filter(entry -> entry.state() != FileState.HIDDEN) // writers have such files
              .toList();
      Map<FileName, FileHints> hints = new TreeMap<>();
      for (CatalogEntry entry : entries) {
        EntryStatus status = entry.status();
        if (entry.state() == FileState.SERVED) {
          hints.put(status.name(), new FileHints(status));
        }
      }
      if (watch.isPositive()) {
        hints.values().forEach(FileHints::remember);
        sleep(watch);
      }
      entries.forEach(entry -> add(entry, hints.get(entry.status().name())));
    }
  }

  private static void sleep(Duration time) throws IOException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  private void add(DirectoryStatus directory) {
    List<Fault> faults = directory.faults().stream().map(CountedFault::fault).toList();
    if (!faults.isEmpty()) {
      directories.get(key(directory.path())).files.put("", CheckedFile.notServed("", faults));
    }
  }

  private void add(CatalogEntry entry, FileHints hints) {
    EntryStatus status = entry.status();
    Checked directory = directories.get(status.name().directory());
    String name = status.name().name();
    List<Fault> faults =
        new ArrayList<>(
            switch (entry.state()) {
              case IN_FLUX, TOO_SHORT -> unfinished(directory, status);
              default -> all(directory, status);
            });
    boolean isServed = entry.state() == FileState.SERVED;
    if (hints != null) {
      faults.addAll(hints.list());
    }
    directory.files.put(
        name, new CheckedFile(name, isServed, entry.served(), entry.metrics(), faults));
  }

  /**
   * Returns all faults of a file. The agent keeps only the first fault of a kind; if there are
   * more, the file is read again for them.
   */
  private List<Fault> all(Checked directory, EntryStatus status) {
    List<Fault> all = new ArrayList<>(status.reasons());
    if (unnamed.get() <= 0 || all.stream().allMatch(fault -> fault.more() == 0)) {
      return all;
    }
    try (InspectedFile first = InspectedFile.open(directory.posix, status.name(), 1);
        InspectedFile many =
            InspectedFile.open(directory.posix, status.name(), InspectedFile.MANY_FAULTS)) {
      if (all.containsAll(first.faults())) { // otherwise the file has changed since
        all.removeAll(first.faults());
        all.addAll(0, many.faults());
        unnamed.addAndGet(-many.faults().size());
      }
    } catch (IOException e) {
      // the file was removed
    }
    return all;
  }

  /** Returns the fault of a file that its application may not have finished writing. */
  private static List<Fault> unfinished(Checked directory, EntryStatus status) {
    try (InspectedFile file = InspectedFile.open(directory.posix, status.name(), 1)) {
      return file.faults().isEmpty() ? status.reasons() : file.faults().subList(0, 1);
    } catch (IOException e) {
      return status.reasons(); // the file was removed
    }
  }
}
