package org.jmmv.pmda;

import static org.jmmv.pmda.AgentTester.pmid;
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
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.reader.LabelParser;
import org.jmmv.reader.Limits;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that serves several directories. */
class DirectoriesTest {
  @TempDir Path root;
  private AgentTester agent;
  private Path other;

  @BeforeEach
  void start() throws IOException {
    other = Files.createDirectory(root.resolve("other"));
    agent = new AgentTester(root);
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  private static DirectorySettings directory(Path path, String prefix, String labels) {
    return new DirectorySettings(
        Optional.of(path), FileRules.DEFAULT, prefix, LabelParser.parse(labels, LabelType.CLUSTER));
  }

  private void set(DirectorySettings... directories) {
    agent.set(new SettingsSource.Settings(Limits.DEFAULT, List.of(directories)));
    agent.names();
    agent.idle(); // on a slow machine, files are read after the request
  }

  private void setBoth() {
    set(directory(agent.directory(), "", "{}"), directory(other, "", "{}"));
  }

  private static void write(Path directory, String name, int cluster, int value) {
    MmvWriter writer = new MmvWriter(1).cluster(cluster);
    writer.metric("m", 1, ValueType.I32).value(value);
    writer.write(directory, name);
  }

  @Test
  void eachDirectoryHasItsPrefixAndItsLabels() {
    write(agent.directory(), "app", 1, 1);
    write(other, "app", 2, 2);
    set(
        directory(agent.directory(), "one", "{\"a\":1,\"b\":1}"),
        directory(other, "two", "{\"a\":2}"));
    assertEquals(List.of("mmv.one.app.m", "mmv.two.app.m"), agent.names());
    assertEquals("2", agent.values(agent.pmid("mmv.two.app.m")));
    assertEquals("{\"a\":1,\"b\":1}", agent.labels(pmid(1, 1), LabelType.CLUSTER));
    assertEquals("{\"a\":2}", agent.labels(pmid(2, 1), LabelType.CLUSTER));
    write(other, "more", 1, 3);
    agent.names();
    assertEquals("{\"a\":2,\"b\":1}", agent.labels(pmid(1, 1), LabelType.CLUSTER));
  }

  @Test
  void aNameIsThatOfTheFirstDirectory() throws IOException {
    write(agent.directory(), "app", 7, 1);
    write(other, "app", 3, 2);
    setBoth();
    assertEquals("1", agent.values(agent.pmid("mmv.app.m")));
    assertTrue(
        agent.log().warnings().stream()
            .anyMatch(line ->
                line.contains(
                    other
                        + "/app: metric[0] at 72: the name mmv.app.m is taken by file app, left out")),
        () -> agent.log().warnings().toString());
    agent.delete("app");
    assertEquals("2", agent.values(agent.pmid("mmv.app.m")));
  }

  @Test
  void clustersAreRememberedForEachDirectory() {
    write(agent.directory(), "app", 0, 1);
    write(other, "app", 0, 2);
    write(other, "last", 0, 2);
    set(directory(agent.directory(), "", "{}"), directory(other, "o", "{}"));
    assertEquals(pmid(1, 1), agent.pmid("mmv.app.m"));
    assertEquals(pmid(2, 1), agent.pmid("mmv.o.app.m"));
    assertEquals(pmid(3, 1), agent.pmid("mmv.o.last.m"));
    agent.delete("app");
    agent.names();
    agent.close();
    agent = new AgentTester(root);
    set(directory(agent.directory(), "", "{}"), directory(other, "o", "{}"));
    assertEquals(pmid(2, 1), agent.pmid("mmv.o.app.m"));
    assertEquals(pmid(3, 1), agent.pmid("mmv.o.last.m"));
  }

  @Test
  void theStatusOfFilesNamesTheDirectory() {
    write(agent.directory(), "app", 1, 1);
    write(other, "app", 2, 2);
    setBoth();
    String instances =
        agent
            .ask(new InstanceReq(0, InDom.build(AgentTester.DOMAIN, 0), Instance.NULL, ""))
            .toString();
    assertTrue(instances.contains("app") && instances.contains(other + "/app"), instances);
    String states = agent.values(agent.pmid("mmv.control.file.state_name"));
    assertEquals(2, Stream.of(states.split(" ")).filter(one -> one.endsWith("=served")).count());
    assertEquals("2", agent.values(agent.pmid("mmv.control.files")));
  }

  @Test
  void aDirectoryThatIsRemovedAndAddedAgainHasItsPmids() {
    write(agent.directory(), "app", 0, 1);
    write(other, "b", 0, 2);
    setBoth();
    assertEquals(pmid(2, 1), agent.pmid("mmv.b.m"));
    set(directory(agent.directory(), "", "{}"));
    assertEquals(List.of("mmv.app.m"), agent.names());
    setBoth();
    assertEquals(pmid(2, 1), agent.pmid("mmv.b.m"));
    assertEquals("2", agent.values(pmid(2, 1)));
  }
}
