package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;

/**
 * LABEL: one set of labels or, for type INSTANCES, one set per instance; see pmLookupLabels(3). The
 * reply to {@link LabelReq}.
 *
 * <pre>
 * 12 ident
 * 16 type
 * 20 0
 * 24 nsets
 * 28 nsets times
 *      inst
 *      nlabels            0 to 254; a negative error code is read as 0
 *      json               offset of the set's JSON text from the start of the header, in bytes
 *      jsonlen            0 to 65534
 *      nlabels times      name:16 namelen:8 flags:8 value:16 valuelen:16
 *    JSON texts           of all sets, contiguous and not padded, up to the end of the PDU
 * </pre>
 *
 * @param from 0
 * @param ident the request's ident; -1 for type CONTEXT
 * @param labelType one of {@link LabelType}
 */
public record Label(int from, int ident, int labelType, List<LabelSet> sets) implements ListReply {
  private static final int SET_LENGTH = 16;
  private static final int LABEL_LENGTH = 8;

  static Label decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int ident = in.word("ident");
    int labelType = in.word("type");
    in.word("padding");
    int count = in.count("nsets", SET_LENGTH);
    // The texts must be contiguous and follow the sets, as libpcp writes them. Otherwise all sets
    // of a hostile PDU could share one large text, which would be decoded once for each of them.
    int firstJson = count == 0 ? in.offset() : in.wordAt(in.offset() + 8, "json");
    int nextJson = firstJson;
    List<LabelSet> sets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int instance = in.word("inst");
      int numLabels = Math.max(0, in.word("nlabels"));
      int jsonOffset = in.word("json");
      int jsonLength = in.word("jsonlen");
      if (numLabels > LabelEntry.MAX_PER_SET || jsonLength > LabelEntry.MAX_JSON) {
        throw in.malformed("set of " + numLabels + " labels in " + jsonLength + " bytes");
      }
      if (jsonOffset != nextJson) {
        throw in.malformed("JSON at " + jsonOffset + " instead of " + nextJson);
      }
      String json = in.textAt(jsonOffset, jsonLength, "JSON");
      nextJson += jsonLength;
      in.requireLeft("nlabels", numLabels, LABEL_LENGTH);
      List<LabelEntry> labels = new ArrayList<>(numLabels);
      for (int j = 0; j < numLabels; j++) {
        labels.add(decodeEntry(in, jsonLength));
      }
      sets.add(new LabelSet(instance, new Labels(json, labels)));
    }
    if (firstJson != in.offset()) {
      throw in.malformed("JSON begins at " + firstJson + ", label sets end");
    }
    if (nextJson != in.length()) {
      throw in.malformed("JSON ends at " + nextJson + " of " + in.length() + " bytes, begins");
    }
    return new Label(from, ident, labelType, sets);
  }

  private static LabelEntry decodeEntry(PduBody in, int jsonLength) throws MalformedPduException {
    int name = in.word("label");
    int value = in.word("label");
    LabelEntry label =
        new LabelEntry(name >>> 16, (name >>> 8) & 0xff, name & 0xff, value >>> 16, value & 0xffff);
    if (label.nameOffset() + label.nameLength() > jsonLength
        || label.valueOffset() + label.valueLength() > jsonLength) {
      throw in.malformed("label outside its " + jsonLength + " bytes of JSON");
    }
    return label;
  }

  @Override
  public int size() {
    return sets.size();
  }

  @Override
  public long heapOf(int index) {
    return sets.get(index).labels().bytes();
  }

  /** Returns an encoder whose entries are all sets, and then their texts. */
  @Override
  public ListEncoder encoder() {
    return new ListEncoder(16, 2 * sets.size()) {
      private int jsonOffset = HEADER_LENGTH + 16; // of the next text

      @Override
      int lengthOf(int entry) {
        if (entry >= sets.size()) {
          return sets.get(entry - sets.size()).labels().json().length();
        }
        int length = SET_LENGTH + LABEL_LENGTH * sets.get(entry).labels().entries().size();
        jsonOffset += length;
        return length;
      }

      @Override
      void writeHead(ByteBuf out) {
        out.writeInt(ident).writeInt(labelType).writeInt(0).writeInt(sets.size());
      }

      @Override
      void write(int entry, ByteBuf out) {
        if (entry >= sets.size()) {
          PduBody.writeBytes(out, sets.get(entry - sets.size()).labels().json());
          return;
        }
        LabelSet set = sets.get(entry);
        List<LabelEntry> labels = set.labels().entries();
        int length = set.labels().json().length();
        out.writeInt(set.instance()).writeInt(labels.size());
        out.writeInt(jsonOffset).writeInt(length);
        for (LabelEntry label : labels) {
          out.writeShort(label.nameOffset()).writeByte(label.nameLength()).writeByte(label.flags());
          out.writeShort(label.valueOffset()).writeShort(label.valueLength());
        }
        jsonOffset += length;
      }
    };
  }
}
