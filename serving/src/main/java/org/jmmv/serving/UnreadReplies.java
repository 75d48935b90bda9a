package org.jmmv.serving;

import io.netty.channel.Channel;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * Bounds the memory of replies that clients have not read yet. Beyond the bound, the client with
 * the most of them is disconnected.
 */
public final class UnreadReplies {
  private final long maxBytes = Runtime.getRuntime().maxMemory() / 4;
  private final Set<Channel> channels = new HashSet<>(); // that are not writable

  /** Called after writing to a client, and when it has read. */
  void update(Channel channel) {
    if (channel.isWritable()) {
      channels.remove(channel);
    } else if (channels.add(channel)) {
      while (channels.stream().mapToLong(Channel::bytesBeforeWritable).sum() > maxBytes) {
        Channel largest =
            channels.stream()
                .max(Comparator.comparingLong(Channel::bytesBeforeWritable))
                .orElseThrow();
        channels.remove(largest);
        largest.close();
      }
    }
  }

  /** Called when a connection has ended. */
  void remove(Channel channel) {
    channels.remove(channel);
  }
}
