package org.jmmv.pcp;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses labels. It reads a JSON text once from left to right, records the positions of the names
 * and values of labels, and copies the text without white space. The time is linear in the length
 * of the text. The parser does not recurse, so that a deeply nested text can't exhaust the stack.
 */
public final class LabelParser {
  /** The maximum nesting depth. libpcp silently drops labels that are nested more deeply. */
  private static final int MAX_DEPTH = 63;

  private static final int MAX_NAME = 254; // MAXLABELNAMELEN of libpcp, without its NUL

  // of up to MAX_NAME chars, by the rules of PCP 7.2; before, the first one has to be a letter
  private static final Pattern NAME = Pattern.compile("\"[A-Za-z0-9_]{1,254}\"");
  private static final Pattern DOTTED_NAME = Pattern.compile("\"[A-Za-z0-9_.]{1,254}\"");

  /**
   * A string. The quantifier is possessive, because a backtracking one needs stack in proportion to
   * the string's length.
   */
  private static final Pattern STRING =
      Pattern.compile("\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*+\"");

  /** A string, number or literal. */
  private static final Pattern SCALAR =
      Pattern.compile(
          STRING + "|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?" + "|true|false|null");

  /**
   * The labels that PCP 7.2 serves of a record.
   *
   * @param isStrict whether {@link #parse(String, int)} accepts the names, too
   * @param skipped why a label was skipped; null if none was
   */
  public record Relaxed(Labels labels, boolean isStrict, String skipped) {}

  private final String text;
  private final int flags;
  private final boolean isRelaxed;
  private boolean isStrict = true; // whether all names so far are valid before PCP 7.2
  private final SortedMap<String, LabelEntry> labels = new TreeMap<>();
  private final StringBuilder json;
  private int at;

  // the enclosing objects and lists
  private int depth;
  private int outermostList; // depth of the outermost enclosing list, 0 if there is none
  private final char[] closing = new char[MAX_DEPTH + 1];
  private final int[] pathLength = new int[MAX_DEPTH + 1];

  // the label being read
  private final StringBuilder path = new StringBuilder(); // its full name
  private int textOffset;
  private int nameOffset;
  private int nameLength;
  private int valueOffset;

  // the label being skipped
  private int skipDepth; // of the object that has it, 0 if there is none
  private int skipStart; // in json
  private IllegalArgumentException skipped; // why the first one was skipped

  private LabelParser(String text, int flags, boolean isRelaxed) {
    this.text = text;
    this.flags = flags;
    this.isRelaxed = isRelaxed;
    json = new StringBuilder(text.length());
  }

  /**
   * Parses the JSON object of a label record. As in libpcp, a text without any characters except
   * white space counts as an empty object.
   *
   * @param text the JSON text, one char per byte
   * @param flags the record's flags; with {@link LabelType#COMPOUND}, names may contain dots
   * @throws IllegalArgumentException if the text is not a JSON object (RFC 8259) or does not
   *     conform to the rules for labels (pmLookupLabels(3)). The message is ASCII and contains the
   *     problem and its offset in bytes
   */
  public static Labels parse(String text, int flags) {
    return new LabelParser(text, flags, false).parse();
  }

  /**
   * As {@link #parse(String, int)}, by the rules of PCP 7.2: a name may begin with a digit or "_",
   * and a label with an invalid name is skipped, unless all have one.
   */
  public static Relaxed parseRelaxed(String text, int flags) {
    LabelParser parser = new LabelParser(text, flags, true);
    Labels labels = parser.parse();
    if (parser.skipped != null && labels.entries().isEmpty()) {
      throw parser.skipped;
    }
    String skipped = parser.skipped == null ? null : parser.skipped.getMessage();
    return new Relaxed(labels, parser.isStrict, skipped);
  }

  private Labels parse() {
    List<LabelEntry> entries = List.copyOf(read().values());
    return new Labels(entries.isEmpty() ? "" : json.toString(), entries);
  }

  /** Returns whether a text can be the name of a label. */
  public static boolean isName(String text) {
    return NAME.matcher('"' + text + '"').matches() && isLetter(text.charAt(0));
  }

  /** Returns the labels of a JSON object by their full names. */
  static SortedMap<String, LabelEntry> labels(String json) {
    return new LabelParser(json, LabelType.COMPOUND, true).read();
  }

  private SortedMap<String, LabelEntry> read() {
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
        int start = json.length();
        if (!first) {
          readComma();
        }
        if (closing[depth] == '}') {
          readName(start);
        }
        first = beginValue();
      }
      if (skipDepth > 0 && depth == skipDepth && !first) {
        json.setLength(skipStart);
        skipDepth = 0;
      }
    }
    skipBlanks();
    if (at < text.length()) {
      throw expected("the end");
    }
    return labels;
  }

  /** Reads a comma, which is not copied behind a bracket: what was there has been skipped. */
  private void readComma() {
    if (!take(',')) {
      throw expected("',' or '" + closing[depth] + "'");
    }
    int before = json.length() - 2;
    if (json.charAt(before) == '{') {
      json.setLength(before + 1);
    }
  }

  /**
   * Reads a name and the colon.
   *
   * @param start where the label begins in {@code json}, with the comma before it
   */
  private void readName(int start) {
    skipBlanks();
    int begin = at;
    int offset = json.length() + 1;
    boolean isName = take((flags & LabelType.COMPOUND) == 0 ? NAME : DOTTED_NAME);
    boolean isStrictName = isName && isLetter(text.charAt(begin + 1));
    isStrict &= isStrictName;
    if (!(isRelaxed ? isName : isStrictName)) {
      IllegalArgumentException reason = malformed("a label's name expected", begin);
      if (!isRelaxed || !take(STRING)) {
        throw reason;
      }
      skip(start, reason);
    }
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

  /** Begins to skip a label, unless one is being skipped around it. */
  private void skip(int start, IllegalArgumentException reason) {
    if (skipDepth == 0) {
      skipDepth = depth;
      skipStart = start;
      skipped = skipped == null ? reason : skipped;
    }
  }

  /**
   * Reads a scalar, or the opening bracket of an object or list. Returns true for an object or
   * list.
   */
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
    if (!take(SCALAR)) {
      throw expected("a value");
    }
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
      addLabel(true); // libpcp flags an empty object as compound
    }
  }

  private void addLabel(boolean compound) {
    if (skipDepth > 0) {
      return;
    }
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

  private boolean take(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      return false;
    }
    json.append(text, at, matcher.end());
    at = matcher.end();
    return true;
  }

  private static boolean isLetter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  private IllegalArgumentException expected(String what) {
    return malformed(what + " expected", at);
  }

  private static IllegalArgumentException malformed(String what, int at) {
    return new IllegalArgumentException(what + " at byte " + at + " of the JSON text");
  }
}
