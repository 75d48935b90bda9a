package org.jmmv.pmda;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jmmv.core.LongestStep;
import org.jmmv.replies.PduService;
import org.jmmv.serving.FlowControl;
import org.jmmv.serving.Scheduler;
import org.jmmv.serving.ServingLoop;
import org.jmmv.serving.SocketFile;

/**
 * Listens on a socket and serves the first connection, on an event loop of its own. The listening
 * socket is closed when that connection is accepted; any further connection is closed at once.
 */
public final class SocketTransport {
  private final SocketAddress address;

  /**
   * Creates a transport that is not bound yet.
   *
   * @param address a local IP address and port, or the path of a Unix domain socket; an existing
   *     socket file at that path is replaced
   */
  public SocketTransport(SocketAddress address) {
    this.address = address;
  }

  /** Initializes the first connection and closes all others. */
  private static final class FirstConnection extends ChannelInitializer<Channel> {
    private final ChannelInitializer<Channel> pipeline;
    private final Scheduler scheduler;
    private final CompletableFuture<FlowControl> end = new CompletableFuture<>();
    private FlowControl flow; // null before the first connection

    FirstConnection(ChannelInitializer<Channel> pipeline, Scheduler scheduler) {
      this.pipeline = pipeline;
      this.scheduler = scheduler;
    }

    @Override
    protected void initChannel(Channel accepted) {
      accepted.parent().close();
      if (flow != null) {
        accepted.close();
        return;
      }
      accepted.pipeline().addLast(pipeline);
      flow = PduService.controlFlow(accepted.pipeline(), scheduler, PmcdRole.USER, null);
      accepted.pipeline().addLast(new End());
    }

    private final class End extends ChannelInboundHandlerAdapter {
      /** The channel is closed, and all writes have succeeded or failed. */
      @Override
      public void channelUnregistered(ChannelHandlerContext ctx) {
        end.complete(flow);
      }
    }
  }

  /**
   * Serves until the peer or the pipeline closes the connection. If the peer shuts down its side
   * only, its requests are answered first. If the listening socket is still open at the end, it is
   * closed, and the file of a Unix domain socket is deleted.
   *
   * @param pipeline initializes the pipeline of the connection
   * @param steps receives the turns of the connection
   * @param atEnd the last action of the event loop
   * @param bound called when the socket accepts connections. It receives an action that makes this
   *     method return, which any thread may run
   * @return false if the pipeline has closed the connection
   * @throws IOException if the socket can't be created or bound, or if replies can't be written
   */
  boolean serve(
      ChannelInitializer<Channel> pipeline,
      LongestStep steps,
      Runnable atEnd,
      Consumer<Runnable> bound)
      throws IOException {
    // pmcd shares nothing with anybody
    try (ServingLoop loop = new ServingLoop(() -> 0, steps, atEnd)) {
      FirstConnection connection = new FirstConnection(pipeline, loop.scheduler());
      loop.listen(address, SocketFile.OF_GROUP, connection);
      bound.accept(() -> connection.end.complete(null));
      FlowControl flow = connection.end.join();
      if (flow == null) {
        return true; // the action was run
      }
      Throwable failure = flow.failure();
      if (failure != null) {
        throw new IOException("the replies can't be written: " + failure.getMessage(), failure);
      }
      return !flow.isClosedHere();
    } catch (IOException e) {
      throw new IOException(address + ": " + e.getMessage(), e);
    }
  }
}
