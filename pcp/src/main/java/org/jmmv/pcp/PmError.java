package org.jmmv.pcp;

/**
 * Error codes that an agent or a collector sends or receives, {@code PM_ERR_*} of {@code
 * <pcp/pmapi.h>}; see PMAPI(3). In the same place PCP also uses {@code -errno} for errors of the
 * operating system.
 */
public enum PmError {
  /** Generic error; the agent's log has the reason. */
  GENERIC(0),
  /** No help text. */
  TEXT(4),
  /** The metric is not supported by this version of the application. */
  APPVERSION(5),
  /** Missing value. */
  VALUE(6),
  /** Unknown metric name. */
  NAME(12),
  /** Unknown PMID. */
  PMID(13),
  /** Unknown instance domain. */
  INDOM(14),
  /** Unknown instance. */
  INST(15),
  /** The value can't be converted to the metric's type. */
  CONV(17),
  /** A negative value for an unsigned metric. */
  SIGN(19),
  /** Malformed PDU. */
  IPC(21),
  /** The connection was closed. */
  EOF(23),
  /** A fetch without a profile. */
  NOPROFILE(36),
  /** No agent has this domain. */
  NOAGENT(41),
  /** Permission denied. */
  PERMISSION(42),
  /** Too many clients are connected. */
  CONNLIMIT(43),
  /** Not available at the moment; try again. */
  AGAIN(44),
  /** Not connected; from pmcd: a client's context was closed. */
  NOTCONN(46),
  /** The name is not a leaf of the name space. */
  NONLEAF(49),
  /** Unknown or unsuitable type. */
  TYPE(52),
  /** Bad input of a store. */
  BADSTORE(55),
  /** Labels are not supported. */
  NOLABELS(65),
  /** An empty list. */
  TOOSMALL(98);

  /** {@code -errno}: the feature is not supported. */
  public static final int EOPNOTSUPP = -95;

  private static final int BASE = -12345;

  private final int code;

  PmError(int number) {
    this.code = BASE - number;
  }

  /** Returns the code used in PDUs, -12345 or less. */
  public int code() {
    return code;
  }

  /**
   * Returns a code in readable form: {@code PM_ERR_PMID}, {@code errno 13}, or {@code code 1} for a
   * code that is none of these.
   */
  public static String describe(int code) {
    for (PmError error : values()) {
      if (error.code == code) {
        return "PM_ERR_" + error;
      }
    }
    return code < 0 && code > BASE ? "errno " + -code : "code " + code;
  }
}
