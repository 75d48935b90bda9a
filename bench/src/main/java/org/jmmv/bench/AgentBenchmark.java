package org.jmmv.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Pmid;
import org.jmmv.pmda.Agent;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.UniformFile;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Base class of the benchmarks: an agent's pipeline in the benchmark's thread, over a temporary
 * directory of MMV files, without a pipe or a socket.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public abstract class AgentBenchmark {
  static final int DOMAIN = 70;
  static final int CLUSTER = 1;

  Path directory;
  Catalog catalog;
  private EmbeddedChannel pipeline;
  private ByteBuf request;

  /** Writes the files to serve, and prepares the request that {@link #ask} sends. */
  abstract void prepare();

  /** Writes the files and starts the agent, which reads them. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    directory = Files.createTempDirectory("jmmv-bench");
    request = Unpooled.directBuffer();
    prepare();
    DebugOptions debug = new DebugOptions();
    catalog = new Catalog(new CatalogOptions(directory).domain(DOMAIN).debug(debug));
    pipeline = new EmbeddedChannel(new Agent(catalog, debug).pipeline());
    pipeline.releaseOutbound();
  }

  /** Stops the agent and deletes the files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    pipeline.finishAndReleaseAll();
    catalog.close();
    request.release();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  /**
   * Writes a file with cluster {@link #CLUSTER} and metrics of one type.
   *
   * @param metrics the number of metrics
   * @param instances the number of instances of each metric
   * @param type the type of all values
   */
  void write(int metrics, int instances, MmvType type) {
    new UniformFile(1, metrics, instances, type).writer(0).cluster(CLUSTER).write(directory, "app");
  }

  /** Appends PDUs to the request. */
  void prepareRequest(Pdu... pdus) {
    for (Pdu pdu : pdus) {
      pdu.encode(request);
    }
  }

  /** Appends a PROFILE, and a FETCH of the first metrics of {@link #CLUSTER}, to the request. */
  void prepareFetch(Profile profile, int metrics) {
    int[] pmids =
        IntStream.range(0, metrics).map(item -> Pmid.build(DOMAIN, CLUSTER, item)).toArray();
    prepareRequest(profile, Fetch.of(0, 0, pmids));
  }

  /** Passes the request through the pipeline, and returns the size of the reply in bytes. */
  int ask() {
    pipeline.writeInbound(request.retainedDuplicate());
    ByteBuf reply = pipeline.readOutbound();
    int size = reply.readableBytes();
    reply.release();
    return size;
  }
}
