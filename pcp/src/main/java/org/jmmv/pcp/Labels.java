package org.jmmv.pcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A set of labels (pmLookupLabels(3)): a JSON object, and the offsets of names and values in it.
 *
 * <p>The text has one char per byte. A member {@code b} of a nested object {@code a} is the label
 * {@code a.b}. Any other value, including a list, is the value of one label.
 *
 * @param json a JSON object without white space; an empty string if there are no labels
 * @param entries the labels, sorted by full name; offsets and lengths are in bytes of {@code json}
 */
public record Labels(String json, List<LabelEntry> entries) {
  private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f]");

  public Labels {
    entries = List.copyOf(entries);
  }

  /**
   * Returns labels.
   *
   * @param values a string with one char per byte, a whole number or a boolean by each name
   * @param flags those of all labels
   * @throws IllegalArgumentException as {@link LabelParser#parse}
   */
  public static Labels of(Map<String, ?> values, int flags) {
    StringJoiner json = new StringJoiner(",", "{", "}");
    new TreeMap<>(values)
        .forEach((name, value) ->
            json.add(quoted(name) + ':' + (value instanceof String text ? quoted(text) : value)));
    return LabelParser.parse(json.toString(), flags);
  }

  private static String quoted(String text) {
    String escaped = text.replaceAll("[\"\\\\]", "\\\\$0");
    return CONTROL
        .matcher(escaped)
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)))
        .transform(string -> '"' + string + '"');
  }

  /**
   * Merges sets. As in libpcp, if several sets have a label, the value of the last one counts. A
   * set is left out if the result would have more than {@link LabelEntry#MAX_PER_SET} labels or
   * {@link LabelEntry#MAX_JSON} bytes. The time is linear in the length of all sets.
   *
   * @param sets at least one; sets with later values come later
   * @return a flat object, sorted by full name; the first set if no other one is merged into it
   */
  public static Labels merge(List<Labels> sets) {
    Labels first = sets.getFirst();
    Merger merger = new Merger(LabelEntry.MAX_PER_SET, LabelEntry.MAX_JSON);
    merger.add(first);
    boolean isMerged = false;
    for (Labels later : sets.subList(1, sets.size())) {
      isMerged |= merger.add(later);
    }
    return isMerged ? merger.labels() : first;
  }

  /** Merges all sets as {@link #merge} does, whatever the size of the result. */
  public static Labels mergeAll(List<Labels> sets) {
    Merger merger = new Merger(Integer.MAX_VALUE, Integer.MAX_VALUE);
    sets.forEach(merger::add);
    return merger.labels();
  }

  /** Returns what it takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofObject(2, 0)
        + HeapSize.ofText(json.length())
        + HeapSize.ofReferences(entries.size())
        + entries.size() * HeapSize.ofObject(0, 5 * Integer.BYTES);
  }

  /** Returns the labels that identify an object: those that are not optional. */
  public Labels identity() {
    Merger merger = new Merger(Integer.MAX_VALUE, Integer.MAX_VALUE);
    merger.add(this);
    merger.byName.values().removeIf(label -> (label.entry.flags() & LabelType.OPTIONAL) != 0);
    return merger.labels();
  }

  /** A label, and the text that its offsets refer to. */
  private record Found(String json, LabelEntry entry) {}

  /** The labels of several sets. */
  private static final class Merger {
    private final SortedMap<String, Found> byName = new TreeMap<>();
    private final int maxCount;
    private final int maxLength;
    private int length = "{".length(); // of the flat object, in which '}' replaces the last comma

    Merger(int maxCount, int maxLength) {
      this.maxCount = maxCount;
      this.maxLength = maxLength;
    }

    /** Adds the labels of a set, unless the result would be too large. */
    boolean add(Labels set) {
      List<String> names = set.fullNames();
      int newCount = byName.size();
      int newLength = length;
      for (int i = 0; i < names.size(); i++) {
        Found before = byName.get(names.get(i));
        newCount += before == null ? 1 : 0;
        newLength -= before == null ? 0 : length(names.get(i), before.entry);
        newLength += length(names.get(i), set.entries.get(i));
      }
      if (newCount > maxCount || newLength > maxLength) {
        return false;
      }
      for (int i = 0; i < names.size(); i++) {
        byName.put(names.get(i), new Found(set.json, set.entries.get(i)));
      }
      length = newLength;
      return true;
    }

    /** Returns the length of a label in a flat object: {@code "name":value,}. */
    private static int length(String name, LabelEntry entry) {
      return name.length() + entry.valueLength() + "\"\":,".length();
    }

    Labels labels() {
      StringBuilder text = new StringBuilder(length).append('{');
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
      return new Labels(text.append('}').toString(), merged);
    }
  }

  /** Returns the JSON texts of the values by the full names of the labels. */
  public SequencedMap<String, String> values() {
    SequencedMap<String, String> values = new LinkedHashMap<>();
    List<String> names = fullNames();
    for (int i = 0; i < names.size(); i++) {
      LabelEntry entry = entries.get(i);
      int start = entry.valueOffset();
      values.put(names.get(i), json.substring(start, start + entry.valueLength()));
    }
    return values;
  }

  /** Returns the full names of the labels, in the order of the entries. */
  private List<String> fullNames() {
    int flatLength = 1; // {"name":value,"name":value}
    for (LabelEntry entry : entries) {
      flatLength += entry.nameLength() + entry.valueLength() + "\"\":,".length();
    }
    if (json.length() > flatLength) { // there are nested objects
      return List.copyOf(LabelParser.labels(json).keySet());
    }
    List<String> names = new ArrayList<>(entries.size());
    for (LabelEntry entry : entries) {
      names.add(json.substring(entry.nameOffset(), entry.nameOffset() + entry.nameLength()));
    }
    return names;
  }
}
