package org.jmmv.core;

import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvSchema;

/** A file in the catalogue, under the cluster that its metrics have. */
final class ServedFile {
  final MmvFile file;
  final int cluster;

  /** The number of the last request that checked the file's generation. */
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
