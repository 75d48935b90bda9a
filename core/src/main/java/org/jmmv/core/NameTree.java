package org.jmmv.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.FileName;

/**
 * The names of all metrics (pmns(5)), as a tree of the parts between the dots.
 *
 * <p>Files claim names for their metrics. Two claims conflict if they are for the same name, or if
 * one is for {@code x} and the other for {@code x.y}, because a name can't be both a leaf and an
 * inner node. The result is the same as that of this rule: go through all claims in order, files in
 * that of {@link FileName} and metrics in the order of their file; refuse a claim if it conflicts
 * with one that was granted before. This means:
 *
 * <ul>
 *   <li>A node is a leaf if the first claim in its subtree is for the node's own name. That claim
 *       is granted, and all other claims in the subtree are refused.
 *   <li>Otherwise the node is an inner node, and claims for its own name are refused.
 * </ul>
 *
 * Therefore every node keeps, in order, the claims for its own name and the first claim of each
 * child. A metric whose claim was refused because of {@code x} and {@code x.y} is still found by
 * its PMID, as with pmdammv(1): see {@link #isServed} and {@link #hasName}. The names depend only
 * on the set of claims, not on the order in which claims are added and withdrawn.
 *
 * <p>Children are listed in the same order as by pmdammv(1): a child comes before another if its
 * first claim comes later in the order of claims.
 */
public final class NameTree {
  private static final Comparator<Claim> ORDER =
      Comparator.comparing(Claim::file).thenComparingInt(Claim::index);

  /**
   * The maximum number of displaced claims that one update reports. One file with the name {@code
   * x} could displace the names of all other files.
   */
  private static final int MAX_DISPLACED = 1000;

  /** The claimant of the agent's own metrics, before all files. */
  static final FileName AGENT = FileName.of("");

  /** A file's claim that a name stands for a PMID. Claims are compared by identity. */
  static final class Claim {
    private final String name;
    private final int pmid;
    private final FileName file;
    private final int index;
    private Node node; // of the name; null if the claim is not in a tree
    private FileName refusedFor; // the file of the claim for which this one was last reported

    /**
     * Creates a claim that is not in a tree yet.
     *
     * @param name the full name
     * @param pmid the metric that the name stands for
     * @param file the file; {@link #AGENT} for the agent's own metrics
     * @param index the metric's position in the file, unique in the file
     */
    Claim(String name, int pmid, FileName file, int index) {
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

    FileName file() {
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
   * @param name the last part of the child's full name
   * @param isLeaf whether the child is a leaf, otherwise an inner node
   */
  public record Child(String name, boolean isLeaf) {}

  /**
   * A name that is claimed, or where names part. What lies between two nodes is the path of the
   * lower one: a chain of nodes would take a hundred times the memory of a name of many parts.
   *
   * <p>After a change of claims, {@link #settle} updates what a node knows of its subtree.
   */
  private static final class Node {
    Node parent; // null for the root and for a node that has been removed
    String path; // below the parent: one part or several
    final SortedFew<Claim> claims = new SortedFew<>(ORDER); // for its own name
    NavigableMap<Claim, Node> below = Collections.emptyNavigableMap(); // children by first claims
    Map<String, Node> children = Map.of(); // by the first part of their paths
    List<Node> changed = List.of(); // children to settle
    boolean isChanged; // whether the parent has to settle this node

    // as of the last time that the node was settled
    Claim first; // the first claim in this subtree, or null if the subtree has no claims
    boolean claimsLeaf; // whether that claim is for this node's name: it is a leaf unless below one
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
        children = new HashMap<>(2); // most inner nodes of a deep tree have two
      }
      children.put(firstPart(child.path, 0), child);
    }

    /** Returns the children in the order of pmdammv(1). */
    List<Node> newestFirst() {
      return List.copyOf(below.values()).reversed(); // descendingMap would be kept by the map
    }

    private void putBelow(Claim claim, Node child) {
      if (below.isEmpty()) {
        below = new TreeMap<>(ORDER);
      }
      below.put(claim, child);
    }

    /** Puts a node between this one and its parent, at a length of this one's path. */
    Node split(int length) {
      Node middle = new Node(parent, path.substring(0, length));
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
        Node above = parent;
        parent = null;
        above.children.remove(firstPart(path, 0));
        above.tidy();
      } else if (claims.isEmpty() && below.size() == 1) {
        Node child = below.firstEntry().getValue();
        child.path = path + '.' + child.path;
        child.parent = parent;
        parent.setChild(child);
        parent.below.put(first, child);
        parent = null;
      }
    }

    /** Makes all nodes above settle this node, whose claims have changed. */
    void change() {
      for (Node node = this; node.parent != null && !node.isChanged; node = node.parent) {
        node.isChanged = true;
        if (node.parent.changed.isEmpty()) {
          node.parent.changed = new ArrayList<>();
        }
        node.parent.changed.add(node);
      }
    }

    /**
     * Updates first claims and counts after a change, in each node once and in children before
     * their parents. A recursion is at most 258 calls deep, because a name has at most 515 chars.
     */
    void settle(Displaced displaced) {
      for (Node child : changed) {
        Claim firstBefore = child.first;
        int leavesBefore = child.leaves();
        child.settle(displaced);
        child.isChanged = false;
        if (child.first != firstBefore) {
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
      claimsLeaf = !claims.isEmpty() && (first == null || ORDER.compare(claims.first(), first) < 0);
      if (claimsLeaf) {
        first = claims.first();
      }
      if (wasLeaf && first != firstBefore && claims.contains(firstBefore)) {
        displaced.add(firstBefore);
      }
      if (claimsLeaf && !wasLeaf) {
        for (Node child : newestFirst()) {
          if (forEachLeaf(child, leaf -> displaced.add(leaf.first))) {
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
      for (Node node = parent; node != null; node = node.parent) {
        if (node.claimsLeaf) {
          return true;
        }
      }
      return false;
    }
  }

  /** Earlier claims that may have lost their names in an update. */
  private static final class Displaced {
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

  private final Node root = new Node(null, "");
  private long version;

  // The last leaf that was looked up. A request looks it up before and after it checks a file.
  private String lastName = "";
  private long lastVersion = -1;
  private Claim lastLeaf;

  /** Receives claims that were refused or have lost their names. */
  interface Refusals {
    void refused(Claim claim, Claim owner);
  }

  /**
   * Withdraws claims and adds others.
   *
   * @param withdrawn claims in this tree
   * @param added claims that are not in a tree
   * @param refusals receives added claims that are refused, and up to 1,000 earlier claims that
   *     have lost their names. Claims for a PMID that has the name already are not reported, nor
   *     are earlier claims that have last been reported as refused for the same file: its
   *     application has restarted
   */
  void update(Collection<Claim> withdrawn, Collection<Claim> added, Refusals refusals) {
    version++;
    Displaced displaced = new Displaced(added);
    for (Claim claim : withdrawn) {
      claim.node.claims.remove(claim);
      claim.node.change();
    }
    root.settle(displaced);
    for (Claim claim : withdrawn) {
      claim.node.tidy();
      claim.node = null;
    }
    added.forEach(claim -> claim.node = create(claim.name)); // splits nodes, which are settled now
    for (Claim claim : added) {
      claim.node.claims.add(claim);
      claim.node.change();
    }
    root.settle(displaced);
    added.forEach(claim -> tellIfRefused(claim, refusals));
    displaced.claims.forEach(claim -> tellIfRefused(claim, refusals));
  }

  private void tellIfRefused(Claim claim, Refusals refusals) {
    if (claim.node != null && !isFulfilled(claim)) {
      Claim owner = ownerOver(claim);
      if (!owner.file.equals(claim.refusedFor)) {
        claim.refusedFor = owner.file;
        refusals.refused(claim, owner);
      }
    }
  }

  /**
   * Returns the granted claim that a claim conflicts with, or the claim itself if it is granted.
   */
  private static Claim ownerOver(Claim claim) {
    Claim owner = claim.node.first;
    for (Node node = claim.node.parent; node != null; node = node.parent) {
      if (node.claimsLeaf) {
        owner = node.first;
      }
    }
    return owner;
  }

  /**
   * Returns whether the claim's name stands for the claim's PMID, because the claim is granted or
   * another one for the same name and PMID.
   */
  boolean isFulfilled(Claim claim) {
    Claim owner = ownerOver(claim);
    return owner.pmid == claim.pmid && owner.name.equals(claim.name);
  }

  /**
   * Returns whether the claim's metric is served under its PMID: whether the claim is granted or
   * conflicts only with claims for other names.
   */
  boolean isServed(Claim claim) {
    return claim.node != null && claim.node.claims.first() == claim;
  }

  /**
   * Returns whether the claim's name is a name of its PMID: whether the claim is granted or
   * conflicts only with claims for names further up. pmdammv(1) answers in the same way.
   */
  boolean hasName(Claim claim) {
    return claim.node != null && claim.node.first == claim;
  }

  /** Returns the number of updates so far. */
  long version() {
    return version;
  }

  /** Returns the number of names. */
  public int size() {
    return root.leaves();
  }

  /** Returns the claim that was granted a name, or null if the name is not that of a leaf. */
  Claim leaf(String name) {
    if (lastVersion != version || !lastName.equals(name)) {
      Place place = served(name);
      lastLeaf = place != null && place.isNode() && place.node.claimsLeaf ? place.node.first : null;
      lastName = name;
      lastVersion = version;
    }
    return lastLeaf;
  }

  /** Returns the PMID of a leaf, or {@link Pmid#NULL} if the name is not that of a leaf. */
  public int pmid(String name) {
    Claim leaf = leaf(name);
    return leaf == null ? Pmid.NULL : leaf.pmid;
  }

  /** Returns whether there is a leaf or an inner node with this full name; the root's is "". */
  public boolean contains(String name) {
    return served(name) != null;
  }

  /**
   * Returns the children of an inner node, in the order of pmdammv(1); empty for a leaf or an
   * unknown name.
   */
  public List<Child> children(String name) {
    List<Child> children = new ArrayList<>();
    Place place = served(name);
    if (place != null && !place.isNode()) {
      children.add(child(place.node, place.node.path.substring(place.length + 1)));
    } else if (place != null && !place.node.claimsLeaf) {
      for (Node child : place.node.newestFirst()) {
        children.add(child(child, child.path));
      }
    }
    return children;
  }

  /** The first part of a path that leads to a node. */
  private static Child child(Node node, String path) {
    String part = firstPart(path, 0);
    return new Child(part, part.length() == path.length() && node.claimsLeaf);
  }

  /** The full names of all leaves at and below a node, newest first; none for an unknown name. */
  public List<String> leaves(String name) {
    List<String> leaves = new ArrayList<>();
    Place place = served(name);
    if (place != null) {
      forEachLeaf(place.node, leaf -> !leaves.add(leaf.first.name));
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
   * Visits the leaves of a subtree, in the order of pmdammv(1), until the visitor returns true.
   *
   * @return whether the visitor has returned true
   */
  private static boolean forEachLeaf(Node top, Predicate<Node> isEnough) {
    List<Node> stack = new ArrayList<>();
    stack.add(top);
    while (!stack.isEmpty()) {
      Node node = stack.removeLast();
      if (!node.claimsLeaf) {
        stack.addAll(node.below.values());
      } else if (isEnough.test(node)) {
        return true;
      }
    }
    return false;
  }

  private Place find(String name) {
    if (name.isEmpty()) {
      return new Place(root, 0);
    }
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
    int end = start + path.length();
    if (name.startsWith(path, start) && (end == name.length() || name.charAt(end) == '.')) {
      return path.length(); // the usual case, without a look at each char in interpreted code
    }
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
