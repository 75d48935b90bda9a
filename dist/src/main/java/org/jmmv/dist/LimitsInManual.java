package org.jmmv.dist;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jmmv.reader.watch.Limit;

/** Puts the limits into man pages. */
final class LimitsInManual {
  private LimitsInManual() {}

  /**
   * Replaces the line {@code @limit.options@} of man pages by the options of all limits, and the
   * line {@code @limit.keys@} by rows of a table of keys, defaults and limits, see tbl(1).
   *
   * @param args the man pages, which are changed
   */
  public static void main(String[] args) throws IOException {
    for (String arg : args) {
      Path page = Path.of(arg);
      Files.writeString(
          page,
          Files.readString(page)
              .replace("@limit.options@\n", lines(LimitsInManual::option))
              .replace("@limit.keys@\n", lines(LimitsInManual::row)));
    }
  }

  private static String lines(Function<Limit, String> lines) {
    return Stream.of(Limit.values()).map(lines).collect(joining());
  }

  private static String option(Limit limit) {
    String sentences =
        "Maximum %s, by default %s. %s"
            .formatted(limit.what(), limit.defaultText(), limit.details())
            .strip();
    return ".TP\n\\fB%s\\fR=\\fInum\\fR\n%s\n".formatted(text(limit.option()), text(sentences));
  }

  private static String row(Limit limit) {
    return "%s\t%s\tT{\n%s\nT}\n"
        .formatted(text(limit.key()), limit.defaultText(), text(limit.what()));
  }

  /** Returns text for roff(7): each sentence begins a line, and no line is longer than 80 chars. */
  private static String text(String text) {
    return Stream.of(text.split("(?<=\\.) "))
        .map(sentence -> sentence.replaceAll("(.{1,74})( |$)", "$1\n").strip())
        .collect(joining("\n"))
        .replace("-", "\\-");
  }
}
