package org.jmmv.core;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.jmmv.pcp.Printable.printable;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jmmv.core.InDomAllocator.Origin;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.posix.OpenDirectory;
import org.jmmv.posix.OpenFile;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.fault.FileName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that keeps assigned numbers across restarts ({@code jmmv.clusters}). It contains {@link
 * Properties}:
 *
 * <ul>
 *   <li>{@code FILE=CLUSTER POSITION} for each file name with an assigned cluster. The position is
 *       that in {@link Numbers#clusters}.
 *   <li>{@code /filePATH=CLUSTER POSITION} likewise for files of other directories than the first,
 *       which are identified by their path.
 *   <li>{@code /indom/CLUSTER/SERIAL=SERIAL} for each assigned InDom. File names have no slash.
 *   <li>{@value #COUNT}, the number of the other entries, so that a truncated file is detected.
 * </ul>
 *
 * <p>A new version replaces the file by rename(2). A damaged file is ignored and reported in the
 * log. Only one agent at a time writes the file: the one that has locked the file {@code
 * jmmv.clusters.lock} beside it when it started. Another one, for example one that was started from
 * dbpmda(1), reads the file and never writes it.
 */
final class NumberMemory implements Closeable {
  /**
   * The content of the file.
   *
   * @param clusters clusters by {@link FileName}; files that no longer exist come first, those that
   *     were removed the longest ago before others
   * @param inDoms serials of InDoms
   */
  record Numbers(SequencedMap<String, Integer> clusters, Map<Origin, Integer> inDoms) {
    static Numbers none() {
      return new Numbers(new LinkedHashMap<>(), Map.of());
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(NumberMemory.class);
  private static final String COUNT = "/count";
  private static final String INDOM = "/indom/";
  private static final String FILE = "/file"; // the path follows, which begins with a slash
  private static final int MODE = 0644;

  /** 32 MiB. 4,095 names and paths of 255 bytes each have 13 MiB if each byte is escaped. */
  private static final int MAX_SIZE = 32 << 20;

  /** Nobody else may open the lock file: also a lock for reading would exclude the agent's. */
  private static final int LOCK_MODE = 0600;

  /** How often locking is tried: for a second, in which a predecessor may still have to end. */
  private static final int LOCK_ATTEMPTS = 20;

  private static final long LOCK_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Path directory;
  private final String name;
  private final Path file; // for messages
  private final IOException obstacle; // to writing the file; null: none
  private OpenFile lock; // null: could not be opened
  private boolean reported;

  /** Creates a memory in a file, which need not exist yet, and tries to lock it. */
  NumberMemory(Path file) {
    this.file = file;
    directory = file.toAbsolutePath().getParent();
    name = PosixDirectory.nameOf(file);
    obstacle = lock();
  }

  /** Locks the file; returns the reason if that is not possible. */
  private IOException lock() {
    String lockName = name + ".lock";
    try (OpenDirectory open = OpenDirectory.create(directory)) {
      lock = open.openRegular(lockName, true);
      if (lock == null) {
        lock = create(open, lockName);
      }
      for (int i = 0; i < LOCK_ATTEMPTS; i++) {
        if (lock.tryLock()) {
          return null;
        }
        LockSupport.parkNanos(LOCK_PAUSE_NANOS);
      }
      return failure(lockName, "locked by another agent");
    } catch (IOException e) {
      return failure(lockName, e.getMessage());
    }
  }

  /** Returns an exception whose message has the path of a file in the directory. */
  private IOException failure(String name, String reason) {
    return new FileSystemException(directory.resolve(name).toString(), null, reason);
  }

  /** Creates the lock file so that also the agent that pmcd starts can lock it later. */
  private static OpenFile create(OpenDirectory directory, String lockName) throws IOException {
    OpenFile created = directory.createFile(lockName, LOCK_MODE);
    try {
      int owner = directory.owner();
      // systemd does not let jmmv.service call fchown, not even for its own user
      if (owner != PosixProcess.userId()) {
        created.setOwner(owner);
      }
      return created;
    } catch (IOException e) {
      directory.delete(lockName);
      created.close();
      throw e;
    }
  }

  /** Returns the content of the file; empty if the file does not exist or is damaged. */
  Numbers load() {
    try (OpenDirectory open = OpenDirectory.open(directory);
        OpenFile in = open.openRegular(name, false)) {
      if (in == null) {
        return Numbers.none();
      }
      Properties properties = new Properties();
      properties.load(new ByteArrayInputStream(in.read(MAX_SIZE)));
      return numbers(properties);
    } catch (IOException | IllegalArgumentException e) {
      if (e instanceof PosixException error && error.isMissing()) {
        return Numbers.none(); // the directory
      }
      report("can't be read, clusters are assigned anew: " + e.getMessage());
      return Numbers.none();
    }
  }

  private static Numbers numbers(Properties properties) {
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
        if (clusters.size() > Pmid.MAX_CLUSTER) {
          throw new IllegalArgumentException("more than " + Pmid.MAX_CLUSTER + " clusters");
        }
        positions.put(file, parts.length == 1 ? 0 : number(parts[1], key));
      }
    }
    check("cluster", clusters, 1, Pmid.MAX_CLUSTER);
    check("InDom", inDoms, 0, InDom.MAX_SERIAL);
    SequencedMap<String, Integer> ordered = new LinkedHashMap<>();
    clusters.keySet().stream()
        .sorted(Comparator.<String, Integer>comparing(positions::get).thenComparing(name -> name))
        .forEach(name -> ordered.put(name, clusters.get(name)));
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

  /** Replaces the file, if this agent has locked it. The first failure is reported in the log. */
  void save(Numbers numbers) {
    try {
      write(numbers);
    } catch (IOException e) {
      report("can't be written, clusters may change after a restart: " + e);
    }
  }

  /**
   * Replaces the file.
   *
   * @throws IOException if another agent has locked the file, or if it can't be written
   */
  void write(Numbers numbers) throws IOException {
    if (obstacle != null) {
      throw obstacle;
    }
    String next = "." + name + ".new";
    try (OpenDirectory open = OpenDirectory.open(directory)) {
      open.delete(next);
      try (OpenFile out = open.createFile(next, MODE)) {
        out.write(encoded(numbers));
      }
      open.rename(next, name);
    } catch (IOException e) {
      throw failure(next, e.getMessage());
    }
  }

  /** Returns the content of the file, as {@link Properties#load} reads it. */
  private static byte[] encoded(Numbers numbers) {
    StringBuilder out = new StringBuilder("# Numbers assigned to MMV files: pmdajmmv(1)\n");
    int entries = 0;
    for (Map.Entry<String, Integer> entry : numbers.clusters.entrySet()) {
      String file = entry.getKey();
      escape(file.startsWith("/") ? FILE + file : file, out);
      out.append('=').append(entry.getValue()).append(' ').append(entries++).append('\n');
    }
    for (Map.Entry<Origin, Integer> entry : numbers.inDoms.entrySet()) {
      Origin origin = entry.getKey();
      out.append(INDOM).append(origin.cluster()).append('/').append(origin.serial());
      out.append('=').append(entry.getValue()).append('\n');
      entries++;
    }
    return out.append(COUNT).append('=').append(entries).append('\n').toString().getBytes(US_ASCII);
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

  private void report(String problem) {
    if (!reported) {
      LOG.warn("{} {}", file, problem);
    }
    reported = true;
  }

  /** Releases the lock. */
  @Override
  public void close() {
    if (lock != null) {
      lock.close();
    }
  }
}
