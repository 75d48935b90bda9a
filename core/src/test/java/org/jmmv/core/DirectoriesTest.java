package org.jmmv.core;

import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.Limits;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An agent that serves several directories. */
class DirectoriesTest {
  @AutoClose private final TestCatalog catalog = new TestCatalog();
  private Path other;

  @BeforeEach
  void start() throws IOException {
    other = Files.createDirectory(catalog.root().resolve("other"));
  }

  private static DirectorySettings directory(Path path, String prefix, String labels) {
    return new DirectorySettings(
        Optional.of(path), FileRules.DEFAULT, prefix, LabelParser.parse(labels, LabelType.CLUSTER));
  }

  private void set(DirectorySettings... directories) {
    catalog.set(new SettingsSource.Settings(Limits.DEFAULT, List.of(directories)));
    catalog.idle(); // on a slow machine, files are read after the request
  }

  private void setBoth() {
    set(directory(catalog.directory(), "", "{}"), directory(other, "", "{}"));
  }

  private static void write(Path directory, String name, int cluster, int value) {
    MmvWriter writer = new MmvWriter(1).cluster(cluster);
    writer.metric("m", 1, ValueType.I32).value(value);
    writer.write(directory, name);
  }

  @Test
  void eachDirectoryHasItsPrefixAndItsLabels() {
    write(catalog.directory(), "app", 1, 1);
    write(other, "app", 2, 2);
    set(
        directory(catalog.directory(), "one", "{\"a\":1,\"b\":1}"),
        directory(other, "two", "{\"a\":2}"));
    assertEquals(List.of("mmv.one.app.m", "mmv.two.app.m"), catalog.names());
    assertEquals("2", catalog.values("mmv.two.app.m"));
    assertEquals("{\"a\":1,\"b\":1}", catalog.labels(pmid(1, 1), LabelType.CLUSTER));
    assertEquals("{\"a\":2}", catalog.labels(pmid(2, 1), LabelType.CLUSTER));
    write(other, "more", 1, 3);
    catalog.names();
    assertEquals("{\"a\":2,\"b\":1}", catalog.labels(pmid(1, 1), LabelType.CLUSTER));
  }

  @Test
  void aNameIsThatOfTheFirstDirectory() throws IOException {
    write(catalog.directory(), "app", 7, 1);
    write(other, "app", 3, 2);
    setBoth();
    assertEquals("1", catalog.values("mmv.app.m"));
    assertTrue(
        catalog.log().warnings().stream()
            .anyMatch(line ->
                line.contains(
                    other
                        + "/app: metric[0] at 72: the name mmv.app.m is taken by file app, left out")),
        () -> catalog.log().warnings().toString());
    catalog.delete("app");
    assertEquals("2", catalog.values("mmv.app.m"));
  }

  @Test
  void clustersAreRememberedForEachDirectory() {
    write(catalog.directory(), "app", 0, 1);
    write(other, "app", 0, 2);
    write(other, "last", 0, 2);
    set(directory(catalog.directory(), "", "{}"), directory(other, "o", "{}"));
    assertEquals(pmid(1, 1), catalog.pmid("mmv.app.m"));
    assertEquals(pmid(2, 1), catalog.pmid("mmv.o.app.m"));
    assertEquals(pmid(3, 1), catalog.pmid("mmv.o.last.m"));
    catalog.delete("app");
    catalog.names();
    catalog.restart();
    set(directory(catalog.directory(), "", "{}"), directory(other, "o", "{}"));
    assertEquals(pmid(2, 1), catalog.pmid("mmv.o.app.m"));
    assertEquals(pmid(3, 1), catalog.pmid("mmv.o.last.m"));
  }

  @Test
  void theStatusOfFilesNamesTheDirectory() {
    write(catalog.directory(), "app", 1, 1);
    write(other, "app", 2, 2);
    setBoth();
    String instances = catalog.instances(TestCatalog.ENTRIES);
    assertTrue(instances.contains("app") && instances.contains(other + "/app"), instances);
    String states = catalog.values("mmv.control.file.state_name");
    assertEquals(2, Stream.of(states.split(" ")).filter(one -> one.endsWith("=served")).count());
    assertEquals("2", catalog.values("mmv.control.files"));
  }

  @Test
  void theSummaryCountsFilesAndOtherDirectories() {
    write(catalog.directory(), "app", 1, 1);
    setBoth();
    assertEquals(
        "version 1.2.3: 1 metric of 1 file in %s and 1 other directory are served"
            .formatted(catalog.directory()),
        catalog.catalog().summary());
  }

  @Test
  void aDirectoryThatIsRemovedAndAddedAgainHasItsPmids() {
    write(catalog.directory(), "app", 0, 1);
    write(other, "b", 0, 2);
    setBoth();
    assertEquals(pmid(2, 1), catalog.pmid("mmv.b.m"));
    set(directory(catalog.directory(), "", "{}"));
    assertEquals(List.of("mmv.app.m"), catalog.names());
    setBoth();
    assertEquals(pmid(2, 1), catalog.pmid("mmv.b.m"));
    assertEquals("2", catalog.values(pmid(2, 1)));
  }

  @Test
  void aFileMayBeFoundTruncatedJustBeforeItsDirectoryIsLeftOut() {
    write(catalog.directory(), "app", 1, 1);
    write(other, "b", 2, 2);
    setBoth();
    View view = catalog.view();
    Metric metric = view.metric("mmv.b.m");
    MmvWriter.resize(other.resolve("b"), 0);
    assertEquals(
        "PM_ERR_PMID", RecordingSink.read(view, metric, InstanceFilter.ALL).split(" ", 2)[0]);
    set(directory(catalog.directory(), "", "{}"));
    assertEquals(List.of("mmv.app.m"), catalog.names());
  }
}
