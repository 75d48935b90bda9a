package org.jmmv.reader;

/**
 * A record of the LABELS section.
 *
 * @param flags what is labelled (bits 4 instance domain, 8 cluster, 16 item, 32 instance), and 128
 *     for a note
 * @param identity the cluster, the item or the serial
 * @param instance the instance's number, if it is one that is labelled
 * @param labels the labels
 */
public record MmvLabel(int flags, int identity, int instance, Labels labels) {}
