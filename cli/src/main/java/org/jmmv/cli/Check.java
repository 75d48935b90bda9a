package org.jmmv.cli;

import static org.jmmv.reader.MmvFault.printable;

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
import org.jmmv.config.AgentCommand;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Settings;
import org.jmmv.config.SettingsException;
import org.jmmv.config.SettingsFile;
import org.jmmv.reader.posix.PosixDirectory;

/** The command {@code jmmv check}: what the agent does not serve, why, and what to do about it. */
final class Check {
  private Check() {}

  /**
   * Checks files and directories. A file is checked by itself; a directory as the agent serves it,
   * so that conflicts between its files are found.
   *
   * @param paths files and directories; if empty, the directories that the agent serves, with the
   *     settings of jmmv.toml(5)
   * @return {@link Tools#FAULTY} if anything is not served
   * @throws IOException if a file or directory can't be read, or if {@code out} can't be written
   */
  static int run(List<Path> paths, boolean json, Map<String, String> environment, Writer out)
      throws IOException {
    PcpConfig config = PcpConfig.load(environment);
    Map<Path, List<CheckedFile>> checked = new LinkedHashMap<>();
    for (Path path : paths) {
      checked.put(path, check(path, config.version()));
    }
    if (paths.isEmpty()) {
      Settings settings = settings(config);
      checked.putAll(
          CheckedDirectories.check(directory(config, settings), config.version(), settings));
    }
    if (json) {
      printJson(checked, out);
    } else {
      print(checked, out);
    }
    boolean isGood = checked.values().stream().flatMap(List::stream).allMatch(CheckedFile::isGood);
    return isGood ? Tools.GOOD : Tools.FAULTY;
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

  private static List<CheckedFile> check(Path path, int pcpVersion) throws IOException {
    if (!Files.isRegularFile(path)) {
      return checkDirectory(path, pcpVersion);
    }
    try {
      return checkFile(path, pcpVersion);
    } catch (IOException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  private static List<CheckedFile> checkDirectory(Path path, int pcpVersion) throws IOException {
    return CheckedDirectories.check(path, pcpVersion, Settings.DEFAULT).get(path);
  }

  /** Checks a file in a directory that has nothing but a link to it. */
  private static List<CheckedFile> checkFile(Path path, int pcpVersion) throws IOException {
    if (path.getFileName().toString().startsWith(".")) {
      Finding skipped = Finding.notServed("its name begins with a dot");
      String name = PosixDirectory.nameOf(path);
      return List.of(CheckedFile.notServed(name, List.of(skipped)));
    }
    Path directory = Files.createTempDirectory("jmmv-check");
    Path link = directory.resolve(path.getFileName());
    try {
      Files.createSymbolicLink(link, path.toAbsolutePath());
      return checkDirectory(directory, pcpVersion);
    } finally {
      Files.deleteIfExists(link);
      Files.delete(directory);
    }
  }

  private static void print(Map<Path, List<CheckedFile>> checked, Writer out) throws IOException {
    List<String> lines = new ArrayList<>();
    int good = 0;
    int total = 0;
    for (Map.Entry<Path, List<CheckedFile>> path : checked.entrySet()) {
      if (checked.size() > 1 && !Files.isRegularFile(path.getKey())) {
        lines.add(printable(path.getKey().toString()) + ":");
      }
      for (CheckedFile file : path.getValue()) {
        print(file, lines);
        good += file.isGood() ? 1 : 0;
        total++;
      }
    }
    lines.add("%d of %d files served completely".formatted(good, total));
    out.write(String.join("\n", lines) + "\n");
  }

  private static void print(CheckedFile file, List<String> lines) {
    String name = file.name().isEmpty() ? "the directory" : printable(file.name());
    String metrics =
        file.isServed() ? ", %d of %d metrics".formatted(file.served(), file.metrics()) : "";
    lines.add(name + ": " + file.state() + metrics);
    for (Finding found : file.findings()) {
      String place = found.entry().isEmpty() ? "" : found.entry() + " at " + found.offset() + ": ";
      String more = found.more() == 0 ? "" : " (and " + found.more() + " more like it)";
      lines.add("  " + place + found.problem() + more);
      lines.add("    lost: " + found.loss());
      lines.add("    to do: " + found.advice());
    }
  }

  private static void printJson(Map<Path, List<CheckedFile>> checked, Writer out)
      throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartArray();
      for (Map.Entry<Path, List<CheckedFile>> path : checked.entrySet()) {
        json.writeStartObject();
        json.writeStringField("path", path.getKey().toString());
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
    for (Finding found : file.findings()) {
      json.writeStartObject();
      if (!found.entry().isEmpty()) {
        json.writeStringField("section", found.section());
        if (found.index() >= 0) {
          json.writeNumberField("entry", found.index());
        }
        json.writeNumberField("offset", found.offset());
      }
      json.writeStringField("problem", found.problem());
      json.writeStringField("lost", found.loss());
      json.writeStringField("toDo", found.advice());
      json.writeNumberField("more", found.more());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
