package org.jmmv.dist;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jmmv.reader.Limit;

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
    String details = limit.details().isEmpty() ? "" : text(limit.details()) + "\n";
    return ".TP\n\\fB%s\\fR=\\fInum\\fR\nMaximum %s, by default %s.\n%s"
        .formatted(text(limit.option()), text(limit.what()), limit.defaultText(), details);
  }

  private static String row(Limit limit) {
    return "%s\t%s\t%s\n".formatted(text(limit.key()), limit.defaultText(), text(limit.what()));
  }

  /** Returns text for roff(7), with a line for each sentence. */
  private static String text(String text) {
    return text.replace("-", "\\-").replace(". ", ".\n");
  }
}
