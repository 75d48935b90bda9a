package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.NameTree;
import org.jmmv.core.PmcdClients;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.PmnsNames;
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
  void begin(ChannelHandlerContext ctx, Session session);

  /** Returns whether the peer may send a message now; if not, the connection is closed. */
  boolean permits(Message message);

  /**
   * Handles a message that is neither a request nor a profile.
   *
   * @return the reply, or null
   */
  Reply receive(Message message);

  /** Returns the profile with which to fetch for a client context, or null if there is none. */
  InstanceFilter profile(Session session, int context);

  /** Returns whether the name space has a node, as far as the peer is concerned. */
  boolean hasNode(NameTree names, String name);

  /** Looks up names, with {@link Replies#pmid} or {@link Replies#pmids}. */
  Reply lookUp(PmnsNames names, Replies replies);

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
