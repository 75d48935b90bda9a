package org.jmmv.core;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jmmv.core.InDomAllocator.Origin;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptionTest {
  @TempDir Path root;
  private Path mmv;

  @BeforeEach
  void createDirectory() throws IOException {
    mmv = Files.createDirectory(root.resolve("mmv"));
  }

  private Path memory() {
    return root.resolve("jmmv.clusters");
  }

  private void write(String name, int cluster, int flags, String... metrics) {
    MmvWriter file = new MmvWriter(1).cluster(cluster).flags(flags);
    int item = 1;
    for (String metric : metrics) {
      file.metric(metric, item++, ValueType.U32).value(1);
    }
    file.write(mmv, name);
  }

  private void adopt(String... lines) throws IOException {
    adopt("mmv", 70, lines);
  }

  private void adopt(String root, int domain, String... lines) throws IOException {
    BufferedReader pminfo = reader(String.join("\n", lines));
    assertTrue(adopt(pminfo, root, domain, Limits.DEFAULT, Duration.ofMinutes(1)));
  }

  private boolean adopt(
      BufferedReader pminfo, String root, int domain, Limits limits, Duration time)
      throws IOException {
    return Adoption.adopt(pminfo, root, domain, mmv, memory(), limits, time);
  }

  private static BufferedReader reader(String pminfo) {
    return new BufferedReader(new StringReader(pminfo));
  }

  private Numbers remembered() {
    try (NumberMemory memory = new NumberMemory(memory())) {
      return memory.load();
    }
  }

  private void remember(Map<Origin, Integer> inDoms, String... files) {
    SequencedMap<String, Integer> clusters = new LinkedHashMap<>();
    for (String file : files) {
      clusters.put(file, clusters.size() + 1);
    }
    try (NumberMemory memory = new NumberMemory(memory())) {
      memory.save(new Numbers(clusters, inDoms));
    }
  }

  @Test
  void takesTheClustersOfFilesByTheirNames() throws IOException {
    write("web", 0, 0, "m", "n");
    write("db", 0, 0, "m");

    adopt("mmv.db.m PMID: 70.7.1", "mmv.web.n PMID: 70.5.2", "mmv.control.files PMID: 70.0.2");

    assertEquals(Map.of("web", 5, "db", 7), remembered().clusters());
  }

  /** However slow the machine is: a request would not have waited for 500 files. */
  @Test
  void waitsUntilAllFilesAreRead() throws IOException {
    Map<String, Integer> expected = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      write("f" + i, 0, 0, "m");
      expected.put("f" + i, 1_000 + i);
    }
    String pminfo =
        expected.entrySet().stream()
            .map(file -> "mmv.%s.m PMID: 70.%d.1\n".formatted(file.getKey(), file.getValue()))
            .collect(joining());
    Limits limits = Limits.DEFAULT.with(Limit.WAIT, 1);

    assertFalse(adopt(reader(pminfo), "mmv", 70, limits, Duration.ZERO));
    assertTrue(remembered().clusters().size() < 500);
    assertTrue(adopt(reader(pminfo), "mmv", 70, limits, Duration.ofMinutes(1)));
    assertEquals(expected, remembered().clusters());
  }

  @Test
  void takesTheClustersOfFilesThatShareNames() throws IOException {
    write("a", 0, MmvWriter.NOPREFIX, "m", "own");
    write("b", 0, MmvWriter.NOPREFIX, "m", "other");

    adopt("mmv.m PMID: 70.3.1", "mmv.own PMID: 70.3.2", "mmv.other PMID: 70.4.2");

    assertEquals(Map.of("a", 3, "b", 4), remembered().clusters());
  }

  @Test
  void takesTheClustersOfAnotherRoot() throws IOException {
    write("web", 0, 0, "m");

    adopt("pmproxy", 4, "mmv.web.m PMID: 4.6.1", "pmproxy.web.m PMID: 4.5.1");

    assertEquals(Map.of("web", 5), remembered().clusters());
  }

  @Test
  void leavesOutWhatTheOtherAgentDoesNotServe() throws IOException {
    write("gone", 0, 0, "m");
    write("another", 0, 0, "m");
    write("explicit", 9, 0, "m");

    adopt(
        "mmv.another.m PMID: 71.3.1",
        "mmv.gone.m PMID: 70.4.2",
        "mmv.explicit.m PMID: 70.9.1",
        "no line");

    assertEquals(Map.of(), remembered().clusters());
  }

  @Test
  void theOtherAgentsClustersReplaceWhatIsRemembered() throws IOException {
    remember(Map.of(new Origin(1, 5), 99), "gone", "db", "web", "older");
    write("web", 0, 0, "m");
    write("db", 0, 0, "m");

    adopt("mmv.db.m PMID: 70.4.1", "mmv.web.m PMID: 70.2.1");

    assertEquals(
        List.of("gone=1", "db=4", "web=2"),
        remembered().clusters().entrySet().stream().map(Object::toString).toList());
    assertEquals(Map.of(), remembered().inDoms());
  }

  @Test
  void failsIfTheMemoryCantBeWritten() throws IOException {
    write("web", 0, 0, "m");
    try (NumberMemory _ = new NumberMemory(memory())) {
      assertThrows(IOException.class, () -> adopt("mmv.web.m PMID: 70.2.1"));
    }
  }
}
