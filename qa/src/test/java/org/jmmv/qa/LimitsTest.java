package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** As much as is served, and more than that. */
final class LimitsTest {
  private static final Duration HANG = Duration.ofSeconds(60);

  /** The launcher's heap is 8 times as large, and so are the default limits. */
  private static final String EIGHTH = "-Xmx96m";

  private static final int METRICS = 12_500;
  private static final int INSTANCES = 25_000;
  private static final int VALUES = 500_000;
  private static final int LABELS = 6_250;
  private static final int GOOD = 5; // what the good file needs at most, of each
  private static final String[] LIMITS = {
    "--max-files=2500",
    "--max-metrics=" + (METRICS + GOOD),
    "--max-instances=" + (INSTANCES + GOOD),
    "--max-values=" + (VALUES + GOOD),
    "--max-labels=" + (LABELS + GOOD)
  };

  private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path log = pcp.file("mmv.log");
  private final Path errors = pcp.file("mmv.err");

  @AfterEach
  void tidyUp() {
    pcp.close();
  }

  private AgentConnection start(String javaOptions, String... options) throws IOException {
    Map<String, String> environment = new HashMap<>(pcp.environment());
    environment.put("JMMV_JAVA_OPTS", javaOptions);
    return AgentConnection.start(
        AgentCommand.jmmv().with("-l", log.toString()).with(options).words(),
        environment,
        Redirect.to(errors.toFile()),
        HANG);
  }

  private String log() {
    return TemporaryPcp.text(log) + TemporaryPcp.text(errors);
  }

  /** A text of 255 bytes that no other one is equal to. */
  private static String longest(String start) {
    return start + "x".repeat(255 - start.length());
  }

  // --- at the limits

  @Test
  void aDirectoryAtAllLimitsIsServed() throws IOException {
    int files = 25;
    for (int f = 0; f < files; f++) {
      MmvWriter file = new MmvWriter(2).cluster(f + 1);
      addInstances(file, f, files);
      addMetrics(file, f, METRICS / files);
      addLabels(file, LABELS / files);
      file.write(pcp.mmv(), "file" + f);
    }
    assertIsServed();
  }

  private static void addInstances(MmvWriter file, int f, int files) {
    for (int serial = 1; serial <= 2; serial++) {
      MmvWriter.InDom inDom = file.inDom(serial).help(longest("short"), longest("long"));
      for (int i = 0; i < INSTANCES / files / 2 - 1; i++) {
        inDom.instance(i, longest("f" + f + "s" + serial + "i" + i));
      }
      // of all values, as many as are allowed
      for (int m = 0; m < VALUES / files / (INSTANCES / files / 2) / 2; m++) {
        MmvWriter.Metric metric =
            file.metric(longest("s" + serial + "v" + m), 600 + serial * 50 + m, ValueType.U64)
                .inDom(inDom);
        for (int i = 0; i < INSTANCES / files / 2 - 1; i++) {
          metric.at(i, i);
        }
      }
    }
  }

  private static void addMetrics(MmvWriter file, int f, int count) {
    int manyValued = 2 * (VALUES / 25 / (INSTANCES / 25 / 2) / 2);
    for (int m = 0; m < count - manyValued; m++) {
      // each part of the name is a node of its own
      String name = ("m" + m + ".a".repeat(127)).substring(0, 255);
      file.metric(name, m, ValueType.U32)
          .help(longest("short " + f + " " + m), longest("long " + f + " " + m))
          .value(m);
    }
  }

  private static void addLabels(MmvWriter file, int count) {
    for (int i = 0; i < count; i++) {
      StringBuilder json = new StringBuilder("{");
      for (int k = 0; json.length() < 230; k++) {
        json.append(k == 0 ? "" : ",").append("\"l").append(i).append('_').append(k).append("\":1");
      }
      file.label(i % 2 == 0 ? 16 : 32, i % 2 == 0 ? i : 1, i, json.append('}').toString());
    }
  }

  /** An instance of each metric may have a value, but hardly any has. */
  @Test
  void manyMetricsOfManyInstancesAreServedThoughTheyHaveFewValues() throws IOException {
    for (int f = 0; f < 12; f++) {
      MmvWriter file = new MmvWriter(2).cluster(1 + 2048 * (f % 2));
      MmvWriter.InDom inDom = file.inDom(1).instance(0, "the only one");
      for (int i = 1; f == 0 && i < INSTANCES - 12 - 12; i++) {
        inDom.instance(i, "the only one");
      }
      for (int m = 0; m < 1000; m++) {
        file.metric("m" + m, m, ValueType.U32).inDom(inDom).at(0, m);
      }
      file.write(pcp.mmv(), "file" + f);
    }
    assertIsServed();
  }

  /** All that there are, on one item. */
  @Test
  void manyLabelsOfOneMetricAreServed() throws IOException {
    for (int f = 0; f < 25; f++) {
      MmvWriter file = new MmvWriter(2).cluster(1);
      file.metric("m", 1, ValueType.U32).value(1);
      for (int i = 0; i < LABELS / 25; i++) {
        file.label(
            16, 1, 0, "{\"" + ("l" + f + "_" + i + "x".repeat(200)).substring(0, 200) + "\":1}");
      }
      file.write(pcp.mmv(), "file" + f);
    }
    assertIsServed();
  }

  private void assertIsServed() throws IOException {
    GoodFile good = new GoodFile(pcp.mmv());
    try (AgentConnection agent = start(EIGHTH, LIMITS)) {
      Survey survey = new Survey(agent);
      survey.run();
      good.assertServedBy(agent);
      System.out.printf(
          "LimitsTest: %d values, the slowest answer within %d ms, %s%n",
          survey.values(), survey.slowestMillis(), Resources.of(agent.pid()));
    } catch (IOException e) {
      throw new AssertionError(log(), e);
    }
  }

  // --- over the limits

  @Test
  void whatIsOverALimitIsLeftOutWithALine() throws IOException {
    GoodFile good = new GoodFile(pcp.mmv());
    MmvWriter metrics = new MmvWriter(2);
    MmvWriter values = new MmvWriter(2);
    MmvWriter instances = new MmvWriter(2);
    MmvWriter labels = new MmvWriter(2);
    MmvWriter.Metric metric = values.metric("m", 1, ValueType.U32);
    MmvWriter.InDom inDom = instances.inDom(1);
    instances.metric("m", 1, ValueType.U32).value(1);
    labels.metric("m", 1, ValueType.U32).value(1);
    for (int i = 0; i < 20; i++) {
      metrics.metric("m" + i, i, ValueType.U32).value(i);
      metric.value(i);
      inDom.instance(i, "i" + i);
      labels.label(16, 1, 0, "{\"l" + i + "\":1}");
    }
    metrics.write(pcp.mmv(), "metrics");
    values.write(pcp.mmv(), "values");
    instances.write(pcp.mmv(), "instances");
    labels.write(pcp.mmv(), "labels");
    Files.write(pcp.mmv().resolve("size"), new byte[70_000]);
    String[] limits = {
      "--max-file-size=65536",
      "--max-metrics=15",
      "--max-instances=15",
      "--max-values=15",
      "--max-labels=15"
    };
    try (AgentConnection agent = start("", limits)) {
      new Survey(agent).run();
      new Survey(agent).run();
      good.assertServedBy(agent);
    }
    List<String> lines = log().lines().map(line -> line.replaceAll(".*Warning: ", "")).toList();
    assertEquals(
        List.of(
            "instances: indom[0] at 120: 20 instances are too many, at most 15 of a file are served, left out",
            "labels: over the limit of 15 labels in all, left out",
            "metrics: over the limit of 15 metrics in all, left out",
            "size: can't be opened: it has 70000 bytes, the limit is 65536",
            "values: TOC[1] at 56: 20 entries, at most 15 are served, section ignored"),
        lines.stream().sorted().toList());
  }

  @Test
  void filesOverTheLimitAreNotLookedAt() throws IOException {
    for (int f = 0; f < 30; f++) {
      MmvWriter file = new MmvWriter(2);
      file.metric("m", 1, ValueType.U32).value(1);
      file.write(pcp.mmv(), "file" + f);
    }
    try (AgentConnection agent = start("", "--max-files=20")) {
      assertEquals(
          20, agent.traverse("mmv").stream().filter(n -> n.startsWith("mmv.file")).count());
      agent.traverse("mmv");
    }
    assertTrue(log().matches(".* 10 files over the limit of 20, left out\n"), log());
  }

  @Test
  void tenThousandFilesTakeNoDescriptorsAndLeaveNoMappings() throws IOException {
    GoodFile good = new GoodFile(pcp.mmv());
    try (AgentConnection agent = start("")) {
      good.assertServedBy(agent);
      Resources before = Resources.of(agent.pid());
      int files = 10_000;
      for (int f = 0; f < files; f++) {
        MmvWriter file = new MmvWriter(2).cluster(1 + f % 2000);
        file.metric("m", f / 2000, ValueType.U32).value(f);
        file.write(pcp.mmv(), "file" + f);
      }
      assertEquals(
          files, agent.traverse("mmv").stream().filter(n -> n.startsWith("mmv.file")).count());
      good.work();
      good.assertServedBy(agent);
      Resources full = Resources.of(agent.pid());
      assertEquals(before.descriptors(), full.descriptors(), "descriptors");
      assertTrue(full.mappings() > files, full::toString);
      Trees.delete(pcp.mmv());
      Files.createDirectory(pcp.mmv());
      GoodFile again = new GoodFile(pcp.mmv());
      again.assertServedBy(agent);
      assertTrue(Resources.of(agent.pid()).mappings() < before.mappings() + 100);
    }
    assertEquals("", log());
  }

  // --- no memory

  @Test
  void withoutMemoryTheProcessEndsAndSaysWhy() throws IOException {
    for (int f = 0; f < 20; f++) {
      MmvWriter file = new MmvWriter(2).cluster(f + 1);
      addMetrics(file, f, 1000);
      file.write(pcp.mmv(), "file" + f);
    }
    try (AgentProcess agent =
        AgentProcess.start(
            pcp,
            AgentCommand.jmmv().with("-l", log.toString()),
            Map.of("JMMV_JAVA_OPTS", "-Xms8m -Xmx12m"))) {
      agent.awaitGreeting();
      assertThrows(AssertionError.class, agent::children, "it has gone");
      assertNotEquals(0, agent.status());
    }
    assertTrue(log().contains("Terminating due to java.lang.OutOfMemoryError"), log());
  }
}
