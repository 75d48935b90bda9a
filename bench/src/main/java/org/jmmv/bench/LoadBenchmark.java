package org.jmmv.bench;

import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvType;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Reading a file of 100 metrics with 10 instances each, and replacing the previous version in the
 * catalogue.
 */
public class LoadBenchmark extends AgentBenchmark {
  private static final int RELOAD = Pmid.build(DOMAIN, 0, 0);

  @Override
  void prepare() {
    write(100, 10, MmvType.U64);
    InstanceValue one = new InstanceValue(Instance.NULL, new Value.Word(1));
    prepareRequest(new Result(0, 0, 0, List.of(ValueSet.of(RELOAD, List.of(one)))));
  }

  /** Sends the request of {@code pmstore mmv.control.reload 1}. */
  @Benchmark
  public int reload() {
    return ask();
  }
}
