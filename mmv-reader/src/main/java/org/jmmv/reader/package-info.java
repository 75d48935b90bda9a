/**
 * MMV files: their layout, their validation, and the directory they live in.
 *
 * <p>The format is that of mmv(5). Every byte of a file belongs to somebody who may be hostile, and
 * may change at any moment. All metadata is therefore copied out of the mapping once, checked, and
 * kept as an immutable {@link org.jmmv.reader.MmvSchema}. From then on the mapping is read only for
 * generations and values, at offsets that were checked against its size, and only within {@link
 * org.jmmv.reader.MmvFile#read}, because the file may be cut short.
 *
 * <p>{@link org.jmmv.reader.MmvFile#open} opens one file, for tools. {@link
 * org.jmmv.reader.MmvDirectory} serves all files of a directory and keeps up with their changes,
 * within a {@link org.jmmv.reader.Budget}.
 *
 * <p>Text in files is bytes of an unknown encoding. In this package it is a {@code String} with one
 * char per byte (ISO 8859-1), so that any byte passes through unchanged.
 *
 * <p>Nothing here is safe for use by several threads; a mapping can be read only by the thread that
 * has opened it.
 */
package org.jmmv.reader;
