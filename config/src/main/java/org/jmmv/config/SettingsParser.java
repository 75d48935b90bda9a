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
import org.jmmv.pcp.Network;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.Limits;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.reader.watch.ProcessRule;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/**
 * Parses the settings file. All errors are collected, with line and column. The classes of the TOML
 * library are used only here, so that they are not loaded if there is no file.
 */
final class SettingsParser {
  /** With less, a file that its application writes now and then would be withdrawn. */
  private static final Duration STALE_AFTER = Duration.ofHours(1);

  private SettingsParser() {}

  /**
   * Parses the file.
   *
   * @param file for messages
   * @throws SettingsException if the file has errors, of which it names up to 20
   */
  static Settings parse(Path file, byte[] content) throws SettingsException {
    SettingsErrors errors = new SettingsErrors();
    Settings settings = settings(content, errors);
    errors.throwIfAny(file);
    return settings;
  }

  private static Settings settings(byte[] content, SettingsErrors errors) {
    CharBuffer text = CharBuffer.allocate(content.length);
    boolean isText = !UTF_8.newDecoder().decode(ByteBuffer.wrap(content), text, true).isError();
    text.flip();
    String[] lines = text.toString().split("\n", -1);
    if (!isText) {
      errors.add(lines.length, lines[lines.length - 1].length() + 1, "not UTF-8");
      return Settings.DEFAULT;
    }
    TomlParseResult root = Toml.parse(text.toString());
    for (TomlParseError error : root.errors()) {
      errors.add(error.position(), error.getMessage());
    }
    if (root.errors().stream()
        .anyMatch(error -> lines[error.position().line() - 1].stripLeading().startsWith("["))) {
      return Settings.DEFAULT; // the keys below a broken heading are not in their table
    }
    SettingsTable top = new SettingsTable(errors, root);
    Settings settings = settings(top);
    top.reportUnknownKeys();
    return settings;
  }

  private static Settings settings(SettingsTable top) {
    boolean hasStatus = top.flag("status", true);
    SettingsTable limits = top.table("limits");
    SettingsTable log = top.table("log");
    return new Settings(
        Limits.of(limit -> limits.number(limit.key(), 1, limit.max(), limit.byDefault())),
        hasStatus,
        log.path("file", "-"),
        log.debugOptions("debug"),
        directories(top.tables("directory")),
        http(top.table("http")));
  }

  private static HttpSettings http(SettingsTable table) {
    Optional<Path> chain = table.path("cert", "");
    Optional<Path> key = table.path("key", "");
    if (chain.isPresent() != key.isPresent()) {
      table.report(chain.isPresent() ? "cert" : "key", "cert and key belong together");
    }
    return new HttpSettings(
        table.values("listen", Addresses::http).stream().flatMap(List::stream).toList(),
        Set.copyOf(table.values("hosts", Addresses::host)),
        Set.copyOf(table.values("origins", SettingsParser::origin)),
        table.choice("naming", "prometheus", "pcp").equals("pcp"),
        table.number("max_series", 0, Integer.MAX_VALUE, 0),
        table.number("history", 0, Integer.MAX_VALUE, HttpSettings.DEFAULT.history()),
        chain.flatMap(path -> key.map(other -> new CertificateFiles(path, other))),
        table.path("client_ca", ""),
        table.users("users"),
        table.values("trusted_proxies", SettingsParser::proxy));
  }

  private static Network proxy(String text) {
    Network network = Addresses.network(text);
    if (network.bits() == 0) {
      throw Converters.wrong("the network of a proxy: all addresses are in it", text);
    }
    return network;
  }

  private static String origin(String text) {
    if (!text.matches("https?://[^/]+")) {
      throw Converters.wrong("an origin such as https://grafana.example.com", text);
    }
    return text.toLowerCase(Locale.ROOT); // as browsers write it
  }

  private static List<DirectorySettings> directories(List<SettingsTable> tables) {
    List<DirectorySettings> directories = new ArrayList<>();
    for (SettingsTable table : tables) {
      directories.add(directory(table, tables.size() > 1, directories));
    }
    return directories;
  }

  private static DirectorySettings directory(
      SettingsTable table, boolean isOneOfSeveral, List<DirectorySettings> before) {
    Optional<Path> path = table.path("path", "").map(Path::normalize);
    if (isOneOfSeveral && !table.has("path")) {
      table.report("path", "missing; each of several directories needs one");
    }
    if (path.isPresent() && before.stream().anyMatch(other -> other.path().equals(path))) {
      table.report("path", path.get() + " is the path of another directory, too");
    }
    if (path.isPresent()
        && !before.isEmpty()
        && path.get().toString().getBytes(UTF_8).length > Converters.MAX_PATH) {
      table.report("path", "longer than %d bytes".formatted(Converters.MAX_PATH));
    }
    String prefix = table.prefix("prefix");
    String process = table.choice("process", "auto", "pid", "open", "ignore");
    String stale = table.choice("stale", "keep", "withdraw");
    Duration staleAfter = table.duration("stale_after", STALE_AFTER);
    return new DirectorySettings(
        path,
        new FileRules(
            table.values("include", NamePattern::of),
            table.values("exclude", NamePattern::of),
            ProcessRule.valueOf(process.toUpperCase(Locale.ROOT)),
            stale.equals("withdraw") ? Optional.of(staleAfter) : Optional.empty()),
        prefix,
        table.labels("labels"));
  }
}
