package org.jmmv.pmda;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.MmvFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that keeps the clusters which were dealt out over restarts. It is text: a first line
 * that says what it is, a line {@code CLUSTER NAME} per file (the name URL-encoded), and a last
 * line with their count. It is replaced as a whole; one that is damaged is ignored, and the log
 * says so.
 */
final class ClusterMemory {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterMemory.class);
  private static final String FIRST_LINE = "jmmv clusters 1";
  private static final String LAST_LINE = "end ";

  private final Path file;
  private boolean failed;

  /** A memory that need not exist yet. */
  ClusterMemory(Path file) {
    this.file = file;
  }

  /** The clusters by the names of their files; empty if nothing is remembered. */
  Map<String, Integer> load() {
    try {
      return parse(Files.readAllLines(file, US_ASCII));
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn(file + " can't be read, clusters are dealt out anew: " + e.getMessage());
      return Map.of();
    }
  }

  private static Map<String, Integer> parse(List<String> lines) {
    int count = lines.size() - 2;
    if (count < 0
        || !lines.getFirst().equals(FIRST_LINE)
        || !lines.getLast().equals(LAST_LINE + count)) {
      throw new IllegalArgumentException("its first or its last line is wrong");
    }
    Map<String, Integer> clusters = new HashMap<>();
    Set<Integer> taken = new HashSet<>();
    for (String line : lines.subList(1, count + 1)) {
      String[] words = line.split(" ", 2);
      int cluster = Integer.parseInt(words[0]);
      String name = words.length == 2 ? URLDecoder.decode(words[1], ISO_8859_1) : "";
      if (cluster < 1
          || cluster > Pmid.MAX_CLUSTER
          || name.isEmpty()
          || !taken.add(cluster)
          || clusters.put(name, cluster) != null) {
        throw new IllegalArgumentException("line \"" + MmvFault.printable(line) + "\" is wrong");
      }
    }
    return clusters;
  }

  /** Remembers these clusters instead of those before. If that fails, the log says so once. */
  void save(Map<String, Integer> clusters) {
    StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
    new TreeMap<>(clusters)
        .forEach((name, cluster) ->
            text.append(cluster)
                .append(' ')
                .append(URLEncoder.encode(name, ISO_8859_1))
                .append('\n'));
    text.append(LAST_LINE).append(clusters.size()).append('\n');
    Path next = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(next);
      Files.createFile(
          next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
      Files.writeString(next, text, US_ASCII, StandardOpenOption.WRITE);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn(file + " can't be written, clusters may change after a restart: " + e);
      }
      failed = true;
    }
  }
}
