package org.jmmv.reader;

/**
 * A record of the LABELS section.
 *
 * @param flags what is labelled, bits of {@link org.jmmv.pcp.LabelType}; unchecked
 * @param identity the cluster, item or serial that is labelled; unchecked
 * @param instance number of the instance, if an instance is labelled
 * @param labels the labels
 */
public record MmvLabel(int flags, int identity, int instance, Labels labels) {}
