package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * DESCS: the descriptors of several metrics. The reply to {@link DescIds}.
 *
 * <pre>
 * 12 n
 * 16 n times
 *      the body of a {@link Desc}; if the metric is unknown, pmid is -1 and the rest 0
 * </pre>
 *
 * @param from 0
 * @param descs one per PMID of the request
 */
public record Descs(int from, List<Desc> descs) implements Reply {
  public Descs {
    descs = List.copyOf(descs);
  }

  static Descs decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int count = in.count("n", Desc.LENGTH);
    List<Desc> descs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      descs.add(Desc.decodeFields(from, in));
    }
    in.end();
    return new Descs(from, descs);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    int[] words = new int[1 + descs.size() * Desc.LENGTH / Integer.BYTES];
    words[0] = descs.size();
    int at = 1;
    for (Desc desc : descs) {
      at = desc.put(words, at);
    }
    PduBody.writeWords(out, words);
  }
}
