package org.jmmv.protocol;

import org.jmmv.pcp.Instance;

/**
 * The value of a metric for one instance.
 *
 * @param instance an instance number; {@link Instance#NULL} for a singular value
 */
public record InstanceValue(int instance, Value value) {}
