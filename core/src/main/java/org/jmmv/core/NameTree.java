package org.jmmv.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.fault.FileName;

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
  /**
   * The usual number of names that a document lists at once: for each list the way down the tree is
   * searched again, and a turn can't end within it.
   */
  public static final int BATCH = 16;

  /**
   * A child of a node.
   *
   * @param name the last part of the child's full name
   * @param isLeaf whether the child is a leaf, otherwise an inner node
   */
  public record Child(String name, boolean isLeaf) {
    /** The first part of a path that leads to a node. */
    private static Child of(NameNode node, String path) {
      String part = NameNode.firstPart(path, 0);
      return new Child(part, part.length() == path.length() && node.claimsLeaf);
    }
  }

  /**
   * A leaf.
   *
   * @param name the full name
   * @param pmid the metric that has it
   */
  public record Leaf(String name, int pmid) {}

  private final NameNode root = new NameNode(null, "");
  private long version;
  private int ownNames;

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
    NameNode.Displaced displaced = new NameNode.Displaced(added);
    for (Claim claim : withdrawn) {
      claim.node.claims.remove(claim);
      claim.node.change();
    }
    root.settle(displaced);
    for (Claim claim : withdrawn) {
      claim.node.tidy();
      claim.node = null;
    }
    added.forEach(
        claim -> claim.node = create(claim.name())); // splits nodes, which are settled now
    for (Claim claim : added) {
      claim.node.claims.add(claim);
      claim.node.change();
    }
    root.settle(displaced);
    added.forEach(claim -> reportIfRefused(claim, refusals));
    displaced.claims.forEach(claim -> reportIfRefused(claim, refusals));
  }

  private void reportIfRefused(Claim claim, Refusals refusals) {
    if (claim.node != null && !isFulfilled(claim)) {
      Claim owner = owner(claim);
      if (!owner.fileName().equals(claim.refusedFor)) {
        claim.refusedFor = owner.fileName();
        refusals.refused(claim, owner);
      }
    }
  }

  /**
   * Returns the granted claim that a claim conflicts with, or the claim itself if it is granted.
   */
  Claim owner(Claim claim) {
    Claim owner = claim.node.first;
    for (NameNode node = claim.node.parent; node != null; node = node.parent) {
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
    Claim owner = owner(claim);
    return owner.pmid() == claim.pmid() && owner.name().equals(claim.name());
  }

  /**
   * Returns whether the claim's metric is served under its PMID: whether the claim is granted or
   * conflicts only with claims for other names.
   */
  boolean isServed(Claim claim) {
    return claim.node != null && claim.equals(claim.node.claims.first());
  }

  /**
   * Returns whether the claim's name is a name of its PMID: whether the claim is granted or
   * conflicts only with claims for names further up. pmdammv(1) answers in the same way.
   */
  boolean hasName(Claim claim) {
    return claim.node != null && claim.equals(claim.node.first);
  }

  /** Returns the number of updates so far. */
  long version() {
    return version;
  }

  /** Adds the names of the program's own metrics. */
  void addBuiltIn(Collection<Claim> claims) {
    update(List.of(), claims, (_, _) -> {});
    ownNames += claims.size();
  }

  /** Returns the number of names. */
  public int size() {
    return root.leaves();
  }

  /** Returns the number of names of files' metrics. */
  int namesOfFiles() {
    return root.leaves() - ownNames;
  }

  /** Returns the claim that was granted a name, or null if the name is not that of a leaf. */
  Claim leaf(String name) {
    Position position = served(name);
    return position != null && position.isNode() && position.node.claimsLeaf
        ? position.node.first
        : null;
  }

  /** Returns the PMID of a leaf, or {@link Pmid#NULL} if the name is not that of a leaf. */
  public int pmid(String name) {
    Claim leaf = leaf(name);
    return leaf == null ? Pmid.NULL : leaf.pmid();
  }

  /** Returns the file of a leaf, or null if the name is not that of a leaf. */
  public FileName file(String name) {
    Claim leaf = leaf(name);
    return leaf == null ? null : leaf.fileName();
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
    return children(name, node -> node.newestFirst().stream());
  }

  private List<Child> children(String name, Function<NameNode, Stream<NameNode>> below) {
    Position position = served(name);
    if (position == null || (position.isNode() && position.node.claimsLeaf)) {
      return List.of();
    } else if (!position.isNode()) {
      return List.of(Child.of(position.node, position.node.path.substring(position.length + 1)));
    }
    return below.apply(position.node).map(node -> Child.of(node, node.path)).toList();
  }

  /**
   * Returns the next children of an inner node, in the order of their names; none for a leaf or an
   * unknown name. A caller that needs all keeps only the last one, and asks for the next.
   *
   * @param after the last part of the full name after which they come; empty: the first ones
   * @param max the maximum number of children
   */
  public List<Child> children(String name, String after, int max) {
    return children(name, node -> node.children.tailMap(after, false).values().stream().limit(max))
        .stream()
        .filter(child -> child.name().compareTo(after) > 0) // if there is only one
        .toList();
  }

  /** The full names of all leaves at and below a node, newest first; none for an unknown name. */
  public List<String> leaves(String name) {
    List<String> leaves = new ArrayList<>();
    Position position = served(name);
    if (position != null) {
      position.node.forEachLeaf(leaf -> !leaves.add(leaf.first.name()));
    }
    return leaves;
  }

  /**
   * Returns the next leaves, in the order of the parts of their names. A caller that needs many
   * names keeps only the last one, and asks for the next: names may come and go between two calls.
   *
   * @param after the name after which the leaves come; empty: the first ones
   * @param max the maximum number of leaves, not 0
   * @return empty if there are no more
   */
  public List<Leaf> next(String after, int max) {
    List<Leaf> leaves = new ArrayList<>();
    root.addLeaves(after.isEmpty() ? null : after, 0, max, leaves);
    return leaves;
  }

  /**
   * Returns the next leaf at or below a node, in the order of the parts of names, or null if there
   * are no more.
   *
   * @param top the name of the node; empty: the root
   * @param after a name at or below the node, after which the leaf comes; null: the first one
   */
  public String nextBelow(String top, String after) {
    if (after == null && leaf(top) != null) {
      return top;
    }
    List<Leaf> next = next(after == null ? top : after, 1);
    String name = next.isEmpty() ? null : next.getFirst().name();
    return name != null && isBelow(name, top) ? name : null;
  }

  private static boolean isBelow(String name, String top) {
    return top.isEmpty()
        || (name.startsWith(top)
            && name.length() > top.length()
            && name.charAt(top.length()) == '.');
  }

  /**
   * Where a name is in the tree: at a node, or on the path to it.
   *
   * @param length of the node's path, up to where the name ends
   */
  private record Position(NameNode node, int length) {
    boolean isNode() {
      return length == node.path.length();
    }
  }

  /** The position of a name, or null if there is no such name, or if it is below a leaf. */
  private Position served(String name) {
    Position position = find(name);
    return position == null || position.node.isBelowLeaf() ? null : position;
  }

  private Position find(String name) {
    if (name.isEmpty()) {
      return new Position(root, 0);
    }
    NameNode node = root;
    for (int start = 0; ; ) {
      NameNode child = node.children.get(NameNode.firstPart(name, start));
      if (child == null) {
        return null;
      }
      int length = commonParts(child.path, name, start);
      if (start + length == name.length()) {
        return new Position(child, length);
      } else if (length < child.path.length()) {
        return null;
      }
      node = child;
      start += length + 1;
    }
  }

  /** The node of a name, which is made if there is none. */
  private NameNode create(String name) {
    NameNode node = root;
    for (int start = 0; ; ) {
      NameNode child = node.children.get(NameNode.firstPart(name, start));
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
