package org.jmmv.core;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jmmv.posix.OpenDirectory;
import org.jmmv.posix.OpenFile;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.posix.PosixProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that keeps assigned numbers across restarts ({@code jmmv.clusters}), as a text of {@link
 * Numbers}.
 *
 * <p>A new version is written beside the file, forced to the disk by fsync(2), and replaces the
 * file by rename(2): after a power cut the file is the former one or the new one. A damaged file is
 * ignored and replaced; one that can't be read, perhaps only for a moment, is kept. Both are
 * reported in the log. Only one agent at a time writes the file: the one that has locked the file
 * {@code jmmv.clusters.lock} beside it when it started. Another one, for example one that was
 * started from dbpmda(1), reads the file and never writes it: its numbers may be others.
 */
final class NumberMemory implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NumberMemory.class);
  private static final int MODE = 0644;

  /** 32 MiB. 4,095 names and paths of 255 bytes each have 13 MiB if each byte is escaped. */
  private static final int MAX_SIZE = 32 << 20;

  /** Nobody else may open the lock file: also a lock for reading would exclude the agent's. */
  private static final int LOCK_MODE = 0600;

  /** How often locking is tried: for a second, in which a predecessor may still have to end. */
  private static final int LOCK_ATTEMPTS = 20;

  /** Without a pause, these attempts would be over before a predecessor has ended. */
  private static final long LOCK_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Path directory;
  private final String name;
  private final Path file; // for messages
  private IOException obstacle; // to writing the file; null: none
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
      if (PosixProcess.userId() == 0 && owner != 0) { // others may not call fchown
        created.setOwner(owner);
      }
      return created;
    } catch (IOException e) {
      directory.delete(lockName);
      created.close();
      throw e;
    }
  }

  /** Returns the content of the file; empty if the file is missing, damaged or can't be read. */
  Numbers load() {
    try (OpenDirectory open = OpenDirectory.open(directory);
        OpenFile in = open.openRegular(name, false)) {
      return in == null ? Numbers.none() : Numbers.decode(in.read(MAX_SIZE));
    } catch (IllegalArgumentException e) {
      report("is damaged, clusters are assigned anew: " + e.getMessage());
    } catch (IOException e) {
      if (!(e instanceof PosixException error && error.isMissing())) { // the directory
        report("can't be read, clusters are assigned anew and not kept: " + e.getMessage());
        obstacle = e;
      }
    }
    return Numbers.none();
  }

  /**
   * Saves numbers, if this agent has locked the file. The first failure is reported in the log.
   *
   * @return whether they are saved
   */
  boolean save(Numbers numbers) {
    try {
      write(numbers);
      return true;
    } catch (IOException e) {
      report("can't be written, clusters may change after a restart: " + e);
      return false;
    }
  }

  /**
   * Replaces the file.
   *
   * @throws IOException if another agent has locked the file, or if it could not be read or can't
   *     be written
   */
  void write(Numbers numbers) throws IOException {
    if (obstacle != null) {
      throw obstacle;
    }
    String next = "." + name + ".new";
    try (OpenDirectory open = OpenDirectory.open(directory)) {
      open.delete(next);
      try (OpenFile out = open.createFile(next, MODE)) {
        out.write(numbers.encode());
        out.force();
      }
      open.rename(next, name);
    } catch (IOException e) {
      throw failure(next, e.getMessage());
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
