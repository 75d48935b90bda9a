package org.jmmv.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jmmv.pcp.Pmid;

/**
 * The names of all metrics (pmns(5)), as a tree of their parts.
 *
 * <p>Files claim names for their metrics, and claims may conflict: for one name, or because one
 * name ({@code x}) is a prefix of another ({@code x.y}) and can't be a leaf and a node at once. The
 * rule is that of taking all claims in order, files in byte order of their names and metrics in the
 * order of their file, and refusing each that conflicts with one taken before. It follows that
 *
 * <ul>
 *   <li>a node is a leaf if the first claim of its subtree is for its own name; that claim has the
 *       name, and nothing below the node counts;
 *   <li>otherwise it is an inner node, and claims for its own name are refused.
 * </ul>
 *
 * So every node keeps the claims for its own name and the first claim of each child, in order. The
 * names depend on the claims alone, not on the order in which they were made.
 *
 * <p>Children are listed newest first, as pmdammv lists them: in the reverse order of the claims
 * that create them.
 */
public final class NameTree {
  private static final Comparator<Claim> ORDER =
      Comparator.comparing(Claim::file).thenComparingInt(Claim::index);

  /** The most claims in one update of which it is told that they have lost their names. */
  private static final int MAX_DISPLACED = 1000;

  /** A file's wish that a name stand for a PMID. Two claims are never equal. */
  static final class Claim {
    private final String name;
    private final int pmid;
    private final String file;
    private final int index;
    private Node node; // of the name, as long as the claim is in a tree

    /**
     * A claim.
     *
     * @param name the full name
     * @param file the file's name, empty for the agent's own metrics
     * @param index the metric's place in the file, each once
     */
    Claim(String name, int pmid, String file, int index) {
      this.name = name;
      this.pmid = pmid;
      this.file = file;
      this.index = index;
    }

    String name() {
      return name;
    }

    int pmid() {
      return pmid;
    }

    String file() {
      return file;
    }

    int index() {
      return index;
    }

    @Override
    public String toString() {
      return name + " of " + file + '[' + index + ']';
    }
  }

  /**
   * A child of a node.
   *
   * @param name the last part of its name
   */
  public record Child(String name, boolean isLeaf) {}

  /**
   * A name that is claimed, or where names part. What lies between two nodes is the path of the
   * lower one: a chain of nodes would take a hundred times the memory of a name of many parts.
   */
  private static final class Node {
    Node parent;
    String path; // below the parent: one part or several
    final TreeMap<Claim, Node> claims =
        new TreeMap<>(ORDER); // own ones with this, children's first
    Map<String, Node> children = Map.of(); // by the first part of their paths
    int leavesBelow;

    Node(Node parent, String path) {
      this.parent = parent;
      this.path = path;
    }

    /** Adds a child without claims. */
    Node addChild(String childPath) {
      Node child = new Node(this, childPath);
      setChild(child);
      return child;
    }

    private void setChild(Node child) {
      if (children.isEmpty()) {
        children = new HashMap<>();
      }
      children.put(firstPart(child.path, 0), child);
    }

    /** Puts a node between this one and its parent, at a length of this one's path. */
    Node split(int length) {
      Node middle = new Node(parent, path.substring(0, length));
      path = path.substring(length + 1);
      parent.setChild(middle);
      parent.claims.put(first(), middle);
      parent = middle;
      middle.setChild(this);
      middle.claims.put(first(), this);
      middle.leavesBelow = leaves();
      return middle;
    }

    /** Removes this node if nothing claims it or what is below, or if it only leads to a child. */
    void tidy() {
      if (parent == null) {
        return;
      }
      if (claims.isEmpty()) {
        parent.children.remove(firstPart(path, 0));
        parent.tidy();
      } else if (claims.size() == 1 && !claimsLeaf()) {
        Node child = claims.firstEntry().getValue();
        child.path = path + '.' + child.path;
        child.parent = parent;
        parent.setChild(child);
        parent.claims.put(first(), child);
      }
    }

    /** The first claim in this subtree, or null if it is empty. */
    Claim first() {
      return claims.isEmpty() ? null : claims.firstKey();
    }

    /** Whether the first claim of the subtree is for this name. */
    boolean claimsLeaf() {
      return !claims.isEmpty() && claims.firstEntry().getValue() == this;
    }

    /** The names that this subtree has, if nothing above it is a leaf. */
    int leaves() {
      return claimsLeaf() ? 1 : leavesBelow;
    }

    /** Whether a node above is a leaf, so that nothing in this subtree counts. */
    boolean isBelowLeaf() {
      for (Node node = parent; node != null; node = node.parent) {
        if (node.claimsLeaf()) {
          return true;
        }
      }
      return false;
    }
  }

  private final Node root = new Node(null, "");
  private long version;

  /** Told of a claim that has no effect from now on, and of the claim that stands against it. */
  interface Refusals {
    void refused(Claim claim, Claim owner);
  }

  /** Takes claims away and adds others. */
  void update(Collection<Claim> withdrawn, Collection<Claim> added, Refusals refusals) {
    version++;
    Set<Claim> displaced = new LinkedHashSet<>();
    for (Claim claim : withdrawn) {
      Node node = claim.node;
      claim.node = null;
      change(node, () -> node.claims.remove(claim));
      for (Node above = node.parent; above != null; above = above.parent) {
        if (above.claimsLeaf() && ORDER.compare(claim, above.first()) < 0) { // a leaf from now on
          childrenOf(above).forEach(child -> addLeaves(child, displaced));
        }
      }
      node.tidy();
    }
    for (Claim claim : added) {
      Node node = create(claim.name);
      addRivals(node, claim, displaced);
      claim.node = node;
      change(node, () -> node.claims.put(claim, node));
    }
    displaced.removeAll(Set.copyOf(added));
    added.forEach(claim -> tellIfRefused(claim, refusals));
    displaced.forEach(claim -> tellIfRefused(claim, refusals));
  }

  private void tellIfRefused(Claim claim, Refusals refusals) {
    if (claim.node != null && !isGranted(claim)) {
      Claim owner = ownerOver(claim);
      if (owner.pmid != claim.pmid || !owner.name.equals(claim.name)) {
        refusals.refused(claim, owner);
      }
    }
  }

  /** Changes the claims at a node, and what the nodes above keep of them. */
  private static void change(Node changed, Runnable change) {
    Node node = changed;
    Claim first = node.first();
    int leaves = node.leaves();
    change.run();
    while (node.parent != null) {
      Claim firstNow = node.first();
      int leavesNow = node.leaves();
      if (firstNow == first && leavesNow == leaves) {
        return;
      }
      Node parent = node.parent;
      Claim parentFirst = parent.first();
      int parentLeaves = parent.leaves();
      if (firstNow != first) {
        if (first != null) {
          parent.claims.remove(first);
        }
        if (firstNow != null) {
          parent.claims.put(firstNow, node);
        }
      }
      parent.leavesBelow += leavesNow - leaves;
      node = parent;
      first = parentFirst;
      leaves = parentLeaves;
    }
  }

  /** Adds the claims whose names a new claim may take. */
  private static void addRivals(Node node, Claim claim, Set<Claim> rivals) {
    for (Node above = node.parent; above != null; above = above.parent) {
      if (above.claimsLeaf()) {
        rivals.add(above.first());
        return;
      }
    }
    if (node.first() != null && ORDER.compare(claim, node.first()) < 0) {
      addLeaves(node, rivals);
    }
  }

  /** Adds the claims that have names in a subtree, unless there are too many to tell of each. */
  private static void addLeaves(Node top, Set<Claim> claims) {
    if (claims.size() < MAX_DISPLACED) {
      forEachLeaf(
          top,
          leaf -> {
            claims.add(leaf.first());
            return claims.size() >= MAX_DISPLACED;
          });
    }
  }

  /** The claim that has this claim's name, or stands against it. */
  private static Claim ownerOver(Claim claim) {
    Claim owner = claim.node.first();
    for (Node node = claim.node.parent; node != null; node = node.parent) {
      if (node.claimsLeaf()) {
        owner = node.first();
      }
    }
    return owner;
  }

  /** Whether a claim has its name. */
  boolean isGranted(Claim claim) {
    return claim.node != null && claim.node.first() == claim && !claim.node.isBelowLeaf();
  }

  /** Another number after each update. */
  long version() {
    return version;
  }

  /** The number of names. */
  public int size() {
    return root.leaves();
  }

  /** The claim that has a name, or null if the name is not that of a leaf. */
  Claim leaf(String name) {
    Place place = served(name);
    return place != null && place.isNode() && place.node.claimsLeaf() ? place.node.first() : null;
  }

  /** The PMID of a leaf, or {@link Pmid#NULL} if the name is not that of a leaf. */
  public int pmid(String name) {
    Claim leaf = leaf(name);
    return leaf == null ? Pmid.NULL : leaf.pmid;
  }

  /** Whether there is a leaf or a node of this name. */
  public boolean contains(String name) {
    return served(name) != null;
  }

  /** The children of a node, newest first; none for a leaf or an unknown name. */
  public List<Child> children(String name) {
    List<Child> children = new ArrayList<>();
    Place place = served(name);
    if (place != null && !place.isNode()) {
      children.add(child(place.node, place.node.path.substring(place.length + 1)));
    } else if (place != null && !place.node.claimsLeaf()) {
      for (Node child : childrenOf(place.node)) {
        children.add(child(child, child.path));
      }
    }
    return children;
  }

  /** The first part of a path that leads to a node. */
  private static Child child(Node node, String path) {
    String part = firstPart(path, 0);
    return new Child(part, part.length() == path.length() && node.claimsLeaf());
  }

  /** The full names of all leaves at and below a node, newest first; none for an unknown name. */
  public List<String> leaves(String name) {
    List<String> leaves = new ArrayList<>();
    Place place = served(name);
    if (place != null) {
      forEachLeaf(place.node, leaf -> !leaves.add(leaf.first().name));
    }
    return leaves;
  }

  /**
   * Where a name is in the tree: at a node, or on the path to it.
   *
   * @param length of the node's path, up to where the name ends
   */
  private record Place(Node node, int length) {
    boolean isNode() {
      return length == node.path.length();
    }
  }

  /** The place of a name, or null if there is no such name, or if it is below a leaf. */
  private Place served(String name) {
    Place place = find(name);
    return place == null || place.node.isBelowLeaf() ? null : place;
  }

  /**
   * Visits leaves, newest first, until the visitor has seen enough. Without recursion, because the
   * depth of a tree is the choice of whoever names a metric.
   */
  private static void forEachLeaf(Node top, Predicate<Node> isEnough) {
    List<Node> stack = new ArrayList<>();
    stack.add(top);
    while (!stack.isEmpty()) {
      Node node = stack.removeLast();
      if (!node.claimsLeaf()) {
        stack.addAll(childrenOf(node).reversed());
      } else if (isEnough.test(node)) {
        return;
      }
    }
  }

  /** The children, newest first. */
  private static List<Node> childrenOf(Node node) {
    List<Node> children = new ArrayList<>(node.children.size());
    for (Node child : node.claims.descendingMap().values()) {
      if (child != node) {
        children.add(child);
      }
    }
    return children;
  }

  private Place find(String name) {
    Node node = root;
    for (int start = 0; ; ) {
      Node child = node.children.get(firstPart(name, start));
      if (child == null) {
        return null;
      }
      int length = commonParts(child.path, name, start);
      if (start + length == name.length()) {
        return new Place(child, length);
      } else if (length < child.path.length()) {
        return null;
      }
      node = child;
      start += length + 1;
    }
  }

  /** The node of a name, which is made if there is none. */
  private Node create(String name) {
    Node node = root;
    for (int start = 0; ; ) {
      Node child = node.children.get(firstPart(name, start));
      if (child == null) {
        return node.addChild(name.substring(start));
      }
      int length = commonParts(child.path, name, start);
      node = length < child.path.length() ? child.split(length) : child;
      if (start + length == name.length()) {
        return node;
      }
      start += length + 1;
    }
  }

  private static String firstPart(String name, int start) {
    int dot = name.indexOf('.', start);
    return name.substring(start, dot < 0 ? name.length() : dot);
  }

  /**
   * The length of the parts that a path shares with a name from {@code start} on; the first part is
   * the same.
   */
  private static int commonParts(String path, String name, int start) {
    int common = 0;
    for (int i = 0; ; i++) {
      boolean pathEnds = i == path.length();
      boolean nameEnds = start + i == name.length();
      if ((pathEnds || path.charAt(i) == '.') && (nameEnds || name.charAt(start + i) == '.')) {
        common = i;
      }
      if (pathEnds || nameEnds || path.charAt(i) != name.charAt(start + i)) {
        return common;
      }
    }
  }
}
