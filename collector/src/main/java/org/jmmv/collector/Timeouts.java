package org.jmmv.collector;

import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jmmv.protocol.PduDecoder;

/**
 * Closes the connection of a client that does not send the rest of a PDU, or does not read its
 * replies, and does not read from a client that does not read.
 */
final class Timeouts {
  /** How long a client may take for a PDU, as in pmcd(1). */
  private static final int PDU_SECONDS = 5;

  /** How long a client may leave its replies unread: then its own time limit has passed. */
  private static final int REPLY_SECONDS = 10;

  private final Channel channel;
  private final PduDecoder requests;
  private final UnreadReplies unread;
  private long received; // number of PDUs
  private long incomplete; // the number of the PDU that pduTimer waits for
  private ScheduledFuture<?> pduTimer;
  private ScheduledFuture<?> replyTimer;

  Timeouts(Channel channel, PduDecoder requests, UnreadReplies unread) {
    this.unread = unread;
    this.channel = channel;
    this.requests = requests;
  }

  /** Called for each PDU. */
  void received() {
    received++;
  }

  /** Returns whether replies wait because the client has not read earlier ones. */
  boolean isWaiting() {
    return channel.bytesBeforeUnwritable() <= channel.config().getWriteBufferHighWaterMark();
  }

  /** Called after reading, and when the channel becomes writable or ceases to be. */
  void check() {
    channel.config().setAutoRead(channel.isWritable() && !requests.isPaused());
    if (!requests.isInsidePdu()) {
      pduTimer = cancel(pduTimer);
    } else if (pduTimer == null || incomplete != received) {
      cancel(pduTimer);
      incomplete = received;
      pduTimer =
          channel.eventLoop().schedule((Runnable) channel::close, PDU_SECONDS, TimeUnit.SECONDS);
    }
    unread.update(channel);
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
    unread.remove(channel);
    cancel(pduTimer);
    cancel(replyTimer);
  }

  private static ScheduledFuture<?> cancel(ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
    return null;
  }
}
