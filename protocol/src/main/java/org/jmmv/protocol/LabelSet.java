package org.jmmv.protocol;

import java.util.List;

/**
 * The labels of one thing, or of one instance, in a {@link Label}.
 *
 * @param instance {@link Instance#NULL} but in sets of type INSTANCES
 * @param json a JSON object of at most 65,534 bytes, or ""
 * @param labels at most 254, sorted by name
 */
public record LabelSet(int instance, String json, List<LabelEntry> labels) {

  static final int MAX_LABELS = 254;
  static final int MAX_JSON_LENGTH = 65_534;

  public LabelSet {
    labels = List.copyOf(labels);
    if (labels.size() > MAX_LABELS || json.length() > MAX_JSON_LENGTH) {
      throw new IllegalArgumentException(labels.size() + " labels in " + json.length() + " bytes");
    }
  }
}
