package org.jmmv.writer;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The numbers of metrics, instance domains and instances by their names: the same in each run of an
 * application, so that archives go on. They are assigned in order, and kept in a file beside the
 * application's, {@code .NAME.numbers}. It is locked as long as the application runs.
 *
 * <p>A line of the file is {@code item 3 NAME}, {@code serial 2 NAME} or, with the serial of the
 * domain, {@code instance/2 7 NAME}. Of two lines the last one counts; others are ignored.
 *
 * <p>Not thread-safe.
 */
final class Numbers implements Closeable {
  /** The largest length of an application's name: that of a file is at most 255 bytes. */
  static final int MAX_NAME = 255 - ".".length() - ".numbers".length();

  static final String ITEM = "item";
  static final String SERIAL = "serial";
  static final String INSTANCE = "instance/";

  private static final Pattern LINE =
      Pattern.compile("(?s)(item|serial|instance/[0-9]{1,4}) ([0-9]{1,10}) (.*)");

  /** Of a larger file the instances are forgotten: too many have come and gone. */
  private static final int MAX_SIZE = 4 << 20;

  /**
   * A file may have as many bytes more for each instance that a run may have: the lines of two,
   * which have at most 280 bytes each.
   */
  private static final int MAX_SIZE_PER_INSTANCE = 600;

  /**
   * Begins the name of a property of the system, for each file that is open. The lock alone would
   * not do: it is the process's, who loses it if the same file is closed anywhere in it, also in
   * code of another class loader.
   */
  private static final String PROPERTY = "org.jmmv.writer:";

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
          : IntStream.rangeClosed(1, max)
              .filter(number -> !used.contains(names.get(number)))
              .findFirst()
              .orElse(0);
    }
  }

  private final String property;
  private final IOException cause; // why they are kept nowhere; null: they are kept
  private final FileChannel channel; // null: they are kept nowhere
  private final Map<String, Kind> kinds = new HashMap<>();
  private final StringBuilder unsaved = new StringBuilder();
  private long end; // of what was read or saved, and is to stay

  private Numbers(String property, FileChannel channel, IOException cause) {
    this.property = property;
    this.channel = channel;
    this.cause = cause;
  }

  /**
   * Opens the file of an application, which may be new, and locks it. If it is another user's, or
   * no file, the numbers are kept nowhere.
   *
   * @param application the path of the application's own file, without links
   * @param maxInstances how many instances there may be in a run
   * @throws IOException if it is locked
   */
  static Numbers open(Path application, int maxInstances) throws IOException {
    String property = PROPERTY + application;
    if (System.getProperties().putIfAbsent(property, "open") != null) {
      throw new IOException(application + " is written by this process already");
    }
    try {
      return Uninterrupted.call(() -> open(application, maxInstances, property));
    } catch (IOException e) {
      System.clearProperty(property);
      throw e;
    }
  }

  private static Numbers open(Path application, int maxInstances, String property)
      throws IOException {
    Path file = application.resolveSibling("." + application.getFileName() + ".numbers");
    FileChannel channel;
    try {
      channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) { // it is another user's, or a link
        return new Numbers(property, null, e);
      }
      throw e;
    }
    try {
      if (!isOwn(file)) {
        channel.close();
        return new Numbers(property, null, new IOException(file + " is not a file of its own"));
      }
      if (channel.tryLock() == null) {
        throw new IOException(application + " is written by another process");
      }
      Numbers numbers = new Numbers(property, channel, null);
      numbers.read(MAX_SIZE + MAX_SIZE_PER_INSTANCE * maxInstances);
      return numbers;
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IOException(file + " is locked by this process", e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns whether a file is regular, and has no other names. */
  private static boolean isOwn(Path file) throws IOException {
    boolean hasLinks = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && !(hasLinks
            && (int) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1);
  }

  /** Returns why the numbers are not kept; null if they are. */
  IOException cause() {
    return cause;
  }

  private void read(int maxSize) throws IOException {
    channel.truncate(endOfLines());
    boolean isFull = channel.size() > maxSize;
    CharsetDecoder decoder =
        StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
    BufferedReader lines =
        new BufferedReader(Channels.newReader(channel, decoder, -1)); // not closed
    for (String line; (line = lines.readLine()) != null; ) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && !(isFull && line.startsWith(INSTANCE))) {
        long number = Long.parseLong(matcher.group(2));
        if (number <= Integer.MAX_VALUE) {
          assign(matcher.group(1), matcher.group(3), (int) number, isFull);
        }
      }
    }
    end = isFull ? 0 : channel.size();
  }

  /**
   * Returns where the last whole line ends. The last run may have ended while it wrote another, or
   * had no room for it: the beginning of a line may be the name of another instance.
   */
  private long endOfLines() throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    long size = channel.size();
    while (size > 0 && channel.read(last.clear(), size - 1) == 1 && last.get(0) != '\n') {
      size--;
    }
    return size;
  }

  private Kind kind(String name) {
    return kinds.computeIfAbsent(name, unused -> new Kind());
  }

  private void assign(String kind, String name, int number, boolean isNew) {
    kind(kind).assign(name, number);
    if (isNew && channel != null) {
      unsaved.append(kind).append(' ').append(number).append(' ').append(name).append('\n');
    }
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
      assign(kindName, name, number, true);
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
    assign(kindName, name, number, !name.equals(owner));
    kind.used.add(name);
  }

  /**
   * Saves the numbers that were assigned since the last call.
   *
   * @throws IOException if there is no room; the next call tries it again
   */
  void save() throws IOException {
    if (channel != null && unsaved.length() > 0) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(CharBuffer.wrap(unsaved));
      try {
        Uninterrupted.call(() -> write(bytes));
      } catch (IOException e) { // also told if the application's own file has no room, either
        throw new IOException("its numbers can't be saved: " + e.getMessage(), e);
      }
      unsaved.setLength(0);
    }
  }

  /**
   * Writes lines at the end. Of a file that is too large, they take the place of the first lines
   * before the others are cut off: there is no time at which an item is in neither.
   */
  private FileChannel write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes, end + bytes.position());
    }
    end += bytes.limit();
    return channel.truncate(end);
  }

  @Override
  public void close() throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      System.clearProperty(property);
    }
  }
}
