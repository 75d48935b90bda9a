package org.jmmv.writer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The file of an application, from its start to its end: it is written under another name, and gets
 * its own with the first metric. So a reader sees the former file or the new one.
 */
final class OutputFile {
  private static final String READABLE = "rw-r--r--";

  private final Path file; // null: it is in memory only
  private final Path unfinished; // its name until it is published
  private final FileChannel channel;
  private final Numbers numbers;
  private final MmvImage image;
  private Object key; // of the published file; null: it is not published

  private OutputFile(
      Path file, Path unfinished, FileChannel channel, Numbers numbers, MmvImage image) {
    this.file = file;
    this.unfinished = unfinished;
    this.channel = channel;
    this.numbers = numbers;
    this.image = image;
  }

  /**
   * Opens the file of an application.
   *
   * @throws IOException if it can't be created, or another application has it; the message is one
   *     for people
   */
  static OutputFile open(Options with) throws IOException {
    Path directory = with.directory == null ? Directory.usual() : with.directory;
    try {
      Directory.make(directory);
      Numbers numbers = Numbers.open(directory.resolve("." + with.name + ".numbers"));
      Path unfinished = directory.resolve("." + with.name + ".new");
      try {
        Files.deleteIfExists(unfinished); // of a process that has ended
        FileChannel channel =
            FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
          if (Files.getFileStore(unfinished).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString(READABLE));
          }
          MmvImage image = MmvImage.of(with, new Storage.OfFile(channel));
          return new OutputFile(directory.resolve(with.name), unfinished, channel, numbers, image);
        } catch (IOException e) {
          channel.close();
          Files.delete(unfinished);
          throw e;
        }
      } catch (IOException e) {
        numbers.close();
        throw e;
      }
    } catch (AccessDeniedException e) {
      throw new IOException(e.getMessage() + ": permission denied", e);
    } catch (NoSuchFileException e) {
      throw new IOException("the directory of " + e.getMessage() + " does not exist", e);
    }
  }

  /** Returns a file that nobody can read. */
  static OutputFile inMemory(Options with) {
    try {
      MmvImage image = MmvImage.of(with, new Storage.OfProcess());
      return new OutputFile(null, null, null, Numbers.inMemory(), image);
    } catch (IOException e) {
      throw new IllegalStateException(e); // only files run out of room
    }
  }

  Numbers numbers() {
    return numbers;
  }

  MmvImage image() {
    return image;
  }

  /** Returns the path; null if the file is in memory only. */
  Path path() {
    return file;
  }

  /**
   * Shows readers what was added.
   *
   * @throws IOException if the file can't be published
   */
  void commit() throws IOException {
    image.commit();
    if (file != null && key == null) {
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      key = key();
    }
  }

  private Object key() throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /** Ends the file: nothing can be added any more. Another file of this name stays. */
  void close(boolean isKept) throws IOException {
    if (file == null) {
      return;
    }
    try (numbers;
        channel) {
      if (key == null) {
        Files.deleteIfExists(unfinished);
      } else if (!isKept && Files.exists(file) && key.equals(key())) {
        Files.delete(file);
      }
    }
  }
}
