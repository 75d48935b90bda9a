package org.jmmv.pmda;

import io.netty.util.collection.IntObjectHashMap;
import java.util.function.Supplier;

/**
 * A map by PMID, instance domain or instance number that allocates nothing when it is asked.
 *
 * <p>Netty's map looks at the low bits of a key alone: PMIDs of many clusters would meet in a few
 * places, and instance numbers could be chosen so that they do. So keys are mixed first, one to
 * one, in a way that is another one in each process.
 */
final class IdMap<V> {
  private static final int SECRET = Long.hashCode(System.nanoTime() * 0x9e3779b97f4a7c15L);

  private final IntObjectHashMap<V> map = new IntObjectHashMap<>();

  /** Each step can be undone, so different numbers stay different. */
  private static int mix(int id) {
    int mixed = (id ^ SECRET) * 0x85ebca6b;
    mixed = (mixed ^ mixed >>> 15) * 0xc2b2ae35;
    return mixed ^ mixed >>> 16;
  }

  /** What belongs to a number, or null. */
  V get(int id) {
    return map.get(mix(id));
  }

  /** What belongs to a number; if there is nothing, something new does from now on. */
  V get(int id, Supplier<V> missing) {
    V value = get(id);
    if (value == null) {
      value = missing.get();
      put(id, value);
    }
    return value;
  }

  void put(int id, V value) {
    map.put(mix(id), value);
  }

  void remove(int id) {
    map.remove(mix(id));
  }

  boolean isEmpty() {
    return map.isEmpty();
  }

  void clear() {
    map.clear();
  }
}
