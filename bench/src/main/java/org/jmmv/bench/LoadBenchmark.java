package org.jmmv.pmda;

import org.jmmv.pcp.ValueType;
import org.openjdk.jmh.annotations.Benchmark;

/** Loading one file of 100 metrics of 10 instances, and withdrawing it. */
public class LoadBenchmark extends AgentBenchmark {
  @Override
  void prepare() {
    file(100, 10, ValueType.U64).write(directory, "app");
  }

  /** As {@code pmstore mmv.control.reload 1} does. */
  @Benchmark
  public void reload() {
    agent.reload();
  }
}
