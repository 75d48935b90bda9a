package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;
import org.jmmv.protocol.Pdu;

/** The other side of a transport that serves in a thread of its own. */
final class Peer {
  private Peer() {}

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
    ByteBuffer bytes = AgentTester.encode(pdus).nioBuffer();
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  static Pdu receive(ReadableByteChannel in) throws IOException {
    var stream = Channels.newInputStream(in);
    ByteBuf pdu = Unpooled.buffer().writeBytes(stream.readNBytes(4));
    pdu.writeBytes(stream.readNBytes(pdu.getInt(0) - 4));
    return AgentTester.decode(pdu);
  }
}
