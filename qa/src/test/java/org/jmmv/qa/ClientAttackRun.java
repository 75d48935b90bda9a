package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jmmv.client.CollectorConnection;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Profile;

/**
 * {@code jmmv serve} under a {@link ClientAttack}. Until its end, good clients ask for a metric
 * every 10 ms: one of PCP and, unless an attack uses TLS, one of HTTP of another user, on Unix
 * domain sockets, and one of PCP on TCP, who is the same user as the attackers. Those of PCP have
 * profiles, which must not be forgotten; that of HTTP has asked once before.
 */
final class ClientAttackRun {
  private static final long MEMORY_KILOBYTES = 300_000;
  private static final int SPARE_DESCRIPTORS = 10; // of what Java opens once

  /** What the figures are. */
  static final String HEADER =
      """
      good, http, same user: requests, longest time in ms, of clients of another user, by PCP's protocol and by HTTP, and of the attackers' own.
      MB: maximum of RssAnon, maximum of VmHWM, RssAnon at the end.
      attack                    replies rounds ended         good         http    same user           MB log kB
      """;

  private final ClientAttack attack;
  private final boolean isFull;
  private final Outcome outcome;
  private int rounds;
  private int ended;
  private String lastEnd = ""; // why

  private ClientAttackRun(ClientAttack attack, boolean isFull, boolean isTimed) {
    this.attack = attack;
    this.isFull = isFull;
    outcome = new Outcome(isTimed, isFull && attack.isSoak());
  }

  /** A good client, which asks in a thread of its own until it is closed. */
  private static final class Good implements AutoCloseable {
    private final RequestTimes.Request request;
    private final Runnable disconnect;
    private final RequestTimes times = new RequestTimes();
    private final Thread thread = new Thread(this::ask);
    private volatile boolean isDone;
    private volatile Throwable failure;

    private Good(RequestTimes.Request request, Runnable disconnect) {
      this.request = request;
      this.disconnect = disconnect;
      thread.start();
    }

    /** Creates a client of PCP. */
    static Good ofPcp(SocketAddress address) throws IOException {
      CollectorConnection connection = CollectorConnection.admitted(address);
      InDomProfile right = new InDomProfile(ClientSite.GOOD_IN_DOM, false, 1);
      connection.send(new Profile(0, 0, false, List.of(right)));
      Await.until(
          "the good file is served",
          () -> {
            try {
              return !connection
                  .fetch(ClientSite.GOOD)
                  .result()
                  .sets()
                  .getFirst()
                  .values()
                  .isEmpty();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      return new Good(
          () -> {
            List<InstanceValue> values =
                connection.fetch(ClientSite.GOOD).result().sets().getFirst().values();
            assertEquals(1, values.size());
            assertEquals("42", values.getFirst().value().asText());
          },
          connection::close);
    }

    /** Creates a client of HTTP. */
    static Good ofHttp(Path socket) throws IOException {
      HttpConnection connection = new HttpConnection(UnixDomainSocketAddress.of(socket));
      connection.get("/metrics?name[]=mmv_good_good&naming=pcp"); // makes the plan
      return new Good(
          () -> {
            String page = connection.get("/metrics?name[]=mmv_good_good&naming=pcp").body();
            assertTrue(
                page.contains("instname=\"right\",instid=\"1\"} 42\n"),
                "a page without a good metric");
          },
          connection::close);
    }

    private void ask() {
      try {
        while (!isDone) {
          times.take(request);
          Thread.sleep(10);
        }
      } catch (IOException | AssertionError | InterruptedException e) {
        failure = e;
      }
    }

    /** Lets it end. */
    void end() {
      isDone = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      disconnect.run();
      end();
    }

    @Override
    public String toString() {
      return times.count() + " " + times.longestMillis();
    }
  }

  /**
   * Carries out an attack.
   *
   * @param isFull whether it has its full size; then requests of another user may take 0.3 s
   * @param time how long it goes on
   */
  static Outcome of(ClientAttack attack, boolean isFull, Duration time) {
    return new ClientAttackRun(attack, isFull, isFull).run(time);
  }

  /** As {@link #of}, at full size, but requests may take 30 s: the machine may be busy. */
  static Outcome untimed(ClientAttack attack, Duration time) {
    return new ClientAttackRun(attack, true, false).run(time);
  }

  private Outcome run(Duration time) {
    try (TemporaryPcp pcp = new TemporaryPcp();
        ClientSite site = new ClientSite(pcp, isFull)) {
      if (attack.usesTls()) {
        site.addCertificate();
      }
      attack.begin(site);
      try (CollectorProcess collector = site.start()) {
        try {
          withstand(site, collector, time);
        } catch (IOException | UncheckedIOException e) {
          outcome.fail(e.toString());
        }
        if (collector.isAlive()) {
          CollectorConnection.admitted(site.address()).close(); // a new one is admitted
        }
        int status = collector.stop();
        if (status != 0) {
          outcome.fail("exit status " + status + ": " + collector.output());
        }
      }
    } catch (IOException | AssertionError e) {
      outcome.fail(e.toString());
    }
    return outcome;
  }

  private void withstand(ClientSite site, CollectorProcess collector, Duration time)
      throws IOException {
    try (MemoryWatch memory = new MemoryWatch(collector.pid(), time);
        Good other = Good.ofPcp(collector.socketAddress());
        Good same = Good.ofPcp(collector.tcpAddress());
        Good http = attack.usesTls() ? null : Good.ofHttp(site.httpSocket())) {
      int descriptors = Resources.of(collector.pid()).descriptors();
      long start = System.nanoTime();
      attack(site, () -> collector.isAlive() && System.nanoTime() - start < time.toNanos());
      Await.until(
          "all connections are closed",
          () -> descriptors + " -> " + Resources.of(collector.pid()),
          () -> Resources.of(collector.pid()).descriptors() <= descriptors + SPARE_DESCRIPTORS);
      List<Good> others = http == null ? List.of(other) : List.of(other, http);
      for (Good good : others) {
        end(good);
        outcome.checkTime(Outcome.QUICK_MILLIS, good.times.longestMillis(), "for another user");
      }
      end(same);
      long logged = collector.output().length();
      outcome.checkMemory(MEMORY_KILOBYTES, memory);
      outcome.checkLog(logged);
      outcome.setFigures(
          String.format(
              Locale.ROOT,
              "%-25s %7d %6d %5d %12s %12s %12s %12s %6d%s",
              attack.label(),
              site.replies(),
              rounds,
              ended,
              other,
              http == null ? "" : http,
              same,
              memory,
              logged / 1000,
              lastEnd));
    }
  }

  private void end(Good good) {
    good.end();
    if (good.failure != null) {
      outcome.fail(good.failure.toString());
    }
  }

  /** Attacks. The collector may end connections of the attackers. */
  private void attack(ClientSite site, BooleanSupplier goesOn) {
    do {
      rounds++;
      try {
        try {
          attack.round(site);
        } finally {
          site.endRound();
        }
      } catch (IOException e) {
        ended++;
        lastEnd = " (" + e.getMessage() + ")";
      } catch (AssertionError e) {
        outcome.fail(attack.label() + ": " + e.getMessage());
        return;
      }
    } while (goesOn.getAsBoolean());
  }
}
