package org.jmmv.pmda;

import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** A fetch of 10,000 values of one type. */
public class FetchByTypeBenchmark extends AgentBenchmark {
  /** The types of values. */
  public enum Type {
    I32(ValueType.I32),
    U32(ValueType.U32),
    I64(ValueType.I64),
    U64(ValueType.U64),
    FLOAT(ValueType.FLOAT),
    DOUBLE(ValueType.DOUBLE),
    STRING(ValueType.STRING),
    ELAPSED(MmvWriter.ELAPSED);

    private final int code;

    Type(int code) {
      this.code = code;
    }
  }

  @Param Type type;

  @Override
  void prepare() {
    file(100, 100, type.code).write(directory, "app");
    prepareFetch(Profile.all(0, 0), 100);
  }

  /** One fetch. */
  @Benchmark
  public int fetch() {
    return ask();
  }
}
