package org.jmmv.web.metrics;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.core.NameTree;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.User;
import org.jmmv.serving.Accounts;

/**
 * The encoded families of a plan, in the order of the page: the first page of the plan adds them.
 * To encode a family takes five times as long as to copy it, and so does a page over thousands of
 * singular metrics.
 */
final class FamilyCache {
  /**
   * The part of what may be kept for clients beyond which no family is added: others are encoded
   * for each page. Without it, one cache would take all, and be given up and filled again and
   * again.
   */
  private static final int SHARE = 8;

  private final Accounts.Account account;
  private final List<Cached> families = new ArrayList<>();
  private long version; // of the catalogue
  private boolean isClosed;

  /** The family of a metric. */
  record Cached(NameTree.Leaf metric, EncodedFamily family) {
    private long bytes() {
      return HeapSize.ofReferences(2)
          + HeapSize.ofObject(1, Integer.BYTES)
          + HeapSize.of(metric.name())
          + family.bytes();
    }
  }

  /**
   * Creates an empty cache.
   *
   * @param accounts have an account for it, which may have it give up all families
   */
  FamilyCache(Accounts accounts) {
    account = accounts.open(User.of(User.Kind.ALL), this::clear);
  }

  /**
   * Returns the next families of a page.
   *
   * @param of the version of the catalogue
   * @param from the index of the first one
   * @param max how many are returned at most
   * @return empty if they are not known
   */
  List<Cached> next(long of, int from, int max) {
    boolean isKnown = of == version && from < families.size();
    return isKnown ? families.subList(from, Math.min(from + max, families.size())) : List.of();
  }

  /**
   * Adds a family of a page if it is the next one and there is room for it.
   *
   * @param of the version of the catalogue as it is
   * @param index its index
   */
  void add(long of, int index, NameTree.Leaf metric, EncodedFamily family) {
    if (of != version) {
      clear();
      version = of;
    }
    if (index == families.size() && bytes() < account.maxBytes() / SHARE && !isClosed) {
      Cached added = new Cached(metric, family);
      families.add(added);
      account.set(bytes() + added.bytes());
    }
  }

  private void clear() {
    families.clear();
    account.set(0);
  }

  /** Gives back the memory: pages that still use the cache encode all families. */
  void close() {
    clear();
    account.close();
    isClosed = true;
  }

  long bytes() {
    return account.bytes();
  }
}
