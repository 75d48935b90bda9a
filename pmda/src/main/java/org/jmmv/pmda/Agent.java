package org.jmmv.pmda;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import org.jmmv.core.Catalog;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.protocol.PduPipeline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an agent serves, ready to be put at the end of a connection. */
public final class Agent {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  private Agent() {}

  /**
   * The pipeline of a connection with pmcd. It says CREDS and loads the catalogue when the
   * connection is there.
   *
   * @param catalog not used by anybody else while the connection lasts
   * @param debug which debug options are on: {@code pdu} and {@code libpmda} trace
   */
  public static ChannelInitializer<Channel> pipeline(Catalog catalog, DebugOptions debug) {
    return PduPipeline.ofAgent(debug::pdu, LOG::debug, () -> new RequestHandler(catalog, debug));
  }
}
