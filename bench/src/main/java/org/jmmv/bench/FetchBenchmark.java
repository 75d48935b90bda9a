package org.jmmv.bench;

import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** A profile and a fetch of every value of a file. */
public class FetchBenchmark extends AgentBenchmark {
  /** How many values; a tenth of them, but 1 to 100, are instances of each metric. */
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
