package org.jmmv.qa;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;

/**
 * Runs an agent for some time while applications update their values and restart, and while other
 * files are damaged, cut short and removed at random. Every answer is checked: a wrong one ends the
 * run. At the end the agent must not have more memory, descriptors and mappings than after a tenth
 * of the time.
 *
 * <p>The heap has a fixed size. A leak in the heap ends the process, a leak outside of it shows as
 * resident memory.
 */
final class Soak {
  private static final Map<String, String> HEAP =
      Map.of("JMMV_JAVA_OPTS", "-Xms96m -Xmx96m -XX:+AlwaysPreTouch");

  /** Growth that is allowed: the JVM still compiles methods. */
  private static final long SPARE_KILOBYTES = 48 << 10;

  /** The flood limit of the log lets 1,000 lines through at once; this is somewhat more. */
  private static final long LOG_BYTES = 400_000;

  private static final int FILES = 50;
  private static final String RESTARTING = "b_restarts";
  private static final Duration HANG = Duration.ofSeconds(10);

  private final TemporaryPcp pcp = new TemporaryPcp();
  private final GoodFile good = new GoodFile(pcp.mmv());
  private final Random random;
  private final DamagedImages images;
  private long starts;
  private long faults;
  private long checks;
  private GoodFile.Reading last = new GoodFile.Reading(0, 0, 0, "");
  private long lastStart;
  private volatile boolean busy;

  private Soak(long seed) {
    random = new Random(seed);
    images = new DamagedImages(seed);
  }

  /**
   * The figures of a run in which every answer was right.
   *
   * @param answers replies of the agent
   * @param checks how often the values of the good files were checked
   * @param faults damaged files and restarts
   * @param before resources of the agent after a tenth of the time
   * @param after resources of the agent at the end
   */
  record Outcome(
      long answers, long checks, long faults, Resources before, Resources after, long logBytes) {

    /** Returns the figures, one a line. */
    String figures() {
      return """
      requests answered       %,d
      checks of good files    %,d
      faults injected         %,d
      memory                  %,d kB, %+,d kB
      descriptors             %d, %+d
      mappings                %d, %+d
      log                     %,d bytes
      """
          .formatted(
              answers,
              checks,
              faults,
              after.residentKilobytes(),
              after.residentKilobytes() - before.residentKilobytes(),
              after.descriptors(),
              after.descriptors() - before.descriptors(),
              after.mappings(),
              after.mappings() - before.mappings(),
              logBytes);
    }
  }

  /** Runs for as many minutes as the argument says, or 10. The exit status is 1 after a failure. */
  public static void main(String[] args) throws IOException {
    Duration time = Duration.ofMinutes(args.length == 0 ? 10 : Long.parseLong(args[0]));
    System.out.print(run(System.nanoTime(), time).figures());
  }

  /**
   * Runs for this time; fails if an answer is wrong, or if the agent grows.
   *
   * @throws IOException if the agent ends or hangs
   */
  static Outcome run(long seed, Duration time) throws IOException {
    System.out.println("Soak: seed " + seed);
    Soak soak = new Soak(seed);
    try {
      return soak.run(time);
    } finally {
      soak.pcp.close();
    }
  }

  private Outcome run(Duration time) throws IOException {
    Path log = pcp.file("mmv.log");
    Map<String, String> environment = new HashMap<>(pcp.environment());
    environment.putAll(HEAP);
    try (AgentConnection agent =
        AgentConnection.start(
            AgentCommand.jmmv().with("-l", log.toString()).words(),
            environment,
            Redirect.to(pcp.file("mmv.err").toFile()),
            HANG)) {
      Survey survey = new Survey(agent);
      Resources before = work(agent, survey, time.dividedBy(10));
      Resources after = work(agent, survey, time.multipliedBy(9).dividedBy(10));
      Outcome outcome =
          new Outcome(survey.answers(), checks, faults, before, after, Files.size(log));
      boolean hasGrown =
          after.residentKilobytes() > before.residentKilobytes() + SPARE_KILOBYTES
              || after.descriptors() > before.descriptors()
              || after.mappings() > before.mappings() + FILES
              || outcome.logBytes > LOG_BYTES;
      if (hasGrown || last.count() == 0 || lastStart == 0) {
        throw new AssertionError(outcome.figures() + last + ", start " + lastStart);
      }
      return outcome;
    }
  }

  /** Lets all work for this time, then removes all files but the good one. */
  private Resources work(AgentConnection agent, Survey survey, Duration time) throws IOException {
    busy = true;
    long end = System.nanoTime() + time.toNanos();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> writers =
          List.of(threads.submit(this::update), threads.submit(this::injectFaults));
      try {
        while (System.nanoTime() < end) {
          survey.run();
          for (int i = 0; i < 20; i++) {
            check(agent);
          }
        }
      } finally {
        busy = false;
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
    try (Stream<Path> files = Files.list(pcp.mmv())) {
      for (Path file : files.filter(file -> !file.endsWith(GoodFile.NAME)).toList()) {
        Files.delete(file);
      }
    }
    good.assertServedBy(agent);
    return Resources.of(agent.pid());
  }

  private void check(AgentConnection agent) throws IOException {
    GoodFile.Reading reading = GoodFile.readThrough(agent);
    ValueSet start =
        agent.fetch(Profile.all(0, 0), Pmid.build(70, GoodFile.NEXT_CLUSTER, 1)).sets().getFirst();
    // while the application restarts there may be no value
    long number = start.status() == 1 ? start.values().getFirst().value().asLong() : lastStart;
    if (reading.count() < last.count()
        || reading.orders() < last.orders()
        || reading.mail() < last.mail()
        || number < lastStart) {
      throw new AssertionError(
          "a value went back: from %s, start %d, to %s, start %d"
              .formatted(last, lastStart, reading, number));
    }
    last = reading;
    lastStart = number;
    checks++;
  }

  /** Updates the values of the good file. */
  private Void update() throws InterruptedException {
    while (busy) {
      for (int i = 0; i < 100; i++) {
        good.work();
      }
      Thread.sleep(1);
    }
    return null;
  }

  private Void injectFaults() throws IOException, InterruptedException {
    while (busy) {
      Path file = pcp.mmv().resolve("file" + random.nextInt(FILES));
      int what = random.nextInt(8);
      if (what == 0) {
        restart();
      } else if (what < 4 || !Files.exists(file)) {
        MmvWriter.write(images.next(), pcp.mmv(), file.getFileName().toString());
      } else {
        damage(file, what);
      }
      faults++;
      Thread.sleep(1); // leaves the agent time to answer
    }
    return null;
  }

  /** Restarts an application, which overwrites or replaces its file. */
  private void restart() {
    MmvWriter writer = new MmvWriter(2).cluster(GoodFile.NEXT_CLUSTER).generation(++starts);
    writer.metric("start", 1, ValueType.U64).value(starts);
    Path file = pcp.mmv().resolve(RESTARTING);
    if (random.nextBoolean() && Files.exists(file)) {
      writer.rewrite(file);
    } else {
      writer.write(pcp.mmv(), RESTARTING);
    }
  }

  private void damage(Path file, int what) throws IOException {
    if (what == 4) {
      Files.delete(file);
      return;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      switch (what) {
        case 5 -> channel.truncate(random.nextLong(channel.size() + 1));
        case 6 -> channel.write(images.next());
        default -> {
          byte[] rubbish = new byte[1 + random.nextInt(5000)];
          random.nextBytes(rubbish);
          channel.write(ByteBuffer.wrap(rubbish), random.nextLong(channel.size() + 1));
        }
      }
    }
  }
}
