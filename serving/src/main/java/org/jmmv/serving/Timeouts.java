package org.jmmv.serving;

import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes the connection of a client that does not send the rest of a message, or does not read its
 * replies.
 */
public final class Timeouts {
  /** How long a client may take for a message: as long as for a PDU in pmcd(1). */
  private static final int MESSAGE_SECONDS = 5;

  /** How long a client may leave its replies unread: then its own time limit has passed. */
  private static final int REPLY_SECONDS = 10;

  private final UnreadReplies unread;
  private long incomplete; // the number of the message that messageTimer waits for
  private ScheduledFuture<?> messageTimer;
  private ScheduledFuture<?> replyTimer;

  /**
   * Creates the timeouts of one connection.
   *
   * @param unread the replies that clients have not read, of all connections
   */
  public Timeouts(UnreadReplies unread) {
    this.unread = unread;
  }

  /**
   * Called after reading, and when the channel becomes writable or ceases to be.
   *
   * @param isInsideMessage whether the last message is not complete
   * @param received the number of messages before it
   */
  void update(Channel channel, boolean isInsideMessage, long received) {
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
    unread.update(channel);
    if (channel.isWritable()) {
      replyTimer = cancel(replyTimer);
    } else if (replyTimer == null) {
      awaitReading(channel);
    }
  }

  private void awaitReading(Channel channel) {
    long bytes = channel.bytesBeforeWritable();
    replyTimer =
        channel
            .eventLoop()
            .schedule(
                () -> {
                  if (channel.bytesBeforeWritable() < bytes) {
                    awaitReading(channel);
                  } else {
                    channel.close();
                  }
                },
                REPLY_SECONDS,
                TimeUnit.SECONDS);
  }

  /** Called when the connection has ended. */
  void end(Channel channel) {
    unread.remove(channel);
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
