package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive and the Debian packages: the version that their parts name, and their documents. */
@Tag("quick")
final class PackagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String VERSION =
      first("<artifactId>jmmv-parent</artifactId>\\s*<version>([^<]+)", text("pom.xml"));

  /** dpkg sorts what follows a tilde before the same version without it. */
  private static final String DEBIAN_VERSION = VERSION.replace("-SNAPSHOT", "~snapshot") + "-1";

  private static final String ARCHITECTURE =
      System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
  private static final Path BUILT = AgentCommand.HOME.getParent();
  private static final List<String> DEBS =
      List.of(deb("jmmv", ARCHITECTURE), deb("jmmv-pmda", "all"));

  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s]+)\\)|^\\[[^\\]]+\\]:\\s*(\\S+)", Pattern.MULTILINE);
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)", Pattern.MULTILINE);

  @TempDir private static Path unpacked;
  private static Path archive;
  private static Path root; // of the Debian package with the tools
  private static Path documents;

  private static String deb(String name, String architecture) {
    return BUILT.resolve("%s_%s_%s.deb".formatted(name, DEBIAN_VERSION, architecture)).toString();
  }

  @BeforeAll
  static void unpack() {
    Need.DPKG.require();
    String name = "jmmv-%s-linux-%s.tar.gz".formatted(VERSION, ARCHITECTURE);
    run("tar", "xzf", BUILT.resolve(name).toString(), "-C", unpacked.toString());
    archive = unpacked.resolve("jmmv-" + VERSION);
    root = unpacked.resolve("deb");
    run("dpkg-deb", "-x", DEBS.getFirst(), root.toString());
    documents = root.resolve("usr/share/doc/jmmv");
  }

  @Test
  void theDebianPackageHasTheToolsInThePath() throws IOException {
    assertTrue(Files.isExecutable(root.resolve("usr/bin/jmmv")));
    for (String file :
        List.of(
            "man/man1/jmmv.1.gz",
            "bash-completion/completions/jmmv",
            "zsh/vendor-completions/_jmmv",
            "jmmv/prometheus/jmmv.rules.yml",
            "jmmv/grafana/jmmv-pcp.json")) {
      assertTrue(Files.exists(root.resolve("usr/share").resolve(file)), file);
    }
  }

  /** systemd-analyze exits with another status if the unit is wrong, or its exposure above 2.5. */
  @Test
  void theServiceOfTheDebianPackageIsRightAndHardened() throws IOException {
    Need.SYSTEMD.require();
    String unit = TemporaryPcp.text(root.resolve("lib/systemd/system/jmmv.service"));
    String command = "/usr/bin/jmmv";
    assertTrue(unit.contains("ExecStart=" + command + " serve "), unit);
    Path copy = unpacked.resolve("jmmv.service");
    Files.writeString(copy, unit.replace(command, archive.resolve("bin/jmmv").toString()));
    assertEquals("", run("systemd-analyze", "verify", "--man=no", copy.toString()));
    run("systemd-analyze", "security", "--offline=true", "--threshold=25", copy.toString());
  }

  @Test
  void theTimerOfTheDebianPackageIsRight() throws IOException {
    Need.SYSTEMD.require();
    Path units = root.resolve("lib/systemd/system");
    Path copy = Files.copy(units.resolve("jmmv-clean.timer"), unpacked.resolve("jmmv-clean.timer"));
    String unit = TemporaryPcp.text(units.resolve("jmmv-clean.service"));
    Files.writeString(
        unpacked.resolve("jmmv-clean.service"),
        unit.replace("/usr/bin/jmmv", archive.resolve("bin/jmmv").toString()));
    assertEquals("", run("systemd-analyze", "verify", "--man=no", copy.toString()));
  }

  @Test
  void allPartsNameTheVersionOfTheBuild() {
    for (String deb : DEBS) {
      assertEquals(DEBIAN_VERSION + "\n", run("dpkg-deb", "-f", deb, "Version"));
    }
    for (String command : List.of("pmdajmmv", "jmmv")) {
      String printed = run(archive.resolve("bin").resolve(command).toString(), "--version");
      assertTrue(printed.startsWith(command + " version " + VERSION + " ("), printed);
      String title = first("(?m)^(\\.TH .*)", TemporaryPcp.text(archive.resolve(command + ".1")));
      assertTrue(title.contains("\"%s\" \"jmmv %s\"".formatted(releaseDate(), VERSION)), title);
    }
    Path sbom = archive.resolve("jmmv.cdx.json");
    if (Files.exists(sbom)) { // Maven makes none when it is offline
      String component = first("\"metadata\" *:[^$]*?\"name\" *: *\"jmmv-dist\"([^}]*)", sbom);
      assertTrue(component.contains("\"" + VERSION + "\""), component);
    }
  }

  @Test
  void theVersionIsThatOfTheLastReleaseOrASnapshotOfALaterOne() {
    String changes = text("CHANGELOG.md");
    String unreleased = first("(?s)\n## Unreleased\n(.*?)\n## ", changes);
    String release = first("\n## (\\d\\S*) - ", changes);
    if (VERSION.endsWith("-SNAPSHOT")) {
      assertFalse(changes.contains("\n## " + VERSION.replace("-SNAPSHOT", " ")), VERSION);
    } else {
      assertEquals(release, VERSION);
      assertEquals("", unreleased.strip(), "unreleased changes need a version with -SNAPSHOT");
    }
    assertEquals(releaseDate().toString(), first("\n## \\d\\S* - (.*)", changes));

    String debian = text("dist/src/main/deb/doc/changelog");
    assertEquals(release + "-1", first("^jmmv \\((.*)\\) ", debian));
    assertEquals(
        releaseDate(),
        LocalDate.parse(first("\n -- .*>  (.*)", debian), DateTimeFormatter.RFC_1123_DATE_TIME));
  }

  @Test
  void linksLeadToFilesAndHeadings() throws IOException {
    assertEquals(List.of(), deadLinks(ROOT), "in the checkout");
    assertEquals(List.of(), deadLinks(archive), "in the archive");
    assertEquals(List.of(), deadLinks(documents), "in the Debian package");
  }

  /** Returns the relative links of all Markdown files in a directory that lead to nothing in it. */
  private static List<String> deadLinks(Path directory) throws IOException {
    List<Path> pages;
    try (Stream<Path> files = Files.walk(directory)) {
      pages =
          files
              .filter(file -> file.toString().endsWith(".md"))
              .filter(file -> !directory.relativize(file).toString().contains("target/"))
              .toList();
    }
    assertTrue(pages.size() > 3, () -> "pages: " + pages);
    List<String> dead = new ArrayList<>();
    for (Path page : pages) {
      for (String link : matches(LINK, TemporaryPcp.text(page))) {
        if (!link.matches("[a-z]+:.*") && !leadsTo(directory, page, link)) {
          dead.add(page + ": " + link);
        }
      }
    }
    return dead;
  }

  /** Returns whether a link leads to a file in a directory, and to a heading if it names one. */
  private static boolean leadsTo(Path directory, Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return target.startsWith(directory)
        && Files.exists(target)
        && (parts.length == 1
            || matches(HEADING, TemporaryPcp.text(target)).stream()
                .anyMatch(heading -> anchor(heading).equals(parts[1])));
  }

  /** Returns the anchor of a heading, as GitHub forms it. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-');
  }

  private static List<String> matches(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1) != null ? match.group(1) : match.group(2))
        .toList();
  }

  private static LocalDate releaseDate() {
    return LocalDate.parse(first("<release.date>([^<]+)", text("pom.xml")));
  }

  private static String text(String file) {
    return TemporaryPcp.text(ROOT.resolve(file));
  }

  private static String first(String pattern, Path file) {
    return first(pattern, TemporaryPcp.text(file));
  }

  private static String first(String pattern, String text) {
    return matches(Pattern.compile(pattern), text).stream()
        .findFirst()
        .orElseThrow(() -> new AssertionError(pattern + " is not in:\n" + text));
  }

  private static String run(String... command) {
    return Shell.run(Map.of(), List.of(command)).outOfSuccess();
  }
}
