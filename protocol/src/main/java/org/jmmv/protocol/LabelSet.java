package org.jmmv.protocol;

import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Labels;

/**
 * A set of labels in a {@link Label}.
 *
 * @param instance the labelled instance for type INSTANCES, otherwise {@link Instance#NULL}
 * @param labels within the bounds of {@link org.jmmv.pcp.LabelEntry}
 */
public record LabelSet(int instance, Labels labels) {}
