package org.jmmv.reader;

import java.io.IOException;

/** Thrown if a file was truncated while its mapping was read. The data read before is invalid. */
final class MappingTruncated extends IOException {
  private static final long serialVersionUID = 1;

  MappingTruncated(InternalError cause) {
    super("truncated while it was read", cause);
  }
}
