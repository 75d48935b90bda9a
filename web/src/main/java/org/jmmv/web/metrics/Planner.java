package org.jmmv.web.metrics;

import java.util.List;
import java.util.Optional;
import org.jmmv.core.Metric;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.KeyedHash;
import org.jmmv.pcp.Labels;

/**
 * Makes a plan, a step at a time. If two metrics would get the same name in Prometheus, or one the
 * name that series of the other have, the one whose name in PCP comes first in {@link
 * org.jmmv.core.NameTree#next} gets it.
 */
final class Planner {
  /**
   * Beyond so many bytes of text no family is added. A plan that is complete has hardly more; while
   * it is made, its array may be twice as long. Two plans are kept, whatever the number of pages.
   */
  private static final int MAX_TEXT = 15 << 20;

  private static final int BATCH = 32; // names that are listed at once

  private final Naming naming;
  private final Labels ofHost;
  private final Encoding encoding;
  private final long version;
  private final NameOwners owners = new NameOwners();
  private final EncodedFamilies families = new EncodedFamilies();
  private boolean isFull; // families
  private int conflicts;
  private int unsuited;
  private String last = ""; // name

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
    OwnSeries.NAMES.forEach(name -> owners.add(KeyedHash.of(name), NameOwners.OWN));
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return owners.bytes() + families.bytes() + last.length();
  }

  /**
   * Goes on until the turn is over.
   *
   * @param view of the request that has just begun
   * @return the plan, or empty if it is not complete yet
   */
  Optional<Plan> advance(View view, Turn turn) {
    do {
      List<String> names = view.names().next(last, BATCH);
      if (names.isEmpty()) {
        families.trim();
        return Optional.of(new Plan(version, owners, families, conflicts, unsuited));
      }
      int added = 0;
      do {
        last = names.get(added++);
        add(last, view);
      } while (added < names.size() && !turn.isOver());
    } while (!turn.isOver());
    return Optional.empty();
  }

  private void add(String name, View view) {
    Metric metric = view.metric(name);
    if (metric == null || !naming.has(metric)) {
      return; // removed meanwhile, or not on this page
    }
    FamilyName names = FamilyName.of(name, metric, naming).orElse(null);
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
    long owner = NameOwners.owner(name, metric.pmid());
    for (long taken : reserved) {
      owners.add(taken, owner);
    }
    isFull |= families.textSize() > MAX_TEXT;
    if (!isFull) {
      Family family = Family.of(names, name, metric, naming, view, ofHost);
      families.add(name, metric.pmid(), family, encoding);
      families.setDescriptor(metric);
    }
  }
}
