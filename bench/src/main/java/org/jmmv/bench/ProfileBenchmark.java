package org.jmmv.pmda;

import java.util.List;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.Profile;
import org.openjdk.jmh.annotations.Benchmark;

/** A profile for 1 of a metric's 1,000 instances, and a fetch. */
public class ProfileBenchmark extends AgentBenchmark {
  @Override
  void prepare() {
    file(1, 1000, ValueType.U64).write(directory, "app");
    int inDom = InDom.build(DOMAIN, CLUSTER << 11 | SERIAL);
    InDomProfile one = new InDomProfile(inDom, false, 500);
    prepareFetch(new Profile(0, 0, false, List.of(one)), 1);
  }

  /** One fetch. */
  @Benchmark
  public int fetch() {
    return ask();
  }
}
