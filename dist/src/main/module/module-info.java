/** The reader as a part of the runtime, which may call C; nobody else does. */
module org.jmmv.reader {
  exports org.jmmv.pcp;
  exports org.jmmv.reader;
  exports org.jmmv.reader.posix;
}
