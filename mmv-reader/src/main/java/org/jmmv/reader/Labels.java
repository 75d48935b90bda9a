package org.jmmv.reader;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jmmv.pcp.LabelEntry;

/**
 * A set of labels (pmLookupLabels(3)): a JSON object, and where in it the names and values are.
 *
 * <p>The text has one char per byte. A member {@code b} of a nested object {@code a} is the label
 * {@code a.b}; any other value, a list included, is the value of one label.
 *
 * @param json an object without white space; empty for a record without labels
 * @param entries the labels, sorted by their full names
 */
public record Labels(String json, List<LabelEntry> entries) {
  public Labels {
    entries = List.copyOf(entries);
  }

  /**
   * Merges two sets into one, flat and sorted by full names. Where both sets have a name, the value
   * of {@code later} counts, as in libpcp.
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
      return List.copyOf(LabelParser.labels(json).keySet());
    }
    List<String> names = new ArrayList<>(entries.size());
    for (LabelEntry entry : entries) {
      names.add(json.substring(entry.nameOffset(), entry.nameOffset() + entry.nameLength()));
    }
    return names;
  }
}
