package org.jmmv.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.reader.watch.ProcessRule;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses the settings file. All errors are collected, with line and column. The classes of the TOML
 * library are used only here, so that they are not loaded if there is no file.
 */
final class SettingsParser {
  /** The maximum number of directories, each of which costs each request a system call. */
  static final int MAX_DIRECTORIES = 100;

  /** The maximum length of a path that is a part of the names of files, in bytes. */
  static final int MAX_PATH = 255;

  private static final List<String> DIRECTORY_KEYS =
      List.of("path", "prefix", "process", "stale", "stale_after", "include", "exclude", "labels");

  private static final List<String> HTTP_KEYS =
      List.of("listen", "hosts", "origins", "naming", "cert", "key", "client_ca", "users");

  private static final Duration STALE_AFTER = Duration.ofHours(1);

  private final SettingsErrors errors = new SettingsErrors();

  private SettingsParser() {}

  /**
   * Parses the file.
   *
   * @param file for messages
   * @throws SettingsException if the file has errors, of which it names up to 20
   */
  static Settings parse(Path file, byte[] content) throws SettingsException {
    SettingsParser parser = new SettingsParser();
    Settings settings = parser.settings(content);
    parser.errors.throwIfAny(file);
    return settings;
  }

  private Settings settings(byte[] content) {
    CharBuffer text = CharBuffer.allocate(content.length);
    boolean isText = !UTF_8.newDecoder().decode(ByteBuffer.wrap(content), text, true).isError();
    text.flip();
    if (!isText) {
      String[] lines = text.toString().split("\n", -1);
      errors.add(lines.length, lines[lines.length - 1].length() + 1, "not UTF-8");
      return Settings.DEFAULT;
    }
    TomlParseResult root = Toml.parse(text.toString());
    for (TomlParseError error : root.errors()) {
      errors.add(error.position(), error.getMessage());
    }
    String[] lines = text.toString().split("\n", -1);
    if (root.errors().stream()
        .anyMatch(error -> lines[error.position().line() - 1].stripLeading().startsWith("["))) {
      return Settings.DEFAULT; // the keys below a broken heading are not in their table
    }
    return settings(root);
  }

  private Settings settings(TomlTable root) {
    SettingsTable top =
        new SettingsTable(
            errors, "", root, null, List.of("status", "limits", "log", "directory", "http"));
    SettingsTable limits = top.table("limits", Stream.of(Limit.values()).map(Limit::key).toList());
    SettingsTable log = top.table("log", List.of("file", "debug"));
    return new Settings(
        Limits.of(limit -> limits.number(limit.key(), limit.max(), limit.byDefault())),
        top.flag("status", true),
        log.path("file", "-"),
        log.debugOptions("debug"),
        directories(top.tables("directory", MAX_DIRECTORIES, DIRECTORY_KEYS)),
        http(top.table("http", HTTP_KEYS)));
  }

  private static HttpSettings http(SettingsTable table) {
    Optional<Path> chain = table.path("cert", "");
    Optional<Path> key = table.path("key", "");
    if (chain.isPresent() != key.isPresent()) {
      table.wrong(chain.isPresent() ? "cert" : "key", "cert and key belong together");
    }
    return new HttpSettings(
        table.values("listen", text -> converted(ServeCommand::http, text)).stream()
            .flatMap(address -> ServeCommand.resolve(address).stream())
            .toList(),
        Set.copyOf(table.values("hosts", text -> converted(ServeCommand::host, text))),
        Set.copyOf(table.values("origins", SettingsParser::origin)),
        table.choice("naming", "prometheus", "pcp").equals("pcp"),
        chain.isPresent() && key.isPresent()
            ? Optional.of(new CertificateFiles(chain.get(), key.get()))
            : Optional.empty(),
        table.path("client_ca", ""),
        table.users("users"));
  }

  /** Returns a value as an option has it. */
  private static <T> T converted(Function<String, T> converter, String text) {
    try {
      return converter.apply(text);
    } catch (TypeConversionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static String origin(String text) {
    if (!text.matches("https?://[^/]+")) {
      throw new IllegalArgumentException(
          "\"%s\" is not an origin such as https://grafana.example.com".formatted(text));
    }
    return text;
  }

  private List<DirectorySettings> directories(List<SettingsTable> tables) {
    List<DirectorySettings> directories = new ArrayList<>();
    for (SettingsTable table : tables) {
      Optional<Path> path = table.path("path", "").map(Path::normalize);
      if (tables.size() > 1 && !table.has("path")) {
        table.wrong("path", "missing; each of several directories needs one");
      }
      if (path.isPresent()) {
        if (directories.stream().anyMatch(other -> other.path().equals(path))) {
          table.wrong("path", path.get() + " is the path of another directory, too");
        }
        if (!directories.isEmpty() && path.get().toString().getBytes(UTF_8).length > MAX_PATH) {
          table.wrong("path", "longer than %d bytes".formatted(MAX_PATH));
        }
      }
      Duration staleAfter = table.duration("stale_after", STALE_AFTER);
      directories.add(
          new DirectorySettings(
              path,
              new FileRules(
                  table.values("include", NamePattern::of),
                  table.values("exclude", NamePattern::of),
                  ProcessRule.valueOf(
                      table
                          .choice("process", "auto", "pid", "open", "ignore")
                          .toUpperCase(Locale.ROOT)),
                  table.choice("stale", "keep", "withdraw").equals("withdraw")
                      ? Optional.of(staleAfter)
                      : Optional.empty()),
              table.prefix("prefix"),
              table.labels("labels")));
    }
    return directories;
  }
}
