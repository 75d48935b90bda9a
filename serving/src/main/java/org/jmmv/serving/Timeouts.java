package org.jmmv.serving;

import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jmmv.pcp.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the connection of a client that does not send the rest of a message, does not read its
 * replies, or keeps most requests, replies and state of TLS when too much is kept for all clients
 * together.
 */
public final class Timeouts {
  /**
   * How long a client may take for a message: as long as for a PDU in pmcd(1). Without it, heads
   * and PDUs that never end would keep connections.
   */
  public static final int MESSAGE_SECONDS = 5;

  /** How long a client may leave its replies unread: then its own time limit has passed. */
  private static final int REPLY_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(Timeouts.class);

  private final Channel channel;
  private final Accounts accounts;
  private Accounts.Account kept;
  private long incomplete; // the number of the message that messageTimer waits for
  private ScheduledFuture<?> messageTimer;
  private ScheduledFuture<?> replyTimer;

  /**
   * Creates the timeouts of one connection.
   *
   * @param accounts what is kept for all clients
   * @param user the user at the other end
   */
  public Timeouts(Channel channel, Accounts accounts, User user) {
    this.channel = channel;
    this.accounts = accounts;
    kept = accounts.open(user, this::giveUp);
  }

  /** Has another user be charged. */
  void setUser(User user) {
    kept.close();
    kept = accounts.open(user, this::giveUp);
  }

  private void giveUp() {
    LOG.warn(
        "a connection of {} ends: it has most of the requests, unread replies and state of TLS,"
            + " which together may take {} MiB",
        kept.user(),
        kept.maxBytes() >> 20);
    kept.close();
    channel.close();
  }

  /**
   * Called after a turn, and when the channel becomes writable or ceases to be.
   *
   * @param isInsideMessage whether the last message is not complete
   * @param received the number of messages before it
   * @param bytes what is kept of requests, replies and TLS
   */
  void update(boolean isInsideMessage, long received, long bytes) {
    if (!isInsideMessage) {
      messageTimer = cancel(messageTimer);
    } else if (messageTimer == null || incomplete != received) {
      cancel(messageTimer);
      incomplete = received;
      messageTimer =
          channel
              .eventLoop()
              .schedule((Runnable) channel::close, MESSAGE_SECONDS, TimeUnit.SECONDS);
    }
    kept.set(bytes);
    if (channel.isWritable()) {
      replyTimer = cancel(replyTimer);
    } else if (replyTimer == null) {
      awaitReading();
    }
  }

  private void awaitReading() {
    long bytes = channel.bytesBeforeWritable();
    replyTimer =
        channel
            .eventLoop()
            .schedule(
                () -> {
                  if (channel.bytesBeforeWritable() < bytes) {
                    awaitReading();
                  } else {
                    channel.close();
                  }
                },
                REPLY_SECONDS,
                TimeUnit.SECONDS);
  }

  /** Called when the connection has ended. */
  void end() {
    kept.close();
    cancel(messageTimer);
    cancel(replyTimer);
  }

  private static ScheduledFuture<?> cancel(ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
    return null;
  }
}
