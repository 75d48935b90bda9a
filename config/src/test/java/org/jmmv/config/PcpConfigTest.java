package org.jmmv.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PcpConfigTest {

  @TempDir Path directory;

  private PcpConfig load(String text) throws IOException {
    Path file = directory.resolve("pcp.conf");
    Files.writeString(file, text);
    return PcpConfig.load(Map.of("PCP_CONF", file.toString()));
  }

  @Test
  void linesHoldKeyAndValue() throws IOException {
    PcpConfig config = load("# PCP_A=/no\n\nPCP_A=/a/b\nnonsense\nPCP_LAST=/last");
    assertEquals("/a/b", config.get("PCP_A"));
    assertEquals(Optional.of(Path.of("/a/b")), config.path("PCP_A"));
    assertEquals(Path.of("/a/b"), config.requiredPath("PCP_A"));
    assertEquals("/last", config.get("PCP_LAST"));
    assertEquals("", config.get("nonsense"));
  }

  @Test
  void blanksBelongToKeysAndValues() throws IOException {
    PcpConfig config = load("PCP_CC=gcc \n PCP_B=b\nPCP_C =c\n");
    assertEquals("gcc ", config.get("PCP_CC"));
    assertEquals("", config.get("PCP_B"));
    assertEquals("", config.get("PCP_C"));
  }

  @Test
  void onePairOfQuotesAroundAValueIsLeftAway() throws IOException {
    PcpConfig config =
        load("A=\"gawk --posix\"\nB='b'\nC=\"c\nD='d\"\nE=\"\nF=\"\"\nG='\"g\"'\nH=\n");
    assertEquals("gawk --posix", config.get("A"));
    assertEquals("b", config.get("B"));
    assertEquals("\"c", config.get("C"));
    assertEquals("'d\"", config.get("D"));
    assertEquals("\"", config.get("E"));
    assertEquals("", config.get("F"));
    assertEquals("\"g\"", config.get("G"));
    assertEquals("", config.get("H"));
  }

  @Test
  void valuesMayHoldMoreEqualsSigns() throws IOException {
    assertEquals("a=b", load("X=a=b\n").get("X"));
  }

  @Test
  void firstOfTwoLinesCounts() throws IOException {
    assertEquals("1", load("X=1\nX=2\n").get("X"));
  }

  @Test
  void bytesThatAreNoTextDoNotHarm() throws IOException {
    Path file = directory.resolve("pcp.conf");
    Files.write(file, new byte[] {'#', (byte) 0xff, '\n', 'X', '=', '1', '\n'});
    assertEquals("1", PcpConfig.load(Map.of("PCP_CONF", file.toString())).get("X"));
  }

  @Test
  void environmentWinsEvenIfEmpty() throws IOException {
    Path file = Files.writeString(directory.resolve("c"), "A=file\nB=file\n");
    PcpConfig config =
        PcpConfig.load(Map.of("PCP_CONF", file.toString(), "A", "env", "B", "", "C", "env"));
    assertEquals("env", config.get("A"));
    assertEquals("", config.get("B"));
    assertEquals("env", config.get("C"));
  }

  @Test
  void pcpDirLeadsToItsEtc() throws IOException {
    Files.createDirectory(directory.resolve("etc"));
    Files.writeString(directory.resolve("etc/pcp.conf"), "A=a\n");
    assertEquals("a", PcpConfig.load(Map.of("PCP_DIR", directory.toString())).get("A"));
  }

  @Test
  void keyWithoutValueIsNoPath() throws IOException {
    PcpConfig config = load("A=\n");
    assertEquals(Optional.empty(), config.path("PCP_TMP_DIR"));
    assertEquals(Optional.empty(), config.path("A"));
    IOException missing = assertThrows(IOException.class, () -> config.requiredPath("PCP_TMP_DIR"));
    assertEquals(
        "PCP_TMP_DIR is set neither in the environment nor in " + directory.resolve("pcp.conf"),
        missing.getMessage());
    assertThrows(IOException.class, () -> config.requiredPath("A"));
  }

  @Test
  void environmentIsEnoughWithoutTheFile() throws IOException {
    for (String key : List.of("PCP_CONF", "PCP_DIR")) {
      PcpConfig config = PcpConfig.load(Map.of(key, directory + "/none", "PCP_TMP_DIR", "/t"));
      assertEquals(Path.of("/t"), config.requiredPath("PCP_TMP_DIR"));
      assertEquals("", config.get("PCP_USER"));
    }
  }

  @Test
  void missingFileIsNamedOnceAValueIsNeeded() {
    PcpConfig config = PcpConfig.load(Map.of("PCP_CONF", directory + "/none"));
    assertEquals(Optional.empty(), config.path("PCP_TMP_DIR"));
    IOException missing = assertThrows(IOException.class, () -> config.requiredPath("PCP_TMP_DIR"));
    assertEquals(
        "PCP_TMP_DIR is not set in the environment, and PCP's configuration file \"%s/none\" can't be read: No such file or directory; PCP_CONF or PCP_DIR in the environment can say where it is"
            .formatted(directory),
        missing.getMessage());
  }

  @Test
  void unreadableFileIsNamedOnceAValueIsNeeded() {
    PcpConfig config = PcpConfig.load(Map.of("PCP_CONF", directory.toString()));
    IOException unreadable =
        assertThrows(IOException.class, () -> config.requiredPath("PCP_TMP_DIR"));
    assertTrue(unreadable.getMessage().contains(directory.toString()), unreadable.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "PCP_VERSION=6.0.3,600",
    "PCP_VERSION=7.2.1,702",
    "PCP_VERSION=7.10,710",
    "PCP_VERSION=12,1200",
    "PCP_VERSION=,702",
    "PCP_VERSION=x,702",
    "A=b,702"
  })
  void versionIsTheLatestOneIfItIsUnknown(String line, int version) throws IOException {
    assertEquals(version, load(line + "\n").version());
  }
}
