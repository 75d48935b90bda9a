package org.jmmv.protocol;

/**
 * The types of PDU, named as in libpcp's diagnostics. Those from {@link #HIGHRES_FETCH} on are
 * exchanged only between a collector and its clients.
 */
public enum PduType {
  ERROR(0x7000, PduError.class),
  RESULT(0x7001, Result.class),
  PROFILE(0x7002, Profile.class),
  FETCH(0x7003, Fetch.class),
  DESC_REQ(0x7004, DescReq.class),
  DESC(0x7005, Desc.class),
  INSTANCE_REQ(0x7006, InstanceReq.class),
  INSTANCE(0x7007, Instances.class),
  TEXT_REQ(0x7008, TextReq.class),
  TEXT(0x7009, Text.class),
  CONTROL_REQ(0x700a, ControlReq.class),
  CREDS(0x700c, Creds.class),
  PMNS_IDS(0x700d, PmnsIds.class),
  PMNS_NAMES(0x700e, PmnsNames.class),
  PMNS_CHILD(0x700f, PmnsChild.class),
  PMNS_TRAVERSE(0x7010, PmnsTraverse.class),
  ATTR(0x7011, Attr.class),
  LABEL_REQ(0x7012, LabelReq.class),
  LABEL(0x7013, Label.class),
  HIGHRES_FETCH(0x7014, Fetch.class),
  HIGHRES_RESULT(0x7015, HighResResult.class),
  DESC_IDS(0x7016, DescIds.class),
  DESCS(0x7017, Descs.class);

  private static final PduType[] TYPES = values();

  private final int code;
  private final Class<? extends Pdu> pdu;

  PduType(int code, Class<? extends Pdu> pdu) {
    this.code = code;
    this.pdu = pdu;
  }

  /** Returns the type's code, the header's second word. */
  public int code() {
    return code;
  }

  /** Returns whether PDUs of this type are a {@link Request}. */
  public boolean isRequest() {
    return Request.class.isAssignableFrom(pdu);
  }

  /** Returns the type with the given code, or null if there is none. */
  public static PduType of(int code) {
    for (PduType type : TYPES) {
      if (type.code == code) {
        return type;
      }
    }
    return null;
  }

  /** Returns the first type of PDUs of a class. */
  static PduType of(Class<? extends Pdu> pdu) {
    for (PduType type : TYPES) {
      if (type.pdu == pdu) {
        return type;
      }
    }
    throw new IllegalArgumentException(pdu.getName());
  }
}
