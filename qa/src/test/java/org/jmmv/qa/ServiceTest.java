package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.UniformFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code jmmv.service} of the Debian package under systemd, in a container without PCP. The clients
 * run outside.
 */
@Tag("containers")
final class ServiceTest {
  private static final int FLAG_PROCESS = 2; // of the header: mmv(5)

  private ContainerMachine machine;

  @BeforeEach
  void installThePackage() {
    Need.ROOT.require();
    machine = ContainerMachine.withSystemd();
    Await.until(
        "systemd runs", () -> run("systemctl", "is-system-running").out().equals("running\n"));
    Path packages = AgentCommand.HOME.getParent();
    run("sh", "-c", "dpkg -i " + packages + "/jmmv_*.deb").outOfSuccess();
  }

  @AfterEach
  void stop() {
    machine.close();
  }

  @Test
  void itServesFromTheEndOfItsStartToItsStop() {
    assertEquals("disabled\n", run("systemctl", "is-enabled", "jmmv").out());
    assertEquals("inactive\n", run("systemctl", "is-active", "jmmv").out());
    run("systemctl", "start", "jmmv").outOfSuccess();
    assertEquals("\nmmv.control.files\n    value 0\n", pminfo("-f", "mmv.control.files"));
    serve("shop");
    assertTrue(pminfo("-f", "mmv.shop.metric1").endsWith("    value 1000003\n"), "a later file");

    run("systemctl", "stop", "jmmv").outOfSuccess();
    assertEquals("success\n", property("Result"));
    assertEquals("0\n", property("ExecMainStatus"));
    assertFalse(Files.exists(machine.fromOutside("/run/jmmv")));
    String log = run("journalctl", "-u", "jmmv").outOfSuccess();
    assertTrue(log.contains("Deactivated successfully"), log);
    assertFalse(log.contains("Warning") || log.contains("Error"), log);
  }

  @Test
  void itMayAskWhetherFilesAreOpenAndNothingElse() {
    run("systemctl", "start", "jmmv").outOfSuccess();
    String process = "/proc/" + property("MainPID").strip();
    String status = run("cat", process + "/status").outOfSuccess();
    assertTrue(status.matches("(?s).*\nUid:(\t[1-9]\\d+){4}\n.*"), status);
    String lease = "0000000010000000"; // 1 << CAP_LEASE
    assertTrue(
        status.matches(
            "(?s).*\nCapEff:\t%1$s\nCapBnd:\t%1$s\n.*\nNoNewPrivs:\t1\nSeccomp:\t2\n.*"
                .formatted(lease)),
        status);
    String mounts = run("cat", process + "/mountinfo").outOfSuccess();
    assertTrue(mounts.contains(" / / ro,"), mounts);
    assertTrue(mounts.contains(" /var/tmp/mmv ro,"), mounts);
    assertTrue(mounts.contains(" /tmp/mmv ro,"), mounts);
  }

  @Test
  void afterACrashItGoesOnWithTheSameNumbers() {
    run("systemctl", "start", "jmmv").outOfSuccess();
    for (String file : List.of("shop", "bakery")) { // not in the order of their names
      serve(file);
      pminfo("-m", "mmv." + file);
    }
    final String before = pminfo("-m", "mmv.shop", "mmv.bakery");
    String process = property("MainPID");
    run("systemctl", "kill", "--signal=KILL", "jmmv").outOfSuccess();
    Await.until(
        "another process runs",
        () ->
            !property("MainPID").equals(process)
                && run("systemctl", "is-active", "jmmv").status() == 0);
    assertEquals(before, pminfo("-m", "mmv.shop", "mmv.bakery"));
  }

  @Test
  void filesOfLongRunningApplicationsAreKept() {
    run("systemctl", "start", "jmmv").outOfSuccess();
    serve("shop");
    run("sh", "-c", "echo 'q /var/tmp 1777 root root 0' >/etc/tmpfiles.d/tmp.conf").outOfSuccess();
    run("sh", "-c", "touch /var/tmp/old").outOfSuccess();
    run("systemd-tmpfiles", "--clean").outOfSuccess();
    assertFalse(Files.exists(machine.fromOutside("/var/tmp/old")));
    assertTrue(Files.exists(machine.fromOutside("/var/tmp/mmv/shop")));
  }

  @Test
  void itServesWhatAnApplicationWritesToTmp() {
    run("mkdir", "-m", "1777", "/tmp/mmv").outOfSuccess();
    serve("shop", "/tmp/mmv", file());
    run("systemctl", "start", "jmmv").outOfSuccess();
    assertTrue(pminfo("-f", "mmv.shop.metric1").endsWith("    value 1000003\n"));
  }

  @Test
  void aReloadIsASignal() {
    run("systemctl", "start", "jmmv").outOfSuccess();
    String process = property("MainPID");
    run("systemctl", "reload", "jmmv").outOfSuccess();
    Await.until(
        "the reload",
        () -> run("journalctl", "-u", "jmmv").outOfSuccess().contains("SIGHUP: the settings and"));
    assertEquals(process, property("MainPID"));
  }

  @Test
  void aKeyThatOnlyRootMayReadIsPassedAsACredential() {
    // systemd does so itself, but not in a container; credentials are mounted
    run("mount", "--make-rshared", "/").outOfSuccess();
    String settings =
        TemporaryPcp.text(Path.of("../docs/collector.md"))
            .replaceFirst("(?s).*\n    (\\[Service\\]\n.*?)\n\n.*", "$1\n")
            .replace("\n    ", "\n");
    String options =
        TemporaryPcp.text(Path.of("../docs/collector.md"))
            .replaceFirst("(?s).*(--cert /run/credentials[^`]*).*", "$1")
            .replace('\n', ' ');
    put("/etc/systemd/system/jmmv.service.d/override.conf", settings);
    put("/etc/default/jmmv", "JMMV_SERVE_OPTIONS=\"--http 127.0.0.1:9464 " + options + "\"\n");
    Path key = machine.temporary().resolve("key.pem");
    Path certificate = machine.temporary().resolve("cert.pem");
    Shell.run(
            Map.of(),
            List.of(
                "sh",
                "-c",
                "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=jmmv -keyout %s -out %s"
                    .formatted(key, certificate)))
        .outOfSuccess();
    for (Path file : List.of(key, certificate)) {
      run("install", "-D", "-m", "600", file.toString(), "/etc/jmmv/" + file.getFileName())
          .outOfSuccess();
    }
    run("systemctl", "daemon-reload").outOfSuccess();
    run("systemctl", "start", "jmmv").outOfSuccess();
    assertEquals(
        "ready\n",
        run("sh", "-c", "jmmv serve --ask ready --http 127.0.0.1:9464 " + options).outOfSuccess());
  }

  /** SELinux denies kill(2) with EACCES. */
  @Test
  void aProcessThatItMayNotSignalIsThere() {
    put(
        "/etc/systemd/system/jmmv.service.d/override.conf",
        "[Service]\nSystemCallFilter=~kill\nSystemCallErrorNumber=EACCES\n");
    run("systemctl", "daemon-reload").outOfSuccess();
    run("systemctl", "start", "jmmv").outOfSuccess();
    serve("shop", "/var/tmp/mmv", file().flags(FLAG_PROCESS).pid(1));
    assertTrue(pminfo("-f", "mmv.shop.metric1").endsWith("    value 1000003\n"));
  }

  /** Writes a file in the container. */
  private void put(String path, String text) {
    run("sh", "-c", "mkdir -p ${1%/*} && printf %s \"$2\" >$1", "sh", path, text).outOfSuccess();
  }

  @Test
  void purgingThePackageStopsItAndDeletesItsState() {
    run("systemctl", "start", "jmmv").outOfSuccess();
    serve("shop");
    pminfo("mmv.shop");
    run("dpkg", "-P", "jmmv").outOfSuccess();
    assertEquals("inactive\n", run("systemctl", "is-active", "jmmv").out());
    assertEquals("\n", run("sh", "-c", "echo $(ls -d /var/lib/jmmv /var/lib/*/jmmv)").out());
  }

  private Shell.Result run(String... command) {
    return machine.run(command);
  }

  private String property(String name) {
    return run("systemctl", "show", "--property=" + name, "--value", "jmmv").outOfSuccess();
  }

  /** Places a file with two metrics where applications without PCP have theirs. */
  private void serve(String name) {
    serve(name, "/var/tmp/mmv", file());
  }

  private static MmvWriter file() {
    return new UniformFile(1, 2, 0, MmvType.U64).writer(0);
  }

  private void serve(String name, String directory, MmvWriter writer) {
    writer.write(machine.temporary(), name);
    String file = machine.temporary().resolve(name).toString();
    run("cp", file, directory).outOfSuccess();
  }

  private String pminfo(String... arguments) {
    String socket = "unix://" + machine.fromOutside("/run/jmmv/socket");
    return new PcpServer(new ThisMachine(), Map.of(), socket)
        .client("pminfo", arguments)
        .outOfSuccess();
  }
}
