package org.jmmv.cli;

import static org.jmmv.pcp.Printable.printable;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Settings;
import org.jmmv.config.SettingsException;
import org.jmmv.config.SettingsFile;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.reader.Fault;
import org.jmmv.reader.FaultKind;
import org.jmmv.reader.FileName;
import org.jmmv.reader.Place;

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

  private Check() {}

  /**
   * Checks files and directories. A file is checked by itself; a directory as the agent serves it,
   * so that conflicts between its files are found. The process gives up the rights of root for
   * that, irrevocably, as the agent does.
   *
   * @param paths files and directories; if empty, the directories that the agent serves, with the
   *     settings of jmmv.toml(5)
   * @param username the user to judge as; if empty and the process runs as root, that of the agent
   * @return {@link ExitStatus#FAULTY} if anything is not served
   * @throws IOException if there is no such file, directory or user, or if {@code out} can't be
   *     written
   */
  static int run(
      List<Path> paths,
      boolean json,
      Optional<String> username,
      Map<String, String> environment,
      Writer out)
      throws IOException {
    PcpConfig config = PcpConfig.load(environment);
    Settings settings = paths.isEmpty() ? settings(config) : Settings.DEFAULT;
    List<Target> targets = new ArrayList<>();
    for (Path path : paths) {
      targets.add(Target.of(path));
    }
    String user = Rights.dropAsAgent(username, config);
    Map<Path, List<CheckedFile>> checked = new LinkedHashMap<>();
    for (Target target : targets) {
      checked.put(
          target.path,
          target.isFile
              ? checkFile(target, config.version())
              : checkDirectory(target.real, config.version()));
    }
    if (paths.isEmpty()) {
      checked.putAll(
          CheckedDirectories.check(directory(config, settings), config.version(), settings));
    }
    if (json) {
      printJson(checked, user, out);
    } else {
      Set<Path> files =
          targets.stream().filter(Target::isFile).map(Target::path).collect(Collectors.toSet());
      print(checked, files, user, out);
    }
    boolean isGood = checked.values().stream().flatMap(List::stream).allMatch(CheckedFile::isGood);
    return isGood ? ExitStatus.GOOD : ExitStatus.FAULTY;
  }

  /** Returns the first directory that the agent serves. */
  static Path directory(PcpConfig config, Settings settings) throws IOException {
    Optional<Path> path = settings.directories().getFirst().path();
    return path.isPresent()
        ? path.get()
        : config.requiredPath("PCP_TMP_DIR").resolve(AgentCommand.DEFAULT_NAME);
  }

  /** Returns the agent's settings. */
  static Settings settings(PcpConfig config) throws IOException {
    Optional<Path> directory = config.path("PCP_SYSCONF_DIR");
    try {
      return directory.isPresent()
          ? SettingsFile.of(directory.get(), AgentCommand.DEFAULT_NAME).read()
          : Settings.DEFAULT;
    } catch (SettingsException e) {
      throw new IOException(String.join("; ", e.lines()), e);
    }
  }

  private static List<CheckedFile> checkDirectory(Path path, int pcpVersion) throws IOException {
    return CheckedDirectories.check(path, pcpVersion, Settings.DEFAULT).get(path);
  }

  private static List<CheckedFile> checkFile(Target file, int pcpVersion) throws IOException {
    if (file.path.getFileName().toString().startsWith(".")) {
      return notServed(file, FaultKind.HIDDEN);
    }
    if (!Files.isReadable(file.real)) {
      return notServed(file, FaultKind.DENIED);
    }
    try {
      return checkLink(file, pcpVersion);
    } catch (IOException e) {
      throw new IOException(file.path + ": " + e.getMessage(), e);
    }
  }

  private static List<CheckedFile> notServed(Target file, FaultKind kind) {
    String name = PosixDirectory.nameOf(file.path);
    Fault fault = Fault.of(kind, Place.of(FileName.of(name)));
    return List.of(CheckedFile.notServed(name, List.of(fault)));
  }

  /** Checks a file in a directory that has nothing but a link to it. */
  private static List<CheckedFile> checkLink(Target file, int pcpVersion) throws IOException {
    Path directory = Files.createTempDirectory("jmmv-check");
    Path link = directory.resolve(file.path.getFileName());
    try {
      Files.createSymbolicLink(link, file.real);
      return checkDirectory(directory, pcpVersion);
    } finally {
      Files.deleteIfExists(link);
      Files.delete(directory);
    }
  }

  private static void print(
      Map<Path, List<CheckedFile>> checked, Set<Path> files, String user, Writer out)
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

  private static void print(CheckedFile file, List<String> lines) {
    String name = file.name().isEmpty() ? "the directory" : printable(file.name());
    String metrics =
        file.isServed() ? ", %d of %d metrics".formatted(file.served(), file.metrics()) : "";
    lines.add(name + ": " + file.state() + metrics);
    for (Fault fault : file.faults()) {
      lines.add("  " + fault.text() + fault.others());
      lines.add("    lost: " + fault.loss());
      lines.add("    to do: " + fault.kind().advice());
    }
  }

  private static void printJson(Map<Path, List<CheckedFile>> checked, String user, Writer out)
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

  private static void write(CheckedFile file, JsonGenerator json) throws IOException {
    json.writeStartObject();
    Json.textField(json, "file", file.name());
    json.writeStringField("state", file.state());
    json.writeNumberField("served", file.served());
    json.writeNumberField("metrics", file.metrics());
    json.writeArrayFieldStart("findings");
    for (Fault fault : file.faults()) {
      Place place = fault.place();
      json.writeStartObject();
      json.writeStringField("code", fault.kind().code());
      if (place.section() != Place.Section.FILE) {
        json.writeStringField("section", place.section().toString());
        if (place.index() >= 0) {
          json.writeNumberField("entry", place.index());
        }
        json.writeNumberField("offset", place.offset());
      }
      json.writeStringField("problem", fault.problem());
      json.writeStringField("lost", fault.loss());
      json.writeStringField("toDo", fault.kind().advice());
      json.writeNumberField("more", fault.more());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
