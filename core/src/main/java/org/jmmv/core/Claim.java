package org.jmmv.core;

import java.util.Comparator;
import org.jmmv.reader.fault.FileName;

/**
 * A claim that a name stands for a PMID: that of a file is a {@link MetricRecord}. Claims are
 * compared by identity.
 */
class Claim {
  /** The claimant of the program's own metrics, before all files. */
  static final FileName AGENT = FileName.of("");

  /** Files in their order, and the metrics of a file in the order of the file. */
  static final Comparator<Claim> ORDER =
      Comparator.comparing(Claim::fileName).thenComparingInt(Claim::index);

  private final String name;
  private final int pmid;
  private final FileName fileName;
  private final int index;
  NameNode node; // of the name; null if the claim is not in a tree
  FileName refusedFor; // the file of the claim for which this one was last reported

  /**
   * Creates a claim that is not in a tree yet.
   *
   * @param name the full name
   * @param pmid the metric that the name stands for
   * @param fileName the file; {@link #AGENT} for the agent's own metrics
   * @param index the metric's position in the file, unique in the file
   */
  Claim(String name, int pmid, FileName fileName, int index) {
    this.name = name;
    this.pmid = pmid;
    this.fileName = fileName;
    this.index = index;
  }

  String name() {
    return name;
  }

  int pmid() {
    return pmid;
  }

  FileName fileName() {
    return fileName;
  }

  /** Returns the metric's position among those of its file. */
  public int index() {
    return index;
  }

  @Override
  public String toString() {
    return name + " of " + fileName + '[' + index + ']';
  }
}
