package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Instant;
import org.jmmv.posix.PosixDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanScheduleTest {
  @TempDir private Path path;

  /** A later change may leave the directory's time as it is, also if the clock was set back. */
  @ParameterizedTest
  @CsvSource({"0, true", "49, true", "51, false", "-49, true", "-51, false"})
  void aDirectoryThatHadJustChangedIsScannedAgain(int millisSince, boolean isDue) {
    PosixDirectory directory = new PosixDirectory(path);
    long time = directory.status("").changed() + millisSince * 1_000_000L;
    ScanSchedule schedule = new ScanSchedule(directory, () -> Instant.ofEpochSecond(0, time));
    schedule.begin();
    schedule.readTo(0);
    assertEquals(isDue, schedule.isDue(0));
  }
}
