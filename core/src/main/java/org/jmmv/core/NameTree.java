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

  private static final class Node {
    final Node parent;
    final String part;
    final TreeMap<Claim, Node> claims =
        new TreeMap<>(ORDER); // own ones with this, children's first
    Map<String, Node> children = Map.of();
    int leavesBelow;

    Node(Node parent, String part) {
      this.parent = parent;
      this.part = part;
    }

    /** The child of this name, which is made if there is none. */
    Node child(String name) {
      if (children.isEmpty()) {
        children = new HashMap<>();
      }
      return children.computeIfAbsent(name, _ -> new Node(this, name));
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
      for (Node above = node; above != null; above = above.parent) {
        if (above.claimsLeaf() && above.leavesBelow > 0) { // perhaps since this claim has gone
          childrenOf(above).forEach(child -> addLeaves(child, displaced));
        }
      }
      removeIfEmpty(node);
    }
    for (Claim claim : added) {
      Node node = create(claim.name);
      addRivals(node, claim, displaced);
      claim.node = node;
      change(node, () -> node.claims.put(claim, node));
    }
    displaced.removeAll(added);
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

  private static void removeIfEmpty(Node emptied) {
    for (Node node = emptied; node.claims.isEmpty() && node.parent != null; node = node.parent) {
      node.parent.children.remove(node.part);
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
    forEachLeaf(top, leaf -> claims.add(leaf.first()) && claims.size() >= MAX_DISPLACED);
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
    Node node = served(name);
    return node != null && node.claimsLeaf() ? node.first() : null;
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
    Node node = served(name);
    if (node != null && !node.claimsLeaf()) {
      for (Node child : childrenOf(node)) {
        children.add(new Child(child.part, child.claimsLeaf()));
      }
    }
    return children;
  }

  /** The full names of all leaves at and below a node, newest first; none for an unknown name. */
  public List<String> leaves(String name) {
    List<String> leaves = new ArrayList<>();
    Node node = served(name);
    if (node != null) {
      forEachLeaf(node, leaf -> !leaves.add(leaf.first().name));
    }
    return leaves;
  }

  /** The node of a name, or null if there is none that counts. */
  private Node served(String name) {
    Node node = find(name);
    return node == null || node.leaves() == 0 || node.isBelowLeaf() ? null : node;
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

  private Node find(String name) {
    Node node = root;
    for (int start = 0; node != null && start <= name.length(); ) {
      int end = endOfPart(name, start);
      node = node.children.get(name.substring(start, end));
      start = end + 1;
    }
    return node;
  }

  private Node create(String name) {
    Node node = root;
    for (int start = 0; start <= name.length(); ) {
      int end = endOfPart(name, start);
      node = node.child(name.substring(start, end));
      start = end + 1;
    }
    return node;
  }

  private static int endOfPart(String name, int start) {
    int dot = name.indexOf('.', start);
    return dot < 0 ? name.length() : dot;
  }
}
