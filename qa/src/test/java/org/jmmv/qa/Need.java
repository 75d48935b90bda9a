package org.jmmv.qa;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test needs of the machine. A test that uses it calls {@link #require}, and the script
 * {@code qa/needs} knows whether the machine has it and how to get it.
 */
enum Need {
  /** The rights of root, to start the agent as pmcd does or to become another user. */
  ROOT,
  /** Namespaces of one's own, which unshare(1) creates. */
  NAMESPACES,
  /** Control groups of one's own. */
  CGROUPS,
  /** SIGINT and SIGQUIT that are not ignored; Java passes an ignored one to its children. */
  SIGINT,
  /** PCP with its clients, pmcd and the stock agent. */
  PCP,
  /** A C compiler and the headers of PCP's libraries. */
  COMPILER,
  /** PCP's modules for Perl. */
  PERL,
  /** PCP's modules for Python. */
  PYTHON,
  CURL,
  /** nginx and the configuration of its Debian package. */
  NGINX,
  /** Apache, Caddy and HAProxy. */
  PROXIES,
  /** Prometheus and its promtool. */
  PROMETHEUS,
  /** VictoriaMetrics. */
  VICTORIA,
  /** A key server for pmproxy. */
  REDIS,
  /** The strict parser of prometheus_client for Python. */
  EXPOSITION,
  PCP2JSON,
  PMDUMPTEXT,
  /** The command ip, for addresses of interfaces. */
  IP,
  /** The command strace, and a kernel that permits it. */
  STRACE,
  TMUX,
  BASH,
  MANDOC,
  GROFF,
  /** The command systemd-analyze. */
  SYSTEMD,
  /** The command dpkg-deb. */
  DPKG,
  /** Chromium and its driver. */
  CHROMIUM,
  FIREFOX,
  /** WebKitGTK with its driver, and a display. */
  WEBKIT;

  /** For each need that this machine does not meet, the line that the script prints. */
  private static final class Missing {
    static final List<String> LINES =
        Shell.run(Map.of(), List.of(Path.of("needs").toAbsolutePath().toString()))
            .out()
            .lines()
            .toList();
  }

  /** Aborts the test, with the reason, if this machine does not meet the need. */
  void require() {
    String beginning = "needs " + name().toLowerCase(Locale.ROOT) + " ";
    Missing.LINES.stream().filter(line -> line.startsWith(beginning)).forEach(Assumptions::abort);
  }
}
