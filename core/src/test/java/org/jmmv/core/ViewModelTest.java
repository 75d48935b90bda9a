package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares what views return with a model: files of one cluster share metrics and instance domains,
 * come, go, are rewritten between views and truncated during them. Some values are read in parts.
 */
class ViewModelTest {
  private static final int METRICS = 6;
  private static final int[] SIZES = {5, 600, 1_100}; // of instance domains; 512 are read at once

  @TempDir private Path directory;

  /** What a file has, by names of files. */
  private final SortedMap<String, Contents> files = new TreeMap<>();

  /**
   * What is in a file.
   *
   * @param instances numbers of each instance domain, in the order of the file
   * @param values values by instances, for each metric
   */
  private record Contents(List<List<Integer>> instances, List<Map<Integer, Integer>> values) {
    static Contents random(Random random) {
      List<List<Integer>> instances =
          IntStream.of(SIZES)
              .mapToObj(size -> random.ints(1 + random.nextInt(size), 0, size))
              .map(numbers -> numbers.distinct().boxed().toList())
              .toList();
      int share = 1 + random.nextInt(3);
      List<Map<Integer, Integer>> values = new ArrayList<>();
      for (int m = 0; m < METRICS; m++) {
        Map<Integer, Integer> ofMetric = new LinkedHashMap<>();
        instances.get(m % SIZES.length).stream()
            .filter(_ -> ofMetric.isEmpty() || random.nextInt(share) == 0)
            .forEach(number -> ofMetric.put(number, random.nextInt(1_000_000)));
        values.add(ofMetric);
      }
      return new Contents(instances, values);
    }

    void write(Path directory, String name) {
      MmvWriter writer = new MmvWriter(2).cluster(5);
      List<MmvWriter.InDom> inDoms = new ArrayList<>();
      for (List<Integer> numbers : instances) {
        MmvWriter.InDom inDom = writer.inDom(inDoms.size() + 1);
        numbers.forEach(number -> inDom.instance(number, "i" + number));
        inDoms.add(inDom);
      }
      for (int m = 0; m < METRICS; m++) {
        MmvWriter.Metric metric = writer.metric("m" + m, m + 1, ValueType.U32);
        metric.inDom(inDoms.get(m % SIZES.length));
        values.get(m).forEach(metric::at);
      }
      writer.write(directory, name);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void aViewReturnsWhatIsInTheFiles(long seed) throws IOException {
    Random random = new Random(seed);
    try (Catalog catalog = new Catalog(new CatalogOptions(directory))) {
      for (int round = 0; round < 25; round++) {
        change(random);
        catalog.requestReload(); // requests find changes as far as they have time
        do {
          catalog.idle(Turn.ENDLESS);
        } while (catalog.dueReload() != null || catalog.hasBacklog());
        compareAll(catalog.begin(new Scope.AllFiles()), random);
      }
    }
  }

  /** Writes, rewrites or removes a file. */
  private void change(Random random) throws IOException {
    String name = "app" + random.nextInt(4);
    if (random.nextInt(4) == 0) {
      Files.deleteIfExists(directory.resolve(name));
      files.remove(name);
    } else {
      Contents contents = Contents.random(random);
      Files.deleteIfExists(directory.resolve(name)); // another inode
      contents.write(directory, name);
      files.put(name, contents);
    }
  }

  private void compareAll(View view, Random random) throws IOException {
    Map<String, Contents> readable = new TreeMap<>(files);
    List<Contents> all = List.copyOf(files.values()); // whose instances stay in this view
    for (int i = 0; i < 12; i++) {
      if (!readable.isEmpty() && random.nextInt(8) == 0) {
        String name = List.copyOf(readable.keySet()).get(random.nextInt(readable.size()));
        MmvWriter.resize(directory.resolve(name), 0);
        readable.remove(name);
        files.remove(name);
      }
      compare(view, random.nextInt(METRICS), readable, all, random);
    }
  }

  private void compare(
      View view, int m, Map<String, Contents> readable, List<Contents> all, Random random) {
    int inDom = m % SIZES.length;
    Metric metric = view.metric(Pmid.build(70, 5, m + 1));
    if (metric == null) {
      assertTrue(readable.isEmpty());
      return;
    }
    boolean include = random.nextBoolean();
    int[] listed = random.ints(random.nextInt(SIZES[inDom]), -5, SIZES[inDom]).toArray();
    Set<Integer> set = Set.copyOf(IntStream.of(listed).boxed().distinct().toList());
    InstanceFilter filter = new InstanceFilter(random.nextBoolean());
    filter.set(metric.inDom(), include, listed);
    Map<Integer, Integer> values = new LinkedHashMap<>();
    readable.values().forEach(one -> one.values.get(m).forEach(values::putIfAbsent));
    List<String> expected =
        all.stream()
            .flatMap(one -> one.instances.get(inDom).stream())
            .distinct()
            .filter(number -> values.containsKey(number) && set.contains(number) != include)
            .map(number -> number + "=" + values.get(number))
            .toList();
    assertTrue(view.maxValues(metric, filter) >= expected.size());
    RecordingSink sink =
        random.nextBoolean() ? new RecordingSink() : new RecordingSink(1 + random.nextInt(700));
    sink.readAll(view, metric, filter);
    assertEquals(expected, sink.numbers());
  }
}
