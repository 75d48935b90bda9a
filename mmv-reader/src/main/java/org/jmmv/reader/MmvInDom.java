package org.jmmv.reader;

import org.jmmv.pcp.InstanceTable;

/**
 * An instance domain of a file.
 *
 * @param serial 0 to 4,194,303 (22 bits), unique in the file
 * @param instances in the order of the file
 * @param shortHelp one line of help, or null if there is none
 * @param longHelp the help text, or null if there is none
 */
public record MmvInDom(int serial, InstanceTable instances, String shortHelp, String longHelp) {}
