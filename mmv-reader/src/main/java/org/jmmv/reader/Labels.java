package org.jmmv.reader;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.LabelType;

/**
 * One or several labels: a compact JSON object, and where its names and values are.
 *
 * <p>Texts hold one byte per character. What a label is, and what a name may be, is told by
 * pmLookupLabels(3): an object in the object makes labels named {@code a.b}, all other values,
 * lists with all that is in them too, belong to one label each.
 *
 * @param json an object without white space; for one empty record, an empty text
 * @param entries the labels, sorted by their full names
 */
public record Labels(String json, List<LabelEntry> entries) {
  private static final int MAX_NAME = 254; // MAXLABELNAMELEN of libpcp, without its NUL

  public Labels {
    entries = List.copyOf(entries);
  }

  /**
   * Reads one JSON object. A blank text counts as an empty one, as in libpcp.
   *
   * @param flags the record's flags: with {@link LabelType#COMPOUND}, names may hold dots
   * @throws IllegalArgumentException if the text is no JSON object (RFC 8259) or can't be a set of
   *     labels; the message tells in ASCII what is wrong at which byte of the text
   */
  public static Labels parse(String text, int flags) {
    Parser parser = new Parser(text, flags);
    List<LabelEntry> entries = List.copyOf(parser.read().values());
    return new Labels(entries.isEmpty() ? "" : parser.json.toString(), entries);
  }

  /**
   * Both sets in one, with full names, sorted; where both have a name, the later value counts.
   *
   * @return this set, unchanged, if the result had more than 254 labels or 65,534 bytes
   */
  public Labels merge(Labels later) {
    SortedMap<String, Found> byName = new TreeMap<>();
    addTo(byName);
    later.addTo(byName);
    StringBuilder text = new StringBuilder("{");
    List<LabelEntry> merged = new ArrayList<>(byName.size());
    byName.forEach((name, found) -> {
      int nameOffset = text.append(merged.isEmpty() ? "\"" : ",\"").length();
      int valueOffset = text.append(name).append("\":").length();
      LabelEntry entry = found.entry;
      text.append(found.json, entry.valueOffset(), entry.valueOffset() + entry.valueLength());
      merged.add(
          new LabelEntry(
              nameOffset, name.length(), entry.flags(), valueOffset, entry.valueLength()));
    });
    text.append('}');
    return merged.size() > LabelEntry.MAX_PER_SET || text.length() > LabelEntry.MAX_JSON
        ? this
        : new Labels(text.toString(), merged);
  }

  /** A label, and the text that its offsets are for. */
  private record Found(String json, LabelEntry entry) {}

  private void addTo(Map<String, Found> byName) {
    Iterator<LabelEntry> entry = entries.iterator();
    for (String name : fullNames()) {
      byName.put(name, new Found(json, entry.next()));
    }
  }

  /** The labels' names, {@code a.b} for nested ones, in the order of the entries. */
  private List<String> fullNames() {
    int flatLength = 1; // {"name":value,"name":value}
    for (LabelEntry entry : entries) {
      flatLength += entry.nameLength() + entry.valueLength() + "\"\":,".length();
    }
    if (json.length() > flatLength) { // there are nested objects
      return List.copyOf(new Parser(json, LabelType.COMPOUND).read().keySet());
    }
    List<String> names = new ArrayList<>(entries.size());
    for (LabelEntry entry : entries) {
      names.add(json.substring(entry.nameOffset(), entry.nameOffset() + entry.nameLength()));
    }
    return names;
  }

  /** Reads a text once from left to right, and writes it without its white space. */
  private static final class Parser {
    /** libpcp loses, without a word, what is on deeper levels. */
    private static final int MAX_DEPTH = 63;

    // the length is MAX_NAME's
    private static final Pattern NAME = Pattern.compile("\"[A-Za-z][A-Za-z0-9_]{0,253}\"");
    private static final Pattern DOTTED_NAME = Pattern.compile("\"[A-Za-z][A-Za-z0-9_.]{0,253}\"");

    /** A string, number or literal. Possessive, so that no stack grows with a string's length. */
    private static final Pattern SCALAR =
        Pattern.compile(
            "\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*+\""
                + "|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
                + "|true|false|null");

    private final String text;
    private final int flags;
    private final SortedMap<String, LabelEntry> labels = new TreeMap<>();
    private final StringBuilder json;
    private int at;

    // the objects and lists that are open
    private int depth;
    private int outermostList; // its depth, or 0
    private final char[] closing = new char[MAX_DEPTH + 1];
    private final int[] pathLength = new int[MAX_DEPTH + 1];

    // the label being read
    private final StringBuilder path = new StringBuilder(); // its full name
    private int textOffset;
    private int nameOffset;
    private int nameLength;
    private int valueOffset;

    Parser(String text, int flags) {
      this.text = text;
      this.flags = flags;
      json = new StringBuilder(text.length());
    }

    /** The labels by their full names. */
    SortedMap<String, LabelEntry> read() {
      if (text.length() > LabelEntry.MAX_JSON) {
        throw new IllegalArgumentException("JSON text of " + text.length() + " bytes");
      }
      skipBlanks();
      if (at == text.length()) {
        return labels;
      }
      if (!take('{')) {
        throw expected("'{'");
      }
      open('}');
      boolean first = true; // in the innermost object or list
      while (depth > 0) {
        if (take(closing[depth])) {
          close(first);
          first = false;
        } else {
          if (!first && !take(',')) {
            throw expected("',' or '" + closing[depth] + "'");
          }
          if (closing[depth] == '}') {
            readName();
          }
          first = beginValue();
        }
      }
      skipBlanks();
      if (at < text.length()) {
        throw expected("the end");
      }
      return labels;
    }

    private void readName() {
      skipBlanks();
      int begin = at;
      int offset = json.length() + 1;
      match((flags & LabelType.COMPOUND) == 0 ? NAME : DOTTED_NAME, "a label's name");
      if (outermostList == 0) {
        textOffset = begin;
        nameOffset = offset;
        nameLength = at - begin - 2;
        path.setLength(pathLength[depth]);
        path.append(depth > 1 ? "." : "").append(text, begin + 1, at - 1);
        if (path.length() > MAX_NAME) {
          throw malformed("name of " + path.length() + " bytes", begin);
        }
      }
      if (!take(':')) {
        throw expected("':'");
      }
    }

    /** Reads a scalar, or the beginning of an object or list. Returns whether it was the latter. */
    private boolean beginValue() {
      skipBlanks();
      if (depth == MAX_DEPTH) {
        throw malformed("nested too deeply", at);
      }
      if (outermostList == 0) {
        valueOffset = json.length();
      }
      if (take('{')) {
        open('}');
        return true;
      }
      if (take('[')) {
        open(']');
        return true;
      }
      match(SCALAR, "a value");
      if (outermostList == 0) {
        addLabel(depth > 1);
      }
      return false;
    }

    private void open(char close) {
      closing[++depth] = close;
      pathLength[depth] = path.length();
      if (close == ']' && outermostList == 0) {
        outermostList = depth;
      }
    }

    private void close(boolean empty) {
      depth--;
      if (outermostList == depth + 1) {
        outermostList = 0;
        addLabel(depth > 1);
      } else if (outermostList == 0 && empty && depth > 0) {
        addLabel(true); // an empty object is a value, but flagged by libpcp as if nested
      }
    }

    private void addLabel(boolean compound) {
      LabelEntry entry =
          new LabelEntry(
              nameOffset,
              nameLength,
              (flags | (compound ? LabelType.COMPOUND : 0)) & 0xff,
              valueOffset,
              json.length() - valueOffset);
      if (labels.putIfAbsent(path.toString(), entry) != null) {
        throw malformed("name given twice", textOffset);
      }
      if (labels.size() > LabelEntry.MAX_PER_SET) {
        throw malformed("more than " + LabelEntry.MAX_PER_SET + " labels", textOffset);
      }
    }

    private void skipBlanks() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
    }

    private boolean take(char c) {
      skipBlanks();
      if (at == text.length() || text.charAt(at) != c) {
        return false;
      }
      json.append(c);
      at++;
      return true;
    }

    private void match(Pattern pattern, String what) {
      Matcher matcher = pattern.matcher(text).region(at, text.length());
      if (!matcher.lookingAt()) {
        throw expected(what);
      }
      json.append(text, at, matcher.end());
      at = matcher.end();
    }

    private IllegalArgumentException expected(String what) {
      return malformed(what + " expected", at);
    }

    private static IllegalArgumentException malformed(String what, int at) {
      return new IllegalArgumentException(what + " at byte " + at + " of the JSON text");
    }
  }
}
