package org.jmmv.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A name that is claimed, or where names part. What lies between two nodes is the path of the lower
 * one: a chain of nodes would take a hundred times the memory of a name of many parts.
 *
 * <p>After a change of claims, {@link #settle} updates what a node knows of its subtree.
 */
final class NameNode {
  /**
   * The maximum number of displaced claims that one update reports. Without it, the claims of all
   * other files would be looked up in one step after a file with the name {@code x} has come first.
   */
  private static final int MAX_DISPLACED = 1000;

  /** Earlier claims that may have lost their names in an update. */
  static final class Displaced {
    final Set<Claim> claims = new LinkedHashSet<>();
    private final Set<Claim> added;

    /**
     * Creates an empty set.
     *
     * @param added the claims that the update adds, which are not earlier ones
     */
    Displaced(Collection<Claim> added) {
      this.added = Set.copyOf(added);
    }

    /** Adds a claim unless it is new. Returns whether the set is full. */
    boolean add(Claim claim) {
      if (claims.size() < MAX_DISPLACED && !added.contains(claim)) {
        claims.add(claim);
      }
      return claims.size() == MAX_DISPLACED;
    }
  }

  NameNode parent; // null for the root and for a node that has been removed
  String path; // below the parent: one part or several
  final SortedFew<Claim> claims = new SortedFew<>(Claim.ORDER); // for its own name
  NavigableMap<Claim, NameNode> below = Collections.emptyNavigableMap(); // children by first claims
  NavigableMap<String, NameNode> children = // by the first part of their paths
      Collections.emptyNavigableMap();
  List<NameNode> changed = List.of(); // children to settle
  boolean isChanged; // whether the parent has to settle this node

  // as of the last time that the node was settled
  Claim first; // the first claim in this subtree, or null if the subtree has no claims
  boolean claimsLeaf; // whether that claim is for this node's name: it is a leaf unless below one
  int leavesBelow;

  NameNode(NameNode parent, String path) {
    this.parent = parent;
    this.path = path;
  }

  /** Adds a child without claims. */
  NameNode addChild(String childPath) {
    NameNode child = new NameNode(this, childPath);
    setChild(child);
    return child;
  }

  private void setChild(NameNode child) {
    if (children.isEmpty()) {
      children = new TreeMap<>();
    }
    children.put(firstPart(child.path, 0), child);
  }

  /** Returns the children in the order of pmdammv(1). */
  List<NameNode> newestFirst() {
    return List.copyOf(below.values()).reversed(); // descendingMap would be kept by the map
  }

  private void putBelow(Claim claim, NameNode child) {
    if (below.isEmpty()) {
      below = new TreeMap<>(Claim.ORDER);
    }
    below.put(claim, child);
  }

  /** Puts a node between this one and its parent, at a length of this one's path. */
  NameNode split(int length) {
    NameNode middle = new NameNode(parent, path.substring(0, length));
    path = path.substring(length + 1);
    parent.setChild(middle);
    parent = middle;
    middle.setChild(this);
    if (first != null) {
      middle.parent.below.put(first, middle);
      middle.putBelow(first, this);
      middle.first = first;
      middle.leavesBelow = leaves();
    }
    return middle;
  }

  /** Removes this node if nothing claims it or what is below, or if it only leads to a child. */
  void tidy() {
    if (parent == null) {
      return;
    }
    if (first == null) {
      NameNode above = parent;
      parent = null;
      above.children.remove(firstPart(path, 0));
      above.tidy();
    } else if (claims.isEmpty() && below.size() == 1) {
      NameNode child = below.firstEntry().getValue();
      child.path = path + '.' + child.path;
      child.parent = parent;
      parent.setChild(child);
      parent.below.put(first, child);
      parent = null;
    }
  }

  /** Makes all nodes above settle this node, whose claims have changed. */
  void change() {
    for (NameNode node = this; node.parent != null && !node.isChanged; node = node.parent) {
      node.isChanged = true;
      if (node.parent.changed.isEmpty()) {
        node.parent.changed = new ArrayList<>();
      }
      node.parent.changed.add(node);
    }
  }

  /**
   * Updates first claims and counts after a change, in each node once and in children before their
   * parents. A recursion is at most 258 calls deep, because a name has at most 515 chars.
   */
  void settle(Displaced displaced) {
    for (NameNode child : changed) {
      Claim firstBefore = child.first;
      int leavesBefore = child.leaves();
      child.settle(displaced);
      child.isChanged = false;
      if (!Objects.equals(child.first, firstBefore)) {
        if (firstBefore != null) {
          below.remove(firstBefore);
        }
        if (child.first != null) {
          putBelow(child.first, child);
        }
      }
      leavesBelow += child.leaves() - leavesBefore;
    }
    changed = List.of();
    Claim firstBefore = first;
    boolean wasLeaf = claimsLeaf;
    first = below.isEmpty() ? null : below.firstKey();
    claimsLeaf =
        !claims.isEmpty() && (first == null || Claim.ORDER.compare(claims.first(), first) < 0);
    if (claimsLeaf) {
      first = claims.first();
    }
    if (wasLeaf && !Objects.equals(first, firstBefore) && claims.contains(firstBefore)) {
      displaced.add(firstBefore);
    }
    if (claimsLeaf && !wasLeaf) {
      for (NameNode child : newestFirst()) {
        if (child.forEachLeaf(leaf -> displaced.add(leaf.first))) {
          break;
        }
      }
    }
  }

  /** Returns the number of names in this subtree, provided that no node above is a leaf. */
  int leaves() {
    return claimsLeaf ? 1 : leavesBelow;
  }

  /** Returns whether a node above is a leaf, so that all claims in this subtree are refused. */
  boolean isBelowLeaf() {
    for (NameNode node = parent; node != null; node = node.parent) {
      if (node.claimsLeaf) {
        return true;
      }
    }
    return false;
  }

  /**
   * Visits the leaves of a subtree, in the order of pmdammv(1), until the visitor returns true.
   *
   * @return whether the visitor has returned true
   */
  boolean forEachLeaf(Predicate<NameNode> isEnough) {
    List<NameNode> stack = new ArrayList<>();
    stack.add(this);
    while (!stack.isEmpty()) {
      NameNode node = stack.removeLast();
      if (!node.claimsLeaf) {
        stack.addAll(node.below.values());
      } else if (isEnough.test(node)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds leaves of this subtree to a list, in the order of the parts of their names, until it is
   * full.
   *
   * @param after only leaves that come after this name are added; null: all
   * @param start where in that name the path below this node begins
   * @param max when the list is full
   */
  void addLeaves(String after, int start, int max, List<NameTree.Leaf> leaves) {
    if (claimsLeaf) {
      if (after == null) {
        leaves.add(new NameTree.Leaf(first.name(), first.pmid()));
      }
      return;
    }
    NavigableMap<String, NameNode> later = children;
    if (after != null && start <= after.length()) {
      String part = firstPart(after, start);
      NameNode child = children.get(part);
      if (child != null) {
        int end = start + child.path.length();
        if (after.startsWith(child.path, start) && isEndOfPart(after, end)) {
          child.addLeaves(after, end + 1, max, leaves);
        } else if (comesAfter(child.path, after, start)) {
          child.addLeaves(null, 0, max, leaves);
        }
      }
      later = children.tailMap(part, false);
    }
    for (NameNode child : later.values()) {
      if (leaves.size() >= max) {
        return;
      }
      child.addLeaves(null, 0, max, leaves);
    }
  }

  private static boolean isEndOfPart(String name, int at) {
    return at == name.length() || name.charAt(at) == '.';
  }

  /**
   * Compares a path with the rest of a name, part by part; the one is no beginning of the other.
   */
  private static boolean comesAfter(String path, String name, int start) {
    int i = 0;
    while (i < path.length()
        && start + i < name.length()
        && path.charAt(i) == name.charAt(start + i)) {
      i++;
    }
    return rank(path, i) > rank(name, start + i);
  }

  /** The end of a name comes before a dot, and that before all other characters. */
  private static int rank(String name, int at) {
    return at == name.length() ? -2 : name.charAt(at) == '.' ? -1 : name.charAt(at);
  }

  static String firstPart(String name, int start) {
    int dot = name.indexOf('.', start);
    return name.substring(start, dot < 0 ? name.length() : dot);
  }
}
