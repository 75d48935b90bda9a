package org.jmmv.writer;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The file of an application, from its start to its end: it is written under another name, and gets
 * its own with the first metric. So a reader sees the former file or the new one.
 */
final class OutputFile implements Closeable {
  /** Those that are open: a file that was collected as garbage would release its lock. */
  private static final Set<OutputFile> OPEN = ConcurrentHashMap.newKeySet();

  private static final String READABLE = "rw-r--r--";

  private final Path file;
  private final Path unfinished; // its name until it is published
  private final FileChannel channel;
  private final Object key; // which file it is, whatever its name
  private final Numbers numbers;
  private final MmvImage image;
  private boolean isPublished;

  private OutputFile(
      Path file, Path unfinished, FileChannel channel, Numbers numbers, MmvImage image)
      throws IOException {
    this.file = file;
    this.unfinished = unfinished;
    this.channel = channel;
    this.numbers = numbers;
    this.image = image;
    key = key(unfinished);
    OPEN.add(this);
  }

  /**
   * Opens the file of an application.
   *
   * @throws IOException if it can't be created, or another application has it; the message is one
   *     for people
   */
  static OutputFile open(Options options) throws IOException {
    try {
      Path directory = options.directory == null ? Directory.usual() : options.directory;
      Directory.make(directory);
      Path file = directory.toRealPath().resolve(options.name);
      Numbers numbers = Numbers.open(file, options.maxValues);
      try {
        return open(options, file, numbers);
      } catch (IOException e) {
        numbers.close();
        throw e;
      }
    } catch (InvalidPathException e) { // of the environment
      throw new IOException(e.getMessage(), e);
    }
  }

  private static OutputFile open(Options options, Path file, Numbers numbers) throws IOException {
    Path unfinished = file.resolveSibling("." + options.name + ".new");
    Files.deleteIfExists(unfinished); // of a process that has ended
    FileChannel channel =
        FileChannel.open(
            unfinished,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            rights(file));
    try {
      MmvImage image = new MmvImage(options, new Storage(channel));
      return new OutputFile(file, unfinished, channel, numbers, image);
    } catch (IOException e) {
      channel.close();
      Files.delete(unfinished);
      throw e;
    }
  }

  /** Returns the rights of a new file: everybody may read it, unless the umask says otherwise. */
  private static FileAttribute<?>[] rights(Path file) {
    boolean hasRights = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return hasRights
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(READABLE))
        }
        : new FileAttribute<?>[0];
  }

  Numbers numbers() {
    return numbers;
  }

  MmvImage image() {
    return image;
  }

  /** Returns the path; null if readers do not find the file. */
  Path path() {
    return isPublished ? file : null;
  }

  /**
   * Shows readers what was added.
   *
   * @throws IOException if the file can't be published
   */
  void commit() throws IOException {
    image.commit();
    if (!isPublished) {
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      isPublished = true;
    }
  }

  private static Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  /** Closes the file: nothing can be added any more. It stays, unless it is deleted. */
  @Override
  public void close() throws IOException {
    OPEN.remove(this);
    isPublished = false;
    try (numbers;
        channel) {
      Files.deleteIfExists(unfinished);
    }
  }

  /** Deletes the file, unless another one has its name. */
  void delete() throws IOException {
    if (isPublished && Files.exists(file, LinkOption.NOFOLLOW_LINKS) && key.equals(key(file))) {
      Files.delete(file);
    }
  }
}
