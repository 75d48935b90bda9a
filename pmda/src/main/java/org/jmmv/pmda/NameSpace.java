package org.jmmv.pmda;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The names of all metrics (pmns(5)).
 *
 * <p>Several files may claim a name; the first file has it. A name that is also a prefix of another
 * ({@code x} and {@code x.y}) can't be both a metric and a node: the first file has its way there,
 * too. What names there are depends only on the claims, not on the order in which they came.
 */
final class NameSpace {
  /** Files in byte order of their names, metrics in the order of their file. */
  private static final Comparator<Claim> FIRST =
      (one, other) -> {
        int files = one.file.compareTo(other.file);
        return files != 0 ? files : Integer.compare(one.index, other.index);
      };

  /**
   * A file's wish that a name stand for a PMID.
   *
   * @param name the full name
   * @param file the file's name, empty for the agent's own metrics
   * @param index the metric's place in the file
   */
  record Claim(String name, int pmid, String file, int index) {
    // what the compiler makes of these two is linked when it is first used, for milliseconds

    @Override
    public boolean equals(Object object) {
      return object instanceof Claim other
          && name.equals(other.name)
          && pmid == other.pmid
          && file.equals(other.file)
          && index == other.index;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * name.hashCode() + file.hashCode()) + index;
    }
  }

  /** A child of a node. */
  record Child(String name, boolean isLeaf) {}

  private final TreeMap<String, List<Claim>> claims = new TreeMap<>();
  private final TreeMap<String, Claim> names = new TreeMap<>();
  private long version;

  /**
   * Takes claims away and adds others.
   *
   * @param refused told of each claim that has no effect from now on, because the name, or a prefix
   *     of it, stands for another PMID
   */
  void update(Collection<Claim> withdrawn, Collection<Claim> added, Consumer<Claim> refused) {
    version++;
    Set<String> roots = new LinkedHashSet<>();
    for (Claim claim : withdrawn) {
      List<Claim> rivals = claims.get(claim.name);
      rivals.remove(claim);
      if (rivals.isEmpty()) {
        claims.remove(claim.name);
      }
    }
    for (Claim claim : added) {
      List<Claim> rivals = claims.computeIfAbsent(claim.name, _ -> new ArrayList<>(1));
      int place = Collections.binarySearch(rivals, claim, FIRST);
      rivals.add(place < 0 ? -place - 1 : place, claim);
    }
    addRoots(withdrawn, roots);
    addRoots(added, roots);
    Set<Claim> hopeful = new LinkedHashSet<>();
    Set<String> contested = new HashSet<>();
    for (String root : roots) {
      if (!isContested(root)) {
        settle(root);
      } else {
        hopeful.addAll(settleAll(root, contested));
      }
    }
    if (contested.isEmpty()) {
      return;
    }
    hopeful.removeAll(Set.copyOf(withdrawn));
    for (Claim claim : added) {
      if (contested.contains(claim.name)) {
        hopeful.add(claim);
      }
    }
    for (Claim claim : hopeful) {
      Claim owner = names.get(claim.name);
      if (owner == null || owner.pmid != claim.pmid) {
        refused.accept(claim);
      }
    }
  }

  /** Adds the names that have to be settled, with what is below them, when claims have changed. */
  private void addRoots(Collection<Claim> changed, Set<String> roots) {
    String free = ""; // a node none of whose prefixes is claimed, nor itself
    for (Claim claim : changed) {
      String name = claim.name;
      int end = name.lastIndexOf('.');
      if (end == free.length() && name.startsWith(free)) {
        roots.add(name);
        continue;
      }
      String root = highestPrefix(claims, name);
      roots.add(root);
      free = root.equals(name) && end > 0 ? name.substring(0, end) : "";
    }
  }

  /** Whether several claims meet at a name or below it. */
  private boolean isContested(String root) {
    List<Claim> rivals = claims.get(root);
    return (rivals != null && rivals.size() > 1) || hasBelow(claims, root) || hasBelow(names, root);
  }

  /** Gives a name that is not contested to who claims it. */
  private void settle(String root) {
    List<Claim> rivals = claims.get(root);
    if (rivals == null) {
      names.remove(root);
    } else {
      names.put(root, rivals.getFirst());
    }
  }

  /**
   * Decides anew who has a name and the names below it, and returns who had them.
   *
   * @param contested gets all the names that are claimed there
   */
  private List<Claim> settleAll(String root, Set<String> contested) {
    NavigableMap<String, Claim> lowerNames =
        names.subMap(below(root), true, afterBelow(root), false);
    List<Claim> before = new ArrayList<>(lowerNames.values());
    lowerNames.clear();
    Claim owner = names.remove(root);
    if (owner != null) {
      before.add(owner);
    }
    List<Claim> all = new ArrayList<>(claims.getOrDefault(root, List.of()));
    claims.subMap(below(root), true, afterBelow(root), false).values().forEach(all::addAll);
    all.sort(FIRST);
    for (Claim claim : all) {
      contested.add(claim.name);
      if (!names.containsKey(claim.name) && !isNode(claim.name) && !isBelowLeaf(claim.name)) {
        names.put(claim.name, claim);
      }
    }
    return before;
  }

  /**
   * The shortest of a name's prefixes that is a key, or the name itself. A name may have more than
   * a hundred parts, so it does not look for each prefix: one that is a key is also a prefix of the
   * greatest key before the part of the name that is in question.
   */
  private static String highestPrefix(NavigableMap<String, ?> map, String name) {
    String highest = name;
    int end = name.lastIndexOf('.');
    while (end > 0) {
      String part = name.substring(0, end);
      String before = map.floorKey(part);
      if (before == null) {
        return highest;
      } else if (before.equals(part)) {
        highest = part;
        end = name.lastIndexOf('.', end - 1);
      } else {
        end = endOfCommonPart(before, part);
      }
    }
    return highest;
  }

  /** Where the longest common prefix ends that ends with a whole part of the longer name. */
  private static int endOfCommonPart(String before, String part) {
    int common = 0;
    while (common < before.length()
        && common < part.length()
        && before.charAt(common) == part.charAt(common)) {
      common++;
    }
    return part.charAt(common) == '.' ? common : part.lastIndexOf('.', common - 1);
  }

  private boolean isBelowLeaf(String name) {
    return !highestPrefix(names, name).equals(name);
  }

  // '/' follows '.' in ASCII, and no name holds it: what is below a node lies between the two
  private static String below(String name) {
    return name + '.';
  }

  private static String afterBelow(String name) {
    return name + '/';
  }

  /** Another number after each update. */
  long version() {
    return version;
  }

  /** How many names there are. */
  int size() {
    return names.size();
  }

  /** The claim that a name stands for, or null if it is no leaf. */
  Claim leaf(String name) {
    return names.get(name);
  }

  /** Whether there are names below this one. */
  boolean isNode(String name) {
    return hasBelow(names, name);
  }

  private static boolean hasBelow(NavigableMap<String, ?> map, String name) {
    String below = below(name);
    String next = map.ceilingKey(below);
    return next != null && next.startsWith(below);
  }

  /** The full names of all leaves below a node, sorted. */
  Collection<String> leavesBelow(String node) {
    return names.subMap(below(node), afterBelow(node)).keySet();
  }

  /** The children of a node. */
  List<Child> children(String node) {
    List<Child> children = new ArrayList<>();
    String end = afterBelow(node);
    int start = node.length() + 1;
    for (String name = names.ceilingKey(below(node)); name != null && name.compareTo(end) < 0; ) {
      int dot = name.indexOf('.', start);
      if (dot < 0) {
        children.add(new Child(name.substring(start), true));
        name = names.higherKey(name);
      } else {
        children.add(new Child(name.substring(start, dot), false));
        name = names.ceilingKey(afterBelow(name.substring(0, dot)));
      }
    }
    return children;
  }
}
