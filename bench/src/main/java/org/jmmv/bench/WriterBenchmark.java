package org.jmmv.bench;

import io.pcp.parfait.dxm.IdentifierSourceSet;
import io.pcp.parfait.dxm.MetricName;
import io.pcp.parfait.dxm.PcpMmvWriter;
import io.pcp.parfait.dxm.semantics.Semantics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jmmv.writer.DoubleCounter;
import org.jmmv.writer.LongCounter;
import org.jmmv.writer.LongGauge;
import org.jmmv.writer.MmvApplication;
import org.jmmv.writer.Text;
import org.jmmv.writer.Timer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Updates of one value by an application, beside what else counts, and beside Parfait. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class WriterBenchmark {
  private static final MetricName NAME = MetricName.parse("counter");

  private final AtomicLong atomic = new AtomicLong();
  private final LongAdder adder = new LongAdder();
  private Path directory;
  private MmvApplication application;
  private LongCounter counter;
  private DoubleCounter seconds;
  private LongGauge gauge;
  private Text text;
  private Timer timer;
  private PcpMmvWriter parfait;
  private long value;

  /** Writes the files. */
  @Setup
  public void start() throws IOException {
    directory = Files.createTempDirectory("jmmv-bench");
    application = MmvApplication.named("app").directory(directory).start();
    counter = application.metric("counter").counter();
    seconds = application.metric("seconds").doubleCounter();
    gauge = application.metric("gauge").gauge();
    text = application.metric("text").text();
    timer = application.metric("timer").timer();
    parfait =
        new PcpMmvWriter(directory.resolve("parfait").toFile(), IdentifierSourceSet.DEFAULT_SET);
    parfait.addMetric(NAME, Semantics.COUNTER, null, 0L);
    parfait.start();
  }

  /** Removes the files. */
  @TearDown
  public void end() throws IOException {
    application.close();
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  /** A counter of whole numbers. */
  @Benchmark
  public void counter() {
    counter.increment();
  }

  /** The same counter, by two threads. */
  @Benchmark
  @Threads(2)
  public void counterOfTwo() {
    counter.increment();
  }

  /** A counter of real numbers. */
  @Benchmark
  public void doubleCounter() {
    seconds.add(0.5);
  }

  /** A gauge. */
  @Benchmark
  public void gauge() {
    gauge.set(value++);
  }

  /** A text of 20 characters. */
  @Benchmark
  public void text() {
    text.set("twenty characters...");
  }

  /** A timer. */
  @Benchmark
  public void timer() {
    timer.add(1_234, TimeUnit.NANOSECONDS);
  }

  /** The JDK's counter. */
  @Benchmark
  public void atomicLong() {
    atomic.incrementAndGet();
  }

  /** The JDK's counter, by two threads. */
  @Benchmark
  @Threads(2)
  public void atomicLongOfTwo() {
    atomic.incrementAndGet();
  }

  /** The JDK's counter for many threads. */
  @Benchmark
  public void longAdder() {
    adder.increment();
  }

  /** Parfait's writer. */
  @Benchmark
  public void parfait() {
    parfait.updateMetric(NAME, value++);
  }
}
