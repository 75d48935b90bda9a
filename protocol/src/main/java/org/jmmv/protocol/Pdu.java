package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A PDU: one message between pmcd and an agent.
 *
 * <p>Each is a record with its layout in its Javadoc, a static {@code decode(int from, ByteBuf
 * body)} and, beside it, {@link #encodeBody}.
 */
public sealed interface Pdu
    permits Attr,
        ControlReq,
        Creds,
        Desc,
        DescReq,
        Fetch,
        InstanceReq,
        Instances,
        Label,
        LabelReq,
        PduError,
        PmnsChild,
        PmnsIds,
        PmnsNames,
        PmnsTraverse,
        Profile,
        Result,
        Text,
        TextReq {

  /** Bytes of the header: {@code len, type, from}. */
  int HEADER_LENGTH = 12;

  /**
   * The header's third word. In requests the number of pmcd's client context; in replies 0, but for
   * {@link Creds} the sender's process id.
   */
  int from();

  PduType type();

  /**
   * Appends what follows the header. The header lies just before {@code out}'s writer index, where
   * offsets inside the PDU count from.
   */
  void encodeBody(ByteBuf out);

  /** Appends the whole PDU, header included. */
  default void encode(ByteBuf out) {
    int start = out.writerIndex();
    out.writeInt(0).writeInt(type().code()).writeInt(from());
    encodeBody(out);
    out.setInt(start, out.writerIndex() - start);
  }

  /**
   * Decodes a PDU of a known type.
   *
   * @param body what follows the header, from its reader index to its writer index; its reader
   *     index moves. {@link Fetch} remains a view of it.
   */
  static Pdu decode(PduType type, int from, ByteBuf body) throws MalformedPduException {
    return switch (type) {
      case ERROR -> PduError.decode(from, body);
      case RESULT -> Result.decode(from, body);
      case PROFILE -> Profile.decode(from, body);
      case FETCH -> Fetch.decode(from, body);
      case DESC_REQ -> DescReq.decode(from, body);
      case DESC -> Desc.decode(from, body);
      case INSTANCE_REQ -> InstanceReq.decode(from, body);
      case INSTANCE -> Instances.decode(from, body);
      case TEXT_REQ -> TextReq.decode(from, body);
      case TEXT -> Text.decode(from, body);
      case CONTROL_REQ -> ControlReq.decode(from, body);
      case CREDS -> Creds.decode(from, body);
      case PMNS_IDS -> PmnsIds.decode(from, body);
      case PMNS_NAMES -> PmnsNames.decode(from, body);
      case PMNS_CHILD -> PmnsChild.decode(from, body);
      case PMNS_TRAVERSE -> PmnsTraverse.decode(from, body);
      case ATTR -> Attr.decode(from, body);
      case LABEL_REQ -> LabelReq.decode(from, body);
      case LABEL -> Label.decode(from, body);
    };
  }
}
