package org.jmmv.testkit;

import org.jmmv.pcp.ValueType;

/** The types that a value in an MMV file can have, see mmv(5). */
public enum MmvType {
  I32(ValueType.I32),
  U32(ValueType.U32),
  I64(ValueType.I64),
  U64(ValueType.U64),
  FLOAT(ValueType.FLOAT),
  DOUBLE(ValueType.DOUBLE),
  STRING(ValueType.STRING),
  ELAPSED(MmvWriter.ELAPSED);

  private final int code;

  MmvType(int code) {
    this.code = code;
  }

  /** Returns the number that stands for the type in a file. */
  public int code() {
    return code;
  }
}
