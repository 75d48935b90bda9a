package org.jmmv.core;

import java.util.Optional;
import org.jmmv.reader.watch.WorkBudget;

/** The clusters and InDoms that are assigned to files, which a file keeps across restarts. */
final class AssignedNumbers implements AutoCloseable {
  private final Optional<NumberMemory> memory;
  private final WorkBudget time;
  private final ClusterAllocator clusters;
  private final InDomAllocator inDoms;
  private boolean isUnsaved; // there was no time yet
  private boolean hasFailed; // the last time

  /**
   * Reads the numbers of an earlier run; without a memory there are none.
   *
   * @param time the time that may be spent on saving them
   */
  AssignedNumbers(Optional<NumberMemory> memory, WorkBudget time) {
    this.memory = memory;
    this.time = time;
    Numbers numbers = memory.map(NumberMemory::load).orElseGet(Numbers::none);
    clusters = new ClusterAllocator(numbers.clusters());
    inDoms = new InDomAllocator(numbers.inDoms());
  }

  ClusterAllocator clusters() {
    return clusters;
  }

  InDomAllocator inDoms() {
    return inDoms;
  }

  /**
   * Called when the files that were there at the start have been read. From now on numbers of files
   * that do not exist may be taken back. Returns whether that is new.
   */
  boolean endStart() {
    inDoms.endStart();
    return clusters.endStart();
  }

  /**
   * Saves the numbers if they have changed. If saving has taken too much time lately, because names
   * of files change all the time, a later call does it.
   */
  void save() {
    isUnsaved |= clusters.hasChanged();
    isUnsaved |= inDoms.hasChanged();
    if (isUnsaved && time.save(this::write)) {
      isUnsaved = false;
    }
  }

  /** Returns whether there was no time to save numbers that have changed. */
  boolean isUnsaved() {
    return isUnsaved;
  }

  private void write() {
    Numbers numbers = new Numbers(clusters.assigned(), inDoms.unusual());
    hasFailed = memory.isPresent() && !memory.get().save(numbers);
  }

  /** Saves what is not saved yet, and gives the memory free for another agent. */
  @Override
  public void close() {
    if (isUnsaved || hasFailed || clusters.hasOtherOrder()) { // which is not worth a write before
      write();
    }
    memory.ifPresent(NumberMemory::close);
  }
}
