package org.jmmv.bench;

import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** A PROFILE, and a FETCH of all values of a file. */
public class FetchBenchmark extends AgentBenchmark {
  /**
   * The number of values. Each metric has a tenth of this number as instances, but at least 1 and
   * at most 100.
   */
  @Param({"1", "100", "10000", "100000"})
  int values;

  private int instances() {
    return Math.clamp(values / 10, 1, 100);
  }

  @Override
  void prepare() {
    write(values / instances(), instances(), MmvType.U64);
    prepareFetch(Profile.all(0, 0), values / instances());
  }

  /** One fetch. */
  @Benchmark
  public int fetch() {
    return ask();
  }
}
