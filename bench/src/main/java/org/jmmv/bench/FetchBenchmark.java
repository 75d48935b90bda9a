package org.jmmv.pmda;

import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Profile;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** A profile and a fetch of every value of a file. */
public class FetchBenchmark extends AgentBenchmark {
  /** How many values; metrics have a tenth of that in instances, at least 1 and at most 100. */
  @Param({"1", "100", "10000", "100000"})
  int values;

  private int instances() {
    return Math.clamp(values / 10, 1, 100);
  }

  @Override
  void prepare() {
    file(values / instances(), instances(), ValueType.U64).write(directory, "app");
    prepareFetch(Profile.all(0, 0), values / instances());
  }

  /** One fetch. */
  @Benchmark
  public int fetch() {
    return ask();
  }
}
