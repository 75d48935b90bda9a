package org.jmmv.pmda;

import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvSchema;

/** A file in the catalogue, under the cluster that its metrics have. */
final class Source {
  final MmvFile file;
  final int cluster;

  /** The request that looked at the file's generation last. */
  long checkedBy;

  Source(MmvFile file, int cluster) {
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
