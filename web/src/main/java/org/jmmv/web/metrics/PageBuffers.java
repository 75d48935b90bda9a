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
  private long encodedFor;
  private long lastId;

  /** Creates empty buffers. */
  PageBuffers(Format format) {
    encoding = format.encoding();
    instances = new InstanceTexts(encoding);
  }

  /** Returns a number, other than 0, that was not returned before. */
  long newId() {
    return ++lastId;
  }

  /**
   * Encodes a family. It is valid until the next one is encoded.
   *
   * @param id for {@link #last}, 0 for none
   */
  EncodedFamily encode(Family next, long id) {
    family.clear();
    family.add("", 0, next, encoding);
    encodedFor = id;
    return family.get(0);
  }

  /** Returns the last family that was encoded, or null if that was another one. */
  EncodedFamily last(long id) {
    return encodedFor == id ? family.get(0) : null;
  }
}
