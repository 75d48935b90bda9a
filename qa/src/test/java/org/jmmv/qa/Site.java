package org.jmmv.qa;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.IntFunction;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SparseFile;

/**
 * Where an {@link Attack} creates its files: a directory that it shares with other applications.
 * The names of its files begin with those of no other attack, and sort behind that of the {@link
 * GoodFile}. If this process is root, the files belong to another user.
 */
final class Site {
  private static final int NOBODY = 65_534;
  private static final int PAUSE_MILLIS = 20;

  private final Path directory;
  private final String prefix;
  private final boolean isFull;
  private final int owner;

  /**
   * Creates the site of one attack.
   *
   * @param prefix the beginning of all names
   * @param isFull whether attacks have their full size
   */
  Site(Path directory, String prefix, boolean isFull) {
    this(directory, prefix, isFull, NOBODY);
  }

  private Site(Path directory, String prefix, boolean isFull, int owner) {
    this.directory = directory;
    this.prefix = prefix;
    this.isFull = isFull;
    this.owner = owner;
  }

  /** Returns a site with the same files, which creates further files for this user. */
  Site ofUser(int uid) {
    return new Site(directory, prefix, isFull, uid);
  }

  /** Chooses a number for the size of the attack. */
  int size(int full, int small) {
    return isFull ? full : small;
  }

  /** Returns the path of a file. */
  Path file(String name) {
    return directory.resolve(prefix + name);
  }

  /** Returns the path of the file with a number. */
  Path file(int number) {
    return file("f%05d".formatted(number));
  }

  private Path hidden(Path file) {
    return directory.resolve("." + file.getFileName());
  }

  /** Creates or replaces a file. It appears complete. */
  void write(Path file, ByteBuffer image) throws IOException {
    byte[] bytes = new byte[image.limit()];
    image.get(0, bytes);
    Files.write(hidden(file), bytes);
    show(file);
  }

  /** Creates or replaces a file with these contents. */
  void write(Path file, MmvWriter contents) throws IOException {
    write(file, contents.image());
  }

  /** Creates or replaces a file with these contents. */
  void write(Path file, SparseFile contents) throws IOException {
    contents.write(hidden(file));
    show(file);
  }

  /** Creates or replaces the files with the numbers from 0 on. */
  void writeAll(int count, IntFunction<ByteBuffer> contents) throws IOException {
    for (int number = 0; number < count; number++) {
      write(file(number), contents.apply(number));
    }
  }

  /** Does the same with one image for all. */
  void writeAll(int count, ByteBuffer image) throws IOException {
    for (int number = 0; number < count; number++) {
      write(file(number), image);
    }
  }

  /** Gives the files with the numbers from 0 on the generation of a round. */
  void settle(int count, int round) {
    for (int number = 0; number < count; number++) {
      MmvWriter.settle(file(number), round + 2);
    }
  }

  private void show(Path file) throws IOException {
    giveAway(hidden(file));
    Files.move(hidden(file), file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Changes the owner of a file, or of a symbolic link itself, whose owner is charged. */
  private void giveAway(Path entry) throws IOException {
    if (AgentCommand.isRoot()) {
      Files.setAttribute(entry, "unix:uid", owner, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Creates hard links to the first file, with the numbers from 1 on. */
  void link(int count) throws IOException {
    for (int i = 1; i <= count; i++) {
      link(file(i), file(0));
    }
  }

  /** Gives a file another name. */
  void rename(Path file, Path name) throws IOException {
    Files.move(file, name, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Creates a hard link. The link to a symbolic link is a symbolic link. */
  void link(Path link, Path existing) throws IOException {
    Files.createLink(link, existing);
  }

  /** Creates a symbolic link; the target need not exist. */
  void symlink(Path link, String target) throws IOException {
    Files.createSymbolicLink(link, Path.of(target));
    giveAway(link);
  }

  /** Cuts a file, or fills it up with zeros. */
  void truncate(Path file, long size) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(size);
    }
  }

  /** Overwrites a file in place from an offset on: its inode stays. */
  void overwrite(Path file, ByteBuffer bytes, long offset) throws IOException {
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      open.write(bytes, offset);
    }
  }

  /** Leaves the agent time to look. */
  void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Removes a file. */
  void remove(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  /** Removes all files of the attack. */
  void clear() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }
}
