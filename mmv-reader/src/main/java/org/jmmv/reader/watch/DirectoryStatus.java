package org.jmmv.reader.watch;

import java.nio.file.Path;
import java.util.List;

/**
 * The status of a directory.
 *
 * @param path its path
 * @param faults what is wrong with the directory itself, for example that it does not exist
 * @param isReadable false if it is missing, or could not be read
 */
public record DirectoryStatus(Path path, List<CountedFault> faults, boolean isReadable) {}
