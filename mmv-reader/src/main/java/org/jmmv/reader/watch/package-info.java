/**
 * Directories of MMV files: which files there are, the state of each, and what all of them may use.
 *
 * <p>{@link org.jmmv.reader.watch.DirectoryWatcher#poll} finds and loads files, within the time of
 * a {@link org.jmmv.reader.watch.WorkBudget}, and returns a {@link org.jmmv.reader.watch.Change}.
 * {@link org.jmmv.reader.watch.Budget} limits what is served, in all and of each user. All files
 * are hostile: no structure keyed by what a file chooses degrades, and no file delays others by
 * more than its turn.
 *
 * <p>No class is thread-safe.
 */
package org.jmmv.reader.watch;
