package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The identifiers of sources and of time series, as pmproxy and pmseries(1) have them: SHA-1 of a
 * description. All texts have one char per byte.
 */
final class SeriesId {
  private SeriesId() {}

  /**
   * Returns the identifier of a host.
   *
   * @param labels the labels that identify it, as a JSON object
   */
  static String ofSource(String labels) {
    return hash("{\"series\":\"source\",\"labels\":%s}".formatted(labels));
  }

  /**
   * Returns the identifier of a metric. The arguments after the labels are those of pmSemStr(3),
   * pmTypeStr(3) and pmUnitsStr(3).
   *
   * @param labels the labels that identify it, as a JSON object
   */
  static String ofMetric(String name, String labels, String semantics, String type, String units) {
    return hash(
        ("{\"series\":\"metric\",\"name\":\"%s\",\"labels\":%s,"
                + "\"semantics\":\"%s\",\"type\":\"%s\",\"units\":\"%s\"}")
            .formatted(name, labels, semantics, type, units));
  }

  private static String hash(String text) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(sha1.digest(text.getBytes(ISO_8859_1)));
    } catch (NoSuchAlgorithmException e) { // every Java has it
      throw new IllegalStateException(e);
    }
  }
}
