package org.jmmv.web.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jmmv.core.Metric;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.Labels;

/**
 * Makes a plan, a step at a time. If two metrics would get the same name in Prometheus, or one the
 * name that series of the other have, the first one by its name in PCP gets it.
 */
final class Planner {
  private static final int STEP = 32; // metrics

  private final Naming naming;
  private final Labels ofHost;
  private final Encoding encoding;
  private final long version;
  private final Map<String, String> owners = new HashMap<>(); // by names in Prometheus
  private final List<EncodedFamily> families = new ArrayList<>();
  private final Map<String, String> conflicts = new TreeMap<>();
  private int unsuited;
  private String last = ""; // name
  private int added;

  /**
   * Begins a plan.
   *
   * @param version of the catalogue
   * @param ofHost labels of the host, for {@link Naming#PCP}
   */
  Planner(long version, Naming naming, Labels ofHost, Encoding encoding) {
    this.naming = naming;
    this.ofHost = ofHost;
    this.encoding = encoding;
    this.version = version;
    OwnSeries.NAMES.forEach(name -> owners.put(name, name));
  }

  /** Returns what the plan takes so far, in bytes. */
  long bytes() {
    return Plan.bytes(added);
  }

  /**
   * Goes on until the turn is over.
   *
   * @param view of the request that has just begun
   * @return the plan, or empty if it is not complete yet
   */
  Optional<Plan> advance(View view, Turn turn) {
    do {
      List<String> names = view.names().next(last, STEP);
      if (names.isEmpty()) {
        return Optional.of(new Plan(version, families, conflicts, unsuited));
      }
      names.forEach(name -> add(name, view));
      last = names.getLast();
      added += names.size();
    } while (!turn.isOver());
    return Optional.empty();
  }

  private void add(String name, View view) {
    Metric metric = view.metric(name);
    if (metric == null || (naming == Naming.PROMETHEUS && metric.origins(1).isEmpty())) {
      return; // removed meanwhile; or of this program, which has series of its own
    }
    Optional<Family> family = Family.of(name, metric, naming, view, ofHost);
    if (family.isEmpty()) {
      unsuited++;
      return;
    }
    List<String> reserved = family.get().reserved();
    for (String taken : reserved) {
      if (owners.containsKey(taken)) {
        conflicts.put(name, owners.get(taken));
        return;
      }
    }
    reserved.forEach(taken -> owners.put(taken, name));
    families.add(encoding.encode(family.get()));
  }
}
