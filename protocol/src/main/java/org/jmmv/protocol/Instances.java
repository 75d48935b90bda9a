package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Instance;

/**
 * INSTANCE: instances of a domain. The reply to {@link InstanceReq}.
 *
 * <pre>
 * 12 indom
 * 16 n
 * 20 n times
 *      inst
 *      namelen, name
 * </pre>
 *
 * @param from 0
 * @param inDom an {@link org.jmmv.pcp.InDom}
 * @param instances see {@link Instance} for which of number and name is set
 */
public record Instances(int from, int inDom, List<Instance> instances) implements ListReply {
  static Instances decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int inDom = in.word("indom");
    int count = in.count("n", 8);
    List<Instance> instances = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      instances.add(new Instance(in.word("inst"), in.text("name")));
    }
    in.end();
    return new Instances(from, inDom, instances);
  }

  @Override
  public int size() {
    return instances.size();
  }

  @Override
  public long heapOf(int index) {
    return HeapSize.ofText(instances.get(index).name().length());
  }

  @Override
  public ListEncoder encoder() {
    return new ListEncoder(8, instances.size()) {
      @Override
      int lengthOf(int entry) {
        return 4 + PduBody.textLength(instances.get(entry).name());
      }

      @Override
      void writeHead(ByteBuf out) {
        out.writeInt(inDom).writeInt(instances.size());
      }

      @Override
      void write(int entry, ByteBuf out) {
        Instance instance = instances.get(entry);
        out.writeInt(instance.number());
        PduBody.writeText(out, instance.name());
      }
    };
  }
}
