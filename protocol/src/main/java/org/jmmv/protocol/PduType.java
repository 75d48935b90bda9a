package org.jmmv.protocol;

/**
 * The types of PDU, named as in libpcp's diagnostics. Those from {@link #HIGHRES_FETCH} on are
 * exchanged only between a collector and its clients.
 */
public enum PduType {
  ERROR(0x7000),
  RESULT(0x7001),
  PROFILE(0x7002),
  FETCH(0x7003),
  DESC_REQ(0x7004),
  DESC(0x7005),
  INSTANCE_REQ(0x7006),
  INSTANCE(0x7007),
  TEXT_REQ(0x7008),
  TEXT(0x7009),
  CONTROL_REQ(0x700a),
  CREDS(0x700c),
  PMNS_IDS(0x700d),
  PMNS_NAMES(0x700e),
  PMNS_CHILD(0x700f),
  PMNS_TRAVERSE(0x7010),
  ATTR(0x7011),
  LABEL_REQ(0x7012),
  LABEL(0x7013),
  HIGHRES_FETCH(0x7014),
  HIGHRES_RESULT(0x7015),
  DESC_IDS(0x7016),
  DESCS(0x7017);

  private static final PduType[] TYPES = values();

  private final int code;

  PduType(int code) {
    this.code = code;
  }

  /** Returns the type's code, the header's second word. */
  public int code() {
    return code;
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
}
