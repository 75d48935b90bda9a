package org.jmmv.protocol;

import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelEntry;

/**
 * A set of labels in a {@link Label}.
 *
 * @param instance the labelled instance for type INSTANCES, otherwise {@link Instance#NULL}
 * @param json a JSON object of at most {@link LabelEntry#MAX_JSON} bytes; "" if there are no labels
 * @param labels at most {@link LabelEntry#MAX_PER_SET}, sorted by name
 */
public record LabelSet(int instance, String json, List<LabelEntry> labels) {

  public LabelSet {
    labels = List.copyOf(labels);
    if (labels.size() > LabelEntry.MAX_PER_SET || json.length() > LabelEntry.MAX_JSON) {
      throw new IllegalArgumentException(labels.size() + " labels in " + json.length() + " bytes");
    }
  }
}
