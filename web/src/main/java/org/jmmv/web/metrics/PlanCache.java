package org.jmmv.web.metrics;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.Labels;

/** The plans that were used last, and the buffers with which pages are written. */
final class PlanCache {
  private static final int MAX_PLANS = 2;

  private final Catalog catalog;
  private final Labels ofHost;
  private final Map<Format, PageBuffers> buffers = new EnumMap<>(Format.class);
  // the first one has not been used for the longest time
  private final LinkedHashMap<Kind, Entry> entries = new LinkedHashMap<>(4, 0.75f, true);

  private record Kind(Format format, Naming naming) {}

  /** The plan for a format, or what makes it. */
  final class Entry {
    private final Kind kind;
    private Planner planner; // null: the plan is complete
    private Plan plan;
    private boolean isCached = true;

    private Entry(Kind kind) {
      this.kind = kind;
    }

    PageBuffers buffers() {
      return buffers.computeIfAbsent(kind.format, PageBuffers::new);
    }

    Naming naming() {
      return kind.naming;
    }

    /** Returns the family of a metric, see {@link Family#of}. */
    Family family(FamilyName names, String name, Metric metric, View view) {
      return Family.of(names, name, metric, kind.naming, view, ofHost);
    }

    /** Returns whether a plan is that of the catalogue as it is. */
    boolean isCurrent(Plan used) {
      return used.version() == catalog.changes().version();
    }

    /** Returns the plan, or empty if that takes longer than the turn. */
    Optional<Plan> advance(Turn turn) {
      View view = catalog.begin(planner == null ? new Scope.OfAll() : new Scope.OfNone());
      if (planner == null && (plan == null || !isCurrent(plan))) {
        planner =
            new Planner(catalog.changes().version(), kind.naming, ofHost, kind.format.encoding());
      }
      if (planner == null) {
        return Optional.of(plan);
      }
      Optional<Plan> complete = planner.advance(view, turn);
      if (complete.isPresent()) {
        forgetFamilies();
        plan = complete.get();
        planner = null;
      }
      return complete;
    }

    private void forgetFamilies() {
      if (plan != null) {
        plan.forgetFamilies();
      }
    }

    /**
     * Returns what a page keeps, in bytes: nothing if its plan is the one in the cache.
     *
     * @param used the plan from which the page is being written; null: it is being made
     */
    long bytes(Plan used) {
      if (isCached && (used == null || used == plan)) {
        return 0;
      }
      return used != null ? used.bytes() : planner == null ? 0 : planner.bytes();
    }
  }

  /**
   * Creates a cache without plans.
   *
   * @param ofHost labels of the host, for {@link Naming#PCP}
   */
  PlanCache(Catalog catalog, Labels ofHost) {
    this.catalog = catalog;
    this.ofHost = ofHost;
  }

  /** Returns the plan for a format. */
  Entry get(Format format, Naming naming) {
    Entry entry = entries.computeIfAbsent(new Kind(format, naming), Entry::new);
    if (entries.size() > MAX_PLANS) {
      Entry evicted = entries.pollFirstEntry().getValue();
      evicted.isCached = false;
      evicted.forgetFamilies();
    }
    return entry;
  }
}
