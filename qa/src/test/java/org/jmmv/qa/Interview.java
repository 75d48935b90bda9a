package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;

/**
 * Sends every kind of request to two agents over the same files, and compares the replies byte for
 * byte.
 *
 * <p>Not compared: the identifier in a TEXT, whose bytes the stock agent swaps; the timestamp of a
 * RESULT; the {@linkplain BuiltInMetrics control metrics} that the stock agent does not have; the
 * help of control metrics; the help of instance domains and of metrics without values, which the
 * stock agent does not serve.
 *
 * <p>The time of a section in progress must lie between two answers of the reference, one before
 * and one after the candidate's.
 */
final class Interview {
  private static final int DOMAIN = 70;
  private static final int RANDOM_PROFILES = 12;

  // names, PMIDs, an instance domain and an instance that no file has
  private static final List<String> UNKNOWN_NAMES = List.of("mmv.no", "mmv.no.such", "mm", "mmv.");

  private static final List<Integer> UNKNOWN_PMIDS =
      List.of(Pmid.build(DOMAIN, 4094, 1023), Pmid.build(DOMAIN, 0, 99), Pmid.NULL);

  private static final int UNKNOWN_INDOM = InDom.build(DOMAIN, 4_000_000);
  private static final int UNKNOWN_INSTANCE = 1_234_567;

  private final AgentConnection reference;
  private final AgentConnection candidate;
  private final Random random = new Random(1);
  private final List<String> differences = new ArrayList<>();
  private int questions;
  private int values;
  private int times;

  /**
   * Takes two agents that serve the same files.
   *
   * @param reference the agent whose replies are right
   */
  Interview(AgentConnection reference, AgentConnection candidate) {
    this.reference = reference;
    this.candidate = candidate;
  }

  /** Returns the number of requests. */
  int questions() {
    return questions;
  }

  /** Returns the number of values in the reference's replies. */
  int values() {
    return values;
  }

  /** Returns the number of values that were times of sections in progress. */
  int times() {
    return times;
  }

  /** Returns the replies that differ. */
  List<String> differences() {
    return differences;
  }

  /** Sends all requests. */
  void run() {
    Set<String> leaves = new TreeSet<>(((PmnsNames) ask(new PmnsTraverse(0, "mmv"))).names());
    Set<String> nodes = new TreeSet<>(UNKNOWN_NAMES);
    for (String leaf : leaves) {
      for (int dot = leaf.indexOf('.'); dot >= 0; dot = leaf.indexOf('.', dot + 1)) {
        nodes.add(leaf.substring(0, dot));
      }
    }
    nodes.addAll(leaves);
    Map<String, Integer> pmids = new TreeMap<>();
    for (String node : nodes) {
      ask(new PmnsChild(0, false, node));
      ask(new PmnsChild(0, true, node));
      ask(new PmnsTraverse(0, node));
      if (ask(new PmnsNames(0, List.of(node), List.of())) instanceof PmnsIds ids) {
        pmids.put(node, ids.pmids().getFirst());
      }
    }
    Set<Integer> metrics = new TreeSet<>(pmids.values());
    metrics.addAll(UNKNOWN_PMIDS);
    Set<Integer> inDoms = new TreeSet<>(List.of(UNKNOWN_INDOM));
    metrics.forEach(pmid -> askAboutMetric(pmid, inDoms));
    askAboutDomain();
    Map<Integer, List<Integer>> instances = new TreeMap<>();
    inDoms.forEach(inDom -> instances.put(inDom, askAboutInDom(inDom)));
    profiles(instances).forEach(profile -> askForValues(profile, metrics, instances.keySet()));
    askToStore(metrics);
  }

  private void askAboutMetric(int pmid, Set<Integer> inDoms) {
    ask(new PmnsIds(0, 0, List.of(pmid)));
    if (ask(new DescReq(0, pmid)) instanceof Desc desc && desc.inDom() != InDom.NULL) {
      inDoms.add(desc.inDom());
    }
    if (Pmid.cluster(pmid) != 0 && !refusesHelp(pmid)) {
      for (int type : new int[] {TextType.ONELINE, TextType.HELP}) {
        askText(new TextReq(0, pmid, TextType.PMID | type));
        askText(new TextReq(0, pmid, TextType.PMID | TextType.DIRECT | type));
      }
      askText(new TextReq(0, pmid, TextType.PMID | TextType.ONELINE | TextType.HELP));
    }
    ask(new LabelReq(0, pmid, LabelType.CLUSTER));
    ask(new LabelReq(0, pmid, LabelType.ITEM));
  }

  /** Whether the stock agent refuses the help of a metric, as it does for one without values. */
  private boolean refusesHelp(int pmid) {
    int any = TextType.PMID | TextType.ONELINE | TextType.HELP;
    return decode(reply(reference, new DescReq(0, pmid))) instanceof Desc
        && decode(reply(reference, new TextReq(0, pmid, any))) instanceof PduError refusal
        && refusal.code() == PmError.PMID.code();
  }

  private void askAboutDomain() {
    ask(new LabelReq(0, DOMAIN, LabelType.DOMAIN));
    for (int wrong : new int[] {0, 3, LabelType.COMPOUND, LabelType.OPTIONAL, 256}) {
      ask(new LabelReq(0, DOMAIN, wrong));
    }
    ask(new LabelReq(0, InDom.NULL, LabelType.INSTANCES));
  }

  private List<Integer> askAboutInDom(int inDom) {
    List<Integer> numbers = new ArrayList<>();
    ask(new LabelReq(0, inDom, LabelType.INDOM));
    if (ask(new InstanceReq(0, inDom, Instance.NULL, "")) instanceof Instances all) {
      for (Instance instance : all.instances()) {
        numbers.add(instance.number());
        String name = instance.name();
        ask(new InstanceReq(0, inDom, instance.number(), ""));
        ask(new InstanceReq(0, inDom, Instance.NULL, name));
        ask(new InstanceReq(0, inDom, Instance.NULL, name.split(" ", 2)[0]));
        ask(new InstanceReq(0, inDom, Instance.NULL, name + " "));
        ask(new InstanceReq(0, inDom, instance.number(), name));
      }
    }
    ask(new InstanceReq(0, inDom, UNKNOWN_INSTANCE, ""));
    ask(new InstanceReq(0, inDom, Instance.NULL, "no such instance"));
    return numbers;
  }

  /** Profiles that admit all instances, none, and random ones. */
  private List<Profile> profiles(Map<Integer, List<Integer>> instances) {
    List<Profile> profiles = new ArrayList<>();
    profiles.add(Profile.all(0, 0));
    profiles.add(new Profile(0, 0, false, List.of()));
    for (int i = 0; i < RANDOM_PROFILES; i++) {
      List<InDomProfile> choices = new ArrayList<>();
      instances.forEach((inDom, numbers) -> {
        if (random.nextInt(4) > 0) {
          int[] listed =
              IntStream.concat(
                      numbers.stream().mapToInt(Integer::intValue), IntStream.of(UNKNOWN_INSTANCE))
                  .filter(_ -> random.nextBoolean())
                  .toArray();
          choices.add(new InDomProfile(inDom, random.nextBoolean(), listed));
        }
      });
      profiles.add(new Profile(0, 0, random.nextBoolean(), choices));
    }
    return profiles;
  }

  private void askForValues(Profile profile, Set<Integer> metrics, Set<Integer> inDoms) {
    int[] all = metrics.stream().mapToInt(Integer::intValue).toArray();
    int[] some = random.ints(20, 0, all.length).map(i -> all[i]).toArray();
    askForValues(profile, all);
    askForValues(profile, some);
    for (int pmid : all) {
      askForValues(profile, pmid);
    }
    for (int inDom : inDoms) {
      ask(new LabelReq(0, inDom, LabelType.INSTANCES));
    }
  }

  private void askForValues(Profile profile, int... pmids) {
    Pdu[] request = {profile, Fetch.of(profile.from(), profile.context(), pmids)};
    byte[] right = reply(reference, request);
    byte[] given = reply(candidate, request);
    forgetTimestamp(right);
    forgetTimestamp(given);
    Pdu reply = decode(right);
    if (reply instanceof Result result) {
      values += result.sets().stream().mapToInt(set -> set.values().size()).sum();
      if (!Arrays.equals(right, given)) {
        times += forgetTimes(result, right, given, reply(reference, request));
      }
    }
    note(right, given, request);
  }

  /**
   * Makes times of the candidate equal to the first of the reference, if the reference's time went
   * on between its two answers and the candidate's lies between them.
   *
   * @param result {@code before}, decoded
   * @return the number of such times
   */
  private static int forgetTimes(Result result, byte[] before, byte[] given, byte[] after) {
    if (before.length != given.length || before.length != after.length) {
      return 0;
    }
    List<Value.Block> blocks =
        result.sets().stream()
            .flatMap(set -> set.values().stream())
            .map(InstanceValue::value)
            .filter(Value.Block.class::isInstance)
            .map(Value.Block.class::cast)
            .toList();
    int times = 0;
    int end = before.length; // the blocks fill the rest of the PDU
    for (Value.Block block : blocks.reversed()) {
      int data = end - (block.data().length() + 3 & ~3);
      if (block.type() == ValueType.I64) {
        long first = ByteBuffer.wrap(before).getLong(data);
        long time = ByteBuffer.wrap(given).getLong(data);
        long last = ByteBuffer.wrap(after).getLong(data);
        if (first < last && first <= time && time <= last) {
          ByteBuffer.wrap(given).putLong(data, first);
          times++;
        }
      }
      end = data - 4;
    }
    return times;
  }

  private void askToStore(Set<Integer> metrics) {
    InstanceValue one = new InstanceValue(Instance.NULL, new Value.Word(1));
    InstanceValue zero = new InstanceValue(Instance.NULL, new Value.Word(0));
    int reload = Pmid.build(DOMAIN, 0, 0);
    int files = Pmid.build(DOMAIN, 0, 2);
    askToStore(ValueSet.of(reload, List.of(zero)));
    askToStore(ValueSet.of(reload, List.of(zero, zero)));
    askToStore(ValueSet.none(reload, 0));
    askToStore(ValueSet.of(files, List.of(one)));
    askToStore(ValueSet.none(files, 0));
    for (int pmid : metrics) {
      if (Pmid.cluster(pmid) != 0) {
        askToStore(ValueSet.of(pmid, List.of(one)));
      }
    }
    askToStore(ValueSet.of(reload, List.of(zero)), ValueSet.of(files, List.of(one)));
  }

  private void askToStore(ValueSet... sets) {
    ask(new Result(0, 0, 0, List.of(sets)));
  }

  private void askText(TextReq request) {
    ask(frame -> fill(frame, 12, 4), request);
  }

  private Pdu ask(Pdu request) {
    return ask(_ -> {}, request);
  }

  /**
   * Asks both agents.
   *
   * @param forget overwrites what may differ in a reply
   */
  private Pdu ask(Consumer<byte[]> forget, Pdu... request) {
    byte[] right = reply(reference, request);
    byte[] given = reply(candidate, request);
    Pdu reply = decode(right);
    forget.accept(right);
    forget.accept(given);
    note(right, given, request);
    return reply;
  }

  private void note(byte[] right, byte[] given, Pdu... request) {
    questions++;
    if (!Arrays.equals(right, given)) {
      HexFormat hex = HexFormat.of();
      differences.add(
          "%s\n  is    %s\n  not   %s"
              .formatted(List.of(request), hex.formatHex(given), hex.formatHex(right)));
    }
  }

  private static byte[] reply(AgentConnection agent, Pdu... request) {
    try {
      byte[] frame = agent.requestFrame(request);
      return switch (request[request.length - 1]) {
        case PmnsTraverse _ when decode(frame) instanceof PmnsNames names ->
            BuiltInMetrics.leftOut("", names, frame);
        case PmnsChild children when decode(frame) instanceof PmnsNames names ->
            BuiltInMetrics.leftOut(children.name() + ".", names, frame);
        default -> frame;
      };
    } catch (IOException e) {
      throw new UncheckedIOException(Arrays.toString(request), e);
    }
  }

  private static Pdu decode(byte[] frame) {
    try {
      return AgentConnection.decode(frame);
    } catch (IOException e) {
      throw new UncheckedIOException(HexFormat.of().formatHex(frame), e);
    }
  }

  private static void forgetTimestamp(byte[] frame) {
    if (ByteBuffer.wrap(frame).getInt(4) == PduType.RESULT.code()) {
      fill(frame, 12, 8);
    }
  }

  private static void fill(byte[] frame, int from, int length) {
    if (ByteBuffer.wrap(frame).getInt(4) != PduType.ERROR.code()) {
      Arrays.fill(frame, from, from + length, (byte) 0);
    }
  }
}
