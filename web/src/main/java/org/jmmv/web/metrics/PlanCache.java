package org.jmmv.web.metrics;

import java.util.Optional;
import org.jmmv.core.Catalog;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;

/** The last plan of a naming, and the next one while it is being made. All pages share them. */
final class PlanCache {
  private final Catalog catalog;
  private final Naming naming;
  private Plan plan; // null: none is complete
  private Plan next; // null: none is being made

  PlanCache(Catalog catalog, Naming naming) {
    this.catalog = catalog;
    this.naming = naming;
  }

  Naming naming() {
    return naming;
  }

  /** Returns the plan of the catalogue as it is, or empty if that takes longer than the turn. */
  Optional<Plan> advance(Turn turn) {
    View view = catalog.begin(next == null ? new Scope.OfAll() : new Scope.OfNone());
    if (next == null && plan != null && isCurrent(plan)) {
      return Optional.of(plan);
    }
    if (next == null) {
      next = new Plan(catalog.changes().version(), naming);
    }
    if (!next.advance(view, turn)) {
      return Optional.empty();
    }
    plan = next;
    next = null;
    return Optional.of(plan);
  }

  /** Returns whether a plan is that of the catalogue as it is. */
  boolean isCurrent(Plan used) {
    return used.version() == catalog.changes().version();
  }

  /**
   * Returns what a page keeps, in bytes: nothing if its plan is the one in the cache.
   *
   * @param used the plan from which the page is being written; null: it is being made
   */
  long bytes(Plan used) {
    return used == null || used == plan ? 0 : used.bytes();
  }
}
