package org.jmmv.protocol;

/**
 * The types of PDU, named as in libpcp's diagnostics. Those from {@link #HIGHRES_FETCH} on are
 * exchanged only between a collector and its clients.
 */
public enum PduType {
  ERROR(0x7000, false),
  RESULT(0x7001, true),
  PROFILE(0x7002, false),
  FETCH(0x7003, true),
  DESC_REQ(0x7004, true),
  DESC(0x7005, false),
  INSTANCE_REQ(0x7006, true),
  INSTANCE(0x7007, false),
  TEXT_REQ(0x7008, true),
  TEXT(0x7009, false),
  CONTROL_REQ(0x700a, false),
  CREDS(0x700c, false),
  PMNS_IDS(0x700d, true),
  PMNS_NAMES(0x700e, true),
  PMNS_CHILD(0x700f, true),
  PMNS_TRAVERSE(0x7010, true),
  ATTR(0x7011, false),
  LABEL_REQ(0x7012, true),
  LABEL(0x7013, false),
  HIGHRES_FETCH(0x7014, true),
  HIGHRES_RESULT(0x7015, false),
  DESC_IDS(0x7016, true),
  DESCS(0x7017, false);

  private static final PduType[] TYPES = values();

  private final int code;
  private final boolean isRequest;

  PduType(int code, boolean isRequest) {
    this.code = code;
    this.isRequest = isRequest;
  }

  /** Returns the type's code, the header's second word. */
  public int code() {
    return code;
  }

  /** Returns whether PDUs of this type are a {@link Request}. */
  public boolean isRequest() {
    return isRequest;
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
