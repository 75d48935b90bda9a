package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Pdu;
import org.jmmv.replies.ServiceTester;
import org.jmmv.testkit.MmvWriter;

/** The other side of a transport that serves in a thread of its own. */
final class Peer {
  static final int INSTANCES = 1000; // of metric 1.1; metric 1.2 is 42
  static final int REPLY_BYTES = 24 + 12 + (8 + 12) * INSTANCES; // to a fetch of metric 1.1

  private Peer() {}

  /** Writes the file that the agent serves. */
  static void writeFile(Path root) {
    MmvWriter file = new MmvWriter(2).cluster(1);
    MmvWriter.InDom inDom = file.inDom(1);
    MmvWriter.Metric many = file.metric("many", 1, ValueType.I64).inDom(inDom);
    for (int i = 0; i < INSTANCES; i++) {
      inDom.instance(i, "i" + i);
      many.at(i, i);
    }
    file.metric("one", 2, ValueType.I64).value(42);
    file.write(TestCatalog.directory(root), "app");
  }

  /** Returns the pipeline of an agent, as its process has it. */
  static ChannelInitializer<Channel> pipeline(Path root) {
    return ServiceTester.pipeline(root, (catalog, debug) -> new Agent(catalog, debug).pipeline());
  }

  /** What runs in a thread of its own. */
  interface Service {
    boolean serve() throws IOException;
  }

  static CompletableFuture<Boolean> start(Service service) {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            end.complete(service.serve());
          } catch (Throwable e) {
            end.completeExceptionally(e);
          }
        });
    return end;
  }

  static void send(WritableByteChannel out, Pdu... pdus) throws IOException {
    ByteBuffer bytes = ServiceTester.encode(pdus).nioBuffer();
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  static Pdu receive(ReadableByteChannel in) throws IOException {
    var stream = Channels.newInputStream(in);
    ByteBuf pdu = Unpooled.buffer().writeBytes(stream.readNBytes(4));
    pdu.writeBytes(stream.readNBytes(pdu.getInt(0) - 4));
    return ServiceTester.decode(pdu);
  }
}
