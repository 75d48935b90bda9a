package org.jmmv.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.reader.watch.DirectorySettings;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlKeyValue;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * A table of the settings file. Its methods return the default of a key that is missing or invalid.
 */
final class SettingsTable {
  /** The maximum number of patterns in a list. */
  private static final int MAX_VALUES = 100;

  /** The maximum length of a prefix, which is kept with each metric. */
  private static final String BCRYPT = "\\$2[aby]\\$(0[4-9]|1[0-4])\\$[./A-Za-z0-9]{53}";

  private static final int MAX_PREFIX = 64;

  /** A component of a metric's name. */
  static final String NAME_PART = "[A-Za-z][A-Za-z0-9_]*";

  /** Below it are the metrics of the agent itself. */
  private static final String OWN_NODE = "control";

  private final SettingsErrors errors;
  private final String name; // with a dot at its end, or empty
  private final TomlTable table;
  private final TomlPosition position; // of the table; null: not in the file

  /** Creates a table, and adds errors for keys that are not known. */
  SettingsTable(
      SettingsErrors errors,
      String name,
      TomlTable table,
      TomlPosition position,
      List<String> known) {
    this.errors = errors;
    this.name = name;
    this.table = table;
    this.position = position;
    for (String key : table.keySet()) {
      if (!known.contains(key)) {
        Optional<String> near = Suggestion.nearest(key, known);
        errors.add(
            table.inputPositionOf(List.of(key)),
            name
                + key
                + ": unknown key; "
                + near.map(other -> "did you mean " + name + other + "?")
                    .orElseGet(() -> "the keys are " + String.join(", ", known)));
      }
    }
  }

  private Object get(String key) {
    return table.get(List.of(key));
  }

  boolean has(String key) {
    return get(key) != null;
  }

  /** Reports the value of a key; the table if there is no such key. */
  void wrong(String key, String reason) {
    TomlKeyValue entry = table.entry(List.of(key));
    TomlPosition ofKey = table.inputPositionOf(List.of(key));
    errors.add(
        entry != null ? entry.value().position() : ofKey != null ? ofKey : position,
        name + key + ": " + reason);
  }

  private void isNot(String key, String wanted) {
    wrong(key, shown(get(key)) + " is not " + wanted);
  }

  /** Returns the table of a key; an empty one if there is none. */
  SettingsTable table(String key, List<String> known) {
    boolean isTable = get(key) instanceof TomlTable;
    if (get(key) != null && !isTable) {
      isNot(key, "a table");
    }
    return new SettingsTable(
        errors, name + key + '.', isTable ? (TomlTable) get(key) : Toml.parse(""), null, known);
  }

  /** Returns the tables of an array; an empty one if there is none. */
  List<SettingsTable> tables(String key, int max, List<String> known) {
    List<SettingsTable> tables = new ArrayList<>();
    switch (get(key)) {
      case null -> {}
      case TomlArray array -> {
        for (int i = 0; i < array.size(); i++) {
          if (!(array.get(i) instanceof TomlTable found)) {
            errors.add(
                array.inputPositionOf(i),
                name + key + ": " + shown(array.get(i)) + " is not a table");
          } else if (tables.size() == max) {
            errors.add(
                array.inputPositionOf(i), name + key + ": at most " + max + " are permitted");
            break;
          } else {
            tables.add(
                new SettingsTable(
                    errors, name + key + '.', found, array.inputPositionOf(i), known));
          }
        }
      }
      case TomlTable _ -> wrong(key, "there must be two brackets: [[%s]]".formatted(key));
      default -> isNot(key, "an array of tables: [[%s]]".formatted(key));
    }
    return tables.isEmpty()
        ? List.of(new SettingsTable(errors, name + key + '.', Toml.parse(""), null, known))
        : tables;
  }

  int number(String key, int max, int byDefault) {
    if (get(key) instanceof Long number && number >= 1 && number <= max) {
      return number.intValue();
    }
    if (get(key) != null) {
      isNot(key, "a number from 1 to " + max);
    }
    return byDefault;
  }

  boolean flag(String key, boolean byDefault) {
    if (get(key) instanceof Boolean flag) {
      return flag;
    }
    if (get(key) != null) {
      isNot(key, "true or false");
    }
    return byDefault;
  }

  /** Returns one of some texts; the first one is the default. */
  String choice(String key, String... texts) {
    if (get(key) instanceof String text && List.of(texts).contains(text)) {
      return text;
    }
    if (get(key) != null) {
      isNot(key, '"' + String.join("\" or \"", texts) + '"');
    }
    return texts[0];
  }

  Duration duration(String key, Duration byDefault) {
    Optional<Duration> duration =
        get(key) instanceof String text ? Durations.parse(text) : Optional.empty();
    if (get(key) != null && duration.isEmpty()) {
      isNot(key, Durations.EXAMPLES);
    }
    return duration.orElse(byDefault);
  }

  /**
   * Returns an absolute path.
   *
   * @param other a text that is permitted as well
   */
  Optional<Path> path(String key, String other) {
    if (get(key) instanceof String text && !text.isEmpty()) {
      try {
        Path path = Path.of(text);
        if (path.isAbsolute() || text.equals(other)) {
          return Optional.of(path);
        }
      } catch (InvalidPathException e) {
        // reported below
      }
    }
    if (get(key) != null) {
      isNot(key, "an absolute path" + (other.isEmpty() ? "" : ", or \"" + other + '"'));
    }
    return Optional.empty();
  }

  String prefix(String key) {
    if (get(key) == null) {
      return "";
    }
    if (!(get(key) instanceof String text)
        || text.length() > MAX_PREFIX
        || !text.matches(NAME_PART + "(\\." + NAME_PART + ")*")) {
      isNot(
          key,
          "a name of at most %d characters: letters, digits and \"_\", a letter first, parts separated by dots"
              .formatted(MAX_PREFIX));
      return "";
    }
    if (text.equals(OWN_NODE) || text.startsWith(OWN_NODE + '.')) {
      wrong(key, "%s has the metrics of the agent itself".formatted(OWN_NODE));
      return "";
    }
    return text;
  }

  DebugOptions debugOptions(String key) {
    DebugOptions options = new DebugOptions();
    forEachText(key, options::set);
    return options;
  }

  /**
   * Returns the values of a list of texts.
   *
   * @param parser throws an IllegalArgumentException if a text is invalid
   */
  <T> List<T> values(String key, Function<String, T> parser) {
    List<T> values = new ArrayList<>();
    forEachText(
        key,
        text -> {
          if (values.size() == MAX_VALUES) {
            throw new IllegalArgumentException("at most %d are permitted".formatted(MAX_VALUES));
          }
          values.add(parser.apply(text));
        });
    return values;
  }

  /** Returns the users of a table, with the bcrypt hashes of their passwords. */
  Map<String, String> users(String key) {
    Map<String, String> users = new TreeMap<>();
    if (!(get(key) instanceof TomlTable found)) {
      if (get(key) != null) {
        isNot(key, "a table of users");
      }
      return users;
    }
    SettingsTable table =
        new SettingsTable(errors, name + key + '.', found, null, List.copyOf(found.keySet()));
    for (String user : found.keySet()) {
      if (table.get(user) instanceof String hash && hash.matches(BCRYPT)) {
        users.put(user, hash);
      } else {
        table.wrong(
            user,
            "not a bcrypt hash with a cost of 4 to 14, such as htpasswd -nBC 10 %s prints"
                .formatted(user));
      }
    }
    if (users.size() > MAX_VALUES) {
      wrong(key, "at most %d users are permitted".formatted(MAX_VALUES));
    }
    return users;
  }

  /** Passes the texts of a list to an action, which throws an exception if one is invalid. */
  private void forEachText(String key, Consumer<String> action) {
    if (get(key) instanceof TomlArray list) {
      for (int i = 0; i < list.size(); i++) {
        try {
          if (!(list.get(i) instanceof String text)) {
            throw new IllegalArgumentException(shown(list.get(i)) + " is not a text in quotes");
          }
          action.accept(text);
        } catch (IllegalArgumentException e) {
          errors.add(list.inputPositionOf(i), name + key + ": " + e.getMessage());
        }
      }
    } else if (get(key) != null) {
      isNot(key, "a list of texts: [\"...\", \"...\"]");
    }
  }

  Labels labels(String key) {
    Labels none = DirectorySettings.DEFAULT.labels();
    if (!(get(key) instanceof TomlTable found)) {
      if (get(key) != null) {
        isNot(key, "a table of labels");
      }
      return none;
    }
    SettingsTable labels =
        new SettingsTable(errors, name + key + '.', found, null, List.copyOf(found.keySet()));
    StringJoiner json = new StringJoiner(",", "{", "}");
    for (String label : found.keySet()) {
      Object value = labels.get(label);
      if (!LabelParser.isName(label)) {
        errors.add(
            found.inputPositionOf(List.of(label)),
            labels.name
                + label
                + ": the name of a label has letters, digits and \"_\", a letter first");
      } else if (value instanceof String text) {
        json.add('"' + label + "\":" + quoted(text));
      } else if (value instanceof Long || value instanceof Boolean) {
        json.add('"' + label + "\":" + value);
      } else {
        labels.isNot(label, "a text, a whole number, true or false");
      }
    }
    try {
      return LabelParser.parse(json.toString(), LabelType.CLUSTER);
    } catch (IllegalArgumentException e) { // too many labels, or too long
      wrong(key, e.getMessage());
      return none;
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

  /** Returns a text as a string of JSON, one char per byte of UTF-8. */
  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (char c : new String(text.getBytes(UTF_8), ISO_8859_1).toCharArray()) {
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
