package org.jmmv.web.metrics;

import java.util.Optional;
import org.jmmv.core.Catalog;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.User;
import org.jmmv.serving.Accounts;

/** The last plan of a naming, and the next one while it is being made. All pages share them. */
final class PlanCache {
  private final Naming naming;
  private final int maxSeries; // see Plan
  private final Accounts.Account account;
  private Plan plan; // null: none is complete
  private Plan next; // null: none is being made

  /**
   * Creates an empty cache.
   *
   * @param maxSeries how many series of a file are on a page; 0: any number
   * @param accounts have an account for it, which may have it give up its plans
   */
  PlanCache(Naming naming, int maxSeries, Accounts accounts) {
    this.naming = naming;
    this.maxSeries = maxSeries;
    account = accounts.open(User.of(User.Kind.ALL), () -> set(null, null));
  }

  private void set(Plan complete, Plan incomplete) {
    plan = complete;
    next = incomplete;
    account.set(bytes(complete) + bytes(incomplete));
  }

  private static long bytes(Plan plan) {
    return plan == null ? 0 : plan.bytes();
  }

  Naming naming() {
    return naming;
  }

  /** Returns the plan of the catalogue as it is, or empty if that takes longer than the turn. */
  Optional<Plan> advance(Catalog catalog, Turn turn) {
    View view = catalog.begin(next == null ? new Scope.AllFiles() : new Scope.NoFiles());
    if (next == null && plan != null && plan.isOf(catalog)) {
      return Optional.of(plan);
    }
    Plan made = next == null ? new Plan(catalog.changes().version(), naming, maxSeries) : next;
    if (made.advance(view, turn)) {
      set(made, null);
      return Optional.of(made);
    }
    set(plan, made);
    return Optional.empty();
  }

  /**
   * Returns what a page keeps, in bytes: nothing if its plan is the one in the cache.
   *
   * @param used the plan from which the page is being written; null: it is being made
   */
  long bytesOf(Plan used) {
    return used == plan ? 0 : bytes(used);
  }
}
