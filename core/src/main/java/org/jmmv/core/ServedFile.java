package org.jmmv.core;

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

  MmvSchema schema() {
    return file.schema();
  }

  String name() {
    return file.name();
  }
}
