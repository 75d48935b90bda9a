package org.jmmv.reader;

import org.jmmv.pcp.Labels;

/**
 * A record of the LABELS section.
 *
 * @param flags bits of {@link org.jmmv.pcp.LabelType}, for the kind of the labelled object;
 *     unchecked
 * @param identity the labelled cluster, item, or serial of an instance domain; unchecked
 * @param instance the labelled instance's number, if the object is an instance; unchecked
 * @param labels the labels
 * @param isRelaxed whether only PCP 7.2 and later serve the record: it has names that begin with a
 *     digit or "_", or invalid ones, which are skipped
 */
public record MmvLabel(int flags, int identity, int instance, Labels labels, boolean isRelaxed) {}
