package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a catalogue does between requests. */
class IdleTest {
  @TempDir private Path directory;
  private Catalog catalog;

  /** Opens and loads a catalogue of one file. */
  private void load(int wait) {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.U32).value(1);
    writer.write(directory, "app");
    catalog =
        new Catalog(
            new CatalogOptions(directory)
                .settings(TestCatalog.settings(TestCatalog.loadingFor(wait))));
    catalog.load();
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  @Test
  void filesForWhichRequestsHaveNoTimeAreReadInTurns() {
    load(0);
    View view = catalog.begin(new Scope.AllFiles());
    assertNull(view.metric("mmv.app.m"));
    assertEquals(0, catalog.idle(Turn.OVER));
    assertNull(view.metric("mmv.app.m"), "a turn that is over changes nothing");
    while (catalog.idle(Turn.of(1_000_000)) >= 0) {}
    assertThrows(IllegalStateException.class, view::names);
    assertNotNull(catalog.begin(new Scope.NoFiles()).metric("mmv.app.m"));
  }

  /** Returns how often the last file was read. */
  private long loads() {
    return catalog
        .begin(new Scope.NoFiles())
        .entries(null, Integer.MAX_VALUE)
        .getLast()
        .status()
        .loads();
  }

  @Test
  void allWhoRequestAReloadBeforeItBeginsWaitForTheSame() throws IOException {
    Files.writeString(directory.resolve("text"), "no MMV file".repeat(10));
    load(800);
    while (catalog.idle(Turn.ENDLESS) >= 0) {}
    assertNull(catalog.dueReload());
    catalog.requestReload();
    Catalog.Reload first = catalog.dueReload();
    catalog.requestReload();
    Catalog.Reload second = catalog.dueReload();
    assertFalse(first.goOn(Turn.OVER));
    assertNull(catalog.dueReload(), "it has begun");
    assertEquals(1, loads());
    while (!second.goOn(Turn.ENDLESS)) {}
    assertTrue(first.goOn(Turn.OVER));
    assertEquals(2, loads());
  }
}
