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
import org.jmmv.config.DebugOptions;
import org.jmmv.config.Limits;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.PduDecoder;
import org.jmmv.protocol.PduEncoder;
import org.jmmv.protocol.PduFrameDecoder;
import org.jmmv.protocol.Pmid;
import org.jmmv.protocol.Profile;
import org.jmmv.reader.MmvWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A profile and a fetch of every value of a file, from the bytes of the request to the bytes of the
 * reply, without a pipe in between.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class FetchBenchmark {
  private static final int DOMAIN = 70;
  private static final int CLUSTER = 1;

  /** How many values; metrics have a tenth of that in instances, at least 1 and at most 100. */
  @Param({"1", "100", "10000", "100000"})
  int values;

  private Path directory;
  private EmbeddedChannel pipeline;
  private ByteBuf request;

  /** Writes a file and warms the catalogue. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    int instances = Math.clamp(values / 10, 1, 100);
    int metrics = values / instances;
    directory = Files.createTempDirectory("jmmv-bench");
    write(metrics, instances);
    Path clusters = directory.resolve("clusters");
    Agent agent = new Agent(directory, clusters, DOMAIN, Limits.DEFAULT, new DebugOptions());
    pipeline =
        new EmbeddedChannel(
            new PduFrameDecoder(PduFrameDecoder.MAX_REQUEST),
            new PduDecoder(),
            new PduEncoder(),
            new RequestHandler(agent));
    pipeline.releaseOutbound();
    int[] pmids =
        IntStream.range(0, metrics).map(item -> Pmid.build(DOMAIN, CLUSTER, item)).toArray();
    request = Unpooled.directBuffer();
    Profile.all(0, 0).encode(request);
    Fetch.of(0, 0, pmids).encode(request);
  }

  private void write(int metrics, int instances) throws IOException {
    MmvWriter writer = new MmvWriter(1).cluster(CLUSTER);
    MmvWriter.InDom inDom = writer.inDom(1);
    IntStream.range(0, instances).forEach(i -> inDom.instance(i, "instance" + i));
    for (int m = 0; m < metrics; m++) {
      MmvWriter.Metric metric = writer.metric("metric" + m, m, MmvWriter.U64).inDom(inDom);
      IntStream.range(0, instances).forEach(i -> metric.at(i, i));
    }
    writer.write(directory, "app");
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

  /** One fetch; returns the reply's size in bytes. */
  @Benchmark
  public int fetch() {
    pipeline.writeInbound(request.retainedDuplicate());
    ByteBuf reply = pipeline.readOutbound();
    int size = reply.readableBytes();
    reply.release();
    return size;
  }
}
