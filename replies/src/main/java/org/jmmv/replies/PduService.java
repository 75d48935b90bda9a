package org.jmmv.replies;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import java.util.concurrent.Executor;
import org.jmmv.core.Catalog;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.User;
import org.jmmv.protocol.PduDecoder;
import org.jmmv.protocol.PduEncoder;
import org.jmmv.protocol.PduTrace;
import org.jmmv.serving.Accounts;
import org.jmmv.serving.FlowControl;
import org.jmmv.serving.Maintenance;
import org.jmmv.serving.Scheduler;
import org.jmmv.serving.Timeouts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies to the PDUs of any number of connections from one catalogue. All of it runs in the thread
 * that owns the catalogue.
 */
public final class PduService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PduService.class);

  private final DebugOptions debug;
  private final Replies replies;
  private final Maintenance maintenance;
  private final Accounts profiles;
  private final PduTrace trace;

  /**
   * Creates a service without connections.
   *
   * @param maintenance the maintenance of the catalogue
   * @param loop the event loop, or what runs an action after a request
   * @param debug the debug options: {@code pdu} logs PDUs, {@code libpmda} logs requests
   */
  public PduService(Catalog catalog, Maintenance maintenance, Executor loop, DebugOptions debug) {
    this.debug = debug;
    profiles = new Accounts(Runtime.getRuntime().maxMemory() / 16, loop);
    this.maintenance = maintenance;
    replies = new Replies(catalog);
    trace = new PduTrace(debug::pdu, LOG::debug);
  }

  /** Returns a handler that encodes PDUs. */
  public ChannelHandler encoder() {
    return new PduEncoder(trace);
  }

  /**
   * Adds the handlers of a connection to its pipeline.
   *
   * @param peer the user at its other end
   */
  public void serve(ChannelPipeline pipeline, Role role, User peer) {
    pipeline.addLast(
        new PduDecoder(role.maxRequest(), trace),
        encoder(),
        new RequestHandler(replies, maintenance, debug, role, new Session(profiles, peer)));
  }

  /**
   * Adds flow control to a pipeline that has the handlers of {@link #serve}, unless it is that of a
   * pipe, on which a flush waits until everything is written.
   *
   * @param scheduler gives the turns
   * @param peer the user at the other end
   * @param timeouts when the connection is closed; null: never
   */
  public static FlowControl controlFlow(
      ChannelPipeline pipeline, Scheduler scheduler, User peer, Timeouts timeouts) {
    PduDecoder decoder = pipeline.get(PduDecoder.class);
    decoder.setSingleDecode(true);
    FlowControl control = new FlowControl(decoder::undecodedBytes, scheduler, peer, timeouts);
    pipeline.addFirst(control);
    pipeline.get(RequestHandler.class).takeTurns(control);
    return control;
  }

  /** Releases the memory for replies, after all connections have ended. */
  @Override
  public void close() {
    replies.release();
  }
}
