/**
 * MMV files: their layout, their validation, and their values. {@code org.jmmv.reader.watch}
 * watches directories of them.
 *
 * <p>mmv(5) defines the format. The writer of a file may be hostile, and every byte may change at
 * any time. Therefore all metadata is copied from the mapping once, checked, and kept as an
 * immutable {@link org.jmmv.reader.MmvSchema}. Later, only generations and values are read from the
 * mapping, at offsets that were checked against its size. Values are read only within {@link
 * org.jmmv.reader.MmvFile#read}, because the file may be truncated.
 *
 * <p>{@link org.jmmv.reader.MmvFile#open} opens a single file; {@link
 * org.jmmv.reader.InspectedFile} shows what is in it even if it is damaged. What is wrong with a
 * file is a {@link org.jmmv.reader.fault.Fault}. For example, this lists the numbers in a file:
 *
 * <pre>{@code
 * static List<String> numbers(Path path) throws IOException, MmvFormatException, FileTruncated {
 *   List<String> lines = new ArrayList<>();
 *   try (MmvFile file = MmvFile.open(path)) {
 *     file.read(() -> {
 *       for (MmvMetric metric : file.schema().metrics()) {
 *         for (int i = 0; i < metric.valueCount() && ValueType.size(metric.type()) > 0; i++) {
 *           String instance = metric.isSingular() ? "" : "[" + metric.instance(i) + "]";
 *           long bits = file.value(metric.value(i));
 *           lines.add(metric.name() + instance + " " + ValueType.decimal(metric.type(), bits));
 *         }
 *       }
 *     });
 *   }
 *   return lines;
 * }
 * }</pre>
 *
 * <p>{@code FileLimits}, {@code MetadataComparison} and {@code MmvFileReader} are public only for
 * {@code org.jmmv.reader.watch}, which reads a large file in turns and looks for changes of a file.
 *
 * <p>The encoding of text in files is unknown. In this package, text is a {@code String} with one
 * char per byte (ISO 8859-1), so that all bytes are preserved.
 *
 * <p>No class is thread-safe. A mapping can be read only by the thread that has opened it.
 */
package org.jmmv.reader;
