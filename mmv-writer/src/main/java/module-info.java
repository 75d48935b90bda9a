/** Writes the metrics of an application to a memory-mapped (MMV) file. */
module org.jmmv.writer {
  exports org.jmmv.writer;
}
