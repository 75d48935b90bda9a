package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.Accounts;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.WebServer;
import org.jmmv.web.http.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Pages that take many turns, while files change, compared with what the files hold. */
@Timeout(120)
class ScrapeTest {
  private static final int PAGES = 5;
  private static final int[] SIZES = {1, 500, 1023, 1024, 1025, 1029, 2048, 2049, 3100};
  private static final Labels OF_HOST =
      LabelParser.parse("{\"hostname\":\"here\"}", LabelType.CONTEXT);
  private static final Pattern LINE =
      Pattern.compile("(\\w+)\\{.*instname=\"([^\"]*)\",instid=\"(\\d+)\"\\} (.*)");
  private static final int ADDED = 1_000_000; // the number of the first instance that comes later

  /** An instance of a family. */
  private record Series(String family, int instance) {}

  private record Sample(Series series, String name, double value) {}

  @TempDir private Path directory;
  private final Accounts accounts = new Accounts(Long.MAX_VALUE, Runnable::run);
  private Catalog catalog;

  @BeforeEach
  void create() {
    catalog = WebServer.catalog(directory);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  static List<Arguments> kinds() {
    List<Arguments> all = new ArrayList<>();
    for (Format format : Format.values()) {
      for (Naming naming : Naming.values()) {
        for (long seed = 0; seed < PAGES; seed++) {
          all.add(Arguments.of(format, naming, seed));
        }
      }
    }
    return all;
  }

  private Scrape page(Format format, Naming naming, String pattern) {
    FamilyFilter filter = FamilyFilter.of(List.of(), List.of(pattern), List.of());
    PlanCache plans = new PlanCache(naming, 0, accounts);
    FamilyCache families = new FamilyCache(accounts);
    return new Scrape(plans, format.encoding(), families, filter, "1.2.3", OF_HOST);
  }

  /** Returns the samples that have instances, in the order of the page. */
  private List<Sample> samples(Format format, Naming naming, String pattern, Runnable betweenTurns)
      throws Failure {
    Scrape page = page(format, naming, pattern);
    ByteBuf out = Unpooled.buffer();
    while (page.write(catalog, out, Turn.of(100_000)) == Progress.MORE) {
      betweenTurns.run();
    }
    return format == Format.PROTOBUF ? ofMessages(out) : ofLines(out.toString(UTF_8));
  }

  private static List<Sample> ofLines(String page) {
    return page.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .map(line ->
            new Sample(
                new Series(line.group(1), Integer.parseUnsignedInt(line.group(3))),
                line.group(2),
                Double.parseDouble(line.group(4))))
        .toList();
  }

  /** Reads the messages {@code MetricFamily}. */
  private static List<Sample> ofMessages(ByteBuf page) {
    List<Sample> samples = new ArrayList<>();
    while (page.isReadable()) {
      Map<Integer, List<ByteBuf>> family = fields(page.readSlice(varint(page)));
      for (ByteBuf message : family.getOrDefault(4, List.of())) {
        Map<Integer, List<ByteBuf>> metric = fields(message);
        Map<String, String> labels = new HashMap<>();
        for (ByteBuf pair : metric.getOrDefault(1, List.of())) {
          Map<Integer, List<ByteBuf>> label = fields(pair);
          labels.put(text(label.get(1)), text(label.get(2)));
        }
        if (labels.containsKey("instid")) {
          samples.add(
              new Sample(
                  new Series(text(family.get(1)), Integer.parseUnsignedInt(labels.get("instid"))),
                  labels.get("instname"),
                  fields(value(metric)).get(1).getFirst().readDoubleLE()));
        }
      }
    }
    return samples;
  }

  /** Returns the field of the family's type, which is neither a label nor a time. */
  private static ByteBuf value(Map<Integer, List<ByteBuf>> metric) {
    return IntStream.of(2, 3, 5)
        .filter(metric::containsKey)
        .mapToObj(type -> metric.get(type).getFirst())
        .findFirst()
        .orElseThrow();
  }

  private static String text(List<ByteBuf> field) {
    return field.getFirst().toString(UTF_8);
  }

  private static Map<Integer, List<ByteBuf>> fields(ByteBuf message) {
    Map<Integer, List<ByteBuf>> fields = new HashMap<>();
    while (message.isReadable()) {
      int tag = varint(message);
      int length =
          switch (tag & 7) {
            case 0 -> {
              varint(message);
              yield 0;
            }
            case 1 -> Long.BYTES;
            default -> varint(message);
          };
      fields.computeIfAbsent(tag >> 3, _ -> new ArrayList<>()).add(message.readSlice(length));
    }
    return fields;
  }

  private static int varint(ByteBuf in) {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.readByte();
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  /** A file with random metrics over random instance domains. */
  private final class App {
    private final Random random;
    private final int[] sizes;
    private final Map<Integer, Map<Integer, Integer>> values = new TreeMap<>(); // by metric
    private int added; // instances, the last one first in its domain

    App(long seed) {
      random = new Random(seed);
      sizes =
          IntStream.range(0, 1 + random.nextInt(3)).map(_ -> SIZES[random.nextInt(9)]).toArray();
      int metrics = 5 + random.nextInt(10);
      for (int metric = 0; metric < metrics; metric++) {
        int share = 1 + random.nextInt(3);
        Map<Integer, Integer> ofMetric = new TreeMap<>();
        for (int i = 0; i < size(metric); i++) {
          if (random.nextInt(share) == 0) {
            ofMetric.put(3 * i, random.nextInt());
          }
        }
        values.put(metric, ofMetric);
      }
    }

    private int size(int metric) {
      return sizes[metric % sizes.length];
    }

    /** Writes the file. Each time the instances have another order. */
    void write() {
      MmvWriter writer = new MmvWriter(3).cluster(5);
      List<MmvWriter.InDom> inDoms = new ArrayList<>();
      for (int serial = 1; serial <= sizes.length; serial++) {
        MmvWriter.InDom inDom = writer.inDom(serial);
        for (int i = added - 1; i >= 0; i--) {
          inDom.instance(ADDED + i, name(ADDED + i));
        }
        int size = sizes[serial - 1];
        IntStream.range(0, size)
            .map(i -> 3 * (added % 2 == 0 ? i : size - 1 - i))
            .forEach(number -> inDom.instance(number, name(number)));
        inDoms.add(inDom);
      }
      values.forEach((metric, ofMetric) -> {
        MmvWriter.InDom inDom = inDoms.get(metric % sizes.length);
        MmvWriter.Metric of =
            writer
                .metric("m" + metric, metric + 1, ValueType.I32)
                .semantics(Semantics.INSTANT)
                .inDom(inDom);
        ofMetric.forEach(of::at);
        IntStream.range(0, added).forEach(i -> of.at(ADDED + i, i));
      });
      writer.write(directory, "app");
    }

    private static String name(int instance) {
      return "i" + instance;
    }

    /** Returns the values of the instances that are there all the time. */
    Map<Series, Double> lasting(String prefix) {
      Map<Series, Double> all = new HashMap<>();
      values.forEach((metric, ofMetric) -> {
        String family = "mmv_app_m" + metric;
        if (family.startsWith(prefix)) {
          ofMetric.forEach(
              (instance, value) -> all.put(new Series(family, instance), (double) value));
        }
      });
      return all;
    }

    /** Changes something, and waits until the catalogue has seen it. */
    void change() {
      if (random.nextBoolean()) {
        added++;
        write();
        while (!hasInstance(ADDED + added - 1)) {
          catalog.begin(new Scope.AllFiles());
        }
      } else {
        long before = catalog.changes().version();
        new MmvWriter(3).cluster(6 + random.nextInt(1000)).write(directory, "other");
        while (catalog.changes().version() == before) {
          catalog.begin(new Scope.AllFiles());
        }
      }
    }

    private boolean hasInstance(int number) {
      View view = catalog.begin(new Scope.NoFiles());
      Metric metric = view.metric("mmv.app.m0");
      return metric != null && view.instances(metric.inDom()).table().indexOf(number) >= 0;
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aPageHasEachValueOnceWhateverChangesMeanwhile(Format format, Naming naming, long seed)
      throws Exception {
    App app = new App(seed);
    app.write();
    String prefix = seed % 2 == 0 ? "mmv_app_m" : "mmv_app_m1";
    Runnable change =
        () -> {
          if (seed > 0 && app.random.nextInt(4) == 0) {
            app.change();
          }
        };
    Map<Series, Double> found = new HashMap<>();
    for (Sample sample : samples(format, naming, prefix + "*", change)) {
      assertEquals(App.name(sample.series.instance), sample.name, sample::toString);
      assertNull(found.put(sample.series, sample.value), sample::toString);
    }
    found.keySet().removeIf(series -> series.instance >= ADDED);
    assertEquals(app.lasting(prefix), found);
  }

  /** They make no piece longer. */
  @Test
  void valuesThatAreLeftOutEndWithTheTurn() throws Exception {
    MmvWriter writer = new MmvWriter(2).cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1);
    MmvWriter.Metric counter =
        writer.metric("m", 1, ValueType.I32).semantics(Semantics.COUNTER).inDom(inDom);
    int[] instances = {0, 1, 2};
    for (int i : instances) {
      inDom.instance(i, "i" + i);
      counter.at(i, -1);
    }
    writer.write(directory, "app");
    View view = catalog.begin(new Scope.AllFiles());
    Metric metric = view.metric("mmv.app.m");
    Encoding encoding = Format.OPENMETRICS.encoding();
    FamilyName names = FamilyName.of("mmv.app.m", metric, Naming.PROMETHEUS);
    EncodedFamily family = encoding.encode(Family.of(names, "mmv.app.m", metric));
    SampleWriter samples = new SampleWriter(encoding);
    samples.begin(family, List.of(), view.instances(metric.inDom()), false, () -> true);
    assertEquals(1, samples.numbers(ValueType.I32, instances, new long[] {-1, -1, -1}, 3));
    assertEquals(1, samples.negative());
  }

  /** The entry that comes and goes is the first one, so that the others move. */
  @ParameterizedTest
  @EnumSource(Format.class)
  void entriesHaveTheirNamesWhileOthersComeAndGo(Format format) throws Exception {
    Set<String> lasting = new HashSet<>();
    for (int i = 0; i < 900; i++) {
      lasting.add(Files.createFile(directory.resolve("entry" + i)).getFileName().toString());
    }
    Path added = directory.resolve("added");
    AtomicInteger turns = new AtomicInteger();
    Runnable change =
        () -> {
          if (turns.incrementAndGet() % 20 != 0) {
            return; // each change waits for a scan, and these have a share of all time
          }
          try {
            if (!Files.deleteIfExists(added)) {
              Files.createFile(added);
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          while (firstEntry().equals("added") != Files.exists(added)) {
            catalog.begin(new Scope.AllFiles());
          }
        };
    Map<String, List<String>> names = new HashMap<>(); // by family
    for (Sample sample : samples(format, Naming.PCP, "mmv_control_file*", change)) {
      names.computeIfAbsent(sample.series.family, _ -> new ArrayList<>()).add(sample.name);
    }
    assertTrue(turns.get() > 40, turns::toString);
    assertTrue(names.size() >= 5, names::toString);
    names.forEach((family, found) -> {
      found.remove("added");
      assertEquals(lasting.size(), found.size(), family);
      assertEquals(lasting, Set.copyOf(found), family);
    });
  }

  private String firstEntry() {
    View view = catalog.begin(new Scope.NoFiles());
    return view.entries(null, 1).getFirst().status().name().toString();
  }
}
