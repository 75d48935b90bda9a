package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of the table: tree, folding, filter, order, and window. */
final class MetricTableTest {
  private static final List<WatchedMetric> SHOP =
      List.of(
          Metrics.number("mmv.bank.rate", 3),
          Metrics.number("mmv.shop.orders.placed", 30),
          Metrics.number("mmv.shop.orders.waiting", 7),
          Metrics.instances("mmv.shop.pages", "/a", "/book"),
          Metrics.text("mmv.shop.state", "open"));

  private final MetricTable table = new MetricTable();

  private List<String> rows() {
    return table.window(100).stream().map(MetricTableTest::shown).toList();
  }

  private static String shown(Row row) {
    String instance =
        row.series() == null || row.series().instanceName() == null
            ? ""
            : '[' + row.series().instanceName() + ']';
    String folded = row.isFolded() ? " +" + row.values() : "";
    return " ".repeat(row.depth()) + row.path().substring(row.start()) + instance + folded;
  }

  private void select(String path) {
    table.move(-table.size());
    while (!table.selected().path().equals(path)) {
      table.move(1);
    }
  }

  @Test
  void namesAreATree() {
    table.setMetrics(SHOP);
    assertEquals(
        List.of(
            "mmv",
            " bank.rate",
            " shop",
            "  orders",
            "   placed",
            "   waiting",
            "  pages",
            "   [/a]",
            "   [/book]",
            "  state"),
        rows());
  }

  @Test
  void aNameThatIsTheBeginningOfAnotherIsNotAbove() {
    table.setMetrics(List.of(Metrics.number("mmv.ab", 1), Metrics.number("mmv.abc", 2)));
    assertEquals(List.of("mmv", " ab", " abc"), rows());
  }

  @Test
  void foldingHidesWhatIsBelow() {
    table.setMetrics(SHOP);
    select("mmv.shop");
    table.fold();
    assertEquals(List.of("mmv", " bank.rate", " shop +5"), rows());
    table.setMetrics(SHOP); // as after a change of files
    assertEquals(3, table.size());
    table.unfold();
    assertEquals(10, table.size());
    select("mmv.shop.pages");
    table.toggle();
    assertEquals("  pages +2", rows().get(6));
    table.toggle();
    assertEquals(10, table.size());
  }

  @Test
  void foldingAValueSelectsTheRowAbove() {
    table.setMetrics(SHOP);
    select("mmv.shop.orders.waiting");
    table.fold();
    assertEquals("mmv.shop.orders", table.selected().path());
    assertEquals(10, table.size());
  }

  @Test
  void theFilterComparesNamesAndInstancesInFoldedPartsAsWell() {
    table.setMetrics(SHOP);
    table.fold();
    assertEquals(1, table.size());
    table.setFilter("BOOK");
    assertEquals(List.of("mmv.shop.pages", " [/book]"), rows());
    table.setFilter("orders.");
    assertEquals(List.of("mmv.shop.orders", " placed", " waiting"), rows());
    table.setFilter("nothing");
    assertEquals(List.of(), rows());
    assertNull(table.selected());
    table.setFilter("");
    assertEquals(1, table.size());
  }

  @Test
  void aStarInTheFilterStandsForAnyCharactersAndAQuestionMarkForOne() {
    table.setMetrics(SHOP);
    table.setFilter("shop*ED");
    assertEquals(List.of("mmv.shop.orders.placed"), rows());
    assertEquals(1, table.values());
    table.setFilter("?bank");
    assertEquals(List.of("mmv.bank.rate"), rows());
    table.setFilter("[/a]"); // an instance, no set of characters
    assertEquals(List.of("mmv.shop.pages", " [/a]"), rows());
  }

  @Test
  void aFilterBetweenSlashesIsARegularExpression() {
    table.setMetrics(SHOP);
    table.setFilter("/^MMV\\.(bank|shop\\.orders)\\..*d?e$/");
    assertEquals(List.of("mmv.bank.rate"), rows());
    table.setFilter("/pages\\[.{3,}\\]/");
    assertEquals(List.of("mmv.shop.pages", " [/book]"), rows());
    table.setFilter("/book"); // the beginning of an expression, and an instance
    assertEquals(List.of("mmv.shop.pages", " [/book]"), rows());
    table.setFilter("/(/");
    assertEquals(List.of(), rows());
    assertEquals(
        "The regular expression can't be used: missing closing ): (.",
        table.problemOfFilter().orElseThrow());
  }

  /** Either would take longer than anybody waits, or end the program with a StackOverflowError. */
  @ParameterizedTest
  @ValueSource(strings = {"/(a+)+x/", "/(?:(?:(?:(?:(?:(?:a|b)|b)|b)|b)|b)|b)*x/"})
  void aNameThatAnExpressionTakesTooLongForHidesNoOther(String filter) {
    table.setMetrics(
        List.of(
            Metrics.instances("mmv.app.hostile", "a".repeat(255)),
            Metrics.number("mmv.good.aax", 1),
            Metrics.number("mmv.long." + "a".repeat(500), 1)));
    table.setFilter(filter);
    assertEquals(List.of("mmv.good.aax"), rows());
  }

  @Test
  void theOrderCanBeReversed() {
    table.setMetrics(SHOP);
    table.reverse();
    assertEquals("name, reversed", table.order());
    assertEquals(List.of("mmv", " shop", "  state", "  pages"), rows().subList(0, 4));
    table.setSort(MetricTable.Sort.VALUE);
    assertEquals("mmv.shop.pages[/a]", rows().getFirst());
    assertEquals("mmv.shop.state", rows().getLast()); // text stays at the end
    table.reverse();
    assertEquals("mmv.shop.orders.placed", rows().getFirst());
  }

  @Test
  void allPartsCanBeFoldedAndUnfolded() {
    table.setMetrics(SHOP);
    table.toggleAll();
    assertEquals(List.of("mmv", " bank.rate", " shop +5"), rows());
    table.toggleAll();
    assertEquals(10, table.size());
  }

  @Test
  void theFilterIsUtf8() {
    table.setMetrics(List.of(Metrics.instances("mmv.m", Metrics.bytes("Gr\u00fcn"), "gr")));
    table.setFilter("r\u00fc");
    assertEquals(2, table.size());
  }

  @Test
  void theLargestValueComesFirstAndTextLast() {
    table.setMetrics(SHOP);
    table.setSort(MetricTable.Sort.VALUE);
    assertEquals(
        List.of(
            "mmv.shop.orders.placed",
            "mmv.shop.orders.waiting",
            "mmv.shop.pages[/book]",
            "mmv.bank.rate",
            "mmv.shop.pages[/a]",
            "mmv.shop.state"),
        rows());
  }

  @Test
  void theSelectionStaysWithItsRow() {
    table.setMetrics(SHOP);
    select("mmv.shop.state");
    table.setMetrics(SHOP.subList(1, 5));
    assertEquals("mmv.shop.state", table.selected().path());
    table.setSort(MetricTable.Sort.RATE);
    assertEquals("mmv.shop.state", table.selected().path());
  }

  @Test
  void theWindowFollowsTheSelection() {
    table.setMetrics(
        IntStream.range(100, 200).mapToObj(i -> Metrics.number("mmv." + i, i)).toList());
    assertEquals("mmv", table.window(5).getFirst().path());
    table.move(5);
    assertEquals("mmv.100", table.window(5).getFirst().path());
    table.movePages(2);
    assertEquals("mmv.114", table.window(5).getLast().path());
    table.move(1000);
    assertEquals("mmv.199", table.window(5).getLast().path());
    assertEquals(20, table.window(20).size()); // a larger terminal
    table.move(-1000);
    assertEquals("mmv", table.window(5).getFirst().path());
    table.setMetrics(List.of());
    assertEquals(List.of(), table.window(5));
  }
}
