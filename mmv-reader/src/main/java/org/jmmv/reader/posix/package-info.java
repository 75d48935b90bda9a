/**
 * The calls of the C library that the project needs and Java does not offer. Every call of C is in
 * this package; it is for 64-bit Linux on x86-64 and AArch64.
 *
 * <p>The reasons for {@code java.lang.foreign} in the place of {@code java.nio}:
 *
 * <ul>
 *   <li>File names are bytes. {@code java.nio} decodes them as {@code sun.jnu.encoding} says, which
 *       the locale decides and JDK 25 does not let anybody set: in the C locale it can't open a
 *       file whose name is not ASCII.
 *   <li>Opening must not wait. {@code FileChannel.open} of a FIFO hangs until somebody writes to
 *       it, and to check the type first is a race.
 *   <li>Time: a status takes 0.3 µs in the place of 0.6 µs, and the inode numbers of a whole
 *       directory are read with one call for some hundreds of its entries.
 *   <li>setuid(2), umask(2), dup2(2) and the like have no counterpart.
 * </ul>
 *
 * <p>Names and paths are {@code String}s with one char per byte (ISO 8859-1) where they come from a
 * directory, and {@code Path}s or ordinary {@code String}s where they come from the command line.
 */
package org.jmmv.reader.posix;
