package org.jmmv.bench;

import java.util.List;
import org.jmmv.pcp.InDom;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.UniformFile;
import org.openjdk.jmh.annotations.Benchmark;

/** A PROFILE that selects 1 of a metric's 1,000 instances, and a FETCH. */
public class ProfileBenchmark extends AgentBenchmark {
  @Override
  void prepare() {
    write(1, 1000, MmvType.U64);
    int inDom = InDom.build(DOMAIN, CLUSTER << 11 | UniformFile.SERIAL);
    InDomProfile one = new InDomProfile(inDom, false, 500);
    prepareFetch(new Profile(0, 0, false, List.of(one)), 1);
  }

  /** One fetch. */
  @Benchmark
  public int fetch() {
    return ask();
  }
}
