package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;

/**
 * The MMV file of an application that keeps working while a test damages the files beside it. Every
 * answer about this file must be right.
 */
final class GoodFile {
  /** The first name in byte order, so that no other file can claim its names or give it values. */
  static final String NAME = "a_good";

  static final int CLUSTER = 2987;

  static final int SERIAL = 3;
  private static final String COUNT = "mmv." + NAME + ".count";
  private static final String DEPTH = "mmv." + NAME + ".queue.depth";
  private static final String STATE = "mmv." + NAME + ".state";
  private static final String SPARE = "mmv." + NAME + ".spare";
  private static final List<String> STATES = List.of("working", "having a rest");
  private static final List<Instance> QUEUES =
      List.of(new Instance(0, "orders"), new Instance(7, "mail to be sent"));
  private static final int IN_DOM = InDom.build(70, (CLUSTER << 11 | SERIAL) & 0x3fffff);
  private static final String LABEL = "{\"unit\":\"parcel\"}";
  private static final int[] PMIDS = {pmid(1), pmid(2), pmid(3)};
  private static final int EXTRA = 8; // in a value

  private final MmvWriter writer;
  private final MappedByteBuffer bytes;
  private long number;

  /** Writes the file and maps it. */
  GoodFile(Path directory) {
    writer = new MmvWriter(3).cluster(CLUSTER);
    MmvWriter.InDom queues = writer.inDom(SERIAL).help("queues", null);
    QUEUES.forEach(queue -> queues.instance(queue.number(), queue.name()));
    writer.metric("count", 1, ValueType.U64).help("work done", "All work since the start").value(0);
    writer.metric("queue.depth", 2, ValueType.I64).inDom(queues).at(0, 0).at(7, 0);
    writer.metric("state", 3, ValueType.STRING).text(STATES.get(0));
    writer.metric("spare", 4, ValueType.STRING).text(STATES.get(1));
    writer.label(LabelType.ITEM, 1, 0, LABEL);
    Path file = writer.write(directory, NAME);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      bytes = channel.map(MapMode.READ_WRITE, 0, writer.size());
      bytes.order(ByteOrder.nativeOrder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns whether another file must not have this cluster, because files that share a cluster
   * share metrics and instance domains. An instance domain has only the lowest 11 bits of it.
   */
  static boolean isReserved(int cluster) {
    return (cluster & 0x7ff) == (CLUSTER & 0x7ff);
  }

  private static int pmid(int item) {
    return Pmid.build(70, CLUSTER, item);
  }

  /** Changes all values. */
  void work() {
    number++;
    bytes.putLong(writer.valueAt(0), number);
    bytes.putLong(writer.valueAt(1), number);
    bytes.putLong(writer.valueAt(2), number);
    bytes.putLong(writer.valueAt(3) + EXTRA, writer.stringAt(state()));
  }

  /** Returns how often {@link #work} was called: the value of the first metric. */
  long count() {
    return number;
  }

  private String state() {
    return STATES.get((int) (number % STATES.size()));
  }

  /** Asks for everything; fails if an answer is wrong. */
  void assertServedBy(AgentConnection agent) throws IOException {
    for (Question question : QUESTIONS) {
      question.to(agent);
    }
    assertFetchedBy(agent);
  }

  /** Fetches the values; fails if one is wrong. */
  void assertFetchedBy(AgentConnection agent) throws IOException {
    Result values = agent.fetch(Profile.all(0, 0), PMIDS);
    expect(3, values.sets().size());
    List<InstanceValue> depths = values(values, 1, 2);
    expect(
        QUEUES.stream().map(Instance::number).toList(),
        depths.stream().map(InstanceValue::instance).toList());
    expect(
        List.of(number, number, number),
        Stream.concat(values(values, 0, 1).stream(), depths.stream())
            .map(value -> Long.parseLong(value.value().asText()))
            .toList());
    expect(state(), values(values, 2, 1).getFirst().value().asText());
  }

  /**
   * Returns whether an agent knows the file's metrics. Until it has found the file, another one may
   * have the same cluster, and so one of the PMIDs.
   */
  boolean isServedBy(AgentConnection agent) throws IOException {
    return agent.fetch(Profile.all(0, 0), PMIDS).sets().stream().allMatch(set -> set.status() > 0);
  }

  /** A request about something that never changes. */
  interface Question {
    /** Asks it; fails if the answer is wrong. */
    void to(AgentConnection agent) throws IOException;
  }

  /** All that never changes, one request each. */
  static final List<Question> QUESTIONS =
      List.of(
          agent ->
              expect(Set.of(COUNT, DEPTH, STATE, SPARE), Set.copyOf(agent.traverse("mmv." + NAME))),
          agent -> expect(pmid(2), agent.pmid(DEPTH)),
          agent -> expect(IN_DOM, agent.describe(pmid(2)).inDom()),
          agent -> expect(QUEUES, agent.instances(IN_DOM).instances()),
          agent -> expect("queues", agent.text(IN_DOM, TextType.INDOM | TextType.ONELINE)),
          agent -> expect(List.of(), agent.labels(IN_DOM, LabelType.INDOM).sets()),
          agent -> expect("work done", agent.text(pmid(1), TextType.PMID | TextType.ONELINE)),
          agent ->
              expect(
                  LABEL, agent.labels(pmid(1), LabelType.ITEM).sets().getFirst().labels().json()));

  private static List<InstanceValue> values(Result values, int metric, int count) {
    ValueSet set = values.sets().get(metric);
    expect(PMIDS[metric], set.pmid());
    expect(count, set.status());
    return set.values();
  }

  private static void expect(Object right, Object given) {
    if (!right.equals(given)) {
      throw new AssertionError("the good file: " + given + " instead of " + right);
    }
  }
}
