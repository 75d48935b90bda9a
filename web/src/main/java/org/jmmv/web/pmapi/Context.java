package org.jmmv.web.pmapi;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.derived.DerivedMetric;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.User;
import org.jmmv.web.http.Failure;

/** A context of a client: what a client of PCP keeps between its requests, see pmNewContext(3). */
final class Context {
  /**
   * The maximum number of instance domains in a profile, and of derived metrics: a map that grows
   * is copied in one step.
   */
  private static final int MAX_ENTRIES = 1024;

  private final int number;
  private final User user;
  private final long timeoutNanos;
  private InstanceFilter profile = new InstanceFilter(true); // null: the context is forgotten
  private final Map<String, Derived> derived = new LinkedHashMap<>(); // by name
  private long derivedBytes;
  private long lastUse;
  private long charged;

  /**
   * Creates a context, which {@link #use} begins to use.
   *
   * @param user who has asked for it
   * @param timeoutNanos how long it is kept unused
   */
  Context(int number, User user, long timeoutNanos) {
    this.number = number;
    this.user = user;
    this.timeoutNanos = timeoutNanos;
  }

  /** Called when it is used, with the time of that. */
  void use(long now) {
    lastUse = now;
  }

  boolean isExpired(long now) {
    return now - lastUse > timeoutNanos;
  }

  int number() {
    return number;
  }

  User user() {
    return user;
  }

  /** Gives up what is kept, because nobody is charged for it any more. */
  void forget() {
    profile = null;
    derived.clear();
  }

  /**
   * Returns the selected instances, which later requests change.
   *
   * @throws Failure if the context was forgotten since it was asked for
   */
  InstanceFilter profile() throws Failure {
    if (profile == null) {
      throw Failure.badRequest("unknown context identifier: " + number);
    }
    return profile;
  }

  /** Selects all instances of an instance domain, or none; {@link InDom#NULL} stands for all. */
  void selectAll(int inDom, boolean include) throws Failure {
    if (inDom == InDom.NULL) {
      profile().setAll(include);
    } else {
      admit(inDom).set(inDom, include);
    }
  }

  /** Selects instances as {@link InstanceFilter#change}. */
  void select(int inDom, boolean isAdded, int[] changed) throws Failure {
    admit(inDom).change(inDom, isAdded, changed);
  }

  private InstanceFilter admit(int inDom) throws Failure {
    if (profile().inDoms() >= MAX_ENTRIES && !profile.has(inDom)) {
      throw Failure.badRequest("a profile has at most " + MAX_ENTRIES + " instance domains");
    }
    return profile;
  }

  /**
   * Defines a derived metric, in place of one with the same name.
   *
   * @throws Failure if there are too many, or the context was forgotten
   */
  void define(String name, DerivedMetric metric) throws Failure {
    profile();
    Derived former = derived.get(name);
    if (derived.size() == MAX_ENTRIES && former == null) {
      throw Failure.badRequest("a context has at most " + MAX_ENTRIES + " derived metrics");
    }
    int pmid = former == null ? Derived.pmid(derived.size()) : former.pmid();
    Derived defined = new Derived(pmid, name, metric);
    derived.put(name, defined);
    derivedBytes += defined.countMore() - (former == null ? 0 : former.counted());
  }

  /** Called when a derived metric has been calculated, which then keeps other values. */
  void count(Derived calculated) {
    if (derived.get(calculated.name()) == calculated) {
      derivedBytes += calculated.countMore();
    }
  }

  /** Returns the derived metric with a name, or null if there is none. */
  Derived derived(String name) {
    return derived.get(name);
  }

  /** Returns the derived metric with a PMID, or null if there is none. */
  Derived derived(int pmid) {
    return derived.values().stream().filter(one -> one.pmid() == pmid).findFirst().orElse(null);
  }

  long charged() {
    return charged;
  }

  /** Returns the bytes that have to be charged in addition, and records that they are. */
  long takeUncharged() {
    long more = bytes() - charged;
    charged += more;
    return more;
  }

  /**
   * Returns what it takes in the heap, with the map entries for it, of all contexts and of its
   * user.
   */
  private long bytes() {
    long own = HeapSize.ofObject(3, Integer.BYTES + 4 * Long.BYTES);
    long entries =
        HeapSize.ofHashEntry()
            + HeapSize.ofLinkedEntry()
            + 2 * HeapSize.ofObject(0, Integer.BYTES); // the numbers
    long map = HeapSize.ofObject(6, 4 * Integer.BYTES);
    return own + entries + map + derivedBytes + profile.bytes();
  }
}
