package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.jmmv.pcp.Printable.printable;

import java.io.IOException;
import java.io.StringReader;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.Set;
import org.jmmv.core.InDomAllocator.Origin;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.fault.FileName;

/**
 * Numbers that are assigned to files. {@link NumberMemory} keeps them as a text in the format of
 * {@link Properties}:
 *
 * <ul>
 *   <li>{@code FILE=CLUSTER POSITION} for each file name with an assigned cluster. The position is
 *       that in {@code clusters}.
 *   <li>{@code /filePATH=CLUSTER POSITION} likewise for files of other directories than the first,
 *       which are identified by their path.
 *   <li>{@code /indom/CLUSTER/SERIAL=SERIAL} for each assigned InDom. File names have no slash.
 *   <li>{@value #COUNT}, the number of the other entries, so that a truncated text is detected.
 * </ul>
 *
 * @param clusters clusters by {@link FileName}; files that no longer exist come first, those that
 *     were removed the longest ago before others
 * @param inDoms serials of InDoms
 */
record Numbers(SequencedMap<String, Integer> clusters, Map<Origin, Integer> inDoms) {
  private static final String HEADING = "# Numbers assigned to MMV files: pmdajmmv(1)\n";
  private static final String COUNT = "/count";
  private static final String INDOM = "/indom/";
  private static final String FILE = "/file"; // the path follows, which begins with a slash

  static Numbers none() {
    return new Numbers(new LinkedHashMap<>(), Map.of());
  }

  // ---------------------------------------------------------------- reading

  /**
   * Returns what a text contains.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Numbers decode(byte[] text) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(new String(text, ISO_8859_1)));
    } catch (IOException e) {
      throw new AssertionError(e); // a string can be read
    }
    int count = number(properties.getProperty(COUNT, ""), COUNT);
    properties.remove(COUNT);
    if (count != properties.size()) {
      throw new IllegalArgumentException(properties.size() + " entries instead of " + count);
    }
    Map<String, Integer> clusters = new HashMap<>();
    Map<String, Integer> positions = new HashMap<>();
    Map<Origin, Integer> inDoms = new LinkedHashMap<>();
    for (String key : properties.stringPropertyNames()) {
      String value = properties.getProperty(key);
      if (key.startsWith(INDOM)) {
        int slash = key.lastIndexOf('/');
        String cluster = key.substring(INDOM.length(), Math.max(slash, INDOM.length()));
        String serial = key.substring(slash + 1);
        inDoms.put(new Origin(number(cluster, key), number(serial, key)), number(value, key));
      } else {
        String file = key.startsWith(FILE) ? key.substring(FILE.length()) : key;
        String[] parts = value.split(" ", 2);
        clusters.put(file, number(parts[0], key));
        positions.put(file, parts.length == 1 ? 0 : number(parts[1], key));
      }
    }
    SequencedMap<String, Integer> ordered = new LinkedHashMap<>();
    clusters.keySet().stream()
        .sorted(Comparator.<String, Integer>comparing(positions::get).thenComparing(name -> name))
        .forEach(name -> ordered.put(name, clusters.get(name)));
    if (ordered.size() > Pmid.MAX_CLUSTER) {
      throw new IllegalArgumentException("more than " + Pmid.MAX_CLUSTER + " clusters");
    }
    check("cluster", ordered, 1, Pmid.MAX_CLUSTER);
    check("InDom", inDoms, 0, InDom.MAX_SERIAL);
    return new Numbers(ordered, inDoms);
  }

  private static int number(String text, String key) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "\"%s\" of %s is not a number".formatted(printable(text), printable(key)), e);
    }
  }

  private static void check(String what, Map<?, Integer> numbers, int min, int max) {
    Set<Integer> taken = new HashSet<>();
    numbers.forEach((key, number) -> {
      if (number < min || number > max || !taken.add(number)) {
        throw new IllegalArgumentException(
            "%s %d of %s is out of range or given twice"
                .formatted(what, number, printable(key.toString())));
      }
    });
  }

  // ---------------------------------------------------------------- writing

  /** Returns a text that contains these numbers. */
  byte[] encode() {
    StringBuilder out = new StringBuilder(HEADING);
    int position = 0;
    for (Map.Entry<String, Integer> entry : clusters.entrySet()) {
      String file = entry.getKey();
      escape(file.startsWith("/") ? FILE + file : file, out);
      out.append('=').append(entry.getValue()).append(' ').append(position++).append('\n');
    }
    for (Map.Entry<Origin, Integer> entry : inDoms.entrySet()) {
      Origin origin = entry.getKey();
      out.append(INDOM).append(origin.cluster()).append('/').append(origin.serial());
      out.append('=').append(entry.getValue()).append('\n');
    }
    out.append(COUNT).append('=').append(clusters.size() + inDoms.size()).append('\n');
    return out.toString().getBytes(US_ASCII);
  }

  /** Appends a key, in which every char that has a meaning in the file becomes a Unicode escape. */
  private static void escape(String key, StringBuilder out) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c > ' ' && c <= '~' && "\\=:#!".indexOf(c) < 0) {
        out.append(c);
      } else {
        out.append("\\u");
        HexFormat.of().toHexDigits(out, (byte) (c >> Byte.SIZE));
        HexFormat.of().toHexDigits(out, (byte) c);
      }
    }
  }
}
