package org.jmmv.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServicesTest {

  @TempDir Path directory;

  private OptionalInt port(String name) throws IOException {
    Path services = directory.resolve("services");
    Files.writeString(
        services,
        """
        # names, www 1/tcp
        echo\t7/udp
        http\t\t80/tcp\t\twww web\t# worldwide 2/tcp
          indented 81/tcp
        broken
        broken x/tcp
        broken 999999/tcp
        twice 82/tcp
        twice 83/tcp
        """);
    return Services.port(services, name);
  }

  @Test
  void namesAndAliasesOfTcpServicesHavePorts() throws IOException {
    assertEquals(OptionalInt.of(80), port("http"));
    assertEquals(OptionalInt.of(80), port("www"));
    assertEquals(OptionalInt.of(80), port("web"));
    assertEquals(OptionalInt.of(81), port("indented"));
    assertEquals(OptionalInt.of(82), port("twice"));
  }

  @Test
  void othersHaveNone() throws IOException {
    assertEquals(OptionalInt.empty(), port("echo"));
    assertEquals(OptionalInt.empty(), port("worldwide"));
    assertEquals(OptionalInt.empty(), port("80/tcp"));
    assertEquals(OptionalInt.empty(), port("broken"));
    assertEquals(OptionalInt.empty(), port(""));
    assertEquals(OptionalInt.empty(), Services.port(directory.resolve("none"), "http"));
  }
}
