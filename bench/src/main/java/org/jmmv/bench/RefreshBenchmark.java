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
 * The check for changes in a directory of 18,001 files, of which 18,000 are either all served or
 * all refused. The time for refused files must not exceed 1.5 times that for served files; {@code
 * bench/compare refused} measures the same through a pipe.
 */
public class RefreshBenchmark extends AgentBenchmark {
  private static final int FILES = 18_000;
  private static final int CLUSTERS = 4000;
  private static final UniformFile ONE = new UniformFile(1, 1, 0, MmvType.U64);

  /** Whether the agent serves or refuses the 18,000 files. */
  public enum Fate {
    SERVED(1),
    REFUSED(99);

    private final int version; // version number in the files' headers

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

  /** Writes the next generation of the one file that is always served. */
  private void writeFirst() {
    ONE.spread(0, CLUSTERS).generation(++generation).write(directory, "app0");
  }

  /**
   * A request for one metric, without changes. The agent sweeps 512 files at most once per
   * millisecond.
   */
  @Benchmark
  public Metric unchanged() {
    return Objects.requireNonNull(catalog.begin(first).metric(first.pmid()));
  }

  /** A request for all names, without changes. The agent checks all files. */
  @Benchmark
  public NameTree unchangedAll() {
    return catalog.begin(new Scope.AllFiles()).names();
  }

  /** A request for the metric of a file that has been replaced. The agent scans the directory. */
  @Benchmark
  public Metric oneChanged(Change change) {
    return Objects.requireNonNull(catalog.begin(first).metric(first.pmid()));
  }

  /** Replaces a file before each invocation. */
  @State(org.openjdk.jmh.annotations.Scope.Benchmark)
  public static class Change {
    /** Writes the next generation of one file. */
    @Setup(Level.Invocation)
    public void write(RefreshBenchmark benchmark) {
      benchmark.writeFirst();
    }
  }
}
