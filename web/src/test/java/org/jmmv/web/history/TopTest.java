package org.jmmv.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.Accounts;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.WebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopTest {
  private static final long SECOND = 1_000_000_000;
  private static final int ROUNDS = 100;
  private static final Top.Filter ALL =
      new Top.Filter() {
        @Override
        public boolean lookAt(String metric, View view, Turn turn) {
          return false;
        }

        @Override
        public boolean admits(int instance, View view) {
          return true;
        }
      };

  @TempDir Path directory;
  private Catalog catalog;
  private History history;
  private long now;

  /** Reads the values of two applications for 100 seconds. */
  @BeforeEach
  void read() {
    MmvWriter shop = new MmvWriter(2).cluster(11);
    MmvWriter.InDom inDom = shop.inDom(1).instance(0, "slow").instance(1, "quick");
    shop.metric("orders", 1, ValueType.U64).inDom(inDom).at(0, 0).at(1, 0);
    shop.metric("queue", 2, ValueType.I32).semantics(Semantics.INSTANT).value(0);
    shop.metric("size", 3, ValueType.U64).semantics(Semantics.DISCRETE).value(1 << 30);
    shop.metric("restarted", 4, ValueType.U64).value(0);
    Path file = shop.write(directory, "shop");
    MmvWriter other = new MmvWriter(2).cluster(12);
    other.metric("load", 1, ValueType.DOUBLE).semantics(Semantics.INSTANT).value(0.0);
    Path otherFile = other.write(directory, "other");
    catalog = WebServer.catalog(directory);
    history =
        new History(catalog, () -> 1 << 20, new Accounts(Long.MAX_VALUE, Runnable::run), () -> now);
    for (int round = 0; round < ROUNDS; round++) {
      MmvWriter.storeLong(file, shop.valueAt(0), round / 10);
      MmvWriter.storeLong(file, shop.valueAt(1), 50L * round);
      MmvWriter.storeLong(file, shop.valueAt(2), round % 20 == 0 ? -round : 3);
      MmvWriter.storeLong(file, shop.valueAt(4), round < 98 ? 1000 : 5);
      MmvWriter.storeLong(
          otherFile, other.valueAt(0), Double.doubleToRawLongBits(Math.floorDiv(round, 2) * 0.25));
      now += SECOND;
      while (history.read(Turn.ENDLESS)) {}
    }
    catalog.begin(new Scope.AllFiles());
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private List<String> top(Order order, int max, Collection<String> files) {
    Top top = new Top(history, order, max, files);
    while (top.find(
        ALL, catalog.begin(new Scope.NoFiles()), Turn.OVER)) {} // in as many turns as possible
    return top.take().stream()
        .map(one ->
            "%s %s: %s, %s, %s"
                .formatted(
                    one.metric().substring("mmv.".length()),
                    one.instance() == -1 ? "" : one.instance(),
                    one.activity().changes(),
                    one.activity().rate(),
                    one.value()))
        .toList();
  }

  @Test
  void byChanges() {
    assertEquals(
        List.of(
            "shop.orders 1: 60, 50.0, 4950",
            "other.load : 30, NaN, 12.25",
            "shop.orders 0: 6, 0.0, 9",
            "shop.queue : 6, NaN, 3",
            "shop.restarted : 1, NaN, 5"),
        top(Order.CHANGES, 10, List.of()));
  }

  @Test
  void byRate() {
    assertEquals(List.of("shop.orders 1: 60, 50.0, 4950"), top(Order.RATE, 10, List.of()));
  }

  @Test
  void byValueOfEachOfSomeFiles() {
    assertEquals(
        List.of(
            "other.load : 30, NaN, 12.25",
            "shop.size : 0, NaN, 1073741824",
            "shop.orders 1: 60, 50.0, 4950"),
        top(Order.VALUE, 2, List.of("other", "shop", "missing")));
  }
}
