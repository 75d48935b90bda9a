package org.jmmv.core;

import org.jmmv.pcp.InDom;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvSchema;

/** A file in the catalogue, with the cluster of its metrics. */
final class ServedFile {
  final MmvFile file;
  final int cluster;

  /**
   * The number of the last request that has checked the file for changes. A request checks each
   * file at most once.
   */
  long checkedBy;

  ServedFile(MmvFile file, int cluster) {
    this.file = file;
    this.cluster = cluster;
  }

  /**
   * The serial of an instance domain in the catalogue, as pmdammv(1) makes it of the cluster and
   * the file's serial, cut to the 22 bits of an InDom.
   */
  int serialOf(int serial) {
    return (cluster << 11 | serial) & InDom.MAX_SERIAL;
  }

  MmvSchema schema() {
    return file.schema();
  }

  String name() {
    return file.name();
  }
}
