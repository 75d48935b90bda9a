package org.jmmv.web.metrics;

import org.jmmv.core.Metric;

/**
 * Which metrics are on a page, under which names; and the first families, encoded, as long as the
 * plan is up to date.
 */
final class Plan {
  private final long version;
  private final NameOwners owners;
  private final int conflicts;
  private final int unsuited;
  private EncodedFamilies families;

  /**
   * Creates a plan.
   *
   * @param version the version of the catalogue that it was made of
   * @param families the first ones of the page, in its order
   * @param conflicts the number of metrics that are left out because others have their names
   * @param unsuited the number of metrics that are left out because of their type
   */
  Plan(long version, NameOwners owners, EncodedFamilies families, int conflicts, int unsuited) {
    this.version = version;
    this.owners = owners;
    this.families = families;
    this.conflicts = conflicts;
    this.unsuited = unsuited;
  }

  long version() {
    return version;
  }

  NameOwners owners() {
    return owners;
  }

  int conflicts() {
    return conflicts;
  }

  int unsuited() {
    return unsuited;
  }

  /** Returns the first families, in the order of the page; others are encoded for each page. */
  EncodedFamilies families() {
    return families;
  }

  /** Gives back the memory of the families: pages that still use the plan encode them. */
  void forgetFamilies() {
    families = new EncodedFamilies();
  }

  /**
   * Returns whether a metric is on the page.
   *
   * @param name its name in PCP
   */
  boolean has(String name, Metric metric, FamilyName names) {
    return owners.isOwner(NameOwners.owner(name, metric.pmid()), names);
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return owners.bytes() + families.bytes();
  }
}
