package org.jmmv.pmda;

import java.nio.ByteBuffer;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Looking for changes in a directory of 4,000 files of 5 metrics. */
public class RefreshBenchmark extends AgentBenchmark {
  private long generation;

  private static ByteBuffer image(long generation) {
    return file(5, 1, ValueType.U64).cluster(0).generation(generation).image();
  }

  @Override
  void prepare() {
    ByteBuffer image = image(++generation);
    for (int i = 0; i < 4000; i++) {
      MmvWriter.write(image, directory, "app" + i);
    }
  }

  /** Nothing has changed; the files' headers are looked at once a millisecond. */
  @Benchmark
  public void unchanged() {
    agent.refresh();
  }

  /** Nothing has changed, and all headers are looked at. */
  @Benchmark
  public void unchangedAll() {
    agent.refreshAll();
  }

  /** One file has been replaced. */
  @Benchmark
  public void oneChanged(Change change) {
    agent.refresh();
  }

  /** Replaces a file before each call. */
  @State(Scope.Benchmark)
  public static class Change {
    /** The next generation of one file. */
    @Setup(Level.Invocation)
    public void write(RefreshBenchmark benchmark) {
      MmvWriter.write(image(++benchmark.generation), benchmark.directory, "app7");
    }
  }
}
