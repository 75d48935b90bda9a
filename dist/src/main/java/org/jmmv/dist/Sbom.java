package org.jmmv.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cyclonedx.Version;
import org.cyclonedx.exception.GeneratorException;
import org.cyclonedx.exception.ParseException;
import org.cyclonedx.generators.BomGeneratorFactory;
import org.cyclonedx.model.Bom;
import org.cyclonedx.model.Component;
import org.cyclonedx.model.LicenseChoice;
import org.cyclonedx.model.license.Expression;
import org.cyclonedx.parsers.JsonParser;

/** Adds to the SBOM (CycloneDX, JSON) what Maven does not know. */
final class Sbom {
  private Sbom() {}

  /**
   * Adds the runtime, which is linked from the JDK that this runs on.
   *
   * @param args the path of the SBOM; without such a file nothing happens, because the plugin that
   *     writes it does nothing when Maven is offline
   */
  public static void main(String[] args) throws IOException, ParseException, GeneratorException {
    Path file = Path.of(args[0]);
    if (!Files.exists(file)) {
      return;
    }
    Bom bom = new JsonParser().parse(file.toFile());
    bom.getMetadata().setTimestamp(null); // the build is to be reproducible
    bom.getComponents().addFirst(runtime());
    for (Component component : bom.getComponents()) {
      if (component.getName().equals("picocli")) {
        component.setHashes(null); // its jar is compiled anew from the published sources
      }
    }
    Files.writeString(
        file, BomGeneratorFactory.createJson(Version.VERSION_16, bom).toJsonString() + "\n");
  }

  private static Component runtime() {
    Runtime.Version version = Runtime.version();
    Component runtime = new Component();
    runtime.setType(Component.Type.PLATFORM);
    runtime.setBomRef("openjdk");
    runtime.setPublisher(System.getProperty("java.vendor"));
    runtime.setName("openjdk");
    runtime.setVersion(version.toString());
    runtime.setDescription("OpenJDK, a part of it, in runtime/");
    LicenseChoice licence = new LicenseChoice();
    licence.setExpression(new Expression("GPL-2.0-only WITH Classpath-exception-2.0"));
    runtime.setLicenses(licence);
    runtime.setCpe(
        "cpe:2.3:a:oracle:openjdk:%d.%d.%d:*:*:*:*:*:*:*"
            .formatted(version.feature(), version.interim(), version.update()));
    return runtime;
  }
}
