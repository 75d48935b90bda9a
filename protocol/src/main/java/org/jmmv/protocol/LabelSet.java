package org.jmmv.protocol;

import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelEntry;

/**
 * The labels of one thing, or of one instance, in a {@link Label}.
 *
 * @param instance {@link Instance#NULL} but in sets of type INSTANCES
 * @param json a JSON object of at most 65,534 bytes, or ""
 * @param labels at most 254, sorted by name
 */
public record LabelSet(int instance, String json, List<LabelEntry> labels) {

  public LabelSet {
    labels = List.copyOf(labels);
    if (labels.size() > LabelEntry.MAX_PER_SET || json.length() > LabelEntry.MAX_JSON) {
      throw new IllegalArgumentException(labels.size() + " labels in " + json.length() + " bytes");
    }
  }
}
