package org.jmmv.qa;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;

/**
 * A pmlogger that logs {@code jmmv serve} and sends its archive to a pmproxy, as docs/fleet.md has
 * it: 7.0.3 and later ones.
 */
final class PushedArchive {
  private static final String DOCUMENT = "fleet.md";
  private static final long COUNT = 4711;

  private final Machine machine;

  PushedArchive(Machine machine) {
    this.machine = machine;
  }

  /** Has it send, and waits until the archive at pmproxy has the value of an application. */
  void check() throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp(machine);
        // as the user pcp, it writes only into its own directory
        Pmproxy pmproxy = Pmproxy.start(machine, pcp, Map.of(), "[keys]\nenabled = false\n")) {
      MmvWriter shop = new MmvWriter(1);
      shop.metric("requests", 1, ValueType.U64).value(COUNT);
      shop.write(pcp.mmv(), "shop");
      String listen = "127.0.0.1:" + PrivatePmcd.freePort();
      inBackground(
          pcp,
          "%s serve --listen %s --state %s %s"
              .formatted(AgentCommand.TOOL, listen, pcp.file("state"), pcp.mmv()));
      String serve = "pminfo -h %s mmv.shop.requests".formatted(listen);
      Await.until("it serves", () -> machine.run("sh", "-c", serve).status() == 0);
      String configuration =
          Files.writeString(
                  pcp.file("mmv.conf"),
                  DocumentBlock.of(DOCUMENT, "log mandatory on 5 sec { mmv }")
                      .replace("5 sec", "1 sec"))
              .toString();
      inBackground(
          pcp,
          DocumentBlock.of(
                  DOCUMENT,
                  "pmlogger -h 127.0.0.1 -c /etc/pcp/pmlogger/mmv.conf http://192.0.2.20:44322")
              .replace("127.0.0.1", listen)
              .replace("/etc/pcp/pmlogger/mmv.conf", configuration)
              .replace("192.0.2.20:44322", "127.0.0.1:" + pmproxy.port())
              .strip());
      String dump =
          "for index in /var/log/pcp/pmproxy/$(hostname)/*.index; do"
              + " pmdumplog ${index%.index} mmv.shop.requests; done";
      Await.until(
          "the archive has the value",
          () -> TemporaryPcp.text(pcp.file("pmlogger.log")),
          () -> machine.run("sh", "-c", dump).out().contains("value " + COUNT));
    } finally {
      machine.run("pkill", "-f", "[s]erve --listen 127|[p]mlogger .*http");
    }
  }

  private void inBackground(TemporaryPcp pcp, String command) {
    machine.run("sh", "-c", "cd %s && %s >>log.out 2>&1 &".formatted(pcp.file(""), command));
  }
}
