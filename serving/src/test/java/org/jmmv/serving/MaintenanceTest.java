package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.Catalog;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.Limit;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel has a clock that a test moves. */
class MaintenanceTest {
  private static final int FILES = 3_000; // more than a start reads in 3 ms

  @TempDir private Path root;
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private boolean doRequestsWait = true;

  private void pass(int millis) {
    for (int i = 0; i < millis; i++) {
      channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
  }

  @Test
  void filesAreReadWhileNoRequestWaits() {
    channel.freezeTime();
    try (TestCatalog directory = new TestCatalog(root, TestCatalog.loadingFor(1))) {
      for (int i = 0; i < FILES; i++) {
        MmvWriter file = new MmvWriter(2).cluster(1);
        file.metric("m" + i, i % 1_000, ValueType.U32).value(i);
        directory.write("app" + i, file);
      }
      Catalog catalog = directory.catalog();

      new Maintenance(catalog, channel.eventLoop(), () -> doRequestsWait).load();
      long atStart = catalog.used(Limit.FILES);
      pass(100);
      assertEquals(atStart, catalog.used(Limit.FILES));
      assertTrue(atStart < FILES, () -> atStart + " files");

      doRequestsWait = false;
      while (catalog.hasBacklog()) {
        pass(1);
      }
      assertEquals(FILES, catalog.used(Limit.FILES));
    }
  }
}
