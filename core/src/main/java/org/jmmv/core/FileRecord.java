package org.jmmv.core;

/** A record of one file: of a metric, an instance domain or a label set. */
interface FileRecord {
  ServedFile file();

  /** Returns the record's position among the records of its file. */
  int index();
}
