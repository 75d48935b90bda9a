package org.jmmv.cli;

import static org.jmmv.pcp.Printable.printable;

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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jmmv.config.DefaultDirectories;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Settings;
import org.jmmv.config.SettingsException;
import org.jmmv.config.SettingsFile;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.Permissions;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.web.api.FaultJson;

/** The command {@code jmmv check}: what the agent does not serve, why, and what to do about it. */
final class Check {
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

  private final Options options;
  private final PcpConfig config;

  /**
   * What the command line asks for.
   *
   * @param paths files and directories; if empty, those of {@link DefaultDirectories}, with the
   *     settings of jmmv.toml(5)
   * @param isQuiet whether hints are left out
   * @param watch how long counters are watched; zero: not at all
   * @param username the user to judge as; if empty and the process runs as root, that of the agent
   */
  record Options(
      List<Path> paths,
      boolean isJson,
      boolean isQuiet,
      Duration watch,
      Optional<String> username) {}

  private Check(Options options, PcpConfig config) {
    this.options = options;
    this.config = config;
  }

  /**
   * Checks files and directories. A file is checked by itself; a directory as the agent serves it,
   * so that conflicts between its files are found. The process gives up the rights of root for
   * that, irrevocably, as the agent does.
   *
   * @return {@link ExitStatus#FAULTY} if anything is not served
   * @throws IOException if there is no such user, if {@code out} can't be written, or, after the
   *     others have been printed, if there is no such file or directory
   */
  static int run(Options options, Map<String, String> environment, Writer out) throws IOException {
    return new Check(options, PcpConfig.load(environment)).run(out);
  }

  private int run(Writer out) throws IOException {
    Settings settings = options.paths.isEmpty() ? settings(config) : Settings.DEFAULT;
    List<Target> targets = new ArrayList<>();
    for (Path path : options.paths) {
      targets.add(Target.of(path));
    }
    String user = Rights.dropAsAgent(options.username, config);
    Map<Path, List<CheckedFile>> checked = new LinkedHashMap<>();
    List<String> failures = new ArrayList<>();
    for (Target target : targets) {
      try {
        checked.put(target.path, target.isFile ? checkFile(target) : checkDirectory(target.real));
      } catch (IOException e) {
        failures.add(e.getMessage());
      }
    }
    if (targets.isEmpty()) {
      checked.putAll(check(settings));
    }
    if (options.isJson) {
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
    return isGood ? ExitStatus.GOOD : ExitStatus.FAULTY;
  }

  /** Returns the agent's settings, with a path for each directory. */
  static Settings settings(PcpConfig config) throws IOException {
    try {
      Settings settings = SettingsFile.of(config).read();
      return settings.with(DefaultDirectories.of(settings.directories(), config));
    } catch (SettingsException e) {
      throw new IOException(String.join("; ", e.lines()), e);
    }
  }

  private Map<Path, List<CheckedFile>> check(Settings settings) throws IOException {
    return CheckedDirectories.check(settings, config.version(), options.watch);
  }

  private List<CheckedFile> checkDirectory(Path path) throws IOException {
    return check(Settings.DEFAULT.with(List.of(DirectorySettings.DEFAULT.at(path)))).get(path);
  }

  private List<CheckedFile> checkFile(Target file) throws IOException {
    if (file.path.getFileName().toString().startsWith(".")) {
      return notServed(file, FaultKind.HIDDEN);
    }
    if (!Files.isReadable(file.real)) {
      FileStatus status =
          new PosixDirectory(file.real.getParent()).status(PosixDirectory.nameOf(file.real));
      Object permissions = status == null ? "of a directory above it" : status.permissions();
      return notServed(file, FaultKind.DENIED, permissions);
    }
    try {
      return checkLink(file);
    } catch (IOException e) {
      throw new IOException(file.path + ": " + e.getMessage(), e);
    }
  }

  private static List<CheckedFile> notServed(Target file, FaultKind kind, Object... arguments) {
    String name = PosixDirectory.nameOf(file.path);
    Fault fault = Fault.of(kind, Place.of(FileName.of(name)), arguments);
    return List.of(CheckedFile.notServed(name, List.of(fault)));
  }

  /** Checks a file in a directory that has nothing but a link to it. */
  private List<CheckedFile> checkLink(Target file) throws IOException {
    Path directory = Files.createTempDirectory("jmmv-check");
    Path link = directory.resolve(file.path.getFileName());
    try {
      Files.createSymbolicLink(link, file.real);
      return checkDirectory(directory);
    } finally {
      Files.deleteIfExists(link);
      Files.delete(directory);
    }
  }

  /** Returns what is to be shown of a file: faults, and hints unless they are left out. */
  private List<Fault> shown(CheckedFile file) {
    return file.faults().stream()
        .filter(fault -> !options.isQuiet || !fault.isHint())
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
        lines.add(printable(path.getKey().toString()) + ":");
      }
      for (CheckedFile file : path.getValue()) {
        print(file, lines);
        good += file.isGood() ? 1 : 0;
        total++;
      }
    }
    lines.add(
        "%d of %d files served completely, judged as user %s"
            .formatted(good, total, printable(user)));
    out.write(String.join("\n", lines) + "\n");
  }

  private void print(CheckedFile file, List<String> lines) {
    String name = file.name().isEmpty() ? "the directory" : printable(file.name());
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
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartArray();
      for (Map.Entry<Path, List<CheckedFile>> path : checked.entrySet()) {
        json.writeStartObject();
        json.writeStringField("path", path.getKey().toString());
        json.writeStringField("user", user);
        json.writeArrayFieldStart("files");
        for (CheckedFile file : path.getValue()) {
          write(file, json);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeRaw('\n');
    }
  }

  private void write(CheckedFile file, JsonGenerator json) throws IOException {
    json.writeStartObject();
    Json.textField(json, "file", file.name());
    json.writeStringField("state", file.state());
    json.writeNumberField("served", file.served());
    json.writeNumberField("metrics", file.metrics());
    json.writeArrayFieldStart("findings");
    for (Fault fault : shown(file)) {
      json.writeStartObject();
      FaultJson.writeMembers(fault, json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
