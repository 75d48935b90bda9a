package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules and limits of a directory that change while its files are served. */
class FileRulesTest {
  /** No process has this ID: it is larger than that of any process. */
  private static final int NO_PROCESS = 0x7fffffff;

  @TempDir Path path;
  private final TreeSet<String> served = new TreeSet<>();
  private final List<String> faults = new ArrayList<>();
  private final Budget budget = new Budget(TestWatcher.LIMITS);
  private TestWatcher directory;

  private void merge(Change change) {
    change.faults().forEach(fault -> faults.add(fault.toString()));
    change.withdrawn().forEach(file -> served.remove(file.name()));
    change.loaded().forEach(file -> served.add(file.name()));
  }

  @AfterEach
  void close() {
    directory.close();
  }

  private void write(String... names) {
    for (String name : names) {
      MmvWriter writer = new MmvWriter(1);
      writer.metric("m", 1, ValueType.I64).value(1);
      writer.write(path, name);
    }
  }

  /** Returns the files that are served under rules. */
  private String under(FileRules rules) {
    return under(budget.limits(), rules);
  }

  private String under(Limits limits, FileRules rules) {
    if (directory == null) {
      directory =
          new TestWatcher(
              path, budget, this::merge, System::nanoTime, DirectoryWatcher.MAX_ENTRIES);
    }
    directory.set(
        limits,
        List.of(
            new DirectorySettings(
                Optional.empty(), rules, "", DirectorySettings.DEFAULT.labels())));
    directory.refreshAll();
    return String.join(" ", served);
  }

  private String under(Limits limits) {
    return under(limits, FileRules.DEFAULT);
  }

  private static List<NamePattern> patterns(String... texts) {
    return Stream.of(texts).map(NamePattern::of).toList();
  }

  private static FileRules names(List<NamePattern> include, List<NamePattern> exclude) {
    return new FileRules(include, exclude, ProcessRule.PID, Optional.empty());
  }

  private static Limits limits(int fileSize, int files, int metrics) {
    return TestWatcher.limits(fileSize, files, metrics, 100, 100, 100, 1000, 4095, 50, 800);
  }

  @Test
  void patternsSelectFiles() {
    write("a1", "a2", "b1", "b2");
    assertEquals("a1 a2 b1 b2", under(FileRules.DEFAULT));
    assertEquals("a1 a2", under(names(patterns("a*"), List.of())));
    assertEquals("b1 b2", under(names(List.of(), patterns("a*"))));
    assertEquals("a1 b1", under(names(patterns("a1", "b*"), patterns("?2"))));
    assertEquals("", under(names(patterns("a*"), patterns("*"))));
    assertEquals("a1 a2 b1 b2", under(FileRules.DEFAULT));
    assertEquals(List.of(), faults);
  }

  @Test
  void newFilesAreSelected() throws Exception {
    write("a1");
    under(names(List.of(), patterns("b*")));
    write("a2", "b1");
    directory.refreshAll();
    assertEquals("[a1, a2]", served.toString());
    Files.move(path.resolve("b1"), path.resolve("c1"));
    directory.refreshAll();
    assertEquals("[a1, a2, c1]", served.toString());
  }

  @Test
  void anExcludedFileIsNotRead() throws Exception {
    Files.writeString(
        path.resolve("notes.txt"), "this is not an MMV file, and long enough for one");
    assertEquals("", under(names(List.of(), patterns("*.txt"))));
    assertEquals(List.of(), faults);
    under(FileRules.DEFAULT);
    assertEquals(1, faults.size());
  }

  @Test
  void theProcessOfAFileCanBeIgnored() {
    MmvWriter writer = new MmvWriter(1).flags(MmvWriter.PROCESS).pid(NO_PROCESS);
    writer.metric("m", 1, ValueType.I64).value(1);
    writer.write(path, "a");
    FileRules ignoring = new FileRules(List.of(), List.of(), ProcessRule.IGNORE, Optional.empty());
    assertEquals("", under(FileRules.DEFAULT));
    assertEquals("a", under(ignoring));
    directory.refreshAll();
    assertEquals("[a]", served.toString());
    assertEquals("", under(FileRules.DEFAULT));
  }

  @Test
  void withFewerFilesTheLastNamesAreLeftOut() {
    write("a", "b", "c", "d");
    assertEquals("a b c d", under(limits(100_000, 4, 100)));
    assertEquals("a b", under(limits(100_000, 2, 100)));
    assertEquals(
        List.of(
            "d: over the limit of 2 files in all (--max-files). No metrics of it are served. (and 1"
                + " more like it)"),
        faults);
    assertEquals("a", under(limits(100_000, 4, 1)));
    assertEquals("a b c d", under(limits(100_000, 4, 4)));
  }

  @Test
  void aSmallerFileSizeLeavesOutLargerFiles() {
    write("a");
    assertEquals("a", under(limits(100_000, 4, 100)));
    assertEquals("", under(limits(100, 4, 100)));
    assertEquals(1, faults.size());
    assertEquals("a", under(limits(100_000, 4, 100)));
  }
}
