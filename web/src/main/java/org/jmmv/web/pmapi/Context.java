package org.jmmv.web.pmapi;

import java.util.HashMap;
import java.util.Map;
import org.jmmv.pcp.User;
import org.jmmv.web.http.Failure;

/** A context of a client: what a client of PCP keeps between its requests, see pmNewContext(3). */
final class Context {
  private static final int BYTES = 500; // an estimate of what it needs in the heap
  private static final int BYTES_PER_NAME = 200; // and the characters
  private static final int MAX_DERIVED = 1024;

  private final int number;
  private final User user;
  private final long timeoutNanos;
  private final Profile profile = new Profile();
  private final Map<String, String> derived = new HashMap<>(); // metrics by further names
  private int derivedBytes;
  private long lastUse;
  private long charged;

  /**
   * Creates a context that is used now.
   *
   * @param user who has asked for it
   * @param timeoutNanos how long it is kept unused
   */
  Context(int number, User user, long timeoutNanos) {
    this.number = number;
    this.user = user;
    this.timeoutNanos = timeoutNanos;
    use();
  }

  void use() {
    lastUse = System.nanoTime();
  }

  boolean isExpired() {
    return System.nanoTime() - lastUse > timeoutNanos;
  }

  int number() {
    return number;
  }

  User user() {
    return user;
  }

  Profile profile() {
    return profile;
  }

  /**
   * Gives a metric a further name in this context.
   *
   * @throws Failure if there are too many
   */
  void derive(String name, String metric) throws Failure {
    if (derived.size() == MAX_DERIVED && !derived.containsKey(name)) {
      throw BadRequest.of("a context has at most " + MAX_DERIVED + " derived metrics");
    }
    if (derived.put(name, metric) == null) {
      derivedBytes += BYTES_PER_NAME + name.length() + metric.length();
    }
  }

  /** Returns the name that a metric has in all contexts. */
  String metric(String name) {
    return derived.getOrDefault(name, name);
  }

  /** Returns the bytes that are charged for it. */
  long charged() {
    return charged;
  }

  /** Returns the bytes that have to be charged in addition, and records that they are. */
  long takeUncharged() {
    long bytes = BYTES + profile.filter().bytes() + derivedBytes;
    long more = bytes - charged;
    charged = bytes;
    return more;
  }
}
