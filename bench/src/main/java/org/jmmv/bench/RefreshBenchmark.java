package org.jmmv.bench;

import java.util.Objects;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.pcp.Pmid;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.UniformFile;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Looking for changes in a directory of 18,000 files and one more. A refused file should cost no
 * more than a served one; {@code bench/compare refused} measures the same through a pipe.
 */
public class RefreshBenchmark extends AgentBenchmark {
  private static final int FILES = 18_000;
  private static final int CLUSTERS = 4000;
  private static final UniformFile ONE = new UniformFile(1, 1, 0, MmvType.U64);

  /** What the agent does with the 18,000 files. */
  public enum Fate {
    SERVED(1),
    REFUSED(99);

    private final int version; // of the format

    Fate(int version) {
      this.version = version;
    }
  }

  @Param Fate fate;
  private final Scope.OfMetric first = new Scope.OfMetric(Pmid.build(DOMAIN, 1, 0));
  private long generation;

  @Override
  void prepare() {
    writeFirst();
    UniformFile file = new UniformFile(fate.version, 1, 0, MmvType.U64);
    for (int f = 1; f <= FILES; f++) {
      file.spread(f, CLUSTERS).write(directory, "app" + f);
    }
  }

  /** Writes the next generation of the file that is always served. */
  private void writeFirst() {
    ONE.spread(0, CLUSTERS).generation(++generation).write(directory, "app0");
  }

  /**
   * Nothing has changed, and one metric is asked for: all files are looked at once a millisecond.
   */
  @Benchmark
  public Metric unchanged() {
    return Objects.requireNonNull(catalog.fresh(first));
  }

  /** Nothing has changed, and all names are asked for: all files are looked at. */
  @Benchmark
  public NameTree unchangedAll() {
    return catalog.fresh(new Scope.OfAll());
  }

  /** One file has been replaced, whose metric is asked for. */
  @Benchmark
  public Metric oneChanged(Change change) {
    return Objects.requireNonNull(catalog.fresh(first));
  }

  /** Replaces a file before each call. */
  @State(org.openjdk.jmh.annotations.Scope.Benchmark)
  public static class Change {
    /** Writes the next generation of one file. */
    @Setup(Level.Invocation)
    public void write(RefreshBenchmark benchmark) {
      benchmark.writeFirst();
    }
  }
}
