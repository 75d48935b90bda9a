/**
 * Calls of the C library. All native calls of the project are in this package. It supports 64-bit
 * Linux on x86-64 and AArch64.
 *
 * <p>It uses {@code java.lang.foreign} instead of {@code java.nio} for these reasons:
 *
 * <ul>
 *   <li>File names are bytes. {@code java.nio} decodes them with {@code sun.jnu.encoding}, which
 *       depends on the locale and can't be set in JDK 25. In the C locale, {@code java.nio} can't
 *       open a file whose name is not ASCII.
 *   <li>Opening must not block. {@code FileChannel.open} of a FIFO blocks until a process opens it
 *       for writing. Checking the type before would be a race.
 *   <li>A file that the agent writes, often as root and in a directory of another user, is opened
 *       relative to a descriptor and without following links.
 *   <li>Time. Reading a status takes 0.3 µs instead of 0.6 µs, and one system call returns the
 *       inode numbers of several hundred directory entries.
 *   <li>Java has no counterpart of setuid(2), umask(2), dup2(2), ctime(3) with the time zone read
 *       in advance, and others.
 * </ul>
 *
 * <p>Names that come from a directory are {@code String}s with one char per byte (ISO 8859-1).
 * Paths and names that come from the command line are {@code Path}s or ordinary {@code String}s.
 */
package org.jmmv.posix;
