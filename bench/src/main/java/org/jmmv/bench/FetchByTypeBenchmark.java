package org.jmmv.bench;

import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** A PROFILE, and a FETCH of 10,000 values of one type: 100 metrics with 100 instances. */
public class FetchByTypeBenchmark extends AgentBenchmark {
  @Param MmvType type;

  @Override
  void prepare() {
    write(100, 100, type);
    prepareFetch(Profile.all(0, 0), 100);
  }

  /** One fetch. */
  @Benchmark
  public int fetch() {
    return ask();
  }
}
