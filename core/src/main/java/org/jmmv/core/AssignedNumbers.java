package org.jmmv.core;

import java.util.Optional;

/** The clusters and InDoms that are assigned to files, which a file keeps across restarts. */
final class AssignedNumbers implements AutoCloseable {
  private final Optional<NumberMemory> memory;
  private final ClusterAllocator clusters;
  private final InDomAllocator inDoms;

  /** Reads the numbers of an earlier run; without a memory there are none. */
  AssignedNumbers(Optional<NumberMemory> memory) {
    this.memory = memory;
    NumberMemory.Numbers numbers =
        memory.map(NumberMemory::load).orElseGet(NumberMemory.Numbers::none);
    clusters = new ClusterAllocator(numbers.clusters());
    inDoms = new InDomAllocator(numbers.inDoms());
  }

  ClusterAllocator clusters() {
    return clusters;
  }

  InDomAllocator inDoms() {
    return inDoms;
  }

  /** Saves the numbers if they have changed. */
  void save() {
    boolean clustersChanged = clusters.hasChanged();
    if (inDoms.hasChanged() || clustersChanged) {
      memory.ifPresent(
          file -> file.save(new NumberMemory.Numbers(clusters.assigned(), inDoms.unusual())));
    }
  }

  /** Gives the memory free for another agent. */
  @Override
  public void close() {
    memory.ifPresent(NumberMemory::close);
  }
}
