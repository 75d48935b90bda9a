package org.jmmv.reader.watch;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.fault.FileName;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link DirectoryWatcher} does with several directories, at a time that does not pass. */
class SeveralDirectoriesTest {
  private static final int ENTRIES = 3_000;

  @TempDir Path root;
  private final TreeMap<FileName, MmvFile> served = new TreeMap<>();
  private final List<String> events = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private Path one;
  private Path two;
  private Path three;
  private TestWatcher directories;

  @BeforeEach
  void createDirectories() throws IOException {
    one = Files.createDirectory(root.resolve("one"));
    two = Files.createDirectory(root.resolve("two"));
    three = Files.createDirectory(root.resolve("three"));
  }

  @AfterEach
  void close() {
    directories.close();
  }

  private void merge(Change change) {
    change.faults().forEach(fault -> faults.add(fault.toString()));
    change.withdrawn().forEach(file -> assertEquals(file, served.remove(file.id())));
    change.loaded().forEach(file -> served.put(file.id(), file));
    if (change.hasFiles()) {
      events.add("-" + names(change.withdrawn()) + " +" + names(change.loaded()));
    }
  }

  private String names(List<MmvFile> files) {
    return files.stream().map(file -> shown(file.id())).collect(joining(","));
  }

  private String shown(FileName name) {
    return name.toString().replace(root + "/", "/");
  }

  private static DirectorySettings settings(Path path, FileRules rules) {
    return new DirectorySettings(Optional.of(path), rules, "", DirectorySettings.DEFAULT.labels());
  }

  private void open(Limits limits, Path... paths) {
    directories = new TestWatcher(paths[0], new Budget(limits), this::merge, () -> 0, ENTRIES);
    set(paths);
  }

  private void set(Path... paths) {
    directories.set(byDefault(paths));
  }

  private static List<DirectorySettings> byDefault(Path... paths) {
    return List.of(paths).stream().map(path -> settings(path, FileRules.DEFAULT)).toList();
  }

  private List<String> refresh() {
    events.clear();
    directories.refreshAll();
    return List.copyOf(events);
  }

  private static void write(Path directory, String name) {
    MmvWriter writer = new MmvWriter(1);
    writer.metric("m", 1, ValueType.I64).value(1);
    writer.write(directory, name);
  }

  @Test
  void filesAreInTheOrderOfTheDirectoriesAndThenOfTheirNames() {
    write(one, "b");
    write(two, "a");
    write(two, "c");
    write(three, "-");
    open(TestWatcher.LIMITS, two, three, one);
    assertEquals(List.of("- +a,c,/three/-,/one/b"), refresh());
  }

  @Test
  void theSameNameStandsForAFileInEachDirectory() throws IOException {
    write(one, "app");
    write(two, "app");
    open(TestWatcher.LIMITS, one, two);
    assertEquals(List.of("- +app,/two/app"), refresh());
    Files.delete(one.resolve("app"));
    assertEquals(List.of("-app +"), refresh());
    write(two, "app");
    assertEquals(List.of("-/two/app +/two/app"), refresh());
  }

  @Test
  void eachDirectoryHasItsOwnRules() {
    MmvWriter ended = new MmvWriter(1).flags(MmvWriter.PROCESS).pid(Integer.MAX_VALUE);
    ended.metric("m", 1, ValueType.I64).value(1);
    ended.write(one, "ended");
    ended.write(two, "ended");
    write(one, "x");
    write(two, "x");
    open(TestWatcher.LIMITS, one);
    FileRules rules =
        new FileRules(
            List.of(), List.of(NamePattern.of("x")), ProcessRule.IGNORE, Optional.empty());
    directories.set(List.of(settings(one, FileRules.DEFAULT), settings(two, rules)));
    assertEquals(List.of("- +x,/two/ended"), refresh());
    assertEquals(
        List.of("x served", "/two/ended served", "ended process_ended", "/two/x excluded"),
        shown(directories.statuses(10)));
    List<EntryStatus> first = directories.statuses(null, 3);
    assertEquals(List.of("ended process_ended", "x served", "/two/ended served"), shown(first));
    assertEquals(
        List.of("/two/x excluded"), shown(directories.statuses(first.getLast().name(), 3)));
  }

  private List<String> shown(Collection<FileName> names) {
    return names.stream().map(this::shown).toList();
  }

  private List<String> shown(List<EntryStatus> statuses) {
    return statuses.stream()
        .map(status -> shown(status.name()) + " " + status.state().name().toLowerCase(Locale.ROOT))
        .toList();
  }

  @Test
  void filesOfADirectoryThatIsAddedComeAtItsPlaceInTheOrder() {
    write(one, "a");
    write(two, "b");
    write(three, "c");
    open(TestWatcher.LIMITS, one, three);
    refresh();
    set(one, two, three);
    assertEquals(List.of("- +/two/b"), refresh());
    assertEquals(List.of("a", "/two/b", "/three/c"), shown(served.keySet()));
    assertEquals(List.of(), refresh());
  }

  @Test
  void filesOfADirectoryThatIsNotServedAnyMoreAreWithdrawnAtOnce() {
    write(one, "a");
    write(two, "b");
    write(three, "c");
    open(TestWatcher.LIMITS, one, two, three);
    refresh();
    set(one, three);
    assertEquals(List.of("-/two/b +"), refresh());
    write(two, "d");
    assertEquals(List.of(), refresh());
  }

  @Test
  void onlyFilesOfADirectoryWithOtherSettingsAreReadAgain() {
    write(one, "a");
    write(two, "b");
    open(TestWatcher.LIMITS, one, two);
    refresh();
    FileRules rules = new FileRules(List.of(), List.of(), ProcessRule.IGNORE, Optional.empty());
    directories.set(List.of(settings(one, FileRules.DEFAULT), settings(two, rules)));
    assertEquals(List.of("-/two/b +/two/b"), refresh());
    directories.set(
        TestWatcher.limits(100_000, 2, 100, 100, 100, 100, 1000, 4095, 50, 800),
        List.of(settings(one, FileRules.DEFAULT), settings(two, rules)));
    assertEquals(List.of("-a,/two/b +a,/two/b"), refresh());
  }

  @Test
  void theFilesOfAnotherFirstDirectoryHaveOtherNames() {
    write(one, "a");
    write(two, "b");
    open(TestWatcher.LIMITS, one, two);
    refresh();
    set(two, one);
    assertEquals(List.of("-a,/two/b +b,/one/a"), refresh());
  }

  @Test
  void faultsNameTheDirectory() throws IOException {
    Files.writeString(one.resolve("bad"), "x".repeat(100));
    Files.writeString(two.resolve("bad"), "x".repeat(100));
    open(TestWatcher.LIMITS, one, two, root.resolve("missing"));
    refresh();
    assertEquals(
        root + "/missing: the directory can't be read: No such file or directory, no files",
        faults.removeFirst());
    assertTrue(faults.get(0).startsWith("bad: not an MMV file"), faults::toString);
    assertTrue(faults.get(1).startsWith(two + "/bad: not an MMV file"), faults::toString);
    faults.clear();
    refresh();
    assertEquals(List.of(), faults);
  }

  @Test
  void allDirectoriesShareTheLimits() throws IOException {
    write(one, "a");
    write(two, "a");
    write(two, "b");
    open(TestWatcher.limits(100_000, 2, 100, 100, 100, 100, 1000, 4095, 50, 800), one, two);
    assertEquals(List.of("- +a,/two/a"), refresh());
    assertEquals(
        List.of(
            two
                + "/b: over the limit of 2 files in all (--max-files). No metrics of it are served."),
        faults);
    Files.delete(one.resolve("a"));
    assertEquals(List.of("-a +/two/b"), refresh());
  }

  @Test
  void filesThatTheLimitsDoNotPermitAnyMoreAreThoseOfTheLastDirectories() {
    write(one, "z");
    write(two, "a");
    Budget budget = new Budget(TestWatcher.LIMITS);
    directories = new TestWatcher(one, budget, this::merge, () -> 0, ENTRIES);
    set(one, two);
    refresh();
    directories.set(
        TestWatcher.limits(100_000, 1, 100, 100, 100, 100, 1000, 4095, 50, 800),
        byDefault(one, two));
    refresh();
    assertEquals("z", names(List.copyOf(served.values())));
  }

  @Test
  void eachDirectoryHasAnEqualShareOfTheEntries() throws IOException {
    Path target = Path.of("nowhere");
    for (int i = 0; i < 2 * ENTRIES; i++) {
      Files.createSymbolicLink(one.resolve("dangling" + i), target);
    }
    for (int i = 0; i < 100; i++) {
      write(two, "f" + i);
    }
    open(TestWatcher.LIMITS, one, two, three);
    refresh();
    while (directories.hasBacklog() && served.size() < 100) {
      directories.catchUp(100_000_000);
    }
    assertEquals(100, served.size());
    assertEquals(
        List.of(
            one + ": more than 1000 entries in the directory, so that new files are found late"),
        faults);
  }

  @Test
  void moreEntriesAreReadWhenTheShareBecomesLarger() throws IOException {
    for (int i = 0; i < ENTRIES / 3 + 100; i++) {
      write(one, "f" + i);
    }
    Limits limits =
        TestWatcher.limits(
            1 << 30, 5_000, 100_000, 100_000, 4_194_304, 100_000, 1000, 4095, 50, 800);
    directories =
        new TestWatcher(one, new Budget(limits), this::merge, () -> 0, TestWatcher.LATER, ENTRIES);
    set(one, two, three);
    refresh();
    while (directories.hasBacklog()) {
      directories.catchUp(100_000_000);
    }
    assertEquals(ENTRIES / 3 / 2, served.size(), "a half, because they are of one user");
    set(one);
    directories.refreshAll();
    while (directories.hasBacklog() && served.size() < ENTRIES / 3 + 100) {
      directories.catchUp(100_000_000);
    }
    assertEquals(ENTRIES / 3 + 100, served.size());
  }
}
