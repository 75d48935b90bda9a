package org.jmmv.pmda;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Instant;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.ValueSet;
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
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private final Catalog catalog;
  private final ControlMetrics control;
  private final byte[] text = new byte[MAX_TEXT];

  // what the fetch in hand asks for, by its index in the PDU
  private ServedMetric.Part[] descriptors = new ServedMetric.Part[64];
  private ServedMetric.Plan[] plans = new ServedMetric.Plan[64];

  /** The buffer in hand, and its memory, where writing is several times as fast. */
  private ByteBuf buffer;

  private MemorySegment out;

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
   * @param reply a direct buffer that may grow; it gets the PDU as its content
   * @return false if the reply would be larger than {@link #MAX_REPLY}; then there is none
   */
  boolean write(Fetch fetch, InstanceFilter filter, int flags, ByteBuf reply) {
    use(reply);
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
    block = 0;
    ensure(sets);
    set = HEADER;
    block = sets;
    for (int i = 0; i < count; i++) {
      writeSet(fetch.pmid(i), i, filter);
      if (block > MAX_REPLY) {
        return false;
      }
    }
    if (set < sets) {
      moveBlocks(count, sets);
    }
    put(0, block);
    put(4, PduType.RESULT.code());
    put(8, 0);
    put(12, flags);
    put(16, 0);
    put(20, count);
    reply.setIndex(0, block);
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

  private void writeSet(int pmid, int i, InstanceFilter filter) {
    int head = set;
    set += SET;
    put(head, pmid);
    int status;
    if (control.has(pmid)) {
      status = writeControl(pmid);
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
      status = writeValues(plans[i], type, choice);
      int written = (set - head - SET - FORMAT) / VALUE;
      if (written > 0) {
        boolean insitu = type == ValueType.I32 || type == ValueType.U32;
        put(head + SET, insitu ? ValueSet.INSITU : ValueSet.DPTR);
        status = written;
      } else {
        status = reason(plans[i], choice, status);
        set = head + SET;
      }
    }
    put(head + 4, status);
  }

  private int writeControl(int pmid) {
    boolean debug = Pmid.item(pmid) == ControlMetrics.DEBUG;
    put(set, debug ? ValueSet.DPTR : ValueSet.INSITU);
    set += FORMAT;
    if (debug) {
      byte[] names = control.debug().getBytes(ISO_8859_1);
      putPair(Instance.NULL, block / 4);
      writeText(names, names.length);
    } else {
      putPair(Instance.NULL, control.number(Pmid.item(pmid)));
    }
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
  private int writeValues(ServedMetric.Plan plan, int type, InstanceFilter.Choice choice) {
    int[] values = plan.values;
    boolean all = choice.isAll();
    int blockSize = blockSize(type);
    int status = 0;
    if (blockSize > 0) {
      ensure(block + (long) choice.most(values.length) * blockSize);
    }
    if (all && isPlain(plan, type)) {
      writePlain(plan, type);
      return 0;
    }
    for (int i = 0; i < values.length; i++) {
      int instance = plan.table == null ? Instance.NULL : plan.table.numbers[plan.place(i)];
      if (!all && !choice.passes(instance)) {
        continue;
      }
      MmvFile file = plan.file(i);
      beginReading(file);
      boolean sentinel = file.schema().has(MmvSchema.FLAG_SENTINEL);
      long value = file.value(values[i]);
      switch (type) {
        case ValueType.I32, ValueType.U32 -> {
          if (sentinel && value == -1) {
            status = 0;
            continue;
          }
          putPair(instance, low32(value));
        }
        case ValueType.I64, ValueType.U64, MmvMetric.ELAPSED -> {
          if (sentinel && value == -1) {
            status = 0;
            continue;
          }
          if (type == MmvMetric.ELAPSED) {
            long extra = file.extra(values[i]);
            value += extra < 0 ? now() + extra : 0;
          }
          putPair(instance, block / 4);
          writeLong(type == MmvMetric.ELAPSED ? ValueType.I64 : type, value);
        }
        case ValueType.DOUBLE -> {
          if (sentinel && Double.isNaN(Double.longBitsToDouble(value))) {
            status = 0;
            continue;
          }
          putPair(instance, block / 4);
          writeLong(type, value);
        }
        case ValueType.FLOAT -> {
          if (sentinel && Float.isNaN(Float.intBitsToFloat(low32(value)))) {
            status = 0;
            continue;
          }
          putPair(instance, block / 4);
          put(block, type << 24 | blockSize);
          put(block + BLOCK_HEAD, low32(value));
          block += blockSize;
        }
        case ValueType.STRING -> {
          int length = file.text(file.extra(values[i]), text);
          if (length < 0 || (length == 0 && sentinel)) {
            status = length < 0 ? PmError.GENERIC.code() : 0;
            continue;
          }
          putPair(instance, block / 4);
          writeText(text, length);
        }
        default -> {
          status = type == ValueType.NOSUPPORT ? PmError.APPVERSION.code() : PmError.TYPE.code();
          continue;
        }
      }
    }
    return status;
  }

  /** Whether all values are numbers of 64 bits as they stand in one file. */
  private static boolean isPlain(ServedMetric.Plan plan, int type) {
    return (type == ValueType.I64 || type == ValueType.U64 || type == ValueType.DOUBLE)
        && plan.table != null
        && plan.file != null
        && !plan.file.schema().has(MmvSchema.FLAG_SENTINEL);
  }

  /** What the loop above does with such values, but faster: large replies consist of them. */
  private void writePlain(ServedMetric.Plan plan, int type) {
    MmvFile file = plan.file;
    beginReading(file);
    MemorySegment to = out;
    int[] values = plan.values;
    int[] places = plan.places;
    int[] numbers = plan.table.numbers;
    int head = type << 24 | (BLOCK_HEAD + 8);
    int pair = set;
    int at = block;
    for (int i = 0; i < values.length; i++) {
      int number = numbers[places == null ? i : places[i]];
      to.set(LONG, pair, (long) number << 32 | at / 4);
      to.set(INT, at, head);
      to.set(LONG, at + BLOCK_HEAD, file.value(values[i]));
      pair += VALUE;
      at += BLOCK_HEAD + 8;
    }
    set = pair;
    block = at;
  }

  private void beginReading(MmvFile file) {
    if (file != reading) {
      MmvFile.awaitFault(); // it is the other one's
      reading = file;
    }
  }

  /** Writes an instance, and its value or where its block is. */
  private void putPair(int instance, int word) {
    out.set(LONG, set, (long) instance << 32 | Integer.toUnsignedLong(word));
    set += VALUE;
  }

  /** The bytes of a value's block, 0 for values without one and for those whose size varies. */
  private static int blockSize(int type) {
    return switch (type) {
      case ValueType.I64, ValueType.U64, ValueType.DOUBLE, MmvMetric.ELAPSED -> BLOCK_HEAD + 8;
      case ValueType.FLOAT -> BLOCK_HEAD + 4;
      default -> 0;
    };
  }

  private void writeLong(int type, long value) {
    put(block, type << 24 | (BLOCK_HEAD + 8));
    out.set(LONG, block + BLOCK_HEAD, value);
    block += BLOCK_HEAD + 8;
  }

  /** Writes the block of a string: the bytes, a NUL, and '~' up to a multiple of four. */
  private void writeText(byte[] bytes, int length) {
    int padded = (length + 1 + 3) & ~3;
    ensure(block + BLOCK_HEAD + padded);
    put(block, ValueType.STRING << 24 | (BLOCK_HEAD + length + 1));
    int at = block + BLOCK_HEAD;
    put(at + padded - 4, 0x7e7e7e7e);
    MemorySegment.copy(bytes, 0, out, ValueLayout.JAVA_BYTE, at, length);
    out.set(ValueLayout.JAVA_BYTE, at + length, (byte) 0);
    block = at + padded;
  }

  private void put(int at, int word) {
    out.set(INT, at, word);
  }

  private void use(ByteBuf reply) {
    buffer = reply;
    out = MemorySegment.ofBuffer(reply.internalNioBuffer(0, reply.capacity()));
  }

  /** Room for so many bytes in all; what was written up to {@link #block} stays. */
  private void ensure(long bytes) {
    if (bytes > out.byteSize()) {
      buffer.setIndex(0, block);
      buffer.ensureWritable(Math.toIntExact(bytes - block));
      use(buffer);
    }
  }

  /** Moves the blocks up to the end of the sets, which have become shorter than they might. */
  private void moveBlocks(int count, int from) {
    int by = from - set;
    MemorySegment.copy(out, from, out, set, block - from);
    block -= by;
    int at = HEADER;
    for (int i = 0; i < count; i++) {
      int values = out.get(INT, at + 4);
      if (values > 0 && out.get(INT, at + SET) == ValueSet.DPTR) {
        for (int v = 0; v < values; v++) {
          int word = at + SET + FORMAT + v * VALUE + 4;
          put(word, out.get(INT, word) - by / 4);
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
