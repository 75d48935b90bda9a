package org.jmmv.pmda;

import org.jmmv.protocol.Profile;
import org.jmmv.reader.MmvWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** A fetch of 10,000 values of one type. */
public class FetchByTypeBenchmark extends AgentBenchmark {
  /** The types of values. */
  public enum Type {
    I32(MmvWriter.I32),
    U32(MmvWriter.U32),
    I64(MmvWriter.I64),
    U64(MmvWriter.U64),
    FLOAT(MmvWriter.FLOAT),
    DOUBLE(MmvWriter.DOUBLE),
    STRING(MmvWriter.STRING),
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
