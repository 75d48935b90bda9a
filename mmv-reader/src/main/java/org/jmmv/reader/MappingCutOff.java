package org.jmmv.reader;

import java.io.IOException;

/** A file was cut short while its mapping was read. What has been read of it is worth nothing. */
final class MappingCutOff extends IOException {
  private static final long serialVersionUID = 1;

  MappingCutOff(InternalError cause) {
    super("cut off while it was read", cause);
  }
}
