package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Archives by way of {@code jmmv serve}, clients that it refuses, and what it says of itself. */
@Timeout(300)
final class CollectorClientsTest {
  private static final int SHOP = 5;
  private static final int ANSWER = Pmid.build(70, SHOP, 1);

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess collector;

  private void start(String... options) {
    write("shop", SHOP, 42);
    collector = pcp.open(CollectorProcess.start(pcp, options));
  }

  private void write(String file, int cluster, int value) {
    MmvWriter writer = new MmvWriter(2).cluster(cluster);
    writer.metric("answer", 1, ValueType.I32).value(value);
    writer.write(pcp.mmv(), file);
  }

  // --- applications come and go

  /** The clusters of the guests are chosen by jmmv; in an archive they must not change. */
  @Test
  void anArchiveIsRightWhileApplicationsComeAndGoAndOthersWatch() throws IOException {
    start();
    List<RunningProgram> watching = new ArrayList<>();
    String archive = pcp.file("archive").toString();
    Path configuration =
        Files.writeString(pcp.file("pmlogger.conf"), "log mandatory on 100 msec { mmv }\n");
    Path log = pcp.file("pmlogger.log");
    watching.add(watch("pmlogger", "pmlogger", "-c" + configuration, "-l" + log, archive));
    for (int i = 0; i < 4; i++) {
      watching.add(watch("pmval" + i, "pmval", "-t0.1", "-r", "mmv.shop.answer"));
      watching.add(watch("pmrep" + i, "pmrep", "-t0.1", "-r", "mmv.shop.answer"));
    }
    // pmlogger does not look at what has changed before its first record
    Await.until(
        "pmlogger has begun",
        () -> TemporaryPcp.text(log),
        () -> onArchive("pmdumplog", archive, "mmv.shop.answer").out().contains(": value "));
    for (int round = 1; round <= 5; round++) {
      try (Application guest =
          Application.start(pcp, Application.Library.LIBPCP_MMV, "guest", "automatic")) {
        guest.set("answer", Integer.toString(round));
        awaitLogged(archive, log, round);
        if (round % 2 == 0) {
          guest.stop();
        }
      }
    }
    for (RunningProgram client : watching) {
      assertTrue(client.isRunning(), client::output);
    }
    // later it may complain of the reply to a request that SIGTERM has interrupted
    String said = TemporaryPcp.text(log);
    watching.forEach(RunningProgram::stop);
    assertFalse(said.contains("Warning") || said.contains("Error"), said);
    // not the values (-m): counters of the guest's file go back when it starts again
    Shell.Result checked = onArchive("pmlogcheck", "-m", archive);
    assertEquals("", checked.outOfSuccess() + checked.err());
    List<String> values =
        onArchive("pmdumplog", archive, "mmv.guest.answer")
            .outOfSuccess()
            .lines()
            .filter(line -> line.contains(": value "))
            .map(line -> line.replaceAll(".*: value ", ""))
            .distinct()
            .toList();
    values = values.stream().filter(value -> !value.equals("0")).toList();
    assertEquals(List.of("1", "2", "3", "4", "5"), values);
    assertEquals(
        collector.onSocket().client("pminfo", "-dm", "mmv.shop.answer").outOfSuccess(),
        onArchive("pminfo", "-dm", "-a", archive, "mmv.shop.answer").outOfSuccess());
  }

  private RunningProgram watch(String name, String program, String... arguments) {
    return pcp.open(
        RunningProgram.start(pcp, name, collector.onSocket().command(program, arguments)));
  }

  private void awaitLogged(String archive, Path log, int value) {
    Await.until(
        value + " is logged",
        () -> TemporaryPcp.text(log),
        () ->
            onArchive("pmdumplog", archive, "mmv.guest.answer")
                .out()
                .contains(": value " + value + "\n"));
  }

  private Shell.Result onArchive(String... command) {
    return Shell.run(pcp.environment(), List.of(command));
  }

  /** The metrics of an hour at one fetch a second. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void anArchiveOfAnHourInFastMotionIsComplete() throws IOException {
    start();
    try (Application shop =
        Application.start(pcp, Application.Library.LIBPCP_MMV, "guest", "plain")) {
      String archive = pcp.file("archive").toString();
      Path configuration =
          Files.writeString(
              pcp.file("pmlogger.conf"), "log mandatory on 10 msec { mmv.shop mmv.guest }\n");
      Path log = pcp.file("pmlogger.log");
      RunningProgram pmlogger =
          watch("pmlogger", "pmlogger", "-c" + configuration, "-l" + log, "-s3600", archive);
      int last = 0;
      while (pmlogger.isRunning()) {
        last++;
        shop.set("requests", Integer.toString(last));
        Await.briefly();
      }
      assertEquals("", pmlogger.outputOfSuccess(), () -> TemporaryPcp.text(log));
      Shell.Result checked = onArchive("pmlogcheck", archive);
      assertEquals("", checked.outOfSuccess() + checked.err());
      List<Long> values =
          onArchive("pmdumplog", archive, "mmv.guest.requests")
              .outOfSuccess()
              .lines()
              .filter(line -> line.contains(": value "))
              .map(line -> Long.valueOf(line.replaceAll(".*: value ", "")))
              .toList();
      assertTrue(values.size() >= 3600, () -> values.size() + " records");
      assertEquals(values.stream().sorted().toList(), values);
      assertTrue(values.getLast() <= last, values::toString);
      // on a loaded machine there are fewer changes than records
      assertTrue(values.stream().distinct().count() > Math.min(1000, last / 2), values::toString);
    }
  }

  // --- access

  @Test
  void clientsAboveTheLimitAreRefusedUntilAnotherLeaves() throws IOException {
    start("--max-clients", "1");
    try (CollectorConnection client = CollectorConnection.admitted(collector.socketAddress())) {
      Shell.Result refused = collector.onTcp().client("pminfo", "-f", "mmv.shop.answer");
      assertTrue(refused.err().contains("PMCD connection limit"), refused::toString);
      assertInstanceOf(Desc.class, client.ask(new DescReq(0, ANSWER)));
    }
    Await.until(
        "a client is admitted again",
        () -> collector.onTcp().client("pminfo", "mmv.shop.answer").status() == 0);
  }

  /**
   * The address is one of the loopback interface of a network namespace, but not a loopback one.
   */
  @Test
  void otherHostsFetchButDoNotStoreAndAreRefusedOutsideOfAllowedNetworks() {
    Need.NAMESPACES.require();
    Need.IP.require();
    write("shop", SHOP, 42);
    String script =
        """
        ip link set lo up
        for address in 192.0.2.1/24 198.51.100.1/24 2001:db8::1/64; do
            ip addr add $address dev lo || exit 1 # without one of IPv6, clients do not try ::1
        done
        %1$s serve --listen 192.0.2.1:44321 --listen 198.51.100.1:44321 --listen 127.0.0.1:44321 \
            --listen 0.0.0.0:44399 --listen [::1]:44321 --allow 192.0.2.0/24 --state %2$s/state \
            %2$s/tmp/mmv >%2$s/out 2>&1 &
        until grep -q ::1 %2$s/out; do
            kill -0 $! || { cat %2$s/out; exit 1; }
            sleep 0.1
        done
        for host in 192.0.2.1 127.0.0.1 ::1 198.51.100.1; do
            pminfo -h "[$host]" -f mmv.shop.answer 2>&1 | tail -n 1
            pmstore -h "[$host]" mmv.control.reload 1 2>&1 | tail -n 1
        done
        kill $!
        wait $!
        echo $?
        grep -o 'the client [^ ]*' %2$s/out | sort -u
        grep -o "; to ask: pminfo -h $(hostname):44399" %2$s/out | cut -d ' ' -f 1-5
        grep Warning: %2$s/out | grep -v -e --allow # no interface has a hardware address
        true
        """
            .formatted(AgentCommand.TOOL, pcp.file(".").normalize());
    Shell.Result result =
        Shell.run(pcp.environment(), List.of("unshare", "--net", "sh", "-c", script));
    assertEquals(
        """
            value 42
        mmv.control.reload: new value="1" pmStore: No permission to perform requested operation
            value 42
        mmv.control.reload old value=0 new value=1
            value 42
        mmv.control.reload old value=0 new value=1
        pminfo: Cannot connect to PMCD on host "[198.51.100.1]": No permission to perform requested operation
        pmstore: Cannot connect to PMCD on host "[198.51.100.1]": No permission to perform requested operation
        0
        the client 198.51.100.1
        ; to ask: pminfo -h
        """,
        result.outOfSuccess());
  }

  // --- sockets and signals

  /** As systemd does for a unit of Type=notify. */
  @Test
  void aServiceManagerIsToldOfTheStartAndOfTheEnd() {
    write("shop", SHOP, 42);
    String script =
        """
        import os, socket, subprocess, sys
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.settimeout(60)
        manager.bind(sys.argv[1])
        command = sys.argv[2:]
        server = subprocess.Popen(command, env=dict(os.environ, NOTIFY_SOCKET=sys.argv[1]))
        print(manager.recv(100).decode(), flush=True)
        server.terminate()
        print(manager.recv(100).decode(), server.wait(), flush=True)
        """;
    Need.PYTHON.require();
    Shell.Result result =
        Shell.run(
            pcp.environment(),
            List.of(
                "python3",
                "-c",
                script,
                pcp.file("notify").toString(),
                AgentCommand.TOOL.toString(),
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--state",
                pcp.file("state").toString(),
                pcp.mmv().toString()));
    String out = result.outOfSuccess();
    assertTrue(
        out.matches("listening at .*; to ask: .*\nREADY=1\nSTOPPING=1 0\n"), result::toString);
  }

  @Test
  void aHintSaysThatPmcdMayHaveThePort() throws IOException {
    String address = "127.44.3.21:44321";
    Shell.Result result;
    try (ServerSocket other = new ServerSocket()) {
      try {
        other.bind(new InetSocketAddress("127.44.3.21", 44_321));
      } catch (BindException e) { // the machine's pmcd has it
        assertTrue(e.getMessage().contains("in use"), e::toString);
      }
      result =
          Shell.jmmv(
              Map.of(),
              "serve",
              "--listen",
              address,
              "--state",
              pcp.file("other").toString(),
              pcp.mmv().toString());
    }
    assertTrue(result.err().contains("can't listen at " + address + ": "), result::toString);
    assertTrue(result.err().contains("; if pmcd runs here, choose another"), result::toString);
    assertEquals(2, result.status());
  }

  @Test
  void sighupHasTheSettingsReadWithoutARequest() throws IOException {
    Path settings = Files.writeString(pcp.file("serve.toml"), "status = true\n");
    start("--settings", settings.toString());
    Files.writeString(settings, "[http]\nlisten = [\"127.0.0.1:1\"]\n");
    Shell.run(Map.of(), List.of("kill", "-HUP", Long.toString(collector.pid()))).outOfSuccess();
    Await.until(
        "SIGHUP is acknowledged",
        collector::output,
        () ->
            collector.output().contains("SIGHUP: the settings and all files are read again")
                && collector.output().contains("http.listen takes effect at the next start"));
  }
}
