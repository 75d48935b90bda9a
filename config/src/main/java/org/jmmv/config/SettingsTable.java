package org.jmmv.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlKeyValue;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * A table of the settings file. Its methods return the default of a key that is missing or invalid.
 * The keys that they are asked for are those that the file may have.
 */
final class SettingsTable {
  /** The hash of a password; a cost of more than 14 takes seconds. */
  private static final String BCRYPT = "\\$2[aby]\\$(0[4-9]|1[0-4])\\$[./A-Za-z0-9]{53}";

  private static final String PREFIX = Converters.NAME_PART + "(\\." + Converters.NAME_PART + ")*";

  /** Below it are the metrics of the agent itself. */
  private static final String OWN_NODE = "control";

  private final SettingsErrors errors;
  private final String name; // with a dot at its end, or empty
  private final TomlTable table;
  private final TomlPosition position; // of what is missing in the table
  private final Set<String> keys = new LinkedHashSet<>(); // that were asked for
  private final List<SettingsTable> tables = new ArrayList<>(); // likewise

  /** Creates the table of the whole file. */
  SettingsTable(SettingsErrors errors, TomlTable root) {
    this(errors, "", root, TomlPosition.positionAt(1, 1));
  }

  private SettingsTable(
      SettingsErrors errors, String name, TomlTable table, TomlPosition position) {
    this.errors = errors;
    this.name = name;
    this.table = table;
    this.position = position;
  }

  /** Reports each key that was not asked for, also in the tables of this one. */
  void reportUnknownKeys() {
    tables.forEach(SettingsTable::reportUnknownKeys);
    for (String key : table.keySet()) {
      if (!keys.contains(key)) {
        String known =
            Suggestion.nearest(key, keys)
                .map(near -> "did you mean " + name + near + "?")
                .orElseGet(() -> "the keys are " + String.join(", ", keys));
        reportKey(key, "unknown key; " + known);
      }
    }
  }

  private Object get(String key) {
    keys.add(key);
    return table.get(List.of(key));
  }

  boolean has(String key) {
    return get(key) != null;
  }

  /** Reports the value of a key; the table if there is no such key. */
  void report(String key, String reason) {
    TomlKeyValue entry = table.entry(List.of(key));
    if (entry == null || entry.value().position() == null) {
      reportKey(key, reason);
    } else {
      errors.add(entry.value().position(), name + key + ": " + reason);
    }
  }

  private void reportKey(String key, String reason) {
    errors.add(positionOf(table, key, position), name + key + ": " + reason);
  }

  /** Returns where a key is: a table may be there only by the keys and tables in it. */
  private static TomlPosition positionOf(TomlTable table, String key, TomlPosition otherwise) {
    TomlPosition position = table.inputPositionOf(List.of(key));
    if (position != null) {
      return position;
    }
    return switch (table.get(List.of(key))) {
      case TomlTable inner when !inner.isEmpty() ->
          positionOf(inner, inner.keySet().iterator().next(), otherwise);
      case TomlArray array when !array.isEmpty() -> array.inputPositionOf(0);
      case null, default -> otherwise;
    };
  }

  /**
   * Returns a value.
   *
   * @param wanted what it has to be, for the message
   * @param parser returns null for a value that is not wanted
   */
  private <T> T value(String key, T byDefault, String wanted, Function<Object, T> parser) {
    Object value = get(key);
    T parsed = value == null ? null : parser.apply(value);
    if (value != null && parsed == null) {
      report(key, shown(value) + " is not " + wanted);
    }
    return parsed == null ? byDefault : parsed;
  }

  int number(String key, int min, int max, int byDefault) {
    return value(
        key,
        byDefault,
        "a number from %d to %d".formatted(min, max),
        value ->
            value instanceof Long n && n >= min && n <= max ? Integer.valueOf(n.intValue()) : null);
  }

  boolean flag(String key, boolean byDefault) {
    return value(key, byDefault, "true or false", value -> value instanceof Boolean b ? b : null);
  }

  /** Returns one of some texts; the first one is the default. */
  String choice(String key, String... texts) {
    String wanted = '"' + String.join("\" or \"", texts) + '"';
    return value(
        key,
        texts[0],
        wanted,
        value -> value instanceof String text && List.of(texts).contains(text) ? text : null);
  }

  Duration duration(String key, Duration byDefault) {
    return value(
        key,
        byDefault,
        Converters.DURATIONS,
        value -> value instanceof String text ? Converters.parseDuration(text).orElse(null) : null);
  }

  /**
   * Returns an absolute path.
   *
   * @param other a text that is permitted, too; empty: none
   */
  Optional<Path> path(String key, String other) {
    String wanted = "an absolute path" + (other.isEmpty() ? "" : ", or \"" + other + '"');
    return value(
        key,
        Optional.empty(),
        wanted,
        value -> value instanceof String text ? absolute(text, other) : null);
  }

  private static Optional<Path> absolute(String text, String other) {
    try {
      Path path = Path.of(text);
      return path.isAbsolute() || (text.equals(other) && !text.isEmpty())
          ? Optional.of(path)
          : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  String prefix(String key) {
    String prefix =
        value(
            key,
            "",
            "a name of at most %d characters: letters, digits and \"_\", a letter first, parts separated by dots"
                .formatted(Converters.MAX_NAME),
            value ->
                value instanceof String text
                        && text.length() <= Converters.MAX_NAME
                        && text.matches(PREFIX)
                    ? text
                    : null);
    if (prefix.equals(OWN_NODE) || prefix.startsWith(OWN_NODE + '.')) {
      report(key, "%s has the metrics of the agent itself".formatted(OWN_NODE));
    }
    return prefix;
  }

  /** Returns debug options in the form of {@link DebugOptions#names}. */
  String debugOptions(String key) {
    DebugOptions options = new DebugOptions();
    values(key, DebugOptions::parse).forEach(one -> options.set(one.names()));
    return options.names();
  }

  /**
   * Returns the values of a list of texts.
   *
   * @param converter throws an IllegalArgumentException if a text is invalid
   */
  <T> List<T> values(String key, Function<String, T> converter) {
    List<T> values = new ArrayList<>();
    TomlArray list =
        value(
            key,
            null,
            "a list of texts: [\"...\", \"...\"]",
            value -> value instanceof TomlArray array ? array : null);
    for (int i = 0; list != null && i < list.size(); i++) {
      try {
        if (!(list.get(i) instanceof String text)) {
          throw new IllegalArgumentException(shown(list.get(i)) + " is not a text in quotes");
        }
        if (values.size() == Converters.MAX_VALUES) {
          throw new IllegalArgumentException(
              "at most %d are permitted".formatted(Converters.MAX_VALUES));
        }
        values.add(converter.apply(text));
      } catch (IllegalArgumentException e) {
        errors.add(list.inputPositionOf(i), name + key + ": " + e.getMessage());
      }
    }
    return values;
  }

  /** Returns the table of a key; an empty one if there is none. */
  SettingsTable table(String key) {
    return table(key, "a table");
  }

  private SettingsTable table(String key, String wanted) {
    TomlTable found =
        value(key, Toml.parse(""), wanted, value -> value instanceof TomlTable t ? t : null);
    return below(key, found, positionOf(table, key, position));
  }

  private SettingsTable below(String key, TomlTable found, TomlPosition at) {
    SettingsTable below = new SettingsTable(errors, name + key + '.', found, at);
    tables.add(below);
    return below;
  }

  /** Returns the tables of an array; an empty one if there is none. */
  List<SettingsTable> tables(String key) {
    List<SettingsTable> found = new ArrayList<>();
    switch (get(key)) {
      case null -> {}
      case TomlArray array -> {
        for (int i = 0; i < array.size(); i++) {
          TomlPosition at = array.inputPositionOf(i);
          if (!(array.get(i) instanceof TomlTable one)) {
            errors.add(at, name + key + ": " + shown(array.get(i)) + " is not a table");
          } else if (found.size() == Converters.MAX_VALUES) {
            errors.add(at, name + key + ": at most " + Converters.MAX_VALUES + " are permitted");
            break;
          } else {
            found.add(below(key, one, at));
          }
        }
      }
      case TomlTable _ -> report(key, "there must be two brackets: [[%s]]".formatted(key));
      case Object other ->
          report(key, shown(other) + " is not an array of tables: [[%s]]".formatted(key));
    }
    return found.isEmpty() ? List.of(below(key, Toml.parse(""), position)) : found;
  }

  /** Returns the users of a table, with the bcrypt hashes of their passwords. */
  Map<String, String> users(String key) {
    Map<String, String> users = new TreeMap<>();
    SettingsTable found = table(key, "a table of users");
    for (String user : found.table.keySet()) {
      Object value = found.get(user);
      if (user.indexOf(':') >= 0) {
        found.report(user, "the name of a user has no colon, which ends it in a request");
      } else if (value instanceof String hash && hash.matches(BCRYPT)) {
        users.put(user, hash);
      } else {
        found.report(
            user,
            "not a bcrypt hash with a cost of 4 to 14, such as htpasswd -nBC 10 %s prints"
                .formatted(user));
      }
    }
    if (users.size() > Converters.MAX_VALUES) {
      report(key, "at most %d users are permitted".formatted(Converters.MAX_VALUES));
    }
    return users;
  }

  Labels labels(String key) {
    SettingsTable found = table(key, "a table of labels");
    Map<String, Object> values = new HashMap<>();
    for (String label : found.table.keySet()) {
      Object value = found.get(label);
      if (!LabelParser.isName(label)) {
        found.reportKey(label, "the name of a label has letters, digits and \"_\", a letter first");
      } else if (value instanceof String text) {
        values.put(label, FileText.encode(text));
      } else if (value instanceof Long || value instanceof Boolean) {
        values.put(label, value);
      } else {
        found.report(label, shown(value) + " is not a text, a whole number, true or false");
      }
    }
    try {
      return Labels.of(values, LabelType.CLUSTER);
    } catch (IllegalArgumentException e) { // too many labels, or too long
      report(key, e.getMessage());
      return new Labels("", List.of());
    }
  }

  /** Returns a value for a message. */
  private static String shown(Object value) {
    return switch (value) {
      case String text -> '"' + text + '"';
      case TomlArray _ -> "a list";
      case TomlTable _ -> "a table";
      default -> value.toString();
    };
  }
}
