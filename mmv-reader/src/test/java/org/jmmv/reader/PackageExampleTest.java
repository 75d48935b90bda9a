package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in the Javadoc of the package. */
class PackageExampleTest {
  @TempDir Path directory;

  static List<String> numbers(Path path) throws IOException, MmvFormatException, FileTruncated {
    List<String> lines = new ArrayList<>();
    try (MmvFile file = MmvFile.open(path)) {
      file.read(() -> {
        for (MmvMetric metric : file.schema().metrics()) {
          for (int i = 0; i < metric.valueCount() && ValueType.size(metric.type()) > 0; i++) {
            String instance = metric.isSingular() ? "" : "[" + metric.instance(i) + "]";
            long bits = file.value(metric.value(i));
            lines.add(metric.name() + instance + " " + ValueType.decimal(metric.type(), bits));
          }
        }
      });
    }
    return lines;
  }

  @Test
  void theExampleListsNumbers() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("requests", 1, ValueType.U64).value(42);
    writer.metric("load", 2, ValueType.DOUBLE).value(Double.doubleToLongBits(0.5));
    writer.metric("version", 3, ValueType.STRING).text("1.0");
    assertEquals(List.of("requests 42", "load 0.5"), numbers(writer.write(directory, "app")));
  }

  @Test
  void theJavadocHasTheSameCode() throws IOException {
    String javadoc = text("main", "package-info").replaceAll("(?m)^ \\* ?", "");
    String example =
        Pattern.compile("<pre>\\{@code\n(.*)\n}</pre>", Pattern.DOTALL)
            .matcher(javadoc)
            .results()
            .findFirst()
            .orElseThrow()
            .group(1);
    assertTrue(text("test", "PackageExampleTest").contains(example.indent(2)), example);
  }

  private static String text(String kind, String name) throws IOException {
    return Files.readString(Path.of("src", kind, "java/org/jmmv/reader", name + ".java"));
  }
}
