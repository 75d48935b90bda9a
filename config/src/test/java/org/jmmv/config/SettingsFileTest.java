package org.jmmv.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jmmv.pcp.Network;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.reader.watch.ProcessRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the agent reads in a settings file, and what it says about a wrong one. */
@Timeout(300)
class SettingsFileTest {
  @TempDir Path root;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = root.resolve("jmmv.toml");
  }

  private Settings read(String text) throws Exception {
    Files.writeString(file, text);
    return new SettingsFile(file).read();
  }

  /** Returns the errors, without the path of the file. */
  private List<String> errors(String text) throws IOException {
    Files.writeString(file, text);
    return errors(file);
  }

  private static List<String> errors(Path file) {
    List<String> lines =
        assertThrows(SettingsException.class, () -> new SettingsFile(file).read()).lines();
    lines.forEach(line -> assertTrue(line.startsWith(file + ":"), line));
    return lines.stream().map(line -> line.substring((file + ":").length())).toList();
  }

  @Test
  void withoutAFileTheDefaultsApply() throws Exception {
    assertEquals(Settings.DEFAULT, new SettingsFile(file).read());
    assertEquals(Settings.DEFAULT, new SettingsFile(root.resolve("missing/jmmv.toml")).read());
    assertEquals(Settings.DEFAULT, read(""));
    assertEquals(Settings.DEFAULT, read("# nothing\n[limits]\n[log]\n[[directory]]\n"));
  }

  @Test
  void allKeysAreRead() throws Exception {
    Settings settings =
        read(
            """
            status = false

            [limits]
            file-size = 1
            files = 2
            metrics = 3
            instances = 4
            values = 5
            labels = 6
            memory = 7
            clusters = 8
            share = 9
            wait = 10

            [log]
            file = "/var/log/x"
            debug = ["pdu", "appl0"]

            [[directory]]
            path = "/run/mmv"
            prefix = "a.b_1"
            process = "ignore"
            stale = "withdraw"
            stale_after = "10m"
            include = ["web-*", '[a-c]\\*']
            exclude = ["*.tmp"]

            [directory.labels]
            site = "Ä\\"\\t"
            rack = 7
            spare = true

            [http]
            listen = ["127.0.0.1:9464", "unix:/run/jmmv/http"]
            hosts = ["Metrics.example.com"]
            origins = ["https://Grafana.example.com"]
            naming = "pcp"
            history = 64
            cert = "/etc/c"
            key = "/etc/k"
            client_ca = "/etc/ca"
            max_series = 5000
            trusted_proxies = ["127.0.0.1", "10.1.2.0/24"]

            [http.users]
            ann = "$2y$10$ohVgdf2kDv9ZFc.VQjVHr.2Uxn1sLaB8ZNeF.C9y1tuzVKfhbT8LS"
            """);
    assertFalse(settings.hasStatus());
    assertEquals(Limits.of(limit -> 1 + List.of(Limit.values()).indexOf(limit)), settings.limits());
    assertEquals(Optional.of(Path.of("/var/log/x")), settings.log());
    assertEquals("pdu,appl0", settings.debug());
    DirectorySettings directory = settings.directories().getFirst();
    assertEquals(Optional.of(Path.of("/run/mmv")), directory.path());
    assertEquals("a.b_1", directory.prefix());
    assertEquals(
        new FileRules(
            List.of(NamePattern.of("web-*"), NamePattern.of("[a-c]\\*")),
            List.of(NamePattern.of("*.tmp")),
            ProcessRule.IGNORE,
            Optional.of(Duration.ofMinutes(10))),
        directory.rules());
    assertEquals(
        "{\"rack\":7,\"site\":\"\u00c3\u0084\\\"\\u0009\",\"spare\":true}",
        directory.labels().json());
    assertEquals(
        new HttpSettings(
            List.of(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9464),
                UnixDomainSocketAddress.of("/run/jmmv/http")),
            Set.of("metrics.example.com"),
            Set.of("https://grafana.example.com"),
            true,
            5000,
            64,
            Optional.of(new CertificateFiles(Path.of("/etc/c"), Path.of("/etc/k"))),
            Optional.of(Path.of("/etc/ca")),
            Map.of("ann", "$2y$10$ohVgdf2kDv9ZFc.VQjVHr.2Uxn1sLaB8ZNeF.C9y1tuzVKfhbT8LS"),
            List.of(
                new Network(InetAddress.ofLiteral("127.0.0.1"), 32),
                new Network(InetAddress.ofLiteral("10.1.2.0"), 24))),
        settings.http());
  }

  @Test
  void addressesAndNamesAreAsOnTheCommandLine() throws Exception {
    HttpSettings http = read("http = { listen = ['localhost:9464'], hosts = ['*'] }").http();
    assertEquals(Addresses.http("localhost:9464"), http.addresses());
    assertEquals(Set.of("*"), http.hosts());
  }

  @Test
  void aKeyMayBeWrittenInEveryWayOfToml() throws Exception {
    assertEquals(7, read("limits.files = 7").limits().of(Limit.FILES));
    assertEquals(7, read("limits = { files = 7 }").limits().of(Limit.FILES));
    assertEquals(70_000, read("[\"limits\"]\n'files' = 70_000").limits().of(Limit.FILES));
    assertEquals(Optional.of(Path.of("-")), read("[log]\nfile = '-'").log());
    assertEquals(
        ProcessRule.PID,
        read("[[directory]]\nprocess = 'pid'").directories().getFirst().rules().process());
    assertEquals("x", read("directory = [{ prefix = 'x' }]").directories().getFirst().prefix());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # values of limits
          [limits]⏎files = 0 | 2:9: limits.files: 0 is not a number from 1 to 999999999
          [limits]⏎  metrics =  -1 | 2:14: limits.metrics: -1 is not a number from 1 to 999999999
          limits.values = 1000000000 | 1:17: limits.values: 1000000000 is not a number from 1 to 999999999
          limits.values = 99999999999 | 1:17: limits.values: 99999999999 is not a number from 1 to 999999999
          [limits]⏎labels = "9" | 2:10: limits.labels: "9" is not a number from 1 to 999999999
          [limits]⏎memory = 1.5 | 2:10: limits.memory: 1.5 is not a number from 1 to 999999999
          [limits]⏎wait = true | 2:8: limits.wait: true is not a number from 1 to 999999999
          [limits]⏎instances = [1] | 2:13: limits.instances: a list is not a number from 1 to 999999999
          [limits]⏎file-size = {} | 2:13: limits.file-size: a table is not a number from 1 to 999999999
          [limits]⏎share = 101 | 2:9: limits.share: 101 is not a number from 1 to 100
          limits = 3 | 1:10: limits: 3 is not a table
          [[limits]] | 1:1: limits: a list is not a table
          status = 1 | 1:10: status: 1 is not true or false
          # unknown keys
          ⏎⏎ [limits]⏎  fils = 3 | 4:3: limits.fils: unknown key; did you mean limits.files?
          [limits]⏎max-files = 3 | 2:1: limits.max-files: unknown key; did you mean limits.files?
          [limit] | 1:1: limit: unknown key; did you mean limits?
          [[directories]] | 1:1: directories: unknown key; did you mean directory?
          [http]⏎listen = ['here:1'] | 2:11: http.listen: "here:1" is not an address and port such as 127.0.0.1:9464, localhost:9464 or :9464, or unix: and a path
          [http]⏎hosts = ['jmmv:9464'] | 2:10: http.hosts: "jmmv:9464" is not a name of this host such as metrics.example.com, without a port, or * for any
          [http]⏎origins = ['x'] | 2:12: http.origins: "x" is not an origin such as https://grafana.example.com
          [http]⏎cert = '/x' | 2:8: http.cert: cert and key belong together
          [http.users]⏎ann = 'secret' | 2:7: http.users.ann: not a bcrypt hash with a cost of 4 to 14, such as htpasswd -nBC 10 ann prints
          [http.users]⏎'a:b' = 'secret' | 2:9: http.users.a:b: the name of a user has no colon, which ends it in a request
          x = 1 | 1:1: x: unknown key; the keys are status, limits, log, directory, http
          [log]⏎level = 'debug' | 2:1: log.level: unknown key; the keys are file, debug
          [[directory]]⏎excludes = [] | 2:1: directory.excludes: unknown key; did you mean directory.exclude?
          "a\\nb" = 1 | 1:1: a\\x0ab: unknown key; the keys are status, limits, log, directory, http
          # log
          [log]⏎file = "mmv.log" | 2:8: log.file: "mmv.log" is not an absolute path, or "-"
          [log]⏎file = '' | 2:8: log.file: "" is not an absolute path, or "-"
          [log]⏎file = "/a\\u0000" | 2:8: log.file: "/a\\x00" is not an absolute path, or "-"
          [log]⏎debug = 'pdu' | 2:9: log.debug: "pdu" is not a list of texts: ["...", "..."]
          [log]⏎debug = ['pdu',⏎  'all1'] | 3:3: log.debug: unknown debug option "all1", pmdbg(1) lists the known ones
          # the directory
          [directory]⏎prefix = 'x' | 1:1: directory: there must be two brackets: [[directory]]
          [directory.labels]⏎a = 1 | 1:1: directory: there must be two brackets: [[directory]]
          ⏎[[directory.labels]] | 2:1: directory: there must be two brackets: [[directory]]
          [limits.files.x]⏎y = 1 | 1:1: limits.files: a table is not a number from 1 to 999999999
          [status.x] | 1:1: status: a table is not true or false
          [http.listen.x] | 1:1: http.listen: a table is not a list of texts: ["...", "..."]
          [http.users.x.y] | 1:1: http.users.x: not a bcrypt hash with a cost of 4 to 14, such as htpasswd -nBC 10 x prints
          directory = 'x' | 1:13: directory: "x" is not an array of tables: [[directory]]
          directory = [3] | 1:14: directory: 3 is not a table
          [[directory]]⏎path = '/a'⏎[[directory]]⏎prefix = 'x' | 3:1: directory.path: missing; each of several directories needs one
          [[directory]]⏎[[directory]]⏎path = '/a' | 1:1: directory.path: missing; each of several directories needs one
          directory = [{ path = '/a' }, {}] | 1:31: directory.path: missing; each of several directories needs one
          [[directory]]⏎path = '/a'⏎[[directory]]⏎path = '/x/../a/' | 4:8: directory.path: /a is the path of another directory, too
          [[directory]]⏎path = '/a'⏎[[directory]]⏎path = '/b'⏎pth = 1 | 5:1: directory.pth: unknown key; did you mean directory.path?
          [[directory]]⏎path = '/a'⏎[[directory]]⏎path = '/b'⏎process = 'no' | 5:11: directory.process: "no" is not "auto" or "pid" or "open" or "ignore"
          [[directory]]⏎path = 'x' | 2:8: directory.path: "x" is not an absolute path
          [[directory]]⏎path = 3 | 2:8: directory.path: 3 is not an absolute path
          [[directory]]⏎process = 'none' | 2:11: directory.process: "none" is not "auto" or "pid" or "open" or "ignore"
          [[directory]]⏎stale_after = '1 h' | 2:15: directory.stale_after: "1 h" is not a time such as "30s", "10m", "1h" or "2d"
          [[directory]]⏎process = true | 2:11: directory.process: true is not "auto" or "pid" or "open" or "ignore"
          [[directory]]⏎prefix = '1a' | 2:10: directory.prefix: "1a" is not a name of at most 64 characters: letters, digits and "_", a letter first, parts separated by dots
          [[directory]]⏎prefix = 'control.x' | 2:10: directory.prefix: control has the metrics of the agent itself
          [[directory]]⏎include = '*' | 2:11: directory.include: "*" is not a list of texts: ["...", "..."]
          [[directory]]⏎include = ['a', 3] | 2:17: directory.include: 3 is not a text in quotes
          [[directory]]⏎exclude = ['a['] | 2:12: directory.exclude: a [ without ]
          [[directory]]⏎exclude = [''] | 2:12: directory.exclude: a pattern has 1 to 255 bytes, not 0
          [[directory]]⏎labels = 'x' | 2:10: directory.labels: "x" is not a table of labels
          [[directory]]⏎labels = { a = 'b', a-b = 'c' } | 2:21: directory.labels.a-b: the name of a label has letters, digits and "_", a letter first
          [[directory]]⏎labels.a = 1.5 | 2:12: directory.labels.a: 1.5 is not a text, a whole number, true or false
          # TOML itself
          [limits | 1:8: Unexpected end of input, expected ]
          [limits]⏎files 3 | 2:7: Unexpected '3', expected . or =
          limits.files = 1⏎limits.files = 2 | 2:1: limits.files previously defined at line 1, column 1
          [limits]␍⏎files = 0␍⏎ | 2:9: limits.files: 0 is not a number from 1 to 999999999
          x = "\\q" | 1:6: Invalid escape sequence '\\x5cq'
          """)
  void anErrorIsReportedWithItsPlaceAndWhatIsAllowed(String text, String error) throws Exception {
    assertEquals(List.of(error), errors(text.replace('⏎', '\n').replace('␍', '\r')));
  }

  @Test
  void aPathHasAtMost255Bytes() throws Exception {
    assertEquals(
        List.of("4:8: directory.path: longer than 255 bytes"),
        errors("[[directory]]\npath = '/a'\n[[directory]]\npath = '/" + "a".repeat(255) + "'"));
  }

  @Test
  void allErrorsAreReportedInTheOrderOfTheFile() throws Exception {
    assertEquals(
        List.of(
            "2:9: limits.files: 0 is not a number from 1 to 999999999",
            "3:10: Unexpected end of line, expected a value",
            "6:8: log.file: \"x\" is not an absolute path, or \"-\"",
            "8:1: directory.incldue: unknown key; did you mean directory.include?"),
        errors(
            """
            [limits]
            files = 0
            metrics =

            [log]
            file = "x"
            [[directory]]
            incldue = []
            """));
  }

  @Test
  void theKeysBelowABrokenHeadingAreNotReportedAsUnknown() throws Exception {
    assertEquals(1, errors("[limits]\nfiles = 1\n[[directory]\npath = '/x'\n").size());
  }

  @Test
  void atMostTwentyErrorsAreReported() throws Exception {
    String text =
        String.join("\n", IntStream.range(0, 30).mapToObj(i -> "key" + i + " = 0").toList());
    List<String> errors = errors(text);
    assertEquals(21, errors.size());
    assertTrue(errors.get(19).startsWith("20:1: key19: "), errors.get(19));
    assertEquals(" 10 more errors", errors.get(20));
  }

  @Test
  void aListHasAtMost100Patterns() throws Exception {
    String most = "'x',".repeat(100);
    read("[[directory]]\ninclude = [" + most + "]");
    assertEquals(
        List.of("2:412: directory.include: at most 100 are permitted"),
        errors("[[directory]]\ninclude = [" + most + "'x']"));
  }

  @Test
  void directoriesAreInTheOrderOfTheFile() throws Exception {
    Settings settings =
        read(
            """
            [[directory]]
            path = "/b"
            [[directory]]
            path = "/a/"
            prefix = "a"
            process = "ignore"
            [directory.labels]
            site = "s"
            """);
    assertEquals(
        List.of(Optional.of(Path.of("/b")), Optional.of(Path.of("/a"))),
        settings.directories().stream().map(DirectorySettings::path).toList());
    assertEquals(FileRules.DEFAULT, settings.directories().getFirst().rules());
    DirectorySettings last = settings.directories().getLast();
    assertEquals("a", last.prefix());
    assertEquals(ProcessRule.IGNORE, last.rules().process());
    assertEquals("{\"site\":\"s\"}", last.labels().json());
  }

  @Test
  void thereAreAtMost100Directories() throws Exception {
    String most =
        String.join(
            "\n",
            IntStream.range(0, 100).mapToObj(i -> "[[directory]]\npath = '/d" + i + "'").toList());
    assertEquals(100, read(most).directories().size());
    assertEquals(
        List.of("201:1: directory: at most 100 are permitted"),
        errors(most + "\n[[directory]]\npath = '/a'\n[[directory]]\npath = '/a'"));
  }

  @Test
  void aSetHasAtMost254Labels() throws Exception {
    String labels =
        String.join("\n", IntStream.range(0, 255).mapToObj(i -> "l" + i + " = 1").toList());
    List<String> errors = errors("[[directory]]\n[directory.labels]\n" + labels);
    assertEquals(1, errors.size());
    assertTrue(
        errors.getFirst().startsWith("2:1: directory.labels: more than 254 labels"),
        errors::toString);
  }

  @Test
  void textThatIsNotUtf8IsRefused() throws Exception {
    Files.write(file, new byte[] {'#', '\n', '#', ' ', (byte) 0xe4, '\n'});
    assertEquals(List.of("2:3: not UTF-8"), errors(file));
  }

  @Test
  void onlyARegularFileOfABoundedSizeIsRead() throws Exception {
    Files.writeString(file, "#".repeat(65_537));
    assertEquals(
        List.of(" can't be read: it has 65537 bytes, at most 65536 are read"), errors(file));
    Path directory = Files.createDirectory(root.resolve("directory"));
    assertEquals(List.of(" can't be read: not a regular file"), errors(directory));
    Path fifo = root.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    assertEquals(List.of(" can't be read: not a regular file"), errors(fifo));
    Path endless = Files.createSymbolicLink(root.resolve("endless"), Path.of("/dev/zero"));
    assertEquals(List.of(" can't be read: not a regular file"), errors(endless));
    Path loop = root.resolve("loop");
    Files.createSymbolicLink(loop, loop);
    assertEquals(List.of(" can't be read: too many symbolic links"), errors(loop));
  }

  @Test
  void aLinkIsFollowed() throws Exception {
    read("limits.files = 7");
    Path link = Files.createSymbolicLink(root.resolve("link"), Path.of("jmmv.toml"));
    assertEquals(7, new SettingsFile(link).read().limits().of(Limit.FILES));
  }

  @Test
  void aChangeIsNoticedAtTheFirstLookAfterASecond() throws Exception {
    for (int age : new int[] {1_000, 999}) { // in milliseconds
      SettingsFile settings = new SettingsFile(file, () -> changed().plusMillis(age));
      settings.read();
      Files.writeString(file, "limits.files = " + age);
      assertEquals(age == 1_000, settings.hasChanged());
    }
  }

  /** Returns when the file was last changed, rounded up to milliseconds. */
  private Instant changed() {
    try {
      FileTime changed = (FileTime) Files.getAttribute(file, "unix:ctime");
      return changed.toInstant().plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aChangeIsNoticedWhenTheFileHasNotChangedSinceTheLastLook() throws Exception {
    SettingsFile settings = new SettingsFile(file, InstantSource.fixed(Instant.EPOCH));
    settings.read();
    assertFalse(settings.hasChanged());
    Files.writeString(file, "");
    assertFalse(settings.hasChanged());
    Files.writeString(file, "limits.files = 7", StandardOpenOption.APPEND);
    assertFalse(settings.hasChanged());
    assertTrue(settings.hasChanged());
    assertEquals(7, settings.read().limits().of(Limit.FILES));
    assertFalse(settings.hasChanged());
    Files.writeString(file, "# nothing");
    assertFalse(settings.hasChanged());
    assertTrue(settings.hasChanged());
    assertEquals(Settings.DEFAULT, settings.read());
  }

  @Test
  void settingsThatAreLostByAccidentStay() throws Exception {
    Files.writeString(file, "limits.files = 7");
    SettingsFile settings = new SettingsFile(file);
    settings.read();
    Files.writeString(file, "\n");
    String message = assertThrows(SettingsException.class, settings::read).getMessage();
    assertTrue(message.contains(file + ": the file is empty"), message);
    Files.delete(file);
    message = assertThrows(SettingsException.class, settings::read).getMessage();
    assertTrue(message.contains(file + ": the file is missing"), message);
    assertThrows(SettingsException.class, settings::read, "the second time, too");
    assertEquals(Settings.DEFAULT, new SettingsFile(file).read());
    for (String target : List.of("nowhere", "nowhere/file")) {
      Files.createSymbolicLink(file, file.resolveSibling(target));
      assertThrows(SettingsException.class, new SettingsFile(file)::read);
      Files.delete(file);
    }
  }
}
