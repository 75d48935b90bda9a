package org.jmmv.protocol;

import org.jmmv.pcp.Instance;

/**
 * A metric's value for one instance.
 *
 * @param instance {@link Instance#NULL} for a singular value
 */
public record InstanceValue(int instance, Value value) {}
