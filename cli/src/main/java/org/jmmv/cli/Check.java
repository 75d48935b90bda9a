package org.jmmv.cli;

import static org.jmmv.pcp.Printable.escaped;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jmmv.cli.command.Command;
import org.jmmv.cli.command.Json;
import org.jmmv.config.Converters;
import org.jmmv.config.DefaultDirectories;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Settings;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.Permissions;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;
import org.jmmv.reader.watch.DirectorySettings;

/** The command {@code jmmv check}: what the agent does not serve, why, and what to do about it. */
final class Check extends Command {
  /**
   * Faults are kept until all are printed. Without it, 2,500 files of 136 KB with a thousand faults
   * each end the process by a lack of memory.
   */
  private static final int MAX_FAULTS = 50_000;

  /**
   * A path to check, looked up before the rights of root are given up.
   *
   * @param path the path as given
   * @param real the same without symbolic links and "..": the agent does not come to a file by way
   *     of the working directory. Absolute if there is nothing at the path
   */
  private record Target(Path path, Path real, boolean isFile) {
    static Target of(Path path) throws IOException {
      Path real = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
      return new Target(path, real, Files.isRegularFile(path));
    }
  }

  private final Arg<List<Path>> paths =
      parameters(
          "PATH", "files and directories; by default " + DEFAULT_DIRECTORIES, Converters::path);
  private final Arg<Boolean> json = flag("print JSON instead of text", "--json");
  private final Arg<Boolean> quiet = flag("do not show hints about what is served", "-q --quiet");
  private final Arg<Duration> watch =
      option(
          "SECONDS",
          "watch counters for this time, and say which of them have decreased",
          Converters::interval,
          "-w --watch");
  private final Arg<String> username =
      option(
          "USER",
          "if started as root, judge as this user instead of $PCP_USER",
          text -> text,
          "-U --username");

  /** How many faults may still be named beyond the first ones of files. */
  private final AtomicInteger unnamed = new AtomicInteger(MAX_FAULTS);

  Check() {
    super("say what of files is not served, why, what is lost by it, and what to do");
  }

  /**
   * Checks files and directories. A file is checked by itself; a directory as the agent serves it,
   * so that conflicts between its files are found. The process gives up the rights of root for
   * that, irrevocably, as the agent does.
   *
   * @return {@link #FAULTY} if anything is not served
   * @throws IOException if there is no such user, if {@code out} can't be written, or, after the
   *     others have been printed, if there is no such file or directory
   */
  @Override
  public int run(Map<String, String> environment, Writer out) throws IOException {
    PcpConfig config = PcpConfig.load(environment);
    List<Path> given = paths.or(List.of());
    Settings settings = given.isEmpty() ? DefaultDirectories.settings(config) : Settings.DEFAULT;
    List<Target> targets = new ArrayList<>();
    for (Path path : given) {
      targets.add(Target.of(path));
    }
    String user = Rights.dropAsAgent(username.value(), config);
    Map<Path, List<CheckedFile>> checked = new LinkedHashMap<>();
    List<String> failures = new ArrayList<>();
    for (Target target : targets) {
      try {
        checked.put(
            target.path,
            target.isFile ? checkFile(target, config) : checkDirectory(target.real, config));
      } catch (IOException e) {
        failures.add(Tools.message(e));
      }
    }
    if (targets.isEmpty()) {
      checked.putAll(check(settings, config));
    }
    if (json.isGiven()) {
      printJson(checked, user, out);
    } else if (!checked.isEmpty()) {
      Set<Path> files =
          targets.stream().filter(Target::isFile).map(Target::path).collect(Collectors.toSet());
      print(checked, files, user, out);
    }
    if (!failures.isEmpty()) {
      out.flush();
      throw new IOException(String.join("; ", failures));
    }
    boolean isGood = checked.values().stream().flatMap(List::stream).allMatch(CheckedFile::isGood);
    return isGood ? GOOD : FAULTY;
  }

  private Map<Path, List<CheckedFile>> check(Settings settings, PcpConfig config)
      throws IOException {
    return CheckedDirectories.check(settings, config.version(), watch.or(Duration.ZERO), unnamed);
  }

  private List<CheckedFile> checkDirectory(Path path, PcpConfig config) throws IOException {
    return check(Settings.DEFAULT.with(List.of(DirectorySettings.DEFAULT.at(path))), config)
        .get(path);
  }

  private List<CheckedFile> checkFile(Target file, PcpConfig config) throws IOException {
    if (file.path.getFileName().toString().startsWith(".")) {
      return notServed(file, FaultKind.HIDDEN);
    }
    if (!Files.isReadable(file.real)) {
      FileStatus status =
          new PosixDirectory(file.real.getParent()).status(PosixDirectory.nameOf(file.real));
      Object permissions = status == null ? "of a directory above it" : status.permissions();
      return notServed(file, FaultKind.DENIED, permissions);
    }
    // in a directory that has nothing but a link to it; both are deleted at the end, also by a
    // signal
    Path directory = Files.createTempDirectory("jmmv-check");
    directory.toFile().deleteOnExit();
    Path link = directory.resolve(file.path.getFileName());
    Files.createSymbolicLink(link, file.real);
    link.toFile().deleteOnExit();
    try {
      return checkDirectory(directory, config);
    } catch (IOException e) {
      throw new IOException(file.path + ": " + e.getMessage(), e);
    }
  }

  private static List<CheckedFile> notServed(Target file, FaultKind kind, Object... arguments) {
    String name = PosixDirectory.nameOf(file.path);
    Fault fault = Fault.of(kind, Place.of(FileName.of(name)), arguments);
    return List.of(CheckedFile.notServed(name, List.of(fault)));
  }

  /** Returns what is to be shown of a file: faults, and hints unless they are left out. */
  private List<Fault> shown(CheckedFile file) {
    return file.faults().stream()
        .filter(fault -> !quiet.isGiven() || !fault.isHint())
        .map(Check::withNames)
        .toList();
  }

  /** Returns a fault with the names of users, for which the agent does not wait. */
  private static Fault withNames(Fault fault) {
    Object[] arguments =
        fault.arguments().stream()
            .map(value ->
                value instanceof Permissions of
                    ? of.withOwner(PosixProcess.userName(of.owner()))
                    : value)
            .toArray();
    return Fault.of(fault.kind(), fault.place(), arguments).withMore(fault.more());
  }

  private void print(Map<Path, List<CheckedFile>> checked, Set<Path> files, String user, Writer out)
      throws IOException {
    List<String> lines = new ArrayList<>();
    int good = 0;
    int total = 0;
    for (Map.Entry<Path, List<CheckedFile>> path : checked.entrySet()) {
      if (checked.size() > 1 && !files.contains(path.getKey())) {
        lines.add(escaped(path.getKey().toString()) + ":");
      }
      for (CheckedFile file : path.getValue()) {
        print(file, lines);
        good += file.isGood() ? 1 : 0;
        total++;
      }
    }
    lines.add(
        "%d of %d files served completely, judged as user %s"
            .formatted(good, total, escaped(user)));
    out.write(String.join("\n", lines) + "\n");
  }

  private void print(CheckedFile file, List<String> lines) {
    String name = file.name().isEmpty() ? "the directory" : escaped(file.name());
    String metrics =
        file.isServed() ? ", %d of %d metrics".formatted(file.served(), file.metrics()) : "";
    lines.add(name + ": " + file.state() + metrics);
    for (Fault fault : shown(file)) {
      lines.add((fault.isHint() ? "  hint: " : "  ") + fault.text() + fault.others());
      if (!fault.isHint()) {
        lines.add("    lost: " + fault.loss());
      }
      lines.add("    to do: " + fault.kind().advice());
    }
  }

  private void printJson(Map<Path, List<CheckedFile>> checked, String user, Writer out)
      throws IOException {
    try (JsonGenerator document = Json.generator(out).useDefaultPrettyPrinter()) {
      document.writeStartArray();
      for (Map.Entry<Path, List<CheckedFile>> path : checked.entrySet()) {
        document.writeStartObject();
        document.writeStringField("path", path.getKey().toString());
        document.writeStringField("user", user);
        Json.objects(document, "files", path.getValue(), file -> write(file, document));
        document.writeEndObject();
      }
      document.writeEndArray();
      document.writeRaw('\n');
    }
  }

  private void write(CheckedFile file, JsonGenerator document) throws IOException {
    Json.textField(document, "file", file.name());
    document.writeStringField("state", file.state());
    document.writeNumberField("served", file.served());
    document.writeNumberField("metrics", file.metrics());
    Json.faults(document, "findings", shown(file));
  }
}
