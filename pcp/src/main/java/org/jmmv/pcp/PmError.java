package org.jmmv.pcp;

/**
 * The errors of PCP that an agent meets, {@code PM_ERR_*} of {@code <pcp/pmapi.h>}. Errors of the
 * operating system travel as -errno.
 */
public enum PmError {
  GENERIC(0),
  TEXT(4),
  APPVERSION(5),
  VALUE(6),
  NAME(12),
  PMID(13),
  INDOM(14),
  INST(15),
  CONV(17),
  SIGN(19),
  IPC(21),
  EOF(23),
  PERMISSION(42),
  AGAIN(44),
  NOTCONN(46),
  NONLEAF(49),
  TYPE(52),
  BADSTORE(55),
  NOLABELS(65);

  private static final int BASE = -12345;

  private final int code;

  PmError(int number) {
    this.code = BASE - number;
  }

  /** The code in PDUs, negative. */
  public int code() {
    return code;
  }

  /** For people: {@code PM_ERR_PMID}, {@code errno 13}, or for any other code its number. */
  public static String describe(int code) {
    for (PmError error : values()) {
      if (error.code == code) {
        return "PM_ERR_" + error;
      }
    }
    return code < 0 && code > BASE ? "errno " + -code : "code " + code;
  }
}
