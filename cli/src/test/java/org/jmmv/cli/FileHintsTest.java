package org.jmmv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.jmmv.cli.command.ToolCatalog;
import org.jmmv.config.Settings;
import org.jmmv.core.Catalog;
import org.jmmv.core.Scope;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileHintsTest {
  private static final long NO_VALUE = -1;

  @TempDir Path directory;

  /** An instance may get its first value while the file is watched. */
  @Test
  void eachInstanceIsComparedWithItself() throws Exception {
    MmvWriter writer = new MmvWriter(2).cluster(7).flags(MmvWriter.SENTINEL);
    MmvWriter.InDom inDom = writer.inDom(1);
    MmvWriter.Metric counter = writer.metric("counter", 1, ValueType.U64).inDom(inDom);
    MmvWriter.Metric timer =
        writer.metric("timer", 2, MmvMetric.ELAPSED).semantics(Semantics.INSTANT).inDom(inDom);
    for (int i = 1; i <= 3; i++) {
      inDom.instance(i, "i" + i);
      counter.at(i, i == 1 ? NO_VALUE : 10L * i);
      timer.at(i, 10L * i);
    }
    Path file = writer.write(directory, "app");
    List<String> decreased =
        decreased(() -> {
          MmvWriter.storeLong(file, writer.valueAt(0), 5);
          MmvWriter.storeLong(file, writer.valueAt(1), 3);
          MmvWriter.storeLong(file, writer.valueAt(4), 4);
        });
    assertEquals(1, decreased.size(), decreased::toString);
    assertEquals(
        "the counter counter went from 20 to 3 (and 1 more like it)",
        decreased.getFirst().replaceFirst("^metric\\[0] at \\d+: ", ""));
  }

  /** Counters begin at 0 then. */
  @Test
  void anApplicationMayStartAnewInPlace() throws Exception {
    MmvWriter writer = new MmvWriter(2).cluster(7).generation(5);
    writer.metric("counter", 1, ValueType.U64).value(5000);
    Path file = writer.write(directory, "app");
    MmvWriter next = new MmvWriter(2).cluster(7).generation(6);
    next.metric("counter", 1, ValueType.U64).value(3);
    assertEquals(List.of(), decreased(() -> next.rewrite(file)));
  }

  /** Returns the hints about counters that have decreased while the only file was changed. */
  private List<String> decreased(Runnable change) throws Exception {
    Settings settings = Settings.DEFAULT.with(List.of(DirectorySettings.DEFAULT.at(directory)));
    try (Catalog catalog = ToolCatalog.open(700, settings)) {
      ToolCatalog.catchUp(catalog);
      FileHints hints =
          new FileHints(catalog.begin(new Scope.NoFiles()).entries(null, 1).getFirst().status());
      hints.remember();
      change.run();
      return hints.list().stream()
          .filter(hint -> hint.kind() == FaultKind.COUNTER_DECREASED)
          .map(Fault::sentence)
          .toList();
    }
  }
}
