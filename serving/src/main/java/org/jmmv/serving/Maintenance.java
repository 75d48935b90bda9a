package org.jmmv.serving;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.Catalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done for the catalogue beside answering: files are read before the first request and
 * while no request waits, assigned numbers are saved, and the heap is kept small.
 *
 * <p>All of it runs in the event loop that owns the catalogue. An exception is logged, and does not
 * end the loop.
 */
public final class Maintenance {
  private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

  /** The length of a slice of work between requests. */
  private static final long CATCH_UP_NANOS = 10_000_000;

  /** How long it waits for a request before it reads files, in milliseconds. */
  private static final int PAUSE_MILLIS = 1;

  /** How long it waits for the first request, which has often come while the files were read. */
  private static final int FIRST_PAUSE_MILLIS = 50;

  /**
   * How long it waits for a request before it saves numbers that a request had no time for. Without
   * it, they would be lost if no request comes any more and the process is killed.
   */
  private static final int SAVE_SECONDS = 1;

  private final Catalog catalog;
  private final ScheduledExecutorService loop;
  private final HeapTrim heap = new HeapTrim();
  private boolean isCatchingUp;
  private boolean isSaving;
  private long reloads; // number of those that have begun

  /**
   * Creates an object for a catalogue.
   *
   * @param loop the event loop that owns the catalogue
   */
  public Maintenance(Catalog catalog, ScheduledExecutorService loop) {
    this.catalog = catalog;
    this.loop = loop;
  }

  /** Reads the files before the first request. */
  public void load() {
    readFiles(catalog::load);
    catchUpLater(FIRST_PAUSE_MILLIS);
    saveLater();
  }

  /** Does what follows the requests of one read. */
  public void run() {
    beginReload();
    catalog.charge(heap.trim());
    catchUpLater(PAUSE_MILLIS);
    saveLater();
  }

  /** Begins a reload that is due, unless the last one goes on. */
  private void beginReload() {
    if (catalog.isReloadDue() && !catalog.isReloading()) {
      reloads++;
      readFiles(catalog::reload);
    }
  }

  /**
   * A reload that a client waits for. It goes on in the turns of that client, who so pays for it,
   * and between requests. Any number of clients can wait for one reload.
   */
  public final class Reload {
    private final long number = reloads + 1;

    private Reload() {}

    /** Goes on for some milliseconds. Returns whether the reload is over. */
    public boolean goOn() {
      beginReload();
      if (!isOver()) {
        readSome();
      }
      return isOver();
    }

    private boolean isOver() {
      return reloads > number || (reloads == number && !catalog.isReloading());
    }
  }

  /** Returns the next reload if a store has asked for one, otherwise null. */
  public Reload dueReload() {
    return catalog.isReloadDue() ? new Reload() : null;
  }

  /** Lets the catalogue catch up when no request waits to be read. */
  private void catchUpLater(int milliseconds) {
    if (!isCatchingUp && catalog.hasBacklog()) {
      isCatchingUp = true;
      loop.schedule(this::catchUp, milliseconds, TimeUnit.MILLISECONDS);
    }
  }

  private void catchUp() {
    isCatchingUp = false;
    readSome();
    catchUpLater(PAUSE_MILLIS);
  }

  /** Saves assigned numbers also if no request comes any more. */
  private void saveLater() {
    if (!isSaving && catalog.hasUnsavedNumbers()) {
      isSaving = true;
      loop.schedule(this::save, SAVE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void save() {
    isSaving = false;
    catalog.saveNumbers();
    saveLater();
  }

  private void readSome() {
    readFiles(() -> catalog.catchUp(CATCH_UP_NANOS));
    catalog.charge(heap.trim());
    saveLater();
  }

  private static void readFiles(Runnable reading) {
    try {
      reading.run();
    } catch (RuntimeException | InternalError e) {
      LOG.error("the files can't be read yet", e);
    }
  }
}
