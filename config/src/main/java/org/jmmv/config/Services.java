package org.jmmv.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Names of TCP ports, as services(5) lists them: {@code name port/protocol alias... # comment}. */
final class Services {

  private static final String TCP = "/tcp";

  private Services() {}

  /**
   * The port of this service; nothing if the file has none, or can't be read.
   *
   * @param name a name or an alias
   */
  static OptionalInt port(Path services, String name) {
    try (Stream<String> lines = Files.lines(services, ISO_8859_1)) {
      return lines
          .map(line -> line.replaceFirst("#.*", "").trim().split("\\s+"))
          .filter(words -> words.length > 1 && words[1].matches("[0-9]{1,5}" + TCP))
          .filter(words -> words[0].equals(name) || Arrays.asList(words).indexOf(name) > 1)
          .mapToInt(words -> Integer.parseInt(words[1].replace(TCP, "")))
          .findFirst();
    } catch (IOException e) {
      return OptionalInt.empty();
    }
  }
}
