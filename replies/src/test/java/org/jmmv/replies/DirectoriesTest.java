package org.jmmv.replies;

import static org.jmmv.replies.ServiceTester.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.Limits;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that serves several directories. */
class DirectoriesTest {
  @TempDir Path root;
  private ServiceTester tester;
  private Path other;

  @BeforeEach
  void start() throws IOException {
    other = Files.createDirectory(root.resolve("other"));
    tester = new ServiceTester(root);
  }

  @AfterEach
  void stop() {
    tester.close();
  }

  private static DirectorySettings directory(Path path, String prefix, String labels) {
    return new DirectorySettings(
        Optional.of(path), FileRules.DEFAULT, prefix, LabelParser.parse(labels, LabelType.CLUSTER));
  }

  private void set(DirectorySettings... directories) {
    tester.set(new SettingsSource.Settings(Limits.DEFAULT, List.of(directories)));
    tester.names();
    tester.idle(); // on a slow machine, files are read after the request
  }

  private void setBoth() {
    set(directory(tester.directory(), "", "{}"), directory(other, "", "{}"));
  }

  private static void write(Path directory, String name, int cluster, int value) {
    MmvWriter writer = new MmvWriter(1).cluster(cluster);
    writer.metric("m", 1, ValueType.I32).value(value);
    writer.write(directory, name);
  }

  @Test
  void eachDirectoryHasItsPrefixAndItsLabels() {
    write(tester.directory(), "app", 1, 1);
    write(other, "app", 2, 2);
    set(
        directory(tester.directory(), "one", "{\"a\":1,\"b\":1}"),
        directory(other, "two", "{\"a\":2}"));
    assertEquals(List.of("mmv.one.app.m", "mmv.two.app.m"), tester.names());
    assertEquals("2", tester.values(tester.pmid("mmv.two.app.m")));
    assertEquals("{\"a\":1,\"b\":1}", tester.labels(pmid(1, 1), LabelType.CLUSTER));
    assertEquals("{\"a\":2}", tester.labels(pmid(2, 1), LabelType.CLUSTER));
    write(other, "more", 1, 3);
    tester.names();
    assertEquals("{\"a\":2,\"b\":1}", tester.labels(pmid(1, 1), LabelType.CLUSTER));
  }

  @Test
  void aNameIsThatOfTheFirstDirectory() throws IOException {
    write(tester.directory(), "app", 7, 1);
    write(other, "app", 3, 2);
    setBoth();
    assertEquals("1", tester.values(tester.pmid("mmv.app.m")));
    assertTrue(
        tester.log().warnings().stream()
            .anyMatch(line ->
                line.contains(
                    other
                        + "/app: metric[0] at 72: the name mmv.app.m is taken by file app, left out")),
        () -> tester.log().warnings().toString());
    tester.delete("app");
    assertEquals("2", tester.values(tester.pmid("mmv.app.m")));
  }

  @Test
  void clustersAreRememberedForEachDirectory() {
    write(tester.directory(), "app", 0, 1);
    write(other, "app", 0, 2);
    write(other, "last", 0, 2);
    set(directory(tester.directory(), "", "{}"), directory(other, "o", "{}"));
    assertEquals(pmid(1, 1), tester.pmid("mmv.app.m"));
    assertEquals(pmid(2, 1), tester.pmid("mmv.o.app.m"));
    assertEquals(pmid(3, 1), tester.pmid("mmv.o.last.m"));
    tester.delete("app");
    tester.names();
    tester.close();
    tester = new ServiceTester(root);
    set(directory(tester.directory(), "", "{}"), directory(other, "o", "{}"));
    assertEquals(pmid(2, 1), tester.pmid("mmv.o.app.m"));
    assertEquals(pmid(3, 1), tester.pmid("mmv.o.last.m"));
  }

  @Test
  void theStatusOfFilesNamesTheDirectory() {
    write(tester.directory(), "app", 1, 1);
    write(other, "app", 2, 2);
    setBoth();
    String instances =
        tester
            .ask(new InstanceReq(0, InDom.build(ServiceTester.DOMAIN, 0), Instance.NULL, ""))
            .toString();
    assertTrue(instances.contains("app") && instances.contains(other + "/app"), instances);
    String states = tester.values(tester.pmid("mmv.control.file.state_name"));
    assertEquals(2, Stream.of(states.split(" ")).filter(one -> one.endsWith("=served")).count());
    assertEquals("2", tester.values(tester.pmid("mmv.control.files")));
  }

  @Test
  void aDirectoryThatIsRemovedAndAddedAgainHasItsPmids() {
    write(tester.directory(), "app", 0, 1);
    write(other, "b", 0, 2);
    setBoth();
    assertEquals(pmid(2, 1), tester.pmid("mmv.b.m"));
    set(directory(tester.directory(), "", "{}"));
    assertEquals(List.of("mmv.app.m"), tester.names());
    setBoth();
    assertEquals(pmid(2, 1), tester.pmid("mmv.b.m"));
    assertEquals("2", tester.values(pmid(2, 1)));
  }
}
