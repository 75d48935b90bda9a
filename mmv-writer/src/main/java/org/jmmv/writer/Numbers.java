package org.jmmv.writer;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The numbers of metrics, instance domains and instances by their names: the same in each run of an
 * application, so that archives go on. They are assigned in order, and kept in a file beside the
 * application's. It is locked as long as the application runs.
 *
 * <p>A line of the file is {@code item 3 NAME}, {@code serial 2 NAME} or, with the serial of the
 * domain, {@code instance/2 7 NAME}. Others are ignored.
 *
 * <p>Not thread-safe.
 */
final class Numbers implements Closeable {
  /** The largest number that can be assigned. */
  static final int MAX = 999_999_999;

  static final String ITEM = "item";
  static final String SERIAL = "serial";
  static final String INSTANCE = "instance/";

  /** A file of this size is begun afresh: an application has had instances without end. */
  private static final int MAX_SIZE = 16 << 20;

  /** The numbers of one kind. */
  private static final class Kind {
    private final Map<String, Integer> numbers = new HashMap<>(); // by name, of all runs
    private final Map<Integer, String> names = new HashMap<>(); // the reverse
    private final Set<String> used = new HashSet<>(); // names of this run
    private int next = 1;

    /** Assigns a number to a name. Another name that has it, has none any more. */
    void assign(String name, int number) {
      String former = names.put(number, name);
      if (former != null) {
        numbers.remove(former);
      }
      Integer other = numbers.put(name, number);
      if (other != null) {
        names.remove(other);
      }
    }

    /** Returns a free number, or one of a name that this run has not used; 0: there is none. */
    int free(int max) {
      while (next <= max && names.containsKey(next)) {
        next++;
      }
      return next <= max
          ? next
          : names.entrySet().stream()
              .filter(former -> former.getKey() <= max && !used.contains(former.getValue()))
              .mapToInt(Map.Entry::getKey)
              .findFirst()
              .orElse(0);
    }
  }

  private final FileChannel channel; // null: in memory only
  private final Map<String, Kind> kinds = new HashMap<>();
  private final StringBuilder unsaved = new StringBuilder();

  private Numbers(FileChannel channel) {
    this.channel = channel;
  }

  /** Returns numbers that are kept nowhere. */
  static Numbers inMemory() {
    return new Numbers(null);
  }

  /**
   * Opens the file, which may be new, and locks it.
   *
   * @throws IOException if the file can't be read or written, or is locked
   */
  static Numbers open(Path file) throws IOException {
    return Uninterrupted.call(() -> opened(file));
  }

  private static Numbers opened(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw new IOException(file + " is locked: another process writes these metrics");
      }
      Numbers numbers = new Numbers(channel);
      numbers.read();
      return numbers;
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IOException(file + " is locked: this process writes these metrics already", e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private void read() throws IOException {
    if (channel.size() > MAX_SIZE) {
      channel.truncate(0);
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
    while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
    String text = new String(bytes.array(), StandardCharsets.UTF_8);
    for (String line : text.split("\n", -1)) {
      String[] fields = line.split(" ", 3);
      if (fields.length == 3 && fields[1].matches("[0-9]{1,9}")) {
        kind(fields[0]).assign(fields[2], Integer.parseInt(fields[1]));
      }
    }
    if (!text.isEmpty() && !text.endsWith("\n")) {
      unsaved.append('\n'); // the last run has ended while it wrote a line
    }
  }

  private Kind kind(String name) {
    return kinds.computeIfAbsent(name, unused -> new Kind());
  }

  /**
   * Returns the number of a name. If all are assigned, one of a name that this run has not used yet
   * is assigned again.
   *
   * @param kindName {@link #ITEM}, {@link #SERIAL}, or {@link #INSTANCE} and a serial
   * @param max the largest number; the smallest is 1
   * @throws IOException if all are in use
   */
  int of(String kindName, String name, int max) throws IOException {
    Kind kind = kind(kindName);
    int number = kind.numbers.getOrDefault(name, 0);
    if (number == 0 || number > max) {
      number = kind.free(max);
      if (number == 0) {
        throw new IOException("it has no room for more than %,d numbers".formatted(max));
      }
      kind.assign(name, number);
      unsaved.append(kindName).append(' ').append(number).append(' ').append(name).append('\n');
    }
    kind.used.add(name);
    return number;
  }

  /**
   * Takes a number that the caller has chosen.
   *
   * @throws IllegalArgumentException if it is that of another name of this run
   */
  void take(String kindName, String name, int number) {
    Kind kind = kind(kindName);
    String owner = kind.names.get(number);
    if (owner != null && !owner.equals(name) && kind.used.contains(owner)) {
      throw new IllegalArgumentException("the number %d is that of %s".formatted(number, owner));
    }
    kind.assign(name, number);
    kind.used.add(name);
  }

  /** Saves the numbers that were assigned since the last call. */
  void save() throws IOException {
    if (channel == null || unsaved.isEmpty()) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(unsaved.toString().getBytes(StandardCharsets.UTF_8));
    unsaved.setLength(0);
    Uninterrupted.call(() -> write(bytes));
  }

  private long write(ByteBuffer bytes) throws IOException {
    long start = channel.size();
    while (bytes.hasRemaining()) {
      channel.write(bytes, start + bytes.position());
    }
    return start;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
