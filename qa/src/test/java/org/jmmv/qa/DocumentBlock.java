package org.jmmv.qa;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The blocks of the documents, for tests that run them. */
final class DocumentBlock {
  private DocumentBlock() {}

  /**
   * Returns an indented block, by its first line.
   *
   * @param document a file in docs
   */
  static String of(String document, String firstLine) {
    Matcher block =
        Pattern.compile("\n    \\Q" + firstLine + "\\E\n(    .*\n)*")
            .matcher(TemporaryPcp.text(Path.of("../docs/" + document)));
    if (!block.find()) {
      throw new AssertionError(document + " has no block that begins with: " + firstLine);
    }
    return block.group().substring(1).replaceAll("(?m)^    ", "");
  }
}
