package org.jmmv.core;

import org.jmmv.reader.watch.EntryStatus;
import org.jmmv.reader.watch.FileState;

/**
 * An entry of a directory of a {@link Catalog}.
 *
 * @param status the entry
 * @param state whether it is served, and if not, why
 * @param served the number of metrics that are served under their names
 * @param metrics the number of entries of all METRICS sections, 0 if the file is not served
 */
public record CatalogEntry(EntryStatus status, FileState state, long served, long metrics) {}
