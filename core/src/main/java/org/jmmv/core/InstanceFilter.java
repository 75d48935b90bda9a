package org.jmmv.core;

import java.util.Arrays;
import org.jmmv.pcp.InDom;

/** The instances that a client has selected with a profile, see pmAddProfile(3). */
public final class InstanceFilter {
  // what is needed in the heap, at most, without and with compact object headers
  private static final int BYTES = 300; // with the entry of a map
  private static final int BYTES_PER_IN_DOM = 76; // up to four places in the table
  private static final int BYTES_PER_INSTANCE = Integer.BYTES;

  /** Selects all instances of all instance domains. */
  public static final InstanceFilter ALL = new InstanceFilter(true);

  /** The selected instances of one instance domain. */
  static final class Selection {
    static final Selection ALL = new Selection(true, new int[0]);
    static final Selection NOTHING = new Selection(false, new int[0]);

    private final boolean include;
    private final int[] listed; // sorted

    private Selection(boolean include, int[] listed) {
      this.include = include;
      this.listed = listed;
    }

    /** Returns whether all instances are selected. */
    boolean isAll() {
      return include && listed.length == 0;
    }

    /** Whether an instance passes. */
    private boolean passes(int instance) {
      return include != (Arrays.binarySearch(listed, instance) >= 0);
    }

    /** Returns the indexes of the selected instances in a table, in ascending order. */
    int[] indexes(InstanceDomain.Table table) {
      return include || listed.length > table.size() ? passing(table) : found(table);
    }

    /** Examines all instances of the table. */
    private int[] passing(InstanceDomain.Table table) {
      int[] indexes = new int[table.size()];
      int count = 0;
      for (int index = 0; index < indexes.length; index++) {
        if (passes(table.numbers[index])) {
          indexes[count++] = index;
        }
      }
      return Arrays.copyOf(indexes, count);
    }

    /** Looks up the listed instances. */
    private int[] found(InstanceDomain.Table table) {
      int[] indexes = new int[listed.length];
      int count = 0;
      for (int i = 0; i < listed.length; i++) {
        boolean isRepeated = i > 0 && listed[i] == listed[i - 1];
        int index = isRepeated ? -1 : table.indexOf(listed[i]);
        if (index >= 0) {
          indexes[count++] = index;
        }
      }
      Arrays.sort(indexes, 0, count);
      return Arrays.copyOf(indexes, count);
    }
  }

  private final IdMap<Selection> selections = new IdMap<>();
  private final Selection others;
  private long bytes = BYTES;

  /**
   * Creates a filter with the same selection for all instance domains.
   *
   * @param include true selects all instances, false selects none
   */
  public InstanceFilter(boolean include) {
    others = include ? Selection.ALL : Selection.NOTHING;
  }

  /**
   * Sets the selection for one instance domain.
   *
   * @param inDom the instance domain
   * @param include true selects all instances except the listed ones, false only the listed ones
   * @param listed instance numbers in any order, with or without duplicates. The array is sorted by
   *     this call and kept; the caller must not change it
   */
  public void set(int inDom, boolean include, int... listed) {
    Arrays.sort(listed);
    selections.put(
        inDom,
        listed.length > 0
            ? new Selection(include, listed)
            : include ? Selection.ALL : Selection.NOTHING);
    bytes += BYTES_PER_IN_DOM + (long) BYTES_PER_INSTANCE * listed.length;
  }

  /** Returns an estimate, which is not too small, of what the filter needs in the heap. */
  public long bytes() {
    return bytes;
  }

  /**
   * Returns the selection for an instance domain. {@link InDom#NULL} stands for singular metrics,
   * which are always selected.
   */
  Selection of(int inDom) {
    if (inDom == InDom.NULL) {
      return Selection.ALL;
    }
    Selection selection = selections.isEmpty() ? null : selections.get(inDom);
    return selection == null ? others : selection;
  }

  /** Whether an instance passes. */
  public boolean passes(int inDom, int instance) {
    return of(inDom).passes(instance);
  }
}
