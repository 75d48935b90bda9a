package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Semantics;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applications start, change and end at random. After each step, an agent that has run all along
 * answers every question as the stock agent does that has just started.
 *
 * <p>Files that share a cluster have the same items in it; otherwise the stock agent's answers
 * depend on its hash table. All clusters are explicit, because the stock agent assigns automatic
 * ones anew at each reload.
 */
class RandomWalkTest {
  private static final int STEPS = 20;
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");
  private static final int[] CLUSTERS = {5, 6, 7};
  private static final int ITEMS = 6;
  private static final MmvType[] TYPES = MmvType.values();

  /** The state of one random walk. */
  private static final class Walk implements AutoCloseable {
    private final Random random;
    private final TemporaryPcp pcp = new TemporaryPcp();
    private final Map<String, Process> owners = new HashMap<>();
    private long generation = 1;

    Walk(long seed) {
      random = new Random(seed);
    }

    /** Changes one file and returns what it did. */
    String step() throws IOException {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      Path file = pcp.mmv().resolve(name);
      if (!Files.exists(file)) {
        return write(name);
      }
      return switch (random.nextInt(6)) {
        case 0 -> write(name);
        case 1 -> {
          MmvWriter.rewrite(application(name).image(), file);
          yield "rewrite " + name;
        }
        case 2 -> {
          MmvWriter.flux(file);
          yield "flux " + name;
        }
        case 3 -> {
          MmvWriter.settle(file, ++generation);
          yield "settle " + name;
        }
        case 4 -> {
          end(name);
          yield "exit " + name;
        }
        default -> {
          Files.delete(file);
          yield "remove " + name;
        }
      };
    }

    private String write(String name) throws IOException {
      application(name).write(pcp.mmv(), name);
      return "write " + name;
    }

    /** Kills the process in the header of a file, if the file has one. */
    private void end(String name) {
      Process owner = owners.remove(name);
      if (owner != null) {
        owner.destroyForcibly();
        Await.until("the process ends", () -> !owner.isAlive());
      }
    }

    private MmvWriter application(String name) throws IOException {
      int cluster = CLUSTERS[random.nextInt(CLUSTERS.length)];
      int flags = random.nextBoolean() ? MmvWriter.SENTINEL : 0;
      MmvWriter writer =
          new MmvWriter(1 + random.nextInt(3)).cluster(cluster).generation(++generation);
      end(name);
      if (random.nextInt(3) == 0) {
        flags |= MmvWriter.PROCESS;
        owners.put(name, new ProcessBuilder("sleep", "600").start());
        writer.pid(owners.get(name).pid());
      }
      writer.flags(flags);
      Map<Integer, MmvWriter.InDom> inDoms = new TreeMap<>();
      Map<Integer, Integer> sizes = new TreeMap<>();
      for (int serial = 1; serial <= 2; serial++) {
        MmvWriter.InDom inDom = writer.inDom(serial).help("one line of " + name, null);
        int size = 1 + random.nextInt(4);
        for (int i = 0; i < size; i++) {
          inDom.instance(i * 3, "instance" + i + " of " + name);
        }
        inDoms.put(serial, inDom);
        sizes.put(serial, size);
      }
      for (int item = 1; item <= ITEMS; item++) {
        metric(writer, name, cluster, item, inDoms, sizes);
        if (random.nextInt(3) == 0) {
          writer.label(16, item, -1, "{\"" + name + "\":" + item + "}");
        }
      }
      if (random.nextBoolean()) {
        writer.label(8, cluster, -1, "{\"cluster\":\"" + name + "\"}");
        writer.label(4 | 128, 1, -1, "{\"inDom\":true}");
        writer.label(32, 1, 3, "{\"instance_" + name + "\":1}");
      }
      return writer;
    }

    /** Adds a metric. Its descriptor depends on cluster and item, help and values on the file. */
    private void metric(
        MmvWriter writer,
        String file,
        int cluster,
        int item,
        Map<Integer, MmvWriter.InDom> inDoms,
        Map<Integer, Integer> sizes) {
      MmvType type = TYPES[(cluster * 7 + item) % TYPES.length];
      int serial = (cluster + item) % 3;
      MmvWriter.Metric metric =
          writer
              .metric("group" + item % 2 + ".metric" + item, item, type.code())
              .semantics(item % 2 == 0 ? Semantics.INSTANT : Semantics.COUNTER)
              .units(item << 20)
              .help(random.nextBoolean() ? "help of " + file : null, null);
      if (serial == 0) {
        value(metric, type, Instance.NULL, file);
        return;
      }
      metric.inDom(inDoms.get(serial));
      for (int i = 0; i < sizes.get(serial); i++) {
        value(metric, type, i * 3, file);
      }
    }

    private void value(MmvWriter.Metric metric, MmvType type, int instance, String file) {
      // the stock agent serves a NaN, though the SENTINEL flag makes it "no value"
      boolean isFloating = type == MmvType.FLOAT || type == MmvType.DOUBLE;
      boolean none = !isFloating && random.nextInt(5) == 0;
      if (type == MmvType.STRING) {
        metric.textAt(instance, none ? "" : "text " + random.nextInt(100) + " of " + file);
      } else {
        metric.rawAt(instance, none ? -1 : random.nextInt(1_000_000), 0);
      }
    }

    AgentConnection start(AgentCommand agent) throws IOException {
      AgentCommand logging = agent.with("-l", pcp.file(agent.name() + ".log").toString());
      return AgentConnection.start(logging.words(), pcp.environment());
    }

    @Override
    public void close() {
      List.copyOf(owners.keySet()).forEach(this::end);
      pcp.close();
    }
  }

  @ParameterizedTest
  @MethodSource("org.jmmv.qa.Nightly#seeds")
  void jmmvAnswersAsAStockAgentThatHasJustStarted(long seed) throws IOException {
    System.out.println("RandomWalkTest: seed " + seed);
    int values = 0;
    try (Walk walk = new Walk(seed);
        AgentConnection old = walk.start(AgentCommand.jmmv())) {
      StringBuilder story = new StringBuilder("seed " + seed);
      for (int i = 0; i < STEPS; i++) {
        story.append(", ").append(walk.step());
        try (AgentConnection stock = walk.start(AgentCommand.stock())) {
          Interview interview = new Interview(stock, old);
          interview.run();
          assertEquals("", String.join("\n", interview.differences()), story::toString);
          values += interview.values();
        }
      }
    }
    assertTrue(values > STEPS * 100, values + " values are too few");
  }
}
