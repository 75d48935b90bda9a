package org.jmmv.web.metrics;

/**
 * What pages of one format are written with. A page uses it within one call only, so one is enough
 * for all of them, and a page that waits for its client keeps none.
 */
final class PageBuffers {
  final Encoding encoding;
  final Bytes out = new Bytes(); // what is written in this call
  final InstanceTexts instances;
  private final EncodedFamilies family = new EncodedFamilies(); // one

  /** Creates empty buffers. */
  PageBuffers(Format format) {
    encoding = format.encoding();
    instances = new InstanceTexts(encoding);
  }

  /** Encodes a family. It is valid until the next one is encoded. */
  EncodedFamily encode(Family next) {
    family.clear();
    family.add("", 0, next, encoding);
    return family.get(0);
  }
}
