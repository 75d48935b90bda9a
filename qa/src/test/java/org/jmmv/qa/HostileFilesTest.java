package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Files that change while they are served, and directory entries that are not MMV files. A good
 * file beside them must be served all along.
 */
@Tag("quick")
final class HostileFilesTest {
  private static final int CLUSTER = 77;
  private static final int METRICS = 1000; // the file has many pages
  private static final String VICTIM = "victim";

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final GoodFile good = new GoodFile(pcp.mmv());
  private final Path log = pcp.file("mmv.log");
  private final Path victim = pcp.mmv().resolve(VICTIM);

  private AgentConnection start(AgentCommand command) throws IOException {
    return AgentConnection.start(
        command.with("-l", log.toString()).words(),
        pcp.environment(),
        Redirect.to(pcp.file("mmv.err").toFile()),
        Await.LIMIT);
  }

  // --- files that change

  private interface Damage {
    void to(Path file) throws IOException;
  }

  private static MmvWriter sound(int metrics) {
    MmvWriter writer = new MmvWriter(2).cluster(CLUSTER);
    for (int i = 0; i < metrics; i++) {
      writer.metric("metric" + i, i, ValueType.STRING).text("text " + i);
    }
    return writer;
  }

  private static Damage truncation(long size) {
    return file -> {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(size);
      }
    };
  }

  private static Damage growth(int bytes) {
    return file -> Files.write(file, rubbish(bytes), StandardOpenOption.APPEND);
  }

  /** Overwrites a file in place: its inode stays. */
  private static Damage overwriting(byte[] bytes) {
    return file -> {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(bytes));
      }
    };
  }

  private static Damage replacement(byte[] bytes) {
    return file -> MmvWriter.write(ByteBuffer.wrap(bytes), file.getParent(), VICTIM);
  }

  private static byte[] rubbish(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static List<Damage> damages(MmvWriter whole) {
    Stream<Damage> truncations =
        Stream.of(
                0,
                1,
                39,
                40,
                whole.tocAt(MmvWriter.VALUES),
                whole.metricAt(METRICS / 2) + 20,
                4096,
                4097,
                whole.valueAt(METRICS / 2),
                whole.valueAt(METRICS / 2) + 9,
                whole.sectionAt(MmvWriter.STRINGS) & ~4095,
                whole.stringAt("text 500") + 3,
                whole.size() - 4096,
                whole.size() - 1)
            .map(HostileFilesTest::truncation);
    byte[] another = sound(3).generation(1).image().array();
    Stream<Damage> others =
        Stream.of(
            growth(1),
            growth(1 << 20),
            overwriting(rubbish(8)),
            overwriting(rubbish(whole.size())),
            overwriting(new byte[whole.size()]),
            overwriting(another),
            replacement(rubbish(whole.size())),
            replacement(new byte[0]),
            replacement(another),
            Files::delete,
            file -> {
              Files.delete(file);
              Files.createDirectory(file);
            });
    return Stream.concat(truncations, others).toList();
  }

  @Test
  void whateverHappensToAFileInUseTheOthersAreServedAndItComesBackWhenItIsWhole() throws Exception {
    MmvWriter whole = sound(METRICS);
    List<Damage> damages = damages(whole);
    whole.write(pcp.mmv(), VICTIM);
    try (AgentConnection agent = start(AgentCommand.jmmv());
        Fetches fetches = new Fetches(agent)) {
      fetches.awaitMore(
          2000); // until the JVM has compiled the agent's code, where faults show elsewhere
      for (int i = 0; i < damages.size(); i++) {
        damages.get(i).to(victim);
        fetches.awaitMore(3);
        if (Files.isDirectory(victim)) {
          Files.delete(victim);
        }
        if (Files.exists(victim)) {
          Files.write(victim, whole.image().array());
        } else {
          whole.write(pcp.mmv(), VICTIM);
        }
        fetches.await("it is served again after damage " + i, served -> served == METRICS);
      }
    }
  }

  @Test
  void aFileInUseThatBecomesUnreadableLeavesTheOthersAlone() throws Exception {
    Need.ROOT.require();
    MmvWriter whole = sound(METRICS);
    whole.write(pcp.mmv(), VICTIM);
    try (AgentConnection agent = start(AgentCommand.jmmv().withOptions("-U", "pcp"));
        Fetches fetches = new Fetches(agent)) {
      fetches.await("it is served", served -> served == METRICS);
      Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("---------"));
      fetches.await("it is not served", served -> served == 0);
      Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("r--r--r--"));
      fetches.await("it is served again", served -> served == METRICS);
    }
  }

  /** A thread that fetches in a loop and checks all values of the good file each time. */
  private final class Fetches implements AutoCloseable {
    private final AgentConnection agent;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<?> loop;
    private final AtomicLong count = new AtomicLong();
    private volatile int served;
    private volatile boolean over;

    Fetches(AgentConnection agent) {
      this.agent = agent;
      loop = thread.submit(this::run); // last, because the thread uses the other fields
    }

    private Void run() throws IOException {
      int[] pmids = IntStream.range(0, METRICS).map(i -> Pmid.build(70, CLUSTER, i)).toArray();
      while (!over) {
        good.work();
        good.assertServedBy(agent);
        Result result = agent.fetch(Profile.all(0, 0), pmids);
        assertEquals(METRICS, result.sets().size());
        served =
            (int)
                IntStream.range(0, METRICS)
                    .filter(i ->
                        result.sets().get(i).status() == 1
                            && result
                                .sets()
                                .get(i)
                                .values()
                                .getFirst()
                                .value()
                                .asText()
                                .equals("text " + i))
                    .count();
        count.incrementAndGet();
      }
      return null;
    }

    void await(String what, Predicate<Integer> isSo) {
      Await.until(what, () -> TemporaryPcp.text(log), () -> loop.isDone() || isSo.test(served));
      if (loop.isDone()) {
        throw new AssertionError(what, loop.exceptionNow());
      }
    }

    void awaitMore(int more) {
      long before = count.get();
      await("fetches go on", _ -> count.get() > before + more);
    }

    @Override
    public void close() throws ExecutionException {
      over = true;
      thread.close();
      if (loop.state() == Future.State.FAILED) {
        throw new ExecutionException(loop.exceptionNow());
      }
    }
  }

  // --- entries that are not MMV files

  @Test
  void entriesThatAreNotMmvFilesDelayNothingAndAreNotKeptOpen() throws Exception {
    try (AgentConnection agent = start(AgentCommand.jmmv())) {
      good.assertServedBy(agent);
      new Survey(agent).run(); // for mmv.control.file, Java opens /dev/random once
      Resources before = Resources.of(agent.pid());
      fillWithOddities();
      Survey survey = new Survey(agent);
      survey.run();
      good.work();
      good.assertServedBy(agent);
      assertEquals(before.descriptors(), Resources.of(agent.pid()).descriptors(), "descriptors");
      for (String line : AgentLog.problems(TemporaryPcp.text(log)).lines().toList()) {
        assertTrue(
            line.matches("\\[.{19}\\] pmdajmmv\\(\\d+\\) Warning: [ -~]+"),
            () -> "in the log: " + line);
      }
      String hostile = "\\x0a[Sun Jan  1 00:00:00] pmdajmmv(1) Error: \\x1b\\xff%s%n{0}$(reboot): ";
      assertTrue(TemporaryPcp.text(log).contains(hostile), TemporaryPcp.text(log));
    }
  }

  private void fillWithOddities() throws IOException {
    Need.PYTHON.require();
    shell("mkfifo fifo; ln -s fifo link_to_fifo; mkdir directory; ln -s . link_to_directory");
    shell("ln -s nothing dangling; ln -s loop2 loop1; ln -s loop1 loop2; ln -s /dev/zero zero");
    shell("ln -s /dev/tty terminal; ln -s /proc/kmsg messages; ln -s /proc/self/mem memory");
    shell("mknod device c 1 5 || ln -s /dev/zero device");
    shell("/usr/bin/python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('socket')\"");
    shell(
        "printf 'no MMV file, but long enough for a header' >\"$(printf '\\n[Sun Jan  1 00:00:00] pmdajmmv(1) Error: \\033\\377%%s%%n{0}$(reboot)')\"");
    shell(
        "printf 'no MMV file, but long enough for a header' >\"$(printf '\\n%.0s\\200%.0s' $(seq 127))x\"");
    try (RandomAccessFile sparse =
        new RandomAccessFile(pcp.mmv().resolve("sparse").toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    byte[] image = sound(1).image().array();
    for (int size = 0; size < MmvWriter.HEADER_SIZE; size++) {
      Files.write(pcp.mmv().resolve("short" + size), Arrays.copyOf(image, size));
    }
  }

  private void shell(String command) {
    String[] words = {"sh", "-c", "cd \"$0\" && " + command, pcp.mmv().toString()};
    Shell.run(Map.of(), List.of(words)).outOfSuccess();
  }
}
