package org.jmmv.web.metrics;

import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.KeyedHash;

/**
 * Which metrics are on a page, under which names. If two metrics would get the same name in
 * Prometheus, or one the name that series of the other have, the one whose name in PCP comes first
 * in {@link org.jmmv.core.NameTree#next} gets it. A plan is made in steps.
 */
final class Plan {
  private final long version;
  private final Naming naming;
  private final FileSeries series;
  private final NameOwners owners = new NameOwners();
  private int conflicts;
  private int unsuited;
  private String last = ""; // name

  /**
   * Begins a plan.
   *
   * @param version the version of the catalogue that it is made of
   * @param maxSeries how many series of a file are on the page: metrics that would exceed that, in
   *     the order of their names, are left out; 0: any number
   */
  Plan(long version, Naming naming, int maxSeries) {
    this.version = version;
    this.naming = naming;
    series = new FileSeries(maxSeries);
    JmmvSeries.NAMES.forEach(name -> owners.add(KeyedHash.of(name), NameOwners.JMMV));
  }

  /** Returns whether it is that of the catalogue as it is. */
  boolean isOf(Catalog catalog) {
    return version == catalog.changes().version();
  }

  /**
   * Goes on making the plan until the turn is over.
   *
   * @param view of the request that has just begun
   * @return whether it is complete
   */
  boolean advance(View view, Turn turn) {
    while (true) {
      List<NameTree.Leaf> names = view.names().next(last, NameTree.BATCH);
      if (names.isEmpty()) {
        return true;
      }
      for (NameTree.Leaf leaf : names) {
        last = leaf.name();
        add(last, view.metric(leaf.pmid()), view);
        if (view.isOver(turn)) {
          return false;
        }
      }
    }
  }

  private void add(String name, Metric metric, View view) {
    if (metric == null || !naming.has(metric)) {
      return; // withdrawn, or not on this page
    }
    FamilyName names = FamilyName.of(name, metric, naming);
    if (names == null) {
      unsuited++;
      return;
    }
    long[] reserved = names.reserved().stream().mapToLong(KeyedHash::of).toArray();
    for (long taken : reserved) {
      if (owners.get(taken) != NameOwners.NONE) {
        conflicts++;
        return;
      }
    }
    if (!series.add(metric, view)) {
      return;
    }
    long owner = NameOwners.owner(name, metric.pmid());
    for (long taken : reserved) {
      owners.add(taken, owner);
    }
  }

  long version() {
    return version;
  }

  /** Returns the number of metrics that are left out because others have their names. */
  int conflicts() {
    return conflicts;
  }

  /** Returns the number of metrics that are left out because of their type. */
  int unsuited() {
    return unsuited;
  }

  /** Returns the series of files, and how many of them are left out. */
  FileSeries series() {
    return series;
  }

  /**
   * Returns whether a metric is on the page.
   *
   * @param name its name in PCP
   */
  boolean has(String name, Metric metric, FamilyName names) {
    return owners.isOwner(NameOwners.owner(name, metric.pmid()), names);
  }

  /** Returns whether a name in Prometheus is that of a series of this program. */
  boolean isOwn(String name) {
    return owners.get(KeyedHash.of(name)) == NameOwners.JMMV;
  }

  /** Returns the metric that has a name in Prometheus, or null if it is not there any more. */
  NameTree.Leaf owner(String name, View view) {
    long owner = owners.get(KeyedHash.of(name));
    Metric metric = view.metric(NameOwners.pmid(owner)); // NONE and OWN are nobody's
    if (metric != null) {
      for (String inPcp : metric.names()) {
        if (NameOwners.owner(inPcp, metric.pmid()) == owner) {
          return new NameTree.Leaf(inPcp, metric.pmid());
        }
      }
    }
    return null;
  }

  long bytes() {
    return owners.bytes() + series.bytes();
  }
}
