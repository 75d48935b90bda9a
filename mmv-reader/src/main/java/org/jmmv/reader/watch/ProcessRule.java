package org.jmmv.reader.watch;

/** When a file with the PROCESS flag is served: the setting {@code process} of jmmv.toml(5). */
public enum ProcessRule {
  /**
   * While any process has the file open for writing. If none has, and none was seen to have it:
   * while its process exists.
   */
  AUTO,

  /** While its process exists, as pmdammv(1) has it. */
  PID,

  /** While any process has the file open for writing, or that can't be found out. */
  OPEN,

  /** Always. */
  IGNORE
}
