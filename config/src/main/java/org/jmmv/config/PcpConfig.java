package org.jmmv.config;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.pcp.PcpVersion;
import org.jmmv.posix.Reason;

/**
 * PCP's configuration: the lines {@code KEY=value} of pcp.conf(5), overridden by the environment.
 *
 * <p>The file is {@code $PCP_CONF}, or {@code $PCP_DIR/etc/pcp.conf}, or {@code /etc/pcp.conf}, or
 * {@code /usr/local/etc/pcp.conf} if only that one is readable. It is parsed like by
 * pmGetConfig(3): lines that begin with {@code #} and lines without a {@code =} are skipped, blanks
 * are part of keys and values, one pair of quotes around a value is removed, and if a key has
 * several lines, the first one counts.
 */
public final class PcpConfig {

  private static final Pattern VERSION =
      Pattern.compile("([0-9]{1,3})(?:\\.([0-9]{1,2}))?(?![0-9])");
  private static final Path STANDARD = Path.of("/etc/pcp.conf");
  private static final Path LOCAL = Path.of("/usr/local/etc/pcp.conf");

  /** The character set with which the JVM decodes the environment. */
  private static final Charset CHARSET = Charset.forName(System.getProperty("native.encoding"));

  private final Map<String, String> environment;
  private final Map<String, String> file;
  private final String missing;

  private PcpConfig(Map<String, String> environment, Map<String, String> file, String missing) {
    this.environment = environment;
    this.file = file;
    this.missing = missing;
  }

  /**
   * Reads the configuration file. If it can't be read, the environment alone is used.
   *
   * @param environment the environment variables
   */
  public static PcpConfig load(Map<String, String> environment) {
    Map<String, String> env = Map.copyOf(environment);
    Path origin = origin(env);
    try {
      Map<String, String> values = parse(new String(Files.readAllBytes(origin), CHARSET));
      return new PcpConfig(
          env, values, "is set neither in the environment nor in %s".formatted(origin));
    } catch (IOException e) {
      return new PcpConfig(
          env,
          Map.of(),
          "is not set in the environment, and PCP's configuration file \"%s\" can't be read: %s; PCP_CONF or PCP_DIR in the environment can say where it is"
              .formatted(origin, Reason.of(e)));
    }
  }

  private static Path origin(Map<String, String> environment) {
    if (environment.containsKey("PCP_CONF")) {
      return Path.of(environment.get("PCP_CONF"));
    }
    if (environment.containsKey("PCP_DIR")) {
      return Path.of(environment.get("PCP_DIR") + STANDARD);
    }
    return !Files.isReadable(STANDARD) && Files.isReadable(LOCAL) ? LOCAL : STANDARD;
  }

  private static Map<String, String> parse(String text) {
    Map<String, String> values = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals >= 0 && !line.startsWith("#")) {
        values.putIfAbsent(line.substring(0, equals), unquoted(line.substring(equals + 1)));
      }
    }
    return Map.copyOf(values);
  }

  private static String unquoted(String value) {
    int last = value.length() - 1;
    boolean quoted =
        last > 0
            && (value.charAt(0) == '"' || value.charAt(0) == '\'')
            && value.charAt(0) == value.charAt(last);
    return quoted ? value.substring(1, last) : value;
  }

  /** Returns the value of a key, or {@code ""} if it has none. */
  public String get(String key) {
    String value = environment.get(key);
    return value != null ? value : file.getOrDefault(key, "");
  }

  /**
   * Returns PCP's major version times 100, and the minor version, for example 603 for 6.3.1; the
   * latest one if pcp.conf does not say which one is installed.
   */
  public int version() {
    Matcher version = VERSION.matcher(get("PCP_VERSION"));
    return version.lookingAt()
        ? 100 * Integer.parseInt(version.group(1))
            + Integer.parseInt(Objects.requireNonNullElse(version.group(2), "0"))
        : PcpVersion.LATEST;
  }

  /** Returns the value of a key as a path; empty if it has none. */
  public Optional<Path> path(String key) {
    return Optional.of(get(key)).filter(value -> !value.isEmpty()).map(Path::of);
  }

  /**
   * Returns the value of a key that the agent can't do without as a path.
   *
   * @param key the name of a variable, for example {@code PCP_TMP_DIR}
   * @throws IOException if the key has no value; the message names the key and the file
   */
  public Path requiredPath(String key) throws IOException {
    return path(key).orElseThrow(() -> new IOException(key + " " + missing));
  }
}
