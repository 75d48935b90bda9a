package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.PduDecoder;
import org.jmmv.protocol.PduEncoder;
import org.jmmv.protocol.PduFrameDecoder;
import org.jmmv.protocol.Profile;
import org.jmmv.reader.Limits;
import org.jmmv.testkit.MmvWriter;
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

/** An agent over a directory of its own, without a pipe. */
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
  static final int SERIAL = 1;

  Path directory;
  Agent agent;
  private EmbeddedChannel pipeline;
  private ByteBuf request;

  /** Writes the files that are to be served, and makes the request that is to be asked. */
  abstract void prepare();

  /** Starts the agent. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    directory = Files.createTempDirectory("jmmv-bench");
    request = Unpooled.directBuffer();
    prepare();
    agent =
        new Agent(
            directory, directory.resolve(".clusters"), DOMAIN, Limits.DEFAULT, new DebugOptions());
    agent.refreshAll();
    pipeline =
        new EmbeddedChannel(
            new PduFrameDecoder(PduPipeline.MAX_REQUEST),
            new PduDecoder(),
            new PduEncoder(),
            new RequestHandler(agent));
    pipeline.releaseOutbound();
  }

  /** Ends it all. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    pipeline.finishAndReleaseAll();
    request.release();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  /** A file of metrics that all have the same instances. */
  static MmvWriter file(int metrics, int instances, int type) {
    MmvWriter writer = new MmvWriter(1).cluster(CLUSTER);
    MmvWriter.InDom inDom = writer.inDom(SERIAL);
    IntStream.range(0, instances).forEach(i -> inDom.instance(i, "instance" + i));
    for (int m = 0; m < metrics; m++) {
      MmvWriter.Metric metric = writer.metric("metric" + m, m, type).inDom(inDom);
      for (int i = 0; i < instances; i++) {
        switch (type) {
          case ValueType.STRING -> metric.textAt(i, "value " + i);
          case MmvWriter.ELAPSED -> metric.rawAt(i, i, -1); // in progress
          default -> metric.at(i, i);
        }
      }
    }
    return writer;
  }

  /** What {@link #ask} sends: a profile, and a fetch of the first metrics of {@link #CLUSTER}. */
  void prepareFetch(Profile profile, int metrics) {
    int[] pmids =
        IntStream.range(0, metrics).map(item -> Pmid.build(DOMAIN, CLUSTER, item)).toArray();
    profile.encode(request);
    Fetch.of(0, 0, pmids).encode(request);
  }

  /** From the bytes of the request to those of the reply; returns the reply's size in bytes. */
  int ask() {
    pipeline.writeInbound(request.retainedDuplicate());
    ByteBuf reply = pipeline.readOutbound();
    int size = reply.readableBytes();
    reply.release();
    return size;
  }
}
