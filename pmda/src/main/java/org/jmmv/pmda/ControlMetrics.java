package org.jmmv.pmda;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;

/**
 * The agent's own metrics: cluster 0, with the meaning that they have from PCP 7 on (pmdammv(1)).
 */
final class ControlMetrics {
  /** 32 bits; 1 while a file is in flux; a store of anything but 0 loads all files anew. */
  static final int RELOAD = 0;

  /** String; the debug options that are set, and a store sets them. */
  static final int DEBUG = 1;

  /** 32 bits; how many files are served. */
  static final int FILES = 2;

  /** 32 bits; how many metrics are served, without these. */
  static final int METRICS = 3;

  /** The full names, by item. */
  static final List<String> NAMES =
      List.of(
          "mmv.control.reload", "mmv.control.debug", "mmv.control.files", "mmv.control.metrics");

  private static final int SEMANTICS_INSTANT = 3;

  private final Catalog catalog;
  private final BooleanSupplier inFlux;
  private final DebugOptions debug;
  private HelpTexts texts;

  /**
   * The metrics of an agent.
   *
   * @param inFlux whether a file is in flux
   */
  ControlMetrics(Catalog catalog, BooleanSupplier inFlux, DebugOptions debug) {
    this.catalog = catalog;
    this.inFlux = inFlux;
    this.debug = debug;
  }

  /** Whether a PMID is that of a control metric. */
  boolean has(int pmid) {
    return Pmid.cluster(pmid) == 0
        && Pmid.item(pmid) < NAMES.size()
        && Pmid.domain(pmid) == catalog.domain();
  }

  /** The value of {@link #RELOAD}, {@link #FILES} or {@link #METRICS}. */
  int number(int item) {
    return switch (item) {
      case FILES -> catalog.fileCount();
      case METRICS -> catalog.names().size() - NAMES.size();
      default -> inFlux.getAsBoolean() ? 1 : 0;
    };
  }

  /** The value of {@link #DEBUG}. */
  String debug() {
    return debug.names();
  }

  Desc describe(int pmid) {
    int type = Pmid.item(pmid) == DEBUG ? ValueType.STRING : ValueType.I32;
    return new Desc(0, pmid, type, InDom.NULL, SEMANTICS_INSTANT, 0);
  }

  HelpTexts.Help help(int pmid) {
    if (texts == null) {
      texts = new HelpTexts();
    }
    return texts.of(NAMES.get(Pmid.item(pmid)));
  }
}
