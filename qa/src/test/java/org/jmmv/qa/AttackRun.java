package org.jmmv.qa;

import java.io.IOException;
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
 * is checked, everything else is asked for, and the time of each request is taken. Then the
 * attacker rests, a sound file of another user appears, and the agent must become quick again and
 * serve that file. Last, the hostile files are removed.
 */
final class AttackRun {
  /** The time of a request about the good file once the hostile files have been read. */
  private static final long QUICK_MILLIS = 300;

  private static final int QUICK_ROUNDS = 3; // after which the hostile files have been read
  private static final int ROUNDS_AT_REST = 10;
  private static final long MEMORY_KILOBYTES = 400_000;
  private static final long LOG_BYTES = 1_000_000;
  private static final int LOOK_UPS = 2_000; // of names in a round, so that rounds stay short
  private static final int NAMES_AT_ONCE = 50;
  private static final int METRICS_ASKED_ABOUT = 3;
  private static final String LATE = "z_late"; // the last file in byte order
  private static final int LATE_PMID = Pmid.build(70, GoodFile.NEXT_CLUSTER, 1);

  private final TemporaryPcp pcp;
  private final GoodFile good;
  private final List<Attack> attacks;
  private final boolean isFull;
  private boolean isTraversed;
  private final Times attack = new Times("during the attack");
  private final Times rest = new Times("at rest");
  private final Times removal = new Times("during the removal");
  private final List<String> failures = new ArrayList<>();
  private byte[] names = {};
  private final Deque<String> unknown = new ArrayDeque<>(); // names without an entry in pmids
  private final Map<String, Integer> pmids = new HashMap<>();
  private double settledSeconds = Double.NaN;
  private double lateSeconds = Double.NaN;

  /** The times of requests about the good file, and of those about everything. */
  private record Times(String phase, RequestTimes good, RequestTimes all) {
    Times(String phase) {
      this(phase, new RequestTimes(), new RequestTimes());
    }

    long longestMillis() {
      return Math.max(good.longestMillis(), all.longestMillis());
    }
  }

  /**
   * What a run has shown.
   *
   * @param figures on one line, see {@link #HEADER}
   * @param failures empty if the agent stood the attack
   */
  record Outcome(String figures, List<String> failures) {
    @Override
    public String toString() {
      return figures + (failures.isEmpty() ? " ok" : " FAILED: " + String.join("; ", failures));
    }
  }

  /** What the figures are. */
  static final String HEADER =
      """
      ms: longest request about the good file/about all. settled, late: seconds until requests about the
      good file take at most 300 ms, and until another user's new file is served. MB: peak of RssAnon, of
      VmHWM, and RssAnon at the end.
      attack                     requests median ms    attack ms      rest ms   removal ms settled   late           MB log kB
      """;

  private AttackRun(TemporaryPcp pcp, List<Attack> attacks, boolean isFull) {
    this.pcp = pcp;
    this.good = new GoodFile(pcp.mmv());
    this.attacks = attacks;
    this.isFull = isFull;
    isTraversed = attacks.size() > 1 || attacks.getFirst().isTraversed();
  }

  /**
   * Carries out attacks together in one directory against one agent.
   *
   * @param isFull whether they have their full size; then requests may take a second, otherwise
   *     five, which only shows that the agent does not hang
   * @param time how long the attacks go on after their begin
   * @param agent the command that starts the agent
   */
  static Outcome of(List<Attack> attacks, boolean isFull, Duration time, List<String> agent) {
    try (TemporaryPcp pcp = new TemporaryPcp()) {
      return new AttackRun(pcp, attacks, isFull).run(time, agent);
    }
  }

  private Outcome run(Duration time, List<String> command) {
    Path log = pcp.file("mmv.log");
    Path errors = pcp.file("mmv.err");
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("-l", log.toString()));
    Duration hang = Duration.ofSeconds(isFull ? 120 : 20);
    String memory = "";
    try (AgentConnection agent =
            AgentConnection.start(words, pcp.environment(), Redirect.to(errors.toFile()), hang);
        MemoryWatch watch = new MemoryWatch(agent.pid())) {
      try (Attacker attacker = new Attacker(pcp.mmv(), attacks, isFull)) {
        stand(agent, attacker, time);
      } catch (IOException | AssertionError e) {
        failures.add(e.getMessage());
      }
      long megabytes = watch.peakKilobytes() / 1000;
      if (watch.peakKilobytes() > MEMORY_KILOBYTES) {
        failures.add(megabytes + " MB of memory");
      }
      memory =
          "%d/%d/%d"
              .formatted(
                  megabytes, watch.peakWithFilesKilobytes() / 1000, watch.kilobytes() / 1000);
    } catch (IOException e) {
      failures.add(e.getMessage());
    }
    long limit = isFull ? 1_000 : 5_000;
    failIfSlow(attack, attack.longestMillis(), limit);
    failIfSlow(removal, removal.longestMillis(), limit);
    // the names and values of everything take a time in proportion to what is served
    failIfSlow(rest, rest.all.longestMillis(), limit);
    failIfSlow(rest, rest.good.longestMillis(), isFull ? QUICK_MILLIS : limit);
    long logged = TemporaryPcp.text(log).length();
    if (logged > LOG_BYTES) {
      failures.add("a log of " + logged + " bytes");
    }
    TemporaryPcp.text(errors).lines().limit(1).forEach(failures::add);
    return new Outcome(figures(memory, logged), failures);
  }

  private void failIfSlow(Times times, long longest, long limit) {
    if (longest > limit) {
      failures.add(longest + " ms " + times.phase);
    }
  }

  private String figures(String memory, long logged) {
    return String.format(
        Locale.ROOT,
        "%-26s %8d %9.1f %12s %12s %12s %7.1f %6.1f %12s %6d",
        attacks.size() == 1 ? attacks.getFirst().label() : attacks.size() + " attacks",
        attack.good.count(),
        attack.good.medianMillis(),
        attack.good.longestMillis() + "/" + attack.all.longestMillis(),
        rest.good.longestMillis() + "/" + rest.all.longestMillis(),
        removal.good.longestMillis() + "/" + removal.all.longestMillis(),
        settledSeconds,
        lateSeconds,
        memory,
        logged / 1000);
  }

  private void stand(AgentConnection agent, Attacker attacker, Duration time) throws IOException {
    askRound(agent, attack); // nothing is hostile yet
    attacker.start(time);
    while (!attacker.isDone()) {
      askRound(agent, attack);
    }
    isTraversed = true;
    long start = System.nanoTime();
    MmvWriter late = new MmvWriter(2).cluster(GoodFile.NEXT_CLUSTER);
    late.metric("m", 1, ValueType.U32).value(1);
    late.write(pcp.mmv(), LATE);
    settledSeconds = settle(agent, attack, start);
    for (int i = 0; i < ROUNDS_AT_REST; i++) {
      askRound(agent, rest);
    }
    while (Double.isNaN(lateSeconds)) {
      if (secondsSince(start) > patienceSeconds()) {
        failures.add("a new file is not served");
        break;
      }
      askRound(agent, rest);
      lookForLate(agent, start);
    }
    attacker.leave();
    while (!attacker.isDone()) {
      askRound(agent, removal);
    }
    settle(agent, removal, System.nanoTime());
    if (agent.exitStatus().isPresent()) {
      failures.add("the agent has ended");
    }
  }

  private int patienceSeconds() {
    return isFull ? 60 : 15;
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Asks until requests are quick; returns the seconds until the first quick one. */
  private double settle(AgentConnection agent, Times times, long start) throws IOException {
    int quick = 0;
    double settled = 0;
    while (quick < QUICK_ROUNDS) {
      if (secondsSince(start) > patienceSeconds()) {
        failures.add("requests stay slow after the attack");
        break;
      }
      double begin = secondsSince(start);
      long millis = askRound(agent, times);
      lookForLate(agent, start);
      quick = millis <= QUICK_MILLIS ? quick + 1 : 0;
      settled = quick == 1 ? begin : settled;
    }
    return settled;
  }

  private void lookForLate(AgentConnection agent, long start) throws IOException {
    boolean isServed = agent.fetch(Profile.all(0, 0), LATE_PMID).sets().getFirst().status() == 1;
    if (isServed && Double.isNaN(lateSeconds)) {
      lateSeconds = secondsSince(start);
    }
  }

  /** Asks for everything; returns the longest time of a request about the good file. */
  private long askRound(AgentConnection agent, Times times) throws IOException {
    RequestTimes now = new RequestTimes();
    try {
      good.work();
      now.take(() -> good.assertFetchedBy(agent));
      if (isTraversed) {
        for (GoodFile.Question question : GoodFile.QUESTIONS) {
          now.take(() -> question.to(agent));
        }
        askForAll(agent, times.all);
      }
    } finally {
      times.good.add(now);
    }
    for (Attack each : attacks) {
      times.all.take(() -> each.ask(agent));
    }
    return now.longestMillis();
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
    for (int i = 0; i < LOOK_UPS && !unknown.isEmpty(); i += NAMES_AT_ONCE) {
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
