package org.jmmv.protocol;

/**
 * A metric's value for one instance.
 *
 * @param instance {@link Instance#NULL} for a singular value
 */
public record InstanceValue(int instance, Value value) {}
