package org.jmmv.web.metrics;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jmmv.core.CatalogEntry;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.watch.FileState;

/**
 * What a page says about files, in a few arrays: entries of the catalogue keep files in the heap
 * that have been replaced meanwhile.
 */
final class FileRecords {
  private static final long NO_TIME = Long.MIN_VALUE;

  private final Bytes names = new Bytes(); // UTF-8
  private final int[] nameEnds;
  private final FileState[] states;
  private final long[] modified; // seconds since the epoch
  private final long[] metrics;
  private final long[] served; // metrics
  private final int[] faultEnds;
  private final FaultKind[] faultKinds;
  private final long[] faultCounts;

  /** Copies what is needed. */
  FileRecords(List<CatalogEntry> files) {
    int count = files.size();
    int faults = files.stream().mapToInt(file -> file.status().faultCounts().size()).sum();
    nameEnds = new int[count];
    states = new FileState[count];
    modified = new long[count];
    metrics = new long[count];
    served = new long[count];
    faultEnds = new int[count];
    faultKinds = new FaultKind[faults];
    faultCounts = new long[faults];
    int i = 0;
    int fault = 0;
    for (CatalogEntry file : files) {
      nameEnds[i] = names.add(Printable.utf8(file.status().name().toString())).size();
      states[i] = file.state();
      Instant time = file.status().modified();
      modified[i] = time == null ? NO_TIME : time.getEpochSecond();
      metrics[i] = file.metrics();
      served[i] = file.served();
      for (Map.Entry<FaultKind, Long> one : new TreeMap<>(file.status().faultCounts()).entrySet()) {
        faultKinds[fault] = one.getKey();
        faultCounts[fault++] = one.getValue();
      }
      faultEnds[i++] = fault;
    }
    names.trim();
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return names.capacity()
        + (long) Integer.BYTES * (nameEnds.length + faultEnds.length)
        + (long) Long.BYTES * (states.length + modified.length + metrics.length + served.length)
        + (long) Long.BYTES * (faultKinds.length + faultCounts.length);
  }

  int count() {
    return states.length;
  }

  /** Returns the label with a file's name. */
  LabelPair name(int file) {
    return new LabelPair("file", names.text(start(nameEnds, file), nameEnds[file]));
  }

  private static int start(int[] ends, int file) {
    return file == 0 ? 0 : ends[file - 1];
  }

  FileState state(int file) {
    return states[file];
  }

  /** Returns whether it is known when a file was last written. */
  boolean hasTime(int file) {
    return modified[file] != NO_TIME;
  }

  /** Returns when a file was last written, in seconds since the epoch. */
  long modified(int file) {
    return modified[file];
  }

  /** Returns the number of metrics in a file. */
  long metrics(int file) {
    return metrics[file];
  }

  /** Returns the number of metrics of a file that are not served. */
  long lost(int file) {
    return metrics[file] - served[file];
  }

  /** Receives a kind of faults, and how many were found. */
  interface Faults {
    void add(FaultKind kind, long count);
  }

  /** Passes the faults of a file, in the order of their kinds. */
  void faults(int file, Faults to) {
    for (int i = start(faultEnds, file); i < faultEnds[file]; i++) {
      to.add(faultKinds[i], faultCounts[i]);
    }
  }
}
