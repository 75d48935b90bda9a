package org.jmmv.web.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.Scope;
import org.jmmv.core.SettingsSource;
import org.jmmv.core.Turn;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.testkit.MmvWriter;
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
  private static final Turn SHORT = () -> true;

  /** Objects of fixed sizes: those of a page, and the headers of its arrays. */
  private static final long FIXED = 2_000;

  private static final int LONG_SAMPLE = 3 * 254 * 220; // bytes
  private static final int INSTANCES = 1024;

  @TempDir private Path directory;
  private Catalog catalog;
  private PlanCache plans;

  @BeforeEach
  void create() {
    Limits patient = Limits.DEFAULT.with(Limit.WAIT, 60_000); // however busy the machine is
    catalog =
        new Catalog.Builder(directory)
            .settings(new SettingsSource.Settings(patient, List.of(DirectorySettings.DEFAULT)))
            .build();
    plans = new PlanCache(catalog, OF_HOST);
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
    return new Scrape(catalog, plans.get(format, naming), FamilyFilter.ALL, "1.2.3", List.of());
  }

  private Plan plan(Format format, Naming naming) {
    return plans.get(format, naming).advance(Turn.ENDLESS).orElseThrow();
  }

  /** Writes a page in the shortest steps. Returns the number of bytes of the page. */
  private static long write(Scrape page, LongConsumer afterStep) {
    long size = 0;
    boolean hasMore;
    do {
      ByteBuf piece = Unpooled.buffer();
      hasMore = page.write(piece, SHORT) == Progress.MORE;
      size += piece.readableBytes();
      afterStep.accept(piece.readableBytes());
    } while (hasMore);
    return size;
  }

  /**
   * Returns what an object and those that it refers to take in the heap. Objects that pages share
   * are left out, and a plan that is in the cache; any other object of the JDK but strings and
   * arrays is an error, because nobody knows what it takes.
   */
  private static long heap(Object root, Plan cached) throws IllegalAccessException {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> left = new ArrayDeque<>(List.of(root));
    long bytes = 0;
    while (!left.isEmpty()) {
      Object object = left.pop();
      if (object == cached || isShared(object) || !seen.add(object)) {
        continue;
      }
      Class<?> type = object.getClass();
      if (object instanceof String text) {
        bytes += 24 + 16 + text.length();
      } else if (type.isArray()) {
        int length = Array.getLength(object);
        bytes += 16 + (long) size(type.componentType()) * length;
        for (int i = 0; i < length && !type.componentType().isPrimitive(); i++) {
          if (Array.get(object, i) != null) {
            left.push(Array.get(object, i));
          }
        }
      } else {
        assertTrue(type.getName().startsWith("org.jmmv."), type::getName);
        bytes += 16;
        for (Field field : type.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers())) {
            bytes += size(field.getType());
            field.setAccessible(true);
            if (!field.getType().isPrimitive() && field.get(object) != null) {
              left.push(field.get(object));
            }
          }
        }
      }
    }
    return bytes;
  }

  private static boolean isShared(Object object) {
    return object instanceof Catalog
        || object instanceof PlanCache
        || object instanceof PlanCache.Entry
        || object instanceof PageBuffers
        || object instanceof Encoding
        || object instanceof Scale
        || object instanceof Enum<?>
        || object instanceof List<?>; // the labels of the host
  }

  private static int size(Class<?> type) {
    return type == long.class || type == double.class
        ? 8
        : type == byte.class || type == boolean.class ? 1 : 4;
  }

  private static void assertCounted(Object kept, long counted) {
    assertCounted(kept, counted, null);
  }

  private static void assertCounted(Object kept, long counted, Plan cached) {
    try {
      long heap = heap(kept, cached);
      assertTrue(heap <= counted * 1.5 + FIXED, () -> heap + " bytes, counted " + counted);
      assertTrue(counted <= heap * 1.5 + FIXED, () -> heap + " bytes, counted " + counted);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aStepWritesOneLongSampleAndAPageKeepsNumbersOnly(Format format) {
    writeLongLabels(0);
    Scrape page = page(format, Naming.PROMETHEUS);
    Plan plan = plan(format, Naming.PROMETHEUS);
    int[] steps = new int[1];
    long size =
        write(
            page,
            written -> {
              assertTrue(written < 2 * LONG_SAMPLE, () -> written + " bytes in a step");
              assertTrue(page.bytes() < 64 << 10, () -> page.bytes() + " bytes kept");
              if (steps[0]++ % 100 == 0) {
                assertCounted(page, page.bytes(), plan);
              }
            });
    assertTrue(size > (long) INSTANCES * LONG_SAMPLE, () -> size + " bytes");
  }

  @ParameterizedTest
  @EnumSource(Naming.class)
  void thousandsOfMetricsWithLongLabelsDoNotFitIntoAPlan(Naming naming) {
    writeLongLabels(500);
    Plan plan = plan(Format.TEXT, naming);
    assertCounted(plan, plan.bytes());
    assertTrue(plan.families().count() > 100 && plan.families().count() < 501);
    assertTrue(plan.bytes() < 17 << 20, () -> plan.bytes() + " bytes");
    Scrape page = page(Format.TEXT, naming);
    long size = write(page, _ -> assertEquals(0, page.bytes() >> 16));
    assertTrue(size > 500L * 254 * 220, () -> size + " bytes");
  }

  @ParameterizedTest
  @EnumSource(Naming.class)
  void aPlanOfLongNamesIsCounted(Naming naming) {
    for (int i = 0; i < 10; i++) {
      MmvWriter file = new MmvWriter(3).cluster(5 + i);
      IntStream.range(1, 1000)
          .forEach(item -> file.metric(item + "n".repeat(240), item, ValueType.U32).value(item));
      file.write(directory, i + "f".repeat(240));
    }
    Plan plan = plan(Format.OPENMETRICS, naming);
    assertCounted(plan, plan.bytes());
    plan.forgetFamilies();
    assertCounted(plan, plan.bytes());
    assertTrue(plan.bytes() < 2 << 20, () -> plan.bytes() + " bytes");
  }

  @Test
  void aPageKeepsNoFilesOfWhichItShowsThatTheyHaveBeenReplaced() {
    for (int i = 0; i < 200; i++) {
      MmvWriter file = new MmvWriter(1);
      file.metric("x", 1, ValueType.U32).value(1);
      file.metric("<bad>", 2, ValueType.U32).value(1);
      file.write(directory, "file" + i + "_".repeat(200));
    }
    Scrape page = page(Format.TEXT, Naming.PROMETHEUS);
    Set<Long> kept = new HashSet<>();
    write(
        page,
        _ -> {
          Plan plan = plan(Format.TEXT, Naming.PROMETHEUS);
          kept.add(page.bytes());
          assertCounted(page, page.bytes(), plan);
        });
    assertTrue(Collections.max(kept) < 2_000, kept::toString);
  }

  @Test
  void anOutdatedPlanHasNoFamilies() {
    writeLongLabels(10);
    Scrape page = page(Format.TEXT, Naming.PROMETHEUS);
    page.write(Unpooled.buffer(), SHORT);
    assertEquals(0, page.bytes(), "the plan is that of the cache");
    Plan before = plan(Format.TEXT, Naming.PROMETHEUS);
    assertTrue(before.bytes() > 10 * 254 * 220);
    page.write(Unpooled.buffer(), SHORT);
    long version = catalog.changes().version();
    new MmvWriter(3).cluster(6).write(directory, "other");
    while (catalog.changes().version() == version) {
      catalog.begin(new Scope.OfAll());
    }
    plan(Format.TEXT, Naming.PROMETHEUS);
    assertCounted(page, page.bytes());
    assertTrue(page.bytes() > 0 && page.bytes() < 20_000, () -> page.bytes() + " bytes");
  }

  @Test
  void patternsAreKeptAsTexts() {
    String pattern = "a?".repeat(100);
    FamilyFilter filter = new FamilyFilter("", FamilyFilter.joined(List.of(pattern, pattern)), "");
    assertCounted(filter, filter.bytes());
    assertEquals(2, filter.matcher().patterns().size());
  }
}
