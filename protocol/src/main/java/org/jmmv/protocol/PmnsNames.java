package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.HeapSize;

/**
 * PMNS_NAMES. As a request, it asks for the PMID of one name, and the reply is {@link PmnsIds}; see
 * pmLookupName(3). It is also the reply to {@link PmnsIds}, {@link PmnsChild} and {@link
 * PmnsTraverse}.
 *
 * <pre>
 * 12 nstrbytes    the sum of all namelen, plus n
 * 16 numstatus    n, or 0 if there are no statuses
 * 20 n
 * 24 n times
 *      status     only if numstatus is n
 *      namelen, name
 * </pre>
 *
 * @param from in a request the client context, in a reply 0
 * @param names exactly one in a request
 * @param statuses one per name, 0 for a leaf and 1 for a non-leaf; or empty
 */
public record PmnsNames(int from, List<String> names, List<Integer> statuses)
    implements Request, ListReply {
  public PmnsNames {
    if (!statuses.isEmpty() && statuses.size() != names.size()) {
      throw new IllegalArgumentException(
          statuses.size() + " statuses for " + names.size() + " names");
    }
  }

  static PmnsNames decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int stringBytes = in.word("nstrbytes");
    int numStatus = in.word("numstatus");
    int count = in.count("n", numStatus == 0 ? 4 : 8);
    if (numStatus != 0 && numStatus != count) {
      throw in.malformed("numstatus " + numStatus + " with n " + count);
    }
    List<String> names = new ArrayList<>(count);
    List<Integer> statuses = new ArrayList<>(numStatus);
    int length = 0;
    for (int i = 0; i < count; i++) {
      if (numStatus != 0) {
        statuses.add(in.word("status"));
      }
      String name = in.text("name");
      names.add(name);
      length += name.length() + 1;
    }
    in.end();
    if (stringBytes != length) {
      throw in.malformed("nstrbytes " + stringBytes + " instead of " + length);
    }
    return new PmnsNames(from, names, statuses);
  }

  @Override
  public int size() {
    return names.size();
  }

  @Override
  public long heapOf(int index) {
    return HeapSize.ofText(names.get(index).length());
  }

  @Override
  public ListEncoder encoder() {
    return new ListEncoder(12, names.size()) {
      private int stringBytes;

      @Override
      int lengthOf(int entry) {
        String name = names.get(entry);
        stringBytes += name.length() + 1;
        return (statuses.isEmpty() ? 0 : 4) + PduBody.textLength(name);
      }

      @Override
      void writeHead(ByteBuf out) {
        out.writeInt(stringBytes).writeInt(statuses.size()).writeInt(names.size());
      }

      @Override
      void write(int entry, ByteBuf out) {
        if (!statuses.isEmpty()) {
          out.writeInt(statuses.get(entry));
        }
        PduBody.writeText(out, names.get(entry));
      }
    };
  }
}
