package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jmmv.client.AgentConnection;
import org.jmmv.client.AgentErrorException;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvWriter;

/**
 * An agent under attack. While an {@link Attacker} works, every answer about the {@link GoodFile}
 * is checked, everything else is asked for, and the time of each request is taken. A sound file of
 * another user that appears in this time must be served, too. Then the attacker rests, and the
 * agent must become quick again. Another agent is started in the same directory, as after a
 * restart. Last, the hostile files are removed, and none of them may stay open or mapped.
 */
final class AttackRun {
  /** In a soak, the heap has a fixed size: a leak in it ends the agent, another one shows. */
  private static final Map<String, String> FIXED_HEAP =
      Map.of("JMMV_JAVA_OPTS", "-Xms96m -Xmx96m -XX:+AlwaysPreTouch");

  private static final int SPARE_MAPPINGS = 100; // also those of the JVM itself

  private static final int QUICK_ROUNDS = 3; // after which the hostile files have been read
  private static final int ROUNDS_AT_REST = 10;
  private static final long MEMORY_KILOBYTES = 400_000;
  private static final long LOOK_UP_NANOS = 200_000_000; // for names, so that rounds stay short
  private static final int NAMES_AT_ONCE = 50;
  private static final int METRICS_ASKED_ABOUT = 3;
  private static final String LATE = "z_late"; // the last file in byte order
  private static final String LATE_METRIC = "mmv." + LATE + ".m";

  private final TemporaryPcp pcp;
  private final GoodFile good;
  private final List<Attack> attacks;
  private final boolean isFull;
  private final boolean isSoak;
  private long slowestMillis; // of the requests of a soak
  private Resources before; // of the agent without hostile files
  private boolean isTraversed;
  private final Times attack = new Times();
  private final Times rest = new Times();
  private final Times restart = new Times();
  private final Times removal = new Times();
  private final Outcome outcome;
  private byte[] names = {};
  private final Deque<String> unknown = new ArrayDeque<>(); // names without an entry in pmids
  private final Map<String, Integer> pmids = new HashMap<>();
  private double settledSeconds = Double.NaN;
  private double lateSeconds = Double.NaN;
  private long lateWritten; // a time of System.nanoTime, 0: not yet
  private long startMillis;
  private String memory = "";

  /** The times of requests about the good file, and of those about everything. */
  private record Times(RequestTimes good, RequestTimes all) {
    Times() {
      this(new RequestTimes(), new RequestTimes());
    }

    @Override
    public String toString() {
      return good.longestMillis() + "/" + all.longestMillis();
    }

    long longestMillis() {
      return Math.max(good.longestMillis(), all.longestMillis());
    }
  }

  /** What the figures are. */
  static final String HEADER =
      """
      attack, rest, restart, removal: the longest request about the good file/about everything, in ms.
      start: ms from an agent's CREDS to its first reply, with the hostile files in place.
      settled: seconds after the attack until requests about the good file take at most 300 ms.
      late: seconds until a new file of another user is served during the attack.
      MB: maximum of RssAnon, maximum of VmHWM, RssAnon at the end.
      attack                     requests    median       attack         rest  start      restart      removal settled   late           MB log kB
      """;

  private AttackRun(TemporaryPcp pcp, List<Attack> attacks, boolean isFull) {
    this.pcp = pcp;
    this.good = new GoodFile(pcp.mmv());
    this.attacks = attacks;
    this.isFull = isFull;
    isSoak = attacks.size() == 1 && attacks.getFirst().isSoak();
    outcome = new Outcome(isFull && !isSoak, isFull && isSoak);
    isTraversed = attacks.size() > 1 || attacks.getFirst().isTraversed();
  }

  /**
   * Carries out attacks together in one directory against one agent.
   *
   * @param isFull whether they have their full size; then requests may take a second, unless it is
   *     a soak
   * @param time how long the attacks go on after their begin
   * @param agent the command that starts the agent
   * @param another the command that starts the one after the restart
   */
  static Outcome of(
      List<Attack> attacks,
      boolean isFull,
      Duration time,
      List<String> agent,
      List<String> another) {
    try (TemporaryPcp pcp = new TemporaryPcp()) {
      return new AttackRun(pcp, attacks, isFull).run(time, agent, another);
    }
  }

  private Outcome run(Duration time, List<String> command, List<String> another) {
    Path log = pcp.file("mmv.log");
    try (AgentConnection agent = start(command, log);
        MemoryWatch watch = new MemoryWatch(agent.pid(), time)) {
      try (Attacker attacker = new Attacker(pcp.mmv(), attacks, isFull)) {
        stand(agent, attacker, time);
        startAnother(another);
        leave(agent, attacker);
      } catch (IOException | AssertionError e) {
        outcome.fail(e.getMessage());
      }
      outcome.checkMemory(MEMORY_KILOBYTES, watch);
      memory = watch.toString();
    } catch (IOException e) {
      outcome.fail(e.getMessage());
    }
    outcome.checkTime(1_000, attack.longestMillis(), "during the attack");
    outcome.checkTime(1_000, rest.all.longestMillis(), "for everything after it");
    outcome.checkTime(Outcome.QUICK_MILLIS, rest.good.longestMillis(), "after it");
    outcome.checkTime(1_000, startMillis, "for the first reply");
    outcome.checkTime(1_000, restart.longestMillis(), "after a start");
    outcome.checkTime(1_000, removal.longestMillis(), "during the removal");
    outcome.checkTime(1_000, slowestMillis, "for a request about anything");
    long logged = TemporaryPcp.text(log).length();
    outcome.checkLog(logged);
    TemporaryPcp.text(pcp.file("mmv.err")).lines().limit(1).forEach(outcome::fail);
    outcome.setFigures(figures(logged));
    return outcome;
  }

  private AgentConnection start(List<String> command, Path log) throws IOException {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("-l", log.toString()));
    Map<String, String> environment = new HashMap<>(pcp.environment());
    if (isSoak) {
      environment.putAll(FIXED_HEAP);
    }
    return AgentConnection.start(
        words, environment, Redirect.appendTo(pcp.file("mmv.err").toFile()), Await.LIMIT);
  }

  private String figures(long logged) {
    return String.format(
        Locale.ROOT,
        "%-26s %8d %9.1f %12s %12s %6d %12s %12s %7.1f %6.1f %12s %6d",
        attacks.size() == 1 ? attacks.getFirst().label() : attacks.size() + " attacks",
        attack.good.count(),
        attack.good.medianMillis(),
        attack,
        rest,
        startMillis,
        restart,
        removal,
        settledSeconds,
        lateSeconds,
        memory,
        logged / 1000);
  }

  private void stand(AgentConnection agent, Attacker attacker, Duration time) throws IOException {
    askRound(agent, attack); // nothing is hostile yet
    before = Resources.of(agent.pid());
    attacker.start(time);
    while (!attacker.isDone()) {
      askRound(agent, attack);
      if (attacker.hasBegun() && lateWritten == 0) {
        writeLate();
      }
    }
    isTraversed = true;
    settledSeconds = settle(agent, attack);
    for (int i = 0; i < ROUNDS_AT_REST; i++) {
      askRound(agent, rest);
    }
    if (lateWritten == 0) {
      writeLate();
    }
    while (Double.isNaN(lateSeconds) && secondsSince(lateWritten) < patienceSeconds()) {
      askRound(agent, rest);
    }
    if (Double.isNaN(lateSeconds) && AgentCommand.isRoot()) { // or all files belong to one user
      outcome.fail("a new file is not served");
    }
  }

  private void leave(AgentConnection agent, Attacker attacker) throws IOException {
    attacker.leave();
    while (!attacker.isDone()) {
      askRound(agent, removal);
    }
    settle(agent, removal);
    Await.until(
        "nothing of the hostile files is open or mapped",
        () -> before + " -> " + Resources.of(agent.pid()),
        () -> {
          try {
            good.isServedBy(agent); // the agent looks for changes when a request comes
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          Resources now = Resources.of(agent.pid());
          return now.descriptors() <= before.descriptors()
              && now.mappings() <= before.mappings() + SPARE_MAPPINGS;
        });
    if (agent.exitStatus().isPresent()) {
      outcome.fail("the agent has ended");
    }
  }

  /** Starts an agent and asks it for everything. It only reads the numbers of the first one. */
  private void startAnother(List<String> command) throws IOException {
    try (AgentConnection agent = start(command, pcp.file("another.log"));
        MemoryWatch watch = new MemoryWatch(agent.pid(), Duration.ZERO)) {
      long start = System.nanoTime();
      boolean isServed = good.isServedBy(agent);
      startMillis = (System.nanoTime() - start) / 1_000_000;
      while (!isServed
          && attacks.stream().anyMatch(Attack::isCrowding)
          && secondsSince(start) < patienceSeconds()) {
        isServed = good.isServedBy(agent);
      }
      good.assertFetchedBy(agent);
      settle(agent, restart);
      outcome.checkPeak(MEMORY_KILOBYTES, watch);
    }
  }

  private int patienceSeconds() {
    return isFull ? 120 : 60;
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Asks until requests are quick; returns the seconds until the first quick one. */
  private double settle(AgentConnection agent, Times times) throws IOException {
    long start = System.nanoTime();
    int quick = 0;
    double settled = 0;
    while (quick < QUICK_ROUNDS) {
      if (secondsSince(start) > patienceSeconds()) {
        outcome.fail("requests stay slow");
        break;
      }
      double begin = secondsSince(start);
      quick = askRound(agent, times) <= Outcome.QUICK_MILLIS ? quick + 1 : 0;
      settled = quick == 1 ? begin : settled;
    }
    return settled;
  }

  private void writeLate() {
    MmvWriter late = new MmvWriter(2); // leaves the cluster to the agent
    late.metric("m", 1, ValueType.U32).value(1);
    late.write(pcp.mmv(), LATE);
    lateWritten = System.nanoTime();
  }

  /** Asks for everything; returns the longest time of a request about the good file. */
  private long askRound(AgentConnection agent, Times times) throws IOException {
    RequestTimes now = new RequestTimes();
    try {
      good.work();
      now.take(() -> good.assertFetchedBy(agent));
      if (lateWritten != 0 && Double.isNaN(lateSeconds)) {
        now.take(() -> fetchLate(agent));
      }
      if (isTraversed) {
        for (GoodFile.Question question : GoodFile.QUESTIONS) {
          now.take(() -> question.to(agent));
        }
        askForAll(agent, times.all);
      }
      if (isSoak) {
        Survey survey = new Survey(agent);
        survey.run();
        slowestMillis = Math.max(slowestMillis, survey.slowestMillis());
      }
    } finally {
      times.good.add(now);
    }
    for (Attack each : attacks) {
      times.all.take(() -> each.ask(agent));
    }
    return now.longestMillis();
  }

  private void fetchLate(AgentConnection agent) throws IOException {
    try {
      int pmid = agent.pmid(LATE_METRIC);
      if (agent.fetch(Profile.all(0, 0), pmid).sets().getFirst().status() == 1) {
        lateSeconds = secondsSince(lateWritten);
      }
    } catch (AgentErrorException _) {
      // it has no name yet
    }
  }

  /** Asks for all names and all values, and some questions about the first hostile metrics. */
  private void askForAll(AgentConnection agent, RequestTimes times) throws IOException {
    byte[] reply = ask(agent, times, new PmnsTraverse(0, "mmv"));
    if (!Arrays.equals(reply, names)) {
      names = reply;
      unknown.clear();
      for (String name : ((PmnsNames) AgentConnection.decode(reply)).names()) {
        if (!pmids.containsKey(name)) {
          unknown.add(name);
        }
      }
    }
    lookUp(agent, times);
    int[] all = pmids.values().stream().mapToInt(Integer::intValue).distinct().toArray();
    ask(agent, times, Profile.all(0, 0), Fetch.of(0, 0, all));
    int[] hostile =
        Arrays.stream(all)
            .filter(pmid -> Pmid.cluster(pmid) != 0 && Pmid.cluster(pmid) != GoodFile.CLUSTER)
            .limit(METRICS_ASKED_ABOUT)
            .toArray();
    for (int pmid : hostile) {
      ask(agent, times, new LabelReq(0, pmid, LabelType.ITEM));
      byte[] desc = ask(agent, times, new DescReq(0, pmid));
      if (AgentConnection.decode(desc) instanceof Desc(_, _, _, int inDom, _, _)
          && inDom != InDom.NULL) {
        ask(agent, times, new InstanceReq(0, inDom, Instance.NULL, ""));
        ask(agent, times, new LabelReq(0, inDom, LabelType.INSTANCES));
      }
    }
  }

  /** Asks for the PMIDs of some of the unknown names. */
  private void lookUp(AgentConnection agent, RequestTimes times) throws IOException {
    long end = System.nanoTime() + LOOK_UP_NANOS;
    while (System.nanoTime() < end && !unknown.isEmpty()) {
      List<String> some = new ArrayList<>();
      while (some.size() < NAMES_AT_ONCE && !unknown.isEmpty()) {
        some.add(unknown.removeFirst());
      }
      agent.send(
          some.stream()
              .map(name -> new PmnsNames(0, List.of(name), List.of()))
              .toArray(Pdu[]::new));
      for (String name : some) {
        times.take(() -> {
          if (agent.receive() instanceof PmnsIds ids) { // otherwise the file has gone
            pmids.put(name, ids.pmids().getFirst());
          }
        });
      }
    }
  }

  private static byte[] ask(AgentConnection agent, RequestTimes times, Pdu... request)
      throws IOException {
    byte[][] reply = new byte[1][];
    times.take(() -> reply[0] = agent.requestFrame(request));
    return reply[0];
  }
}
