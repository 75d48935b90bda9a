package org.jmmv.testkit;

import static org.jmmv.pcp.Semantics.COUNTER;
import static org.jmmv.pcp.Semantics.DISCRETE;
import static org.jmmv.pcp.Semantics.INSTANT;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.HashedFile.Domain;
import org.jmmv.testkit.HashedFile.Metric;

/**
 * Files of Speed and Hornet. Six have the bytes of files that these libraries wrote, except for the
 * process, and that are test data of Speed ({@code mmvdump/testdata}) and Hornet ({@code
 * tests/data}); the others have what those lack: long names, all types, equal texts.
 */
public final class HashedFiles {
  // pmUnits
  private static final int COUNT = 1 << 20;
  private static final int KBYTES = 1 << 28 | 1 << 16;
  private static final int MBYTES_A_SECOND = 1 << 28 | 0xf << 24 | 2 << 16 | 3 << 12;
  private static final int A_SECOND = 0xf << 24 | 3 << 12;
  private static final int HOURS = 1 << 24 | 5 << 12;

  private static final String LONG = "a_name_that_is_longer_than_the_63_bytes_".repeat(2);

  private HashedFiles() {}

  /** Returns the bytes of all files, by name. */
  public static SequencedMap<String, byte[]> all() {
    SequencedMap<String, HashedFile> files = new LinkedHashMap<>();
    files.put("speed_test1", counter());
    files.put("speed_test2", instances());
    files.put("speed_test3", string("Robin", 1_469_564_258));
    files.put("speed_test4", string("", 1_469_590_299));
    files.put("speed_test5", singular()); // kept by Speed, but written by Hornet
    files.put("hornet_ip6", caches());
    files.put("speed_histogram", histogram());
    files.put("speed_long", addLong(HashedFile.speed("long")));
    files.put("speed_types", addTypes(HashedFile.speed("types")));
    files.put("hornet_long", addLong(HashedFile.hornet(0)));
    files.put("hornet_types", addTypes(HashedFile.hornet(1234).flags(MmvWriter.SENTINEL)));
    SequencedMap<String, byte[]> images = new LinkedHashMap<>();
    files.forEach((name, file) -> images.put(name, file.image()));
    // the release of Hornet that wrote it reserved three strings for each metric
    images.computeIfPresent(
        "speed_test5", (_, image) -> Arrays.copyOf(image, image.length + 7 * 256));
    return images;
  }

  private static HashedFile counter() {
    return HashedFile.speed("simple")
        .generation(1_468_770_536)
        .add(
            singular(
                "simple.counter",
                ValueType.I32,
                COUNTER,
                COUNT,
                "A Simple Metric",
                "This is a simple counter metric to demonstrate the speed API",
                42L));
  }

  private static HashedFile instances() {
    Domain language = new Domain("language", List.of("javascript", "php", "go"), "", "");
    SequencedMap<String, Object> users = new LinkedHashMap<>();
    users.put("go", 8_388_608L);
    users.put("javascript", 330L);
    users.put("php", 33L);
    return HashedFile.speed("strings")
        .generation(1_469_335_238)
        .add(new Metric("language.users", ValueType.U64, COUNTER, COUNT, "", "", language, users));
  }

  private static HashedFile string(String value, long generation) {
    return HashedFile.speed("stringtest")
        .generation(generation)
        .add(singular("bat.names", ValueType.STRING, INSTANT, COUNT, "", "", value));
  }

  private static HashedFile singular() {
    String speed = "Download speed in MiB/sec";
    return HashedFile.hornet(0)
        .generation(1_501_135_556)
        .flags(MmvWriter.NOPREFIX | MmvWriter.PROCESS | MmvWriter.SENTINEL)
        .add(
            singular(
                "download_speed", ValueType.DOUBLE, INSTANT, MBYTES_A_SECOND, speed, "", 1.0 / 3))
        .add(
            singular(
                "frequency", ValueType.FLOAT, INSTANT, A_SECOND, "Frequency in Hz", "", 1.0 / 3))
        .add(singular("time", ValueType.I32, INSTANT, HOURS, "", "", -6L));
  }

  private static HashedFile caches() {
    String help = "Different levels of CPU caches";
    Domain caches = new Domain("", List.of("L2", "L1", "L3"), "Caches", help);
    String sizes = "Sizes of different CPU caches";
    return HashedFile.hornet(0)
        .version2()
        .generation(1_501_952_945)
        .add(
            new Metric(
                "cache_size",
                ValueType.I32,
                DISCRETE,
                KBYTES,
                "Cache sizes",
                sizes,
                caches,
                values(caches, 8192L, 0L, 0L)))
        .add(singular("cpu", ValueType.STRING, DISCRETE, 0, "CPU family", "", "kabylake"));
  }

  private static HashedFile histogram() {
    Domain histogram =
        new Domain(
            "histogram", List.of("min", "max", "mean", "variance", "standard_deviation"), "", "");
    return HashedFile.speed("histogram_test")
        .add(
            new Metric(
                "hist",
                ValueType.DOUBLE,
                INSTANT,
                COUNT,
                "",
                "",
                histogram,
                values(histogram, 1.0, 99.0, 50.5, 833.25, 28.866)));
  }

  /** Adds long names, and texts that are equal to each other, to names and to values. */
  private static HashedFile addLong(HashedFile file) {
    Domain domain = new Domain("domain", List.of("short", LONG), "help", "help");
    return file.add(
            new Metric(
                LONG, ValueType.U32, COUNTER, COUNT, "help", LONG, domain, values(domain, 1L, 2L)))
        .add(singular("text", ValueType.STRING, DISCRETE, 0, "text", "help", "text"))
        .add(singular("same", ValueType.STRING, DISCRETE, 0, "help", "", "text"));
  }

  /** Adds a singular metric and one with instances of each type. */
  private static HashedFile addTypes(HashedFile file) {
    Domain domain = new Domain("domain", List.of("first", "r\u00e9sum\u00e9 2"), "", "Instances");
    for (MmvType type : MmvType.values()) {
      String name = type.name().toLowerCase(Locale.ROOT);
      switch (type) {
        case ELAPSED -> {} // neither library has it
        case STRING -> file.add(singular(name, type.code(), INSTANT, COUNT, name, "", "text"));
        case FLOAT, DOUBLE -> add(file, type, name, domain, -0.5, 1e9);
        default -> add(file, type, name, domain, -1L, 1L << 31);
      }
    }
    return file;
  }

  private static void add(
      HashedFile file, MmvType type, String name, Domain domain, Object first, Object second) {
    file.add(singular(name, type.code(), COUNTER, COUNT, "", name, first));
    file.add(
        new Metric(
            name + "s",
            type.code(),
            INSTANT,
            A_SECOND,
            "",
            "",
            domain,
            values(domain, first, second)));
  }

  private static Metric singular(
      String name,
      int type,
      int semantics,
      int units,
      String shortHelp,
      String longHelp,
      Object value) {
    return new Metric(
        name,
        type,
        semantics,
        units,
        shortHelp,
        longHelp,
        null,
        new LinkedHashMap<>(Map.of("", value)));
  }

  private static SequencedMap<String, Object> values(Domain domain, Object... values) {
    SequencedMap<String, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      all.put(domain.instances().get(i), values[i]);
    }
    return all;
  }
}
