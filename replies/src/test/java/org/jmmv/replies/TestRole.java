package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.NameTree;
import org.jmmv.core.PmcdClients;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.MalformedPdu;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.Reply;
import org.jmmv.protocol.ResultWriter;
import org.jmmv.serving.Maintenance;

/**
 * A role that permits everything. It serves all domains, sends the changes as the seconds of a
 * RESULT, and replies to malformed requests with PM_ERR_IPC.
 */
class TestRole implements Role {
  private static final int MAX_REQUEST = 4 << 20;

  private final Maintenance maintenance;

  TestRole(Maintenance maintenance) {
    this.maintenance = maintenance;
  }

  @Override
  public int maxRequest() {
    return MAX_REQUEST;
  }

  @Override
  public void begin(ChannelHandlerContext ctx, Session session) {
    maintenance.load();
  }

  @Override
  public boolean permits(Message message) {
    return true;
  }

  @Override
  public Reply receive(Message message) {
    return message instanceof MalformedPdu ? Replies.error(PmError.IPC) : null;
  }

  @Override
  public InstanceFilter profile(Session session, int context) {
    return session.profileOrLast(context);
  }

  @Override
  public boolean hasNode(NameTree names, String name) {
    return !name.isEmpty() && names.contains(name);
  }

  @Override
  public Reply lookUp(PmnsNames names, Replies replies) {
    return replies.pmid(names);
  }

  @Override
  public boolean hasDomain(int domain) {
    return true;
  }

  @Override
  public List<LabelSet> contextLabels() {
    return List.of();
  }

  @Override
  public boolean mayStore() {
    return true;
  }

  @Override
  public int client() {
    return PmcdClients.NONE;
  }

  @Override
  public ByteBuf endResult(Fetch fetch, ResultWriter result, int changes) {
    return result.end(changes, 0);
  }

  @Override
  public void fail(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }

  @Override
  public void end() {}
}
