package org.jmmv.reader;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jmmv.pcp.LabelEntry;

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
  public Labels {
    entries = List.copyOf(entries);
  }

  /**
   * Merges two sets. The result is a flat object, sorted by full name. As in libpcp, the value from
   * {@code later} is used if both sets have a label.
   *
   * @param later the set whose values take precedence
   * @return the merged set; this set if the result would have more than {@link
   *     LabelEntry#MAX_PER_SET} labels or {@link LabelEntry#MAX_JSON} bytes
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

  /** A label, and the text that its offsets refer to. */
  private record Found(String json, LabelEntry entry) {}

  private void addTo(Map<String, Found> byName) {
    Iterator<LabelEntry> entry = entries.iterator();
    for (String name : fullNames()) {
      byName.put(name, new Found(json, entry.next()));
    }
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
