package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.CpuTime;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SectionedFile;
import org.jmmv.testkit.SectionedFile.Metric;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * As many records as the limits allow, all about the same object. They are loaded, replaced and
 * removed in a CPU time that is generous for linear work and that quadratic work exceeds.
 */
class CrowdedFilesTest {
  private static final int CLUSTER = 5;
  private static final int ITEM = 1;
  private static final int PMID = Pmid.build(70, CLUSTER, ITEM);
  private static final int OWN_NAMES = 36; // of mmv.control

  @TempDir Path root;
  private Path mmv;

  @BeforeEach
  void createDirectory() throws IOException {
    mmv = Files.createDirectory(root.resolve("mmv"));
  }

  private interface Check {
    void of(Catalog catalog);
  }

  /** Loads files, replaces all of them at once, and removes them. */
  private void assertServed(Map<String, ByteBuffer> files, Check check) throws IOException {
    files.forEach((name, image) -> MmvWriter.write(image, mmv, name));
    CpuTime.assertLinear(() -> {
      SettingsSource.Settings settings = TestCatalog.settings(TestCatalog.LIMITS);
      try (Catalog catalog = new Catalog(new CatalogOptions(mmv).settings(settings))) {
        load(catalog);
        check.of(catalog);
        files.forEach((name, image) ->
            MmvWriter.write(
                image.putLong(MmvWriter.GENERATION1, 2).putLong(MmvWriter.GENERATION2, 2),
                mmv,
                name));
        load(catalog);
        check.of(catalog);
        for (String name : files.keySet()) {
          Files.delete(mmv.resolve(name));
        }
        load(catalog);
        assertEquals(OWN_NAMES, catalog.begin(new Scope.AllFiles()).names().size());
        assertNull(catalog.begin(new Scope.OfMetric(PMID)).metric(PMID));
        assertNull(labels(catalog));
      }
    });
  }

  private static Labels labels(Catalog catalog) {
    return catalog.begin(new Scope.OfLabels(LabelType.ITEM, PMID)).labels(LabelType.ITEM, PMID);
  }

  private static void load(Catalog catalog) {
    catalog.load();
    while (catalog.hasBacklog()) {
      catalog.idle(Turn.ENDLESS);
    }
  }

  private static Map<String, ByteBuffer> files(int count, IntFunction<ByteBuffer> image) {
    Map<String, ByteBuffer> files = new LinkedHashMap<>();
    IntStream.range(0, count).forEach(f -> files.put("f%04d".formatted(f), image.apply(f)));
    return files;
  }

  @Test
  void oneMetricInAHundredThousandRecords() throws IOException {
    List<Metric> same = IntStream.range(0, 255).mapToObj(i -> new Metric("m" + i, ITEM)).toList();
    assertServed(
        files(391, _ -> SectionedFile.image(CLUSTER, 0, 1, same)),
        catalog ->
            assertEquals(
                391 * 255, catalog.begin(new Scope.OfMetric(PMID)).metric(PMID).names().size()));
  }

  @Test
  void oneNameForAHundredThousandMetrics() throws IOException {
    List<Metric> same = IntStream.range(0, 5_000).mapToObj(i -> new Metric("m", i % 1000)).toList();
    assertServed(
        files(20, _ -> SectionedFile.image(CLUSTER, MmvWriter.NOPREFIX, 1000, same)),
        catalog -> assertEquals(OWN_NAMES + 1, catalog.begin(new Scope.AllFiles()).names().size()));
  }

  @Test
  void fiftyThousandLabelRecordsOfOneMetric() throws IOException {
    assertServed(
        files(
            196,
            f -> {
              MmvWriter file = new MmvWriter(3).cluster(CLUSTER);
              file.metric("m", ITEM, ValueType.I32).value(1);
              for (int i = 0; i < 255; i++) {
                List<String> labels = new ArrayList<>();
                for (int label = 0; label < 20; label++) {
                  labels.add("\"l%d\":%d".formatted((i + 7 * label) % 250, f));
                }
                file.label(LabelType.ITEM, ITEM, 0, "{" + String.join(",", labels) + "}");
              }
              return file.image();
            }),
        catalog -> {
          Labels labels = labels(catalog);
          assertEquals(250, labels.entries().size());
          assertEquals("{\"l0\":195,", labels.json().substring(0, 10), "that of the last file");
        });
  }

  @Test
  void aHundredThousandNamesOfAHundredParts() throws IOException {
    assertServed(
        files(
            97,
            f -> {
              List<Metric> metrics = new ArrayList<>();
              for (int i = 0; i < 1020; i++) {
                metrics.add(new Metric("a.".repeat(i % 122) + "b%d".formatted(f * 1020 + i), i));
              }
              return SectionedFile.image(CLUSTER + f, MmvWriter.NOPREFIX, 510, metrics);
            }),
        catalog ->
            assertEquals(
                OWN_NAMES + 97 * 1020, catalog.begin(new Scope.AllFiles()).names().size()));
  }
}
