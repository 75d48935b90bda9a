package org.jmmv.pmda;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jmmv.core.Catalog;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.posix.PosixProcess;
import org.jmmv.protocol.Creds;
import org.jmmv.replies.PduService;
import org.jmmv.serving.Maintenance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent: replies to the requests of one pmcd from a catalogue, over a pipe or a socket, and then
 * closes the catalogue in the thread that has served it.
 */
public final class Agent {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  /** The directory of the sample files; the launcher sets it. */
  private static final String SAMPLE = System.getProperty("jmmv.sample");

  /** Whether the launcher has sent CREDS on the pipe already. */
  private static final boolean IS_GREETED = Boolean.getBoolean("jmmv.greeted");

  private final Catalog catalog;
  private final DebugOptions debug;

  /**
   * Creates an agent that serves a catalogue.
   *
   * @param catalog the catalogue, which nothing else may use while the agent serves it
   * @param debug the debug options: {@code pdu} logs PDUs, {@code libpmda} logs requests
   */
  public Agent(Catalog catalog, DebugOptions debug) {
    this.catalog = catalog;
    this.debug = debug;
  }

  /**
   * Serves pmcd over the pipe until one side closes it.
   *
   * @param pipe the pipe to pmcd
   * @return false if the agent has closed the pipe
   * @throws IOException if reading or writing fails
   */
  public boolean serve(PipeTransport pipe) throws IOException {
    try (catalog) {
      return pipe.serve(pipeline(!IS_GREETED));
    }
  }

  /**
   * Waits for pmcd to connect to a socket, and serves it until one side closes the connection.
   *
   * @param socket the socket, which is not bound yet
   * @param bound called when the socket accepts connections. It receives an action that makes this
   *     method return, which any thread may run
   * @return false if the agent has closed the connection
   * @throws IOException if the socket can't be created or bound, or if writing fails
   */
  public boolean serve(SocketTransport socket, Consumer<Runnable> bound) throws IOException {
    return socket.serve(pipeline(), catalog.steps(), catalog::close, bound);
  }

  /**
   * Returns the initializer of the pipeline of a connection to pmcd. When the channel becomes
   * active, the pipeline sends CREDS and loads the catalogue.
   */
  public ChannelInitializer<Channel> pipeline() {
    return pipeline(true);
  }

  private ChannelInitializer<Channel> pipeline(boolean greets) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        if (SAMPLE != null) {
          channel.pipeline().addLast(new WarmUp(Path.of(SAMPLE)));
        }
        Maintenance maintenance = new Maintenance(catalog, channel.eventLoop());
        PmcdRole role = new PmcdRole(ctx -> begin(ctx, greets, maintenance));
        PduService service = new PduService(catalog, maintenance, channel.eventLoop(), debug);
        service.serve(channel.pipeline(), role, PmcdRole.USER);
        channel.closeFuture().addListener(_ -> service.close());
      }
    };
  }

  private void begin(ChannelHandlerContext ctx, boolean greets, Maintenance maintenance) {
    if (greets) {
      ctx.writeAndFlush(Creds.version2(PosixProcess.processId()));
    }
    maintenance.load(); // before the first request, which pmcd sends later
    LOG.info(catalog.summary());
  }
}
