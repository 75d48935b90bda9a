package org.jmmv.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Adds the runtime to an SBOM (CycloneDX, JSON): the JDK that this runs on, for it is linked from.
 */
final class Sbom {
  /** On the outermost level. */
  private static final String COMPONENTS = "\n  \"components\" : [";

  private Sbom() {}

  /**
   * Adds the runtime, if there is an SBOM.
   *
   * @param args the SBOM, as a path
   */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    if (!Files.exists(file)) {
      return; // the plugin that makes it does nothing when Maven is offline
    }
    String sbom = Files.readString(file);
    if (!sbom.contains(COMPONENTS)) {
      throw new IOException(file + " has no components");
    }
    Runtime.Version version = Runtime.version();
    String number = version.feature() + "." + version.interim() + "." + version.update();
    String runtime =
        """

            {
              "type" : "platform",
              "bom-ref" : "openjdk",
              "publisher" : "%s",
              "name" : "openjdk",
              "version" : "%s",
              "description" : "OpenJDK, a part of it, in runtime/",
              "licenses" : [ { "expression" : "GPL-2.0-only WITH Classpath-exception-2.0" } ],
              "cpe" : "cpe:2.3:a:oracle:openjdk:%s:*:*:*:*:*:*:*"
            },\
        """
            .formatted(System.getProperty("java.vendor"), version, number);
    Files.writeString(file, sbom.replace(COMPONENTS, COMPONENTS + runtime));
  }
}
