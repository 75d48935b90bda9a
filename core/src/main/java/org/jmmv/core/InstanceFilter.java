package org.jmmv.core;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;

/** The instances that a client has selected with a profile, see pmAddProfile(3). */
public final class InstanceFilter {
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

    private static Selection of(boolean include, int[] listed) {
      return listed.length > 0
          ? new Selection(include, listed)
          : include ? Selection.ALL : Selection.NOTHING;
    }

    /** Returns what it takes in the heap, in bytes. */
    long bytes() {
      return listed.length == 0 ? 0 : HeapSize.ofObject(1, 1) + HeapSize.ofInts(listed.length);
    }

    /** Returns whether all instances are selected. */
    boolean isAll() {
      return include && listed.length == 0;
    }

    private boolean passes(int instance) {
      return include != (Arrays.binarySearch(listed, instance) >= 0);
    }

    /** Returns the indexes of the selected instances in a table, in ascending order. */
    int[] indexes(InstanceTable table) {
      return include || listed.length > table.size() ? passing(table) : found(table);
    }

    /** Examines all instances of the table. */
    private int[] passing(InstanceTable table) {
      int[] indexes = new int[table.size()];
      int count = 0;
      for (int index = 0; index < indexes.length; index++) {
        if (passes(table.number(index))) {
          indexes[count++] = index;
        }
      }
      return Arrays.copyOf(indexes, count);
    }

    /** Looks up the listed instances. */
    private int[] found(InstanceTable table) {
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

  private IdMap<Selection> selections = new IdMap<>();
  private Selection others;
  private long selectionBytes;

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
    put(inDom, Selection.of(include, listed));
  }

  private void put(int inDom, Selection selection) {
    Selection former = selections.get(inDom);
    selectionBytes += selection.bytes() - (former == null ? 0 : former.bytes());
    selections.put(inDom, selection);
  }

  /** Selects all instances of all instance domains, or none. */
  public void setAll(boolean include) {
    selections = new IdMap<>();
    selectionBytes = 0;
    others = include ? Selection.ALL : Selection.NOTHING;
  }

  /**
   * Adds instances of one instance domain to the selected ones, or removes them.
   *
   * @param isAdded true: if nothing has been selected of the instance domain yet, only these
   *     instances are; false: if it has not, and if all are selected, all but these are
   * @param changed instance numbers in ascending order, each once; none: nothing is changed
   */
  public void change(int inDom, boolean isAdded, int[] changed) {
    if (changed.length == 0) {
      return;
    }
    Selection former = selections.get(inDom);
    boolean include = former == null ? !isAdded && others.include : former.include;
    int[] listed = former == null ? new int[0] : former.listed;
    put(inDom, Selection.of(include, merge(listed, changed, include != isAdded)));
  }

  /** Returns the numbers of one sorted array that another has not, with those of that or not. */
  private static int[] merge(int[] former, int[] changed, boolean isUnion) {
    int[] merged = new int[former.length + (isUnion ? changed.length : 0)];
    int count = 0;
    int at = 0;
    for (int number : former) {
      for (; at < changed.length && changed[at] < number; at++) {
        if (isUnion) {
          merged[count++] = changed[at];
        }
      }
      if (at == changed.length || changed[at] != number) {
        merged[count++] = number;
      }
    }
    for (; isUnion && at < changed.length; at++) {
      merged[count++] = changed[at];
    }
    return Arrays.copyOf(merged, count);
  }

  /** Returns the number of instance domains that have a selection of their own. */
  public int inDoms() {
    return selections.size();
  }

  /** Returns whether an instance domain has a selection of its own. */
  public boolean has(int inDom) {
    return selections.get(inDom) != null;
  }

  /** Returns what the filter takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofObject(2, Long.BYTES) + selections.bytes() + selectionBytes;
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

  /**
   * Returns the numbers of the instances in a table that pass, in its order. The buffer may be that
   * of the table.
   *
   * @param from the index of an instance: those before it are left out
   */
  public IntBuffer numbers(int inDom, InstanceTable table, int from) {
    Selection selection = of(inDom);
    return selection.isAll()
        ? table.numbers().position(from)
        : IntBuffer.wrap(
            IntStream.of(selection.indexes(table))
                .filter(index -> index >= from)
                .map(table::number)
                .toArray());
  }

  /** Whether an instance passes. */
  public boolean passes(int inDom, int instance) {
    return of(inDom).passes(instance);
  }
}
