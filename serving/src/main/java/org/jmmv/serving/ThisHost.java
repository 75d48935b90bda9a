package org.jmmv.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.jmmv.core.PmcdFacts;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.posix.PosixProcess;

/** What clients ask about the host that serves them. */
public final class ThisHost {
  private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");
  private static final Path DOMAIN_NAME = Path.of("/proc/sys/kernel/domainname");
  private static final Path MACHINE_ID = Path.of("/etc/machine-id");

  /** A file of zoneinfo(5): its last line is the time zone as in {@code TZ}. */
  private static final Path LOCAL_TIME = Path.of("/etc/localtime");

  /** The domain name that the kernel has before one is set; pmcd says localdomain then. */
  private static final String UNSET = "(none)";

  private ThisHost() {}

  /**
   * Returns the values of {@code pmcd.*}.
   *
   * @param environment the environment variables, of which {@code TZ} is used
   * @param version the version of this program
   */
  public static PmcdFacts facts(Map<String, String> environment, String version) {
    String zone = ZoneId.systemDefault().getId();
    return new PmcdFacts(
        hostname(),
        environment.getOrDefault("TZ", lastLine(LOCAL_TIME).orElse("UTC").replace("UTC0", "UTC")),
        zone.contains("/") ? Optional.of(":" + zone) : Optional.empty(),
        version,
        PosixProcess.processId());
  }

  /** Returns the labels of all contexts: of the host. */
  public static Labels labels() {
    String domain = lastLine(DOMAIN_NAME).filter(name -> !name.equals(UNSET)).orElse("localdomain");
    String machine = // without an ID, for example in a container, as pmcd
        lastLine(MACHINE_ID).filter(id -> !id.isEmpty()).orElse("localmachine");
    return Labels.of(
        Map.of("domainname", domain, "hostname", hostname(), "machineid", machine),
        LabelType.CONTEXT);
  }

  /** Returns the name of this host. */
  public static String hostname() {
    return lastLine(HOSTNAME).filter(name -> !name.isEmpty()).orElse("localhost");
  }

  /** Returns the last line of a file, or empty if it can't be read. */
  private static Optional<String> lastLine(Path file) {
    try {
      String text = new String(Files.readAllBytes(file), ISO_8859_1).stripTrailing();
      return Optional.of(text.substring(text.lastIndexOf('\n') + 1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
