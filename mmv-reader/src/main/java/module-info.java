/** Memory-mapped values: a module, because it alone calls C. */
module org.jmmv.reader {
  exports org.jmmv.reader;
}
