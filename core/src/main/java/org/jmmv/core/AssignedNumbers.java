package org.jmmv.core;

import java.util.Optional;
import org.jmmv.reader.watch.WorkBudget;

/** The clusters and InDoms that are assigned to files, which a file keeps across restarts. */
final class AssignedNumbers implements AutoCloseable {
  private final Optional<NumberMemory> memory;
  private final WorkBudget time;
  private final ClusterAllocator clusters;
  private final InDomAllocator inDoms;
  private boolean isUnsaved;

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
   * Saves the numbers if they have changed. If saving has taken too much time lately, because names
   * of files change all the time, a later request does it; what has changed in between is lost if
   * the process is killed.
   */
  void save() {
    isUnsaved |= clusters.hasChanged();
    isUnsaved |= inDoms.hasChanged();
    if (isUnsaved && time.save(this::write)) {
      isUnsaved = false;
    }
  }

  private void write() {
    memory.ifPresent(file -> file.save(numbers()));
  }

  private Numbers numbers() {
    return new Numbers(clusters.assigned(), inDoms.unusual());
  }

  /** Saves what is not saved yet, and gives the memory free for another agent. */
  @Override
  public void close() {
    if (isUnsaved) {
      write();
    }
    memory.ifPresent(file -> {
      file.compact(numbers());
      file.close();
    });
  }
}
