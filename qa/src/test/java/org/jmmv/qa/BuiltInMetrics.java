package org.jmmv.qa;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.protocol.PmnsNames;

/**
 * The control metrics that the stock agent does not have: all below {@code mmv.control.file} and
 * {@code mmv.control.agent}. Comparisons of both agents leave them out, and nothing else for this
 * reason.
 */
final class BuiltInMetrics {
  private static final List<String> NODES = List.of("mmv.control.file", "mmv.control.agent");

  private BuiltInMetrics() {}

  /** Returns whether a name is that of such a metric, or of a node above such metrics only. */
  static boolean have(String name) {
    return NODES.stream().anyMatch(node -> name.equals(node) || name.startsWith(node + "."));
  }

  /**
   * Returns a reply with names, encoded, without these names.
   *
   * @param prefix what precedes the names in the reply, for example {@code mmv.control.}
   * @param frame the reply, which is returned as it is if it has no such name
   */
  static byte[] leftOut(String prefix, PmnsNames reply, byte[] frame) {
    List<String> names = new ArrayList<>();
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < reply.names().size(); i++) {
      if (!have(prefix + reply.names().get(i))) {
        names.add(reply.names().get(i));
        if (!reply.statuses().isEmpty()) {
          statuses.add(reply.statuses().get(i));
        }
      }
    }
    if (names.size() == reply.names().size()) {
      return frame;
    }
    ByteBuf bytes = Unpooled.buffer();
    new PmnsNames(reply.from(), names, statuses).encode(bytes);
    return ByteBufUtil.getBytes(bytes);
  }
}
