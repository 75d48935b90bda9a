package org.jmmv.reader;

import java.util.List;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FileName;

/**
 * The metadata of a file: everything except the values. It is a checked copy, which is valid until
 * the file's generation changes.
 *
 * @param name what identifies the file
 * @param header a valid header: the version is 1, 2 or 3, the cluster 0 to 4095, and both
 *     generation numbers are the same
 * @param metrics the valid metrics, in the order of the file
 * @param inDoms the valid instance domains, in the order of the file
 * @param labels the valid label records, in the order of the file
 * @param valuesOffset the offset of the VALUES section in bytes from the start of the file, 0 if
 *     there is none
 * @param metricEntries the number of entries of all METRICS sections, including those that are left
 *     out
 * @param faults the faults because of which parts are left out: the first one of each kind, with
 *     the number of the others
 * @param memory an estimate of the heap that the file needs while it is served, in bytes
 * @param fingerprint identifies the bytes of the metadata
 */
public record MmvSchema(
    FileName name,
    MmvHeader header,
    List<MmvMetric> metrics,
    List<MmvInDom> inDoms,
    List<MmvLabel> labels,
    long valuesOffset,
    long metricEntries,
    List<Fault> faults,
    long memory,
    Fingerprint fingerprint) {

  /**
   * The names of the metrics are not prefixed with the file's name: MMV_FLAG_NOPREFIX of mmv(5).
   */
  public static final int FLAG_NOPREFIX = 1;

  /** The file is served only while its process runs: MMV_FLAG_PROCESS of mmv(5). */
  public static final int FLAG_PROCESS = 2;

  /**
   * Integers with all bits set, NaN and empty strings mean "no value at the moment":
   * MMV_FLAG_SENTINEL of mmv(5).
   */
  public static final int FLAG_SENTINEL = 4;

  /**
   * Returns whether the file has the PROCESS flag, and its process has ended. The process number is
   * one of this process's PID namespace: pid_namespaces(7).
   */
  public boolean isProcessGone() {
    return has(FLAG_PROCESS) && hasEnded(header.pid());
  }

  /** Returns whether the process with an ID has ended; 0 stands for none. */
  public static boolean hasEnded(int pid) {
    return pid != 0 && (pid < 0 || !PosixProcess.processExists(pid));
  }

  /** Returns the file's name in its directory. */
  public String file() {
    return name.name();
  }

  /** Returns whether a flag is set. */
  public boolean has(int flag) {
    return (header.flags() & flag) != 0;
  }
}
