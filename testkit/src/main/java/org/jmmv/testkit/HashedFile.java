package org.jmmv.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;

/**
 * An MMV file with the bytes that Speed 4 (a library for Go) or Hornet (for Rust) writes, made
 * without their compilers. As in the files of {@link MmvWriter}, the sections are in the order of
 * their TOC types. Numbers are hashes of names:
 *
 * <table>
 * <caption>What the libraries write</caption>
 * <tr><th>field</th><th>Speed</th><th>Hornet</th></tr>
 * <tr><td>hash</td><td>FNV-1a</td><td>SipHash-1-3 with key 0</td></tr>
 * <tr><td>cluster</td><td>hash of the file's name, 12 bits</td><td>0 by default</td></tr>
 * <tr><td>item</td><td>hash of the name, 10 bits</td><td>the same</td></tr>
 * <tr><td>instance</td><td>hash of the name, 32 bits, often negative</td><td>the same</td></tr>
 * <tr><td>serial</td><td>hash of the domain's name, 22 bits</td>
 *     <td>hash of the instances' names as declared (here in alphabetical order), 22 bits</td></tr>
 * <tr><td>serial of a singular metric</td><td>-1</td><td>0</td></tr>
 * <tr><td>value of a STRING, beside its offset</td><td>255</td><td>0</td></tr>
 * <tr><td>equal texts</td><td>one string each</td><td>one string, unless they are values</td></tr>
 * <tr><td>order of strings</td><td>all domains, then all metrics</td>
 *     <td>metric by metric, each with its domain</td></tr>
 * </table>
 *
 * <p>Version 2 is written if a name of a metric or of an instance has more than 63 bytes, otherwise
 * version 1; early releases of Hornet always write version 2. Both libraries write instances and
 * values in random order, and Speed also metrics and the strings of a section. Here it is the order
 * in which they are added.
 */
public final class HashedFile {
  private static final int TOC_SIZE = 16;
  private static final int STRING_SIZE = 256;
  private static final int NAME_SIZE = 64; // in version 1, with the NUL

  /** Sizes of the entries of INDOMS to VALUES, by version and TOC type. */
  private static final int[][] ENTRY_SIZES = {
    {}, {0, 32, 16 + NAME_SIZE, 40 + NAME_SIZE, 32}, {0, 32, 24, 48, 32}
  };

  /**
   * An instance domain.
   *
   * @param name from which Speed makes the serial; it is not written
   * @param instances names, at most 255 bytes each
   * @param shortHelp at most 255 bytes, empty for none
   * @param longHelp at most 255 bytes, empty for none
   */
  public record Domain(String name, List<String> instances, String shortHelp, String longHelp) {}

  /**
   * A metric.
   *
   * @param name at most 255 bytes
   * @param type one of {@link ValueType}
   * @param semantics one of {@link org.jmmv.pcp.Semantics}
   * @param units the bits of a pmUnits: dimSpace in the highest four
   * @param shortHelp at most 255 bytes, empty for none
   * @param longHelp at most 255 bytes, empty for none
   * @param domain null for a singular metric
   * @param values by instance, or the only one under an empty name: Long, Double, or String of at
   *     most 255 bytes, as the type says
   */
  public record Metric(
      String name,
      int type,
      int semantics,
      int units,
      String shortHelp,
      String longHelp,
      Domain domain,
      SequencedMap<String, Object> values) {}

  private final boolean isSpeed;
  private final int cluster;
  private int flags = MmvWriter.PROCESS;
  private int version = 1;
  private long generation = 1_763_620_000;
  private final List<Metric> metrics = new ArrayList<>();

  // state of image()
  private ByteBuffer out;
  private final int[] next = new int[MmvWriter.STRINGS + 1]; // offsets of next entries, by section
  private final List<String> strings = new ArrayList<>();
  private final Map<String, Long> shared = new HashMap<>(); // offsets of Hornet's strings
  private final Map<Domain, Map<String, Long>> instances = new HashMap<>(); // their offsets

  private HashedFile(boolean isSpeed, int cluster) {
    this.isSpeed = isSpeed;
    this.cluster = cluster;
  }

  /**
   * Begins a file of Speed.
   *
   * @param name that of the file, for the cluster
   */
  public static HashedFile speed(String name) {
    return new HashedFile(true, fnv(name) & 0xfff);
  }

  /**
   * Begins a file of Hornet.
   *
   * @param cluster 0 leaves the choice to the agent
   */
  public static HashedFile hornet(int cluster) {
    return new HashedFile(false, cluster);
  }

  /** Sets the header's flags, {@link MmvWriter#PROCESS} by default. */
  public HashedFile flags(int value) {
    flags = value;
    return this;
  }

  /** Sets the generation, in seconds since the epoch. */
  public HashedFile generation(long seconds) {
    generation = seconds;
    return this;
  }

  /** Makes this a file of version 2 even if no name is long, as early releases of Hornet do. */
  public HashedFile version2() {
    version = 2;
    return this;
  }

  /** Adds a metric. */
  public HashedFile add(Metric metric) {
    metrics.add(metric);
    Stream<String> names =
        Stream.concat(
            Stream.of(metric.name),
            Stream.ofNullable(metric.domain).flatMap(domain -> domain.instances.stream()));
    if (names.anyMatch(name -> name.getBytes(UTF_8).length >= NAME_SIZE)) {
      version = 2;
    }
    return this;
  }

  /** Returns the file, in the host's byte order. Its process is 1, which always runs. */
  public byte[] image() {
    write(0); // to find the number of strings, because offsets depend on whether there are any
    return write(strings.size());
  }

  private byte[] write(int stringCount) {
    strings.clear();
    shared.clear();
    instances.clear();
    List<Domain> domains =
        metrics.stream().map(Metric::domain).filter(Objects::nonNull).distinct().toList();
    int[] counts = {
      0,
      domains.size(),
      domains.stream().mapToInt(domain -> domain.instances.size()).sum(),
      metrics.size(),
      metrics.stream().mapToInt(metric -> metric.values.size()).sum(),
      stringCount
    };
    int sections = (int) IntStream.of(counts).filter(count -> count > 0).count();
    int end = MmvWriter.HEADER_SIZE + sections * TOC_SIZE;
    for (int section = MmvWriter.INDOMS; section <= MmvWriter.VALUES; section++) {
      next[section] = end;
      end += counts[section] * ENTRY_SIZES[version][section];
    }
    next[MmvWriter.STRINGS] = end;
    out = ByteBuffer.allocate(end).order(ByteOrder.nativeOrder());
    out.put("MMV\0".getBytes(UTF_8)).putInt(version).putLong(generation).putLong(generation);
    out.putInt(sections).putInt(flags).putInt(1).putInt(cluster);
    for (int section = MmvWriter.INDOMS; section <= MmvWriter.STRINGS; section++) {
      if (counts[section] > 0) {
        out.putInt(section).putInt(counts[section]).putLong(next[section]);
      }
    }
    if (isSpeed) {
      domains.forEach(this::putDomain);
    }
    metrics.forEach(this::putMetric);
    byte[] file = Arrays.copyOf(out.array(), end + strings.size() * STRING_SIZE);
    for (String string : strings) {
      byte[] bytes = string.getBytes(UTF_8);
      System.arraycopy(bytes, 0, file, end, bytes.length);
      end += STRING_SIZE;
    }
    return file;
  }

  private void putDomain(Domain domain) {
    long at = begin(MmvWriter.INDOMS);
    out.putInt(serial(domain)).putInt(domain.instances.size()).putLong(next[MmvWriter.INSTANCES]);
    out.putLong(help(domain.shortHelp)).putLong(help(domain.longHelp));
    Map<String, Long> offsets = new HashMap<>();
    for (String instance : domain.instances) {
      offsets.put(instance, begin(MmvWriter.INSTANCES));
      out.putLong(at).putInt(0).putInt(instance(instance));
      putName(instance);
    }
    instances.put(domain, offsets);
  }

  private void putMetric(Metric metric) {
    long at = begin(MmvWriter.METRICS);
    putName(metric.name);
    out.putInt(item(metric.name)).putInt(metric.type).putInt(metric.semantics).putInt(metric.units);
    int singular = isSpeed ? -1 : 0;
    out.putInt(metric.domain == null ? singular : serial(metric.domain)).putInt(0);
    out.putLong(help(metric.shortHelp)).putLong(help(metric.longHelp));
    if (metric.domain != null && !instances.containsKey(metric.domain)) {
      putDomain(metric.domain);
    }
    metric.values.forEach((instance, value) -> {
      begin(MmvWriter.VALUES);
      if (value instanceof String text) {
        out.putLong(isSpeed ? STRING_SIZE - 1 : 0).putLong(string(text));
      } else {
        out.putLong(bits(metric.type, (Number) value)).putLong(0);
      }
      out.putLong(at);
      out.putLong(metric.domain == null ? 0 : instances.get(metric.domain).get(instance));
    });
  }

  /** Goes to the next entry of a section, and returns its offset. */
  private long begin(int section) {
    int at = next[section];
    next[section] += ENTRY_SIZES[version][section];
    out.position(at);
    return at;
  }

  private void putName(String name) {
    if (version == 1) {
      out.put(Arrays.copyOf(name.getBytes(UTF_8), NAME_SIZE));
    } else {
      out.putLong(sharedString(name));
    }
  }

  /** Returns the offset of a help text, 0 for an empty one. */
  private long help(String text) {
    return text.isEmpty() ? 0 : sharedString(text);
  }

  /** Returns the offset of a string that Hornet writes only once. */
  private long sharedString(String text) {
    if (isSpeed) {
      return string(text);
    }
    return shared.computeIfAbsent(text, this::string);
  }

  /** Adds a string, and returns its offset. */
  private long string(String text) {
    strings.add(text);
    return next[MmvWriter.STRINGS] + (strings.size() - 1L) * STRING_SIZE;
  }

  private static long bits(int type, Number value) {
    return switch (type) {
      case ValueType.I32, ValueType.U32 -> MmvWriter.word(value.intValue());
      case ValueType.FLOAT -> MmvWriter.word(Float.floatToRawIntBits(value.floatValue()));
      case ValueType.DOUBLE -> Double.doubleToRawLongBits(value.doubleValue());
      default -> value.longValue();
    };
  }

  // ---------------------------------------------------------------- hashes

  /** Returns the 32-bit FNV-1a hash of a name. */
  private static int fnv(String name) {
    int hash = 0x811c9dc5;
    for (byte b : name.getBytes(UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x01000193;
    }
    return hash;
  }

  private int item(String name) {
    return (isSpeed ? fnv(name) : sipHash(name.getBytes(UTF_8))) & 0x3ff;
  }

  private int instance(String name) {
    return isSpeed ? fnv(name) : sipHash(hashed(name));
  }

  private int serial(Domain domain) {
    return (isSpeed ? fnv(domain.name) : sipHash(hashed(domain.instances))) & 0x3fffff;
  }

  /** Returns what Rust hashes of a string. */
  private static byte[] hashed(String name) {
    byte[] bytes = name.getBytes(UTF_8);
    byte[] hashed = Arrays.copyOf(bytes, bytes.length + 1);
    hashed[bytes.length] = (byte) 0xff;
    return hashed;
  }

  /** Returns what Rust hashes of a list of strings. */
  private static byte[] hashed(List<String> names) {
    ByteArrayOutputStream hashed = new ByteArrayOutputStream();
    ByteBuffer size = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    hashed.writeBytes(size.putLong(names.size()).array());
    names.stream().sorted().map(HashedFile::hashed).forEach(hashed::writeBytes);
    return hashed.toByteArray();
  }

  /** Returns the lower half of the SipHash-1-3 of bytes, with key 0. */
  private static int sipHash(byte[] bytes) {
    long[] v = {0x736f6d6570736575L, 0x646f72616e646f6dL, 0x6c7967656e657261L, 0x7465646279746573L};
    // whole words, and a last one with the other bytes and, in its highest byte, the length
    ByteBuffer words =
        ByteBuffer.wrap(Arrays.copyOf(bytes, (bytes.length / Long.BYTES + 1) * Long.BYTES));
    words.put(words.capacity() - 1, (byte) bytes.length).order(ByteOrder.LITTLE_ENDIAN);
    while (words.hasRemaining()) {
      long word = words.getLong();
      v[3] ^= word;
      sipRound(v);
      v[0] ^= word;
    }
    v[2] ^= 0xff;
    sipRound(v);
    sipRound(v);
    sipRound(v);
    return (int) (v[0] ^ v[1] ^ v[2] ^ v[3]);
  }

  private static void sipRound(long[] v) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = Long.rotateLeft(v[1], 13) ^ v[0];
    v[3] = Long.rotateLeft(v[3], 16) ^ v[2];
    v[0] = Long.rotateLeft(v[0], 32) + v[3];
    v[2] += v[1];
    v[3] = Long.rotateLeft(v[3], 21) ^ v[0];
    v[1] = Long.rotateLeft(v[1], 17) ^ v[2];
    v[2] = Long.rotateLeft(v[2], 32);
  }
}
