package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.User;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.Accounts;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.testkit.HeapUse;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.WebServer;
import org.jmmv.web.http.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What pages and plans say that they keep, compared with the heap, over the worst files. */
@Timeout(120)
class KeptBytesTest {
  private static final Labels OF_HOST =
      LabelParser.parse("{\"hostname\":\"here\"}", LabelType.CONTEXT);
  private static final Turn SHORT = Turn.OVER;

  private static final int LONG_SAMPLE = 3 * 254 * 220; // bytes
  private static final int INSTANCES = 1024;
  private static final long MEMORY = 128 << 20; // for all clients

  @TempDir private Path directory;
  private Catalog catalog;
  private final Map<Naming, PlanCache> plans = new EnumMap<>(Naming.class);
  private final Map<Format, Encoding> encodings = new EnumMap<>(Format.class);
  private final Accounts accounts = new Accounts(MEMORY, Runnable::run);
  private final FamilyCache families = new FamilyCache(accounts);

  @BeforeEach
  void create() {
    catalog = WebServer.catalog(directory);
    for (Naming naming : Naming.values()) {
      plans.put(naming, new PlanCache(naming, 0, accounts));
    }
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  /** Adds 254 labels of 220 bytes. */
  private static void label(MmvWriter file, int type, int identity, String prefix) {
    for (int i = 0; i < 254; i++) {
      String name = prefix + i;
      file.label(
          type, identity, 0, "{\"%s\":\"%s\"}".formatted(name, "x".repeat(220 - name.length())));
    }
  }

  /** Writes 1,024 instances with 762 labels, and metrics of the same cluster. */
  private void writeLongLabels(int metrics) {
    int[] types = {LabelType.CLUSTER, LabelType.INDOM, LabelType.ITEM};
    for (int i = 0; i < types.length; i++) {
      MmvWriter file = new MmvWriter(3).cluster(5).flags(MmvWriter.NOPREFIX);
      MmvWriter.InDom inDom = file.inDom(1);
      MmvWriter.Metric wide = file.metric("wide", 1, ValueType.U32).inDom(inDom);
      for (int instance = 0; instance < INSTANCES; instance++) {
        inDom.instance(instance, "i" + instance);
        wide.at(instance, instance);
      }
      for (int metric = 0; i == 0 && metric < metrics; metric++) {
        file.metric("single" + metric, metric + 2, ValueType.U32).value(metric);
      }
      label(file, types[i], Math.min(i, 1), "label" + i + "_");
      file.write(directory, "file" + i);
    }
  }

  private Scrape page(Format format, Naming naming) {
    return page(format, naming, families);
  }

  private Scrape page(Format format, Naming naming, FamilyCache shared) {
    PlanCache plan = plans.get(naming);
    Encoding encoding = encodings.computeIfAbsent(format, Format::encoding);
    return new Scrape(plan, encoding, shared, FamilyFilter.ALL, "1.2.3", OF_HOST);
  }

  private Plan plan(Naming naming) {
    return plans.get(naming).advance(catalog, Turn.ENDLESS).orElseThrow();
  }

  /**
   * Writes a page in the shortest steps.
   *
   * @param afterStep receives the number of bytes that a step has written
   */
  private ByteBuf write(Scrape page, LongConsumer afterStep) throws Failure {
    ByteBuf out = Unpooled.buffer();
    boolean hasMore;
    do {
      int before = out.readableBytes();
      hasMore = page.write(catalog, out, SHORT) == Progress.MORE;
      afterStep.accept(out.readableBytes() - before);
    } while (hasMore);
    return out;
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aStepWritesOneLongSampleAndAPageKeepsNumbersOnly(Format format) throws Exception {
    writeLongLabels(0);
    Scrape page = page(format, Naming.PROMETHEUS);
    plan(Naming.PROMETHEUS);
    long size =
        write(
                page,
                written -> {
                  assertTrue(written < 2 * LONG_SAMPLE, () -> written + " bytes in a step");
                  assertTrue(page.bytes() < 64 << 10, () -> page.bytes() + " bytes kept");
                })
            .readableBytes();
    assertTrue(size > (long) INSTANCES * LONG_SAMPLE, () -> size + " bytes");
    HeapUse.assertCounted(
        "page",
        200,
        _ -> {
          writeLongLabels(0); // so that the page alone keeps the numbers of the last file
          Scrape begun = page(format, Naming.PROMETHEUS);
          ByteBuf out = Unpooled.buffer();
          while (out.readableBytes() < 5 * LONG_SAMPLE) {
            assertEquals(Progress.MORE, begun.write(catalog, out, SHORT));
          }
          return begun;
        },
        Scrape::bytes);
  }

  @ParameterizedTest
  @EnumSource(Naming.class)
  void neitherPlanNorPageKeepsTheLabelsOfHundredsOfMetrics(Naming naming) throws Exception {
    writeLongLabels(500);
    Plan plan = plan(naming);
    assertTrue(
        plan.bytes() < 500 * 254, () -> plan.bytes() + " bytes"); // less than one for each label
    Scrape page = page(Format.TEXT, naming);
    long size = write(page, _ -> assertEquals(0, page.bytes() >> 16)).readableBytes();
    assertTrue(size > 500L * 254 * 220, () -> size + " bytes");
  }

  /** Makes 10,000 metrics. */
  private void writeLongNames() {
    for (int i = 0; i < 10; i++) {
      MmvWriter file = new MmvWriter(3).cluster(5 + i);
      IntStream.range(1, 1000)
          .forEach(item -> file.metric(item + "n".repeat(240), item, ValueType.U32).value(item));
      file.write(directory, i + "f".repeat(240));
    }
  }

  @ParameterizedTest
  @EnumSource(Naming.class)
  void aPlanOfLongNamesIsCounted(Naming naming) throws Exception {
    writeLongNames();
    HeapUse.assertCounted(
        "plan",
        5,
        _ -> new PlanCache(naming, 500, accounts).advance(catalog, Turn.ENDLESS).orElseThrow(),
        Plan::bytes);
    Plan plan = plan(naming);
    assertTrue(plan.bytes() < 2 << 20, () -> plan.bytes() + " bytes");
  }

  private FamilyCache cache(Format format) throws Failure {
    FamilyCache filled = new FamilyCache(accounts);
    write(page(format, Naming.PROMETHEUS, filled), _ -> {});
    return filled;
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void encodedFamiliesAreCounted(Format format) throws Exception {
    writeLongNames();
    HeapUse.assertCounted("families", 2, _ -> cache(format), FamilyCache::bytes);
    FamilyCache filled = cache(format);
    assertTrue(filled.bytes() < 17 << 20, () -> filled.bytes() + " bytes");
    filled.close();
    write(page(format, Naming.PROMETHEUS, filled), _ -> assertEquals(0, filled.bytes()));
  }

  @Test
  void cachesAreGivenUpForClientsAndPagesGoOn() throws Exception {
    writeLongNames();
    List<String> expected = ofFiles(write(page(Format.TEXT, Naming.PCP), _ -> {}));
    assertEquals(3 * 9_990, expected.size());
    assertTrue(families.bytes() > 0);
    List<Accounts.Account> clients =
        IntStream.rangeClosed(1, 1000)
            .mapToObj(uid -> accounts.open(User.of(uid), () -> fail("has less than the caches")))
            .toList();

    keep(clients, MEMORY);
    assertEquals(0, families.bytes());
    keep(clients, 0);

    int[] steps = {0};
    ByteBuf page =
        write(
            page(Format.TEXT, Naming.PCP),
            _ -> keep(clients, ++steps[0] % 12_000 == 0 ? MEMORY : 0));
    assertEquals(expected, ofFiles(page));
  }

  private static void keep(List<Accounts.Account> clients, long bytes) {
    clients.forEach(client -> client.set(bytes / clients.size()));
  }

  /** Returns the lines that are the same on each page. */
  private static List<String> ofFiles(ByteBuf page) {
    return page.toString(UTF_8).lines().filter(line -> line.contains("nnn")).toList();
  }

  @Test
  void aPageKeepsNoFilesOfWhichItShowsThatTheyHaveBeenReplaced() throws Exception {
    for (int i = 0; i < 200; i++) {
      MmvWriter file = new MmvWriter(1);
      file.metric("x", 1, ValueType.U32).value(1);
      file.metric("<bad>", 2, ValueType.U32).value(1);
      file.write(directory, "file" + i + "_".repeat(200));
    }
    Scrape page = page(Format.TEXT, Naming.PROMETHEUS);
    Set<Long> kept = new HashSet<>();
    write(page, _ -> kept.add(page.bytes()));
    assertTrue(Collections.max(kept) < 2_000, kept::toString);
  }

  @Test
  void aPlanIsThatOfThePageWhenItIsNotInTheCacheAnyMore() throws Exception {
    writeLongLabels(10);
    Scrape page = page(Format.TEXT, Naming.PROMETHEUS);
    page.write(catalog, Unpooled.buffer(), SHORT);
    assertEquals(FamilyFilter.ALL.bytes(), page.bytes(), "the plan is that of the cache");
    Plan before = plan(Naming.PROMETHEUS);
    page.write(catalog, Unpooled.buffer(), SHORT);
    long version = catalog.changes().version();
    new MmvWriter(3).cluster(6).write(directory, "other");
    while (catalog.changes().version() == version) {
      catalog.begin(new Scope.AllFiles());
    }
    plan(Naming.PROMETHEUS);
    assertTrue(page.bytes() >= before.bytes() && page.bytes() < 20_000, page.bytes() + " bytes");
  }

  @Test
  void aListOfNamesCountsItsPlanIfItIsAFormerOne() throws Exception {
    HeapUse.assertCounted(
        "names",
        20,
        number -> {
          new MmvWriter(3).cluster(6 + number).write(directory, "other");
          NamesBody names = new NamesBody(plans.get(Naming.PROMETHEUS));
          ByteBuf out = Unpooled.buffer();
          while (!out.isReadable()) {
            names.write(catalog, out, SHORT);
          }
          return names;
        },
        NamesBody::bytes);
  }

  @Test
  void patternsAreKeptAsTexts() throws Exception {
    String pattern = "a?".repeat(100);
    HeapUse.assertCounted(
        "filter",
        10_000,
        _ -> FamilyFilter.of(List.of(), List.of(pattern, pattern), List.of()),
        FamilyFilter::bytes);
    FamilyFilter filter = FamilyFilter.of(List.of(), List.of(pattern, pattern), List.of());
    assertEquals(2, filter.matcher().patterns().size());
  }
}
