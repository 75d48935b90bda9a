package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A PDU (protocol data unit): one message between pmcd and an agent, or between a collector and a
 * client.
 *
 * <p>Each type is a record whose Javadoc shows the layout of its body. The numbers in the layout
 * are offsets from the start of the PDU's header, in bytes; fields without an offset follow each
 * other, and all integers are 32-bit big-endian unless a width in bits is given, as in {@code
 * type:8}. The static method {@code decode(int from, ByteBuf body)} reads the body, and {@link
 * #encodeBody} writes it.
 */
public sealed interface Pdu extends Message permits Request, Reply, Notice {

  /** The length of the header {@code len, type, from} in bytes. */
  int HEADER_LENGTH = PduBody.HEADER_LENGTH;

  /**
   * Returns the header's third word. In a request it identifies the client context within pmcd, in
   * a reply it is 0, and in {@link Creds} it is the sender's process id.
   */
  int from();

  /** Returns the type of this PDU, the header's second word. */
  default PduType type() {
    return PduType.of(getClass());
  }

  /** Appends the body. The header has been written just before the writer index of {@code out}. */
  void encodeBody(ByteBuf out);

  /** Appends the whole PDU: header and body. */
  default void encode(ByteBuf out) {
    int start = out.writerIndex();
    out.writeInt(0).writeInt(type().code()).writeInt(from());
    encodeBody(out);
    out.setInt(start, out.writerIndex() - start);
  }

  /**
   * Decodes the body of a PDU.
   *
   * @param from the header's third word
   * @param body all bytes after the header, from reader index to writer index; the reader index
   *     advances
   * @throws MalformedPduException if the body is malformed
   */
  static Pdu decode(PduType type, int from, ByteBuf body) throws MalformedPduException {
    return switch (type) {
      case ERROR -> PduError.decode(from, body);
      case RESULT -> Result.decode(from, body);
      case PROFILE -> Profile.decode(from, body);
      case FETCH -> Fetch.decode(from, false, body);
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
      case HIGHRES_FETCH -> Fetch.decode(from, true, body);
      case HIGHRES_RESULT -> HighResResult.decode(from, body);
      case DESC_IDS -> DescIds.decode(from, body);
      case DESCS -> Descs.decode(from, body);
    };
  }
}
