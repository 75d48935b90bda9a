package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.MmvFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that keeps assigned clusters across restarts ({@code jmmv.clusters}). It contains {@link
 * Properties}: the keys are names of MMV files, the values are clusters. The key {@value #COUNT},
 * which can't be a file name, holds the number of entries, so that a truncated file is detected. A
 * new version replaces the file by rename(2). A damaged file is ignored and reported in the log.
 */
final class ClusterMemory {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterMemory.class);
  private static final String COUNT = "/count";

  private final Path file;
  private boolean failed;

  /** Creates a memory in a file, which need not exist yet. */
  ClusterMemory(Path file) {
    this.file = file;
  }

  /** Returns the clusters by file name; empty if the file does not exist or is damaged. */
  Map<String, Integer> load() {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, ISO_8859_1)) {
      properties.load(in);
      return check(properties);
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("{} can't be read, clusters are assigned anew: {}", file, e.getMessage());
      return Map.of();
    }
  }

  private static Map<String, Integer> check(Properties properties) {
    Map<String, Integer> clusters = new HashMap<>();
    Set<Integer> taken = new HashSet<>();
    int count = number(properties, COUNT);
    properties.remove(COUNT);
    for (String name : properties.stringPropertyNames()) {
      int cluster = number(properties, name);
      if (cluster < 1 || cluster > Pmid.MAX_CLUSTER || !taken.add(cluster)) {
        throw new IllegalArgumentException(
            "cluster %d of %s is out of range or given twice"
                .formatted(cluster, MmvFault.printable(name)));
      }
      clusters.put(name, cluster);
    }
    if (count != clusters.size()) {
      throw new IllegalArgumentException(clusters.size() + " entries instead of " + count);
    }
    return clusters;
  }

  private static int number(Properties properties, String key) {
    String value = properties.getProperty(key, "");
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "\"%s\" of %s is not a number"
              .formatted(MmvFault.printable(value), MmvFault.printable(key)),
          e);
    }
  }

  /**
   * Replaces the file. If that fails, a warning is logged, but not again for the failures that
   * follow.
   *
   * @param clusters the clusters by file name
   */
  void save(Map<String, Integer> clusters) {
    Properties properties = new Properties();
    clusters.forEach((name, cluster) -> properties.setProperty(name, cluster.toString()));
    properties.setProperty(COUNT, Integer.toString(clusters.size()));
    Path next = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(next);
      Files.createFile(
          next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
      try (Writer out = Files.newBufferedWriter(next, ISO_8859_1, StandardOpenOption.WRITE)) {
        properties.store(out, "Clusters assigned to MMV files: pmdajmmv(1)");
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn("{} can't be written, clusters may change after a restart: {}", file, e);
      }
      failed = true;
    }
  }
}
