package org.jmmv.pmda;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import java.nio.ByteOrder;
import java.time.Instant;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDom;
import org.jmmv.protocol.Instance;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmError;
import org.jmmv.protocol.Pmid;
import org.jmmv.protocol.ValueSet;
import org.jmmv.protocol.ValueType;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;

/**
 * Writes the reply to a fetch, values straight from the mappings, without an object per value.
 *
 * <p>A RESULT has all value sets first and the value blocks behind them, and a set holds its
 * blocks' offsets. So the sets' size is found first, as if every instance had a value, and then
 * both parts are written side by side. If some value turned out to be none, the blocks are moved up
 * in the end.
 */
final class FetchWriter {
  /** In bytes. A client may ask for a metric again and again in one PDU. */
  static final int MAX_REPLY = 64 << 20;

  private static final int HEADER = 24; // of the PDU, with the timestamp and nPmid
  private static final int SET = 8; // pmid, numval
  private static final int FORMAT = 4; // of a set that has values
  private static final int VALUE = 8; // inst, value
  private static final int BLOCK_HEAD = 4; // vtype, vlen
  private static final int MAX_TEXT = 256; // with its NUL
  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private final Catalog catalog;
  private final ControlMetrics control;
  private final byte[] text = new byte[MAX_TEXT];

  // what the fetch in hand asks for, by its index in the PDU
  private ServedMetric.Part[] descriptors = new ServedMetric.Part[64];
  private ServedMetric.Plan[] plans = new ServedMetric.Plan[64];

  private MmvFile reading;
  private long now;
  private int set;
  private int block;

  FetchWriter(Catalog catalog, ControlMetrics control) {
    this.catalog = catalog;
    this.control = control;
  }

  /** The file that was being read when {@link #write} failed, or null. */
  MmvFile reading() {
    return reading;
  }

  /**
   * Writes the whole PDU.
   *
   * @param filter which instances to write
   * @param flags what has changed, for pmcd
   * @param out empty
   * @return false if the reply would be larger than {@link #MAX_REPLY}; then there is none
   */
  boolean write(Fetch fetch, InstanceFilter filter, int flags, ByteBuf out) {
    reading = null;
    now = 0;
    int count = fetch.count();
    if (plans.length < count) {
      descriptors = new ServedMetric.Part[count];
      plans = new ServedMetric.Plan[count];
    }
    long bytes = HEADER;
    for (int i = 0; i < count; i++) {
      bytes += SET + sizeOf(fetch.pmid(i), i, filter);
    }
    if (bytes > MAX_REPLY) {
      return false;
    }
    int sets = (int) bytes;
    set = HEADER;
    block = sets;
    out.ensureWritable(sets);
    for (int i = 0; i < count; i++) {
      writeSet(fetch.pmid(i), i, filter, out);
      if (block > MAX_REPLY) {
        return false;
      }
    }
    if (set < sets) {
      moveBlocks(count, sets, out);
    }
    out.setInt(0, block);
    out.setInt(4, PduType.RESULT.code());
    out.setInt(8, 0);
    out.setInt(12, flags);
    out.setInt(16, 0);
    out.setInt(20, count);
    out.writerIndex(block);
    return true;
  }

  /**
   * Finds where a metric's values are, and how many bytes its set takes at most behind its head.
   */
  private long sizeOf(int pmid, int i, InstanceFilter filter) {
    descriptors[i] = null;
    plans[i] = null;
    if (control.has(pmid)) {
      return FORMAT + VALUE;
    }
    ServedMetric metric = catalog.metric(pmid);
    ServedMetric.Part descriptor = metric == null ? null : metric.descriptor(catalog.names());
    if (descriptor == null) {
      return 0;
    }
    descriptors[i] = descriptor;
    int inDom = catalog.inDomOf(descriptor);
    if (inDom == InDom.NULL) {
      plans[i] = metric.plan(descriptor, null);
      return FORMAT + VALUE;
    }
    ServedInDom served = catalog.inDom(inDom);
    if (served == null) {
      return 0;
    }
    plans[i] = metric.plan(descriptor, served.table());
    int most = filter.of(inDom).most(plans[i].values.length);
    return most == 0 ? 0 : FORMAT + (long) most * VALUE;
  }

  private void writeSet(int pmid, int i, InstanceFilter filter, ByteBuf out) {
    int head = set;
    set += SET;
    out.setInt(head, pmid);
    int status;
    if (control.has(pmid)) {
      status = writeControl(pmid, out);
    } else if (descriptors[i] == null) {
      status = PmError.PMID.code();
    } else if (plans[i] == null) {
      status = 0;
    } else {
      set += FORMAT;
      int type = descriptors[i].metric().type();
      InstanceFilter.Choice choice =
          plans[i].table == null
              ? InstanceFilter.Choice.ALL
              : filter.of(catalog.inDomOf(descriptors[i]));
      status = writeValues(plans[i], type, choice, out);
      int written = (set - head - SET - FORMAT) / VALUE;
      if (written > 0) {
        boolean insitu = type == MmvMetric.TYPE_I32 || type == MmvMetric.TYPE_U32;
        out.setInt(head + SET, insitu ? ValueSet.INSITU : ValueSet.DPTR);
        status = written;
      } else {
        status = reason(plans[i], choice, status);
        set = head + SET;
      }
    }
    out.setInt(head + 4, status);
  }

  private int writeControl(int pmid, ByteBuf out) {
    boolean debug = Pmid.item(pmid) == ControlMetrics.DEBUG;
    out.setInt(set, debug ? ValueSet.DPTR : ValueSet.INSITU);
    set += FORMAT;
    out.setInt(set, Instance.NULL);
    if (debug) {
      byte[] names = control.debug().getBytes(ISO_8859_1);
      out.setInt(set + 4, block / 4);
      writeText(names, names.length, out);
    } else {
      out.setInt(set + 4, control.number(Pmid.item(pmid)));
    }
    set += VALUE;
    return 1;
  }

  /**
   * Why there is no value at all: what the last instance says that the client wants to see.
   *
   * @param status why the last instance that the file has a value of has none to be sent
   */
  private static int reason(ServedMetric.Plan plan, InstanceFilter.Choice choice, int status) {
    int instances = plan.table == null ? 1 : plan.table.size();
    if (choice.most(instances) == 0) {
      return status;
    }
    for (int i = instances - 1; i >= 0; i--) {
      if (plan.table == null || choice.passes(plan.table.numbers[i])) {
        return plan.hasValue(i) ? status : PmError.INST.code();
      }
    }
    return status;
  }

  /**
   * Writes the values of a metric.
   *
   * @return why the last value was not written, if it was not
   */
  private int writeValues(
      ServedMetric.Plan plan, int type, InstanceFilter.Choice choice, ByteBuf out) {
    int[] values = plan.values;
    boolean all = choice.isAll();
    int blockSize = blockSize(type);
    int status = 0;
    if (blockSize > 0) {
      ensure(out, (long) choice.most(values.length) * blockSize);
    }
    for (int i = 0; i < values.length; i++) {
      int instance = plan.table == null ? Instance.NULL : plan.table.numbers[plan.place(i)];
      if (!all && !choice.passes(instance)) {
        continue;
      }
      MmvFile file = plan.file(i);
      if (file != reading) {
        MmvFile.awaitFault(); // it is the other one's
        reading = file;
      }
      boolean sentinel = file.schema().has(MmvSchema.FLAG_SENTINEL);
      long value = file.value(values[i]);
      switch (type) {
        case MmvMetric.TYPE_I32, MmvMetric.TYPE_U32 -> {
          if (sentinel && value == -1) {
            status = 0;
            continue;
          }
          out.setInt(set + 4, low32(value));
        }
        case MmvMetric.TYPE_I64, MmvMetric.TYPE_U64, MmvMetric.TYPE_ELAPSED -> {
          if (sentinel && value == -1) {
            status = 0;
            continue;
          }
          if (type == MmvMetric.TYPE_ELAPSED) {
            long extra = file.extra(values[i]);
            value += extra < 0 ? now() + extra : 0;
          }
          writeLong(type == MmvMetric.TYPE_ELAPSED ? ValueType.I64 : type, value, out);
        }
        case MmvMetric.TYPE_DOUBLE -> {
          if (sentinel && Double.isNaN(Double.longBitsToDouble(value))) {
            status = 0;
            continue;
          }
          writeLong(type, value, out);
        }
        case MmvMetric.TYPE_FLOAT -> {
          if (sentinel && Float.isNaN(Float.intBitsToFloat(low32(value)))) {
            status = 0;
            continue;
          }
          out.setInt(set + 4, block / 4);
          out.setInt(block, type << 24 | blockSize);
          out.setInt(block + BLOCK_HEAD, low32(value));
          block += blockSize;
        }
        case MmvMetric.TYPE_STRING -> {
          int length = file.text(file.extra(values[i]), text);
          if (length < 0 || (length == 0 && sentinel)) {
            status = length < 0 ? PmError.GENERIC.code() : 0;
            continue;
          }
          out.setInt(set + 4, block / 4);
          writeText(text, length, out);
        }
        default -> {
          status =
              type == MmvMetric.TYPE_NOSUPPORT ? PmError.APPVERSION.code() : PmError.TYPE.code();
          continue;
        }
      }
      out.setInt(set, instance);
      set += VALUE;
    }
    return status;
  }

  /** The bytes of a value's block, 0 for values without one and for those whose size varies. */
  private static int blockSize(int type) {
    return switch (type) {
      case MmvMetric.TYPE_I64, MmvMetric.TYPE_U64, MmvMetric.TYPE_DOUBLE, MmvMetric.TYPE_ELAPSED ->
          BLOCK_HEAD + 8;
      case MmvMetric.TYPE_FLOAT -> BLOCK_HEAD + 4;
      default -> 0;
    };
  }

  private void writeLong(int type, long value, ByteBuf out) {
    out.setInt(set + 4, block / 4);
    out.setInt(block, type << 24 | (BLOCK_HEAD + 8));
    out.setLong(block + BLOCK_HEAD, value);
    block += BLOCK_HEAD + 8;
  }

  /** Writes the block of a string: the bytes, a NUL, and '~' up to a multiple of four. */
  private void writeText(byte[] bytes, int length, ByteBuf out) {
    int padded = (length + 1 + 3) & ~3;
    ensure(out, BLOCK_HEAD + padded);
    out.setInt(block, ValueType.STRING << 24 | (BLOCK_HEAD + length + 1));
    int at = block + BLOCK_HEAD;
    out.setInt(at + padded - 4, 0x7e7e7e7e);
    out.setBytes(at, bytes, 0, length);
    out.setByte(at + length, 0);
    block = at + padded;
  }

  /** Room for more blocks. */
  private void ensure(ByteBuf out, long bytes) {
    out.writerIndex(block);
    out.ensureWritable(Math.toIntExact(bytes));
    out.writerIndex(0);
  }

  /** Moves the blocks up to the end of the sets, which have become shorter than they might. */
  private void moveBlocks(int count, int from, ByteBuf out) {
    int by = from - set;
    for (int i = from; i < block; i += 4) {
      out.setInt(i - by, out.getInt(i));
    }
    block -= by;
    int at = HEADER;
    for (int i = 0; i < count; i++) {
      int values = out.getInt(at + 4);
      if (values > 0 && out.getInt(at + SET) == ValueSet.DPTR) {
        for (int v = 0; v < values; v++) {
          int word = at + SET + FORMAT + v * VALUE + 4;
          out.setInt(word, out.getInt(word) - by / 4);
        }
      }
      at += SET + (values > 0 ? FORMAT + values * VALUE : 0);
    }
  }

  private static int low32(long value) {
    return LITTLE_ENDIAN ? (int) value : (int) (value >>> 32);
  }

  /** Microseconds since the epoch, the same for the whole fetch. */
  private long now() {
    if (now == 0) {
      Instant instant = Instant.now();
      now = instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }
    return now;
  }
}
