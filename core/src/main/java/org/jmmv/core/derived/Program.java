package org.jmmv.core.derived;

import java.util.List;
import java.util.Map;
import org.jmmv.pcp.HeapSize;

/**
 * An expression that is bound to metrics with known descriptors.
 *
 * @param metrics the descriptors that it was bound to, by names
 * @param read the names of the metrics whose values it needs, in the order in which the first
 *     operations take them
 * @param operations each after its operands; the last one has the result
 */
record Program(Map<String, Descriptor> metrics, List<String> read, List<Operation> operations) {
  Descriptor descriptor() {
    return operations.getLast().descriptor();
  }

  long bytes() {
    long names =
        metrics.keySet().stream()
            .mapToLong(name -> HeapSize.ofHashEntry() + HeapSize.of(name))
            .sum();
    long lists = HeapSize.ofReferences(read.size()) + HeapSize.ofReferences(operations.size());
    return names + lists + operations.stream().mapToLong(Operation::bytes).sum();
  }
}
