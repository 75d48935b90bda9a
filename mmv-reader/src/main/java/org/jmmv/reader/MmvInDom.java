package org.jmmv.reader;

import java.util.List;
import org.jmmv.pcp.Instance;

/**
 * An instance domain of a file.
 *
 * @param serial 0 to 4,194,303 (22 bits), unique in the file
 * @param instances in the order of the file, each number once
 * @param shortHelp one line of help, or null if there is none
 * @param longHelp the help text, or null if there is none
 */
public record MmvInDom(int serial, List<Instance> instances, String shortHelp, String longHelp) {}
