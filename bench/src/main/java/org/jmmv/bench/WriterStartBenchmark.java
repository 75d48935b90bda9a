package org.jmmv.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jmmv.writer.Instances;
import org.jmmv.writer.LongCounter;
import org.jmmv.writer.MmvApplication;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Starts of applications in a fresh process, with their values. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(10)
@Warmup(iterations = 0)
public class WriterStartBenchmark {
  private static final int METRICS = 1_000; // of an application: a file has 1,023 at most
  private static final int INSTANCES = 100_000;

  private final List<MmvApplication> applications = new ArrayList<>();
  private Path directory;

  /** Makes the directory. */
  @Setup
  public void prepare() throws IOException {
    directory = Files.createTempDirectory("jmmv-bench");
  }

  /** Removes the files. */
  @TearDown
  public void end() throws IOException {
    applications.forEach(MmvApplication::close);
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  private MmvApplication start(String name) {
    MmvApplication application =
        MmvApplication.named(name).directory(directory).maxValues(INSTANCES).start();
    applications.add(application);
    return application;
  }

  /** 10,000 metrics, in ten applications. */
  @Benchmark
  public void metrics() {
    for (int i = 0; i < 10; i++) {
      MmvApplication application = start("app" + i);
      application.together(() -> {
        for (int k = 0; k < METRICS; k++) {
          application.metric("metric" + k).help("a metric").counter().increment();
        }
      });
    }
  }

  /** 100,000 instances of one metric. */
  @Benchmark
  public void instances() {
    MmvApplication application = start("app");
    application.together(() -> {
      Instances<LongCounter> counters =
          application.metric("metric").counters(application.inDom("instances").add());
      for (int i = 0; i < INSTANCES; i++) {
        counters.of("instance" + i).increment();
      }
    });
  }

  /** 1,000 metrics, each of which readers see at once. */
  @Benchmark
  public void oneByOne() {
    MmvApplication application = start("app");
    for (int k = 0; k < METRICS; k++) {
      application.metric("metric" + k).counter().increment();
    }
  }
}
