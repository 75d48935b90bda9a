package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.WebServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The series of files, of which a page that is sent in pieces has some in each piece. */
class JmmvSeriesTest {
  private static final int FILES = 200;

  @TempDir private Path directory;

  /** Returns the series of files in the text format, as they are when each step is a piece. */
  private String page() {
    ByteBuf page = Unpooled.buffer();
    try (Catalog catalog = WebServer.catalog(directory)) {
      catalog.begin(new Scope.AllFiles());
      Encoding encoding = Format.TEXT.encoding();
      FamilyFilter.Matcher all = FamilyFilter.ALL.matcher();
      Plan plan = new Plan(0, Naming.PROMETHEUS, 0);
      JmmvSeries series = new JmmvSeries(encoding);
      boolean hasMore;
      do {
        hasMore = series.writeFiles(catalog, plan, all, Turn.OVER);
        encoding.out.moveTo(page);
      } while (hasMore);
    }
    return page.toString(UTF_8);
  }

  @Test
  void aFamilyWithoutSamplesIsNotInThePage() throws IOException {
    for (int i = 0; i < FILES; i++) {
      Files.createFile(directory.resolve(".hidden" + i)); // has a state only
    }
    List<String> lines = page().lines().toList();
    assertEquals(FILES, lines.stream().filter(line -> line.startsWith("jmmv_file_state{")).count());
    assertEquals(FILES + 2, lines.size(), "with HELP and TYPE");
    assertTrue(lines.getFirst().startsWith("# HELP jmmv_file_state "));
  }

  @Test
  void aFamilyOfManyFilesHasOneHead() {
    MmvWriter file = new MmvWriter(1);
    file.metric("x", 1, ValueType.U32).value(1);
    for (int i = 0; i < FILES; i++) {
      file.write(directory, "file" + i);
    }
    List<String> lines = page().lines().toList();
    for (String family : List.of("state", "mtime_seconds", "metrics", "metrics_lost")) {
      String name = "jmmv_file_" + family;
      assertEquals(
          1, lines.stream().filter(line -> line.startsWith("# TYPE " + name + " ")).count());
      assertEquals(FILES, lines.stream().filter(line -> line.startsWith(name + "{")).count());
    }
    assertFalse(lines.stream().anyMatch(line -> line.contains("jmmv_file_faults")));
  }
}
