package org.jmmv.core;

import java.util.Comparator;
import org.jmmv.reader.fault.FileName;

/** A file's claim that a name stands for a PMID. Claims are compared by identity. */
final class Claim {
  /** The claimant of the program's own metrics, before all files. */
  static final FileName AGENT = FileName.of("");

  /** Files in their order, and the metrics of a file in the order of the file. */
  static final Comparator<Claim> ORDER =
      Comparator.comparing(Claim::file).thenComparingInt(Claim::index);

  private final String name;
  private final int pmid;
  private final FileName file;
  private final int index;
  NameNode node; // of the name; null if the claim is not in a tree
  FileName refusedFor; // the file of the claim for which this one was last reported

  /**
   * Creates a claim that is not in a tree yet.
   *
   * @param name the full name
   * @param pmid the metric that the name stands for
   * @param file the file; {@link #AGENT} for the agent's own metrics
   * @param index the metric's position in the file, unique in the file
   */
  Claim(String name, int pmid, FileName file, int index) {
    this.name = name;
    this.pmid = pmid;
    this.file = file;
    this.index = index;
  }

  String name() {
    return name;
  }

  int pmid() {
    return pmid;
  }

  FileName file() {
    return file;
  }

  int index() {
    return index;
  }

  @Override
  public String toString() {
    return name + " of " + file + '[' + index + ']';
  }
}
