package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.jmmv.core.InstanceFilter.ALL;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.ValueCursor;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.LongReply;

/** An example of a face that sends all numbers to a Graphite server, round after round. */
final class PushFace implements LongReply, ValueSink {
  private static final int PIECE = 64 << 10;
  private final Catalog catalog;
  private final Channel channel;
  private ByteBuf out; // of this step
  private String name = ""; // of the metric that is sent, or was sent last
  private ValueCursor cursor; // of this metric; null: all values are sent
  private InstanceDomain instances; // in this step

  PushFace(Catalog catalog, Channel channel) {
    this.catalog = catalog;
    this.channel = channel;
  }

  @Override
  public Progress writePiece(Turn turn) {
    out = channel.alloc().buffer();
    do {
      if (cursor == null) {
        String next = catalog.begin(new Scope.NoFiles()).names().nextBelow("", name);
        name = next == null ? "" : next; // or the round is over
      }
      View view = catalog.begin(new Scope.OfName(name));
      Metric metric = view.metric(name);
      instances = metric == null ? null : view.instances(metric.inDom());
      cursor = metric == null ? null : view.read(metric, ALL, cursor, turn, this);
      instances = null;
    } while (!name.isEmpty() && out.readableBytes() < PIECE && !turn.isOver());
    channel.writeAndFlush(out);
    return name.isEmpty() ? Progress.WAITING : Progress.MORE;
  }

  @Override
  public void beginReading() {
    out.markWriterIndex();
  }

  @Override
  public int numbers(int type, int[] numbers, long[] bits, int count) {
    int taken = 0;
    for (; taken < count && out.readableBytes() < PIECE; taken++) {
      int index = instances == null ? -1 : instances.table().indexOf(numbers[taken]);
      String path =
          index < 0 ? name : name + "." + instances.table().name(index).replaceAll("\\W", "_");
      String value = ValueType.decimal(type, bits[taken]);
      String line = "%s %s %d\n".formatted(path, value, System.currentTimeMillis() / 1000);
      out.writeCharSequence(line, US_ASCII);
    }
    return taken;
  }

  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    return true; // Graphite has numbers only
  }

  @Override
  public void clear() {
    out.resetWriterIndex();
  }

  @Override
  public long bytes() {
    return HeapSize.of(name) + (cursor == null ? 0 : cursor.bytes());
  }
}
