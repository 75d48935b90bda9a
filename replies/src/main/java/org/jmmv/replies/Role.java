package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import org.jmmv.core.PmcdClients;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.Reply;
import org.jmmv.protocol.ResultWriter;

/**
 * What differs between conversations with pmcd and with a client of a collector. There is one
 * object for each connection.
 */
public interface Role {
  /** Returns the length of the longest PDU that the peer may send, in bytes, header included. */
  int maxRequest();

  /** Called when the connection has been established: sends what this side sends first. */
  void begin(ChannelHandlerContext ctx);

  /** Returns whether the peer may send a message now; if not, the connection is closed. */
  boolean permits(Message message);

  /**
   * Handles a message that is neither a request nor a profile.
   *
   * @return the reply, or null
   */
  Reply receive(Message message);

  /**
   * Returns whether the peer knows metrics from here only. A collector then has the root of the
   * name space, looks up any number of names, and tells what is wrong with a name. An agent answers
   * pmcd, which does that itself: it looks up one name, and fetches for contexts without a profile
   * with the last one received.
   */
  boolean isCollector();

  /** Returns whether metrics of a domain are served here, as far as the peer is concerned. */
  boolean hasDomain(int domain);

  /** Returns the labels of the context. */
  List<LabelSet> contextLabels();

  /** Returns whether the peer may store values. */
  boolean mayStore();

  /** Returns the peer's number in {@code pmcd.client.whoami}, or {@link PmcdClients#NONE}. */
  int client();

  /**
   * Calls {@link ResultWriter#end}.
   *
   * @param changes what has changed since the last result, as bits of {@link
   *     org.jmmv.pcp.StateChange}
   * @return the PDU
   */
  ByteBuf endResult(Fetch fetch, ResultWriter result, int changes);

  /** Handles a failure of the connection, and closes it if Netty does not. */
  void fail(ChannelHandlerContext ctx, Throwable cause);

  /** Called when the connection has ended. */
  void end();
}
