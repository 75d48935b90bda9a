package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Every script answers {@code --help} and does nothing else. The scripts are run in a copy of the
 * sources in which nothing is built, by a user who may not write to it, with a {@code PATH} in
 * which everything that builds or installs leaves a trace.
 */
@Tag("quick")
final class HelpTest {
  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();

  /** Programs that a script may run only after it has looked at its arguments. */
  private static final List<String> ACTORS =
      List.of("mvn", "java", "javac", "apt-get", "dpkg", "mmdebstrap", "unshare", "mktemp", "gcc");

  /** Maven's wrapper, which passes its options on to Maven. */
  private static final Path WRAPPER = Path.of("mvnw");

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path copy = pcp.file("sources");
  private final Path programs = pcp.file("programs");
  private final Path trace = pcp.file("trace");

  @TestFactory
  Stream<DynamicTest> aScriptThatIsAskedForHelpDoesNothingElse() throws IOException {
    Need.ROOT.require(); // to become another user
    List<Path> scripts = copyScripts();
    assertTrue(scripts.size() >= 11, scripts::toString);
    Files.createDirectory(programs);
    Files.createFile(trace);
    Files.setPosixFilePermissions(trace, PosixFilePermissions.fromString("rw-rw-rw-"));
    for (String actor : ACTORS) {
      Path program = programs.resolve(actor);
      Files.writeString(program, "#!/bin/sh\necho " + actor + " >>" + trace + "\nexit 1\n");
      makeExecutable(program);
    }
    return scripts.stream().map(path -> dynamicTest(path.toString(), () -> assertHelps(path)));
  }

  /** Copies all files except those that a build writes. Returns the scripts. */
  private List<Path> copyScripts() throws IOException {
    List<Path> scripts = new ArrayList<>();
    Files.walkFileTree(
        SOURCES,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (Set.of("target", ".git", ".cifuzz-corpus")
                .contains(directory.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(copy.resolve(SOURCES.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path path = SOURCES.relativize(file);
            if (attributes.isRegularFile()) {
              Files.copy(file, copy.resolve(path));
              if (!path.equals(WRAPPER)
                  && Files.isExecutable(file)
                  && TemporaryPcp.text(file).startsWith("#!")) {
                makeExecutable(copy.resolve(path));
                scripts.add(path);
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return scripts;
  }

  private static void makeExecutable(Path program) throws IOException {
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void assertHelps(Path script) {
    Set<String> before = files();
    Shell.Result asUser = help(script, "setpriv", "--reuid=nobody", "--clear-groups");
    Shell.Result asRoot = help(script);
    assertEquals(asUser.outOfSuccess(), asRoot.outOfSuccess());
    assertEquals("", asUser.err() + asRoot.err());
    String text = asUser.out();
    String name = script.getFileName().toString();
    assertTrue(text.matches("(?s)Usage: \\S*" + name + "\\b.*\\n\\n?.{50}.*\\n"), text);
    assertEquals("", TemporaryPcp.text(trace), "what it ran");
    assertEquals(before, files());
  }

  private Shell.Result help(Path script, String... as) {
    List<String> command = new ArrayList<>(List.of(as));
    command.addAll(List.of(copy.resolve(script).toString(), "--help"));
    return Shell.run(Map.of("PATH", programs + ":" + System.getenv("PATH")), command);
  }

  private Set<String> files() {
    try (Stream<Path> files = Files.walk(copy)) {
      return Set.copyOf(files.map(Path::toString).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
