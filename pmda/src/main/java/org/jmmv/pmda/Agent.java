package org.jmmv.pmda;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import org.jmmv.core.Catalog;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.protocol.PduPipeline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An agent: answers pmcd from a catalogue, over a pipe or a socket. */
public final class Agent {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  private final Catalog catalog;
  private final DebugOptions debug;

  /**
   * An agent that serves a catalogue.
   *
   * @param catalog used by nobody else while the agent serves
   * @param debug which debug options are on: {@code pdu} and {@code libpmda} trace
   */
  public Agent(Catalog catalog, DebugOptions debug) {
    this.catalog = catalog;
    this.debug = debug;
  }

  /**
   * Serves pmcd over the pipe until one side closes it.
   *
   * @return whether it was pmcd
   * @throws IOException if the pipe breaks
   */
  public boolean serve(PipeTransport pipe) throws IOException {
    return pipe.serve(pipeline());
  }

  /**
   * Waits for pmcd at a socket and serves it until one side closes the connection.
   *
   * @param bound called when pmcd can connect
   * @return whether it was pmcd
   * @throws IOException if there can't be such a socket
   */
  public boolean serve(SocketTransport socket, Runnable bound) throws IOException {
    return socket.serve(pipeline(), bound);
  }

  /**
   * The pipeline of a connection with pmcd. It sends CREDS and loads the catalogue when the channel
   * becomes active.
   */
  public ChannelInitializer<Channel> pipeline() {
    return PduPipeline.ofAgent(debug::pdu, LOG::debug, () -> new RequestHandler(catalog, debug));
  }
}
