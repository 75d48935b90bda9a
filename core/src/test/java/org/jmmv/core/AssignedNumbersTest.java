package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jmmv.reader.watch.Budget;
import org.jmmv.reader.watch.Limits;
import org.jmmv.reader.watch.WorkBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AssignedNumbersTest {
  @TempDir private Path directory;
  private final WorkBudget time = new WorkBudget(new Budget(Limits.DEFAULT));

  private NumberMemory memory() {
    return new NumberMemory(directory.resolve("jmmv.clusters"));
  }

  private Map<String, Integer> saved() {
    try (NumberMemory memory = memory()) {
      return memory.load().clusters();
    }
  }

  @Test
  void whatThereWasNoTimeToSaveIsSavedAtTheEnd() {
    try (AssignedNumbers numbers = new AssignedNumbers(Optional.of(memory()), time)) {
      numbers.clusters().assign("first");
      numbers.save();
      assertEquals(Map.of("first", 1), saved());
      while (time.save(() -> LockSupport.parkNanos(10_000_000))) {} // until there is no time left
      numbers.clusters().assign("second");
      numbers.save();
      assertEquals(Map.of("first", 1), saved());
    }
    assertEquals(Map.of("first", 1, "second", 2), saved());
  }

  /** Otherwise the cluster of a file that came back could be the first one to be taken back. */
  @Test
  void theOrderInWhichFilesHaveGoneIsSavedAtTheEnd() {
    try (AssignedNumbers numbers = new AssignedNumbers(Optional.of(memory()), time)) {
      for (String file : List.of("first", "second")) {
        numbers.clusters().assign(file);
        numbers.clusters().leave(file);
      }
      numbers.save();
      assertEquals(List.of("first", "second"), List.copyOf(saved().keySet()));
      numbers.clusters().arrive("first");
      numbers.save();
    }
    assertEquals(List.of("second", "first"), List.copyOf(saved().keySet()));
  }

  @Test
  void whatCouldNotBeWrittenIsWrittenAtTheEndIfThatIsPossibleThen() throws IOException {
    Path obstacle = directory.resolve(".jmmv.clusters.new");
    try (AssignedNumbers numbers = new AssignedNumbers(Optional.of(memory()), time)) {
      Files.createDirectory(obstacle);
      numbers.clusters().assign("first");
      numbers.save();
      assertEquals(Map.of(), saved());
      Files.delete(obstacle);
    }
    assertEquals(Map.of("first", 1), saved());
  }
}
