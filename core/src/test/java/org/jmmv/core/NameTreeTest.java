package org.jmmv.core;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jmmv.reader.fault.FileName;
import org.jmmv.testkit.CpuTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameTreeTest {
  private final NameTree names = new NameTree();
  private final List<Claim> refused = new ArrayList<>();

  private void add(Claim... claims) {
    names.update(List.of(), List.of(claims), (claim, _) -> refused.add(claim));
  }

  private void withdraw(Claim... claims) {
    names.update(List.of(claims), List.of(), (claim, _) -> refused.add(claim));
  }

  private static Claim claim(String file, int index, String name, int pmid) {
    return new Claim(name, pmid, FileName.of(file), index);
  }

  /** All leaves below a node and who has them: {@code mmv.a=file}. */
  private static String owners(NameTree names) {
    return names.leaves("mmv").stream()
        .sorted()
        .map(name -> name + "=" + names.leaf(name).fileName() + names.leaf(name).index())
        .collect(joining(" "));
  }

  private static String children(NameTree names, String node) {
    return names.children(node).stream()
        .map(child -> child.name() + (child.isLeaf() ? "" : "/"))
        .collect(joining(" "));
  }

  @Test
  void aNameIsThatOfTheFirstFileThatClaimsIt() {
    Claim later = claim("b", 0, "mmv.x", 2);
    Claim first = claim("a", 7, "mmv.x", 1);

    add(later);
    add(first);

    assertEquals(first, names.leaf("mmv.x"));
    assertEquals(List.of(later), refused);
    assertEquals(1, names.size());
  }

  @Test
  void aNameThatIsPartOfAnEarlierOneIsRefused() {
    Claim leaf = claim("b", 0, "mmv.x", 1);

    add(claim("a", 0, "mmv.x.y.z", 2), leaf, claim("c", 0, "mmv.x.q", 3));

    assertEquals("mmv.x.q=c0 mmv.x.y.z=a0", owners(names));
    assertEquals(List.of(leaf), refused);
  }

  @Test
  void aRefusalIsNotRepeatedWhenSomethingElseChanges() {
    Claim sibling = claim("d", 0, "mmv.x.1", 5);
    add(claim("a", 0, "mmv.x", 1), claim("b", 0, "mmv.x", 2), claim("e", 0, "mmv.x.2", 4), sibling);
    refused.clear();

    Claim other = claim("c", 0, "mmv.y", 3);
    add(other);
    withdraw(other);
    withdraw(sibling);

    assertEquals(List.of(), refused);
  }

  @Test
  void aRefusalIsNotRepeatedWhenTheFileThatHasTheNameIsReadAgain() {
    Claim before = claim("a", 0, "mmv.x", 1);
    add(before, claim("b", 0, "mmv.x", 2));
    refused.clear();

    names.update(
        List.of(before), List.of(claim("a", 0, "mmv.x", 1)), (claim, _) -> refused.add(claim));

    assertEquals(List.of(), refused);
  }

  @Test
  void aRefusalIsRepeatedWhenAnotherFileTakesTheName() {
    Claim later = claim("c", 0, "mmv.x", 2);
    Claim between = claim("b", 0, "mmv.x", 3);
    add(between, later);
    refused.clear();

    names.update(
        List.of(between), List.of(claim("a", 0, "mmv.x", 1)), (claim, _) -> refused.add(claim));

    assertEquals(List.of(later), refused);
  }

  @Test
  void tellsLeavesFromNodes() {
    add(
        claim("a", 0, "mmv.x.y", 1),
        claim("a", 1, "mmv.x.y2.z", 2),
        claim("a", 2, "mmv.x.y2.w", 3),
        claim("a", 3, "mmv.x0", 4));

    assertEquals("x0 x/", children(names, "mmv"));
    assertEquals("y2/ y", children(names, "mmv.x"));
    assertEquals("w z", children(names, "mmv.x.y2"));
    assertEquals("", children(names, "mmv.x.y"));
    assertTrue(names.contains("mmv.x"));
    assertTrue(names.contains("mmv.x.y"));
    assertFalse(names.contains("mmv.x.y2.q"));
    assertFalse(names.contains("mmv.x.y.z"));
    assertEquals(List.of("mmv.x.y2.w", "mmv.x.y2.z", "mmv.x.y"), names.leaves("mmv.x"));
    assertEquals(List.of("mmv.x.y"), names.leaves("mmv.x.y"));
    assertEquals(List.of(), names.leaves("mmv.q"));
  }

  /** Each node is updated once for all claims, and not all nodes of a name for each claim. */
  @Test
  void claimsForLongNamesComeAndGoQuickly() {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      claims.add(claim("a", i, "mmv" + ".x".repeat(i % 200) + ".y" + i, i));
    }
    CpuTime.assertLinear(() -> {
      for (int i = 0; i < 6; i++) {
        names.update(List.of(), claims, (claim, _) -> refused.add(claim));
        assertEquals(claims.size(), names.size());
        names.update(claims, List.of(), (claim, _) -> refused.add(claim));
        assertEquals(0, names.size());
      }
    });
    assertEquals(List.of(), refused);
  }

  /** A node with 25,000 children that becomes a leaf and an inner node in turns. */
  @Test
  void aNameThatIsTakenBackAndForthCostsNoMoreThanItsClaims() {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      claims.add(claim("a", i, i % 2 == 0 ? "mmv.x.y" + i : "mmv.x", i));
    }
    CpuTime.assertLinear(() -> {
      for (int i = 0; i < 6; i++) {
        names.update(List.of(), claims, (_, _) -> {});
        assertEquals(25_000, names.size());
        names.update(claims, List.of(), (_, _) -> {});
        assertEquals(0, names.size());
      }
    });
  }

  @Test
  void namesLostToAFileAreReportedAlthoughItHasManyOfItsOwn() {
    Claim lost = claim("b", 0, "mmv.x.lost", 1);
    add(lost);
    List<Claim> claims = new ArrayList<>(List.of(claim("a", 0, "mmv.x", 2)));
    for (int i = 1; i <= 2000; i++) {
      claims.add(claim("c", i, "mmv.x.y" + i, 3));
    }
    add(claims.toArray(Claim[]::new));

    assertTrue(refused.contains(lost));
    assertEquals(2001, refused.size());
  }

  /** As pmdammv lists them: what a later file or a later metric creates comes first. */
  @Test
  void theNewestNodeComesFirstWhateverCameWhen() {
    Claim z = claim("b", 0, "mmv.z.q", 1);
    add(claim("c", 0, "mmv.z.p", 2), claim("b", 1, "mmv.a", 3));
    add(z, claim("a", 0, "mmv.m", 4), claim("", 0, "mmv.control.files", 5));

    assertEquals("a z/ m control/", children(names, "mmv"));
    assertEquals(
        List.of("mmv.a", "mmv.z.p", "mmv.z.q", "mmv.m", "mmv.control.files"), names.leaves("mmv"));
    withdraw(z);
    assertEquals("z/ a m control/", children(names, "mmv"));
  }

  @Test
  void aRefusalNamesWhatStandsAgainstIt() {
    Claim leaf = claim("a", 0, "mmv.x", 1);
    List<Claim> owners = new ArrayList<>();

    names.update(
        List.of(), List.of(leaf, claim("b", 0, "mmv.x.y.z", 2)), (_, owner) -> owners.add(owner));

    assertEquals(List.of(leaf), owners);
  }

  @Test
  void aNameMayEndBetweenTheNodes() {
    add(claim("a", 0, "mmv.x.y.z", 1));

    assertEquals("x/", children(names, "mmv"));
    assertEquals("y/", children(names, "mmv.x"));
    assertEquals("z", children(names, "mmv.x.y"));
    assertEquals(List.of("mmv.x.y.z"), names.leaves("mmv.x"));
    assertNull(names.leaf("mmv.x.y"));
    assertFalse(names.contains("mmv.x.yz"));
    assertFalse(names.contains("mmv.x.z"));
    assertFalse(names.contains("mmv.x.y.z.z"));
  }

  @Test
  void nothingIsLeftOfNamesThatHaveGone() {
    List<Claim> claims = List.of(claim("a", 0, "mmv.x.y..z.", 1), claim("b", 0, "mmv.x", 2));
    names.update(List.of(), claims, (_, _) -> {});
    assertEquals(List.of("mmv.x.y..z."), names.leaves("mmv"));

    names.update(claims, List.of(), (_, _) -> {});

    assertFalse(names.contains("mmv"));
    assertEquals(0, names.size());
  }

  @Test
  void itsVersionTellsThatSomethingMayHaveChanged() {
    long before = names.version();

    add(claim("a", 0, "mmv.x", 1));

    assertTrue(names.version() != before);
  }

  private static List<String> byParts(List<String> leaves) {
    return leaves.stream().sorted(Comparator.comparing(name -> name.replace('.', '\0'))).toList();
  }

  /** Returns all leaves. The last one of a step, or a name beside it, begins the next. */
  private static List<String> inSteps(NameTree names, Random random) {
    List<String> all = new ArrayList<>();
    List<NameTree.Leaf> step = names.next("", 1 + random.nextInt(3));
    while (!step.isEmpty()) {
      step.forEach(leaf -> {
        assertEquals(names.pmid(leaf.name()), leaf.pmid());
        all.add(leaf.name());
      });
      String last = step.getLast().name();
      step =
          names.next(last + List.of("", ".0", "\0").get(random.nextInt(3)), 1 + random.nextInt(3));
    }
    return all;
  }

  private Set<NameTree.Child> childrenInSteps(String node, Random random) {
    Set<NameTree.Child> all = new HashSet<>();
    List<NameTree.Child> step = names.children(node, "", 1 + random.nextInt(3));
    while (!step.isEmpty()) {
      step.forEach(child -> assertTrue(all.add(child)));
      step = names.children(node, step.getLast().name(), 1 + random.nextInt(3));
    }
    return all;
  }

  private List<String> below(String node) {
    List<String> all = new ArrayList<>();
    for (String leaf = names.nextBelow(node, null);
        leaf != null;
        leaf = names.nextBelow(node, leaf)) {
      all.add(leaf);
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void namesDependOnTheClaimsNotOnTheOrderInWhichTheyCame(int seed) {
    Random random = new Random(seed);
    List<Claim> standing = new ArrayList<>();
    for (int step = 0; step < 250; step++) {
      List<Claim> withdrawn = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0 && !standing.isEmpty(); i--) {
        withdrawn.add(standing.remove(random.nextInt(standing.size())));
      }
      List<Claim> added = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        Claim claim = randomClaim(random);
        if (standing.stream().noneMatch(other -> isSamePlace(claim, other))) {
          added.add(claim);
          standing.add(claim);
        }
      }
      List<Claim> named = standing.stream().filter(claim -> !isLost(claim)).toList();
      refused.clear();

      names.update(withdrawn, added, (claim, _) -> refused.add(claim));

      String where = "seed " + seed + ", step " + step + ", " + standing;
      NameTree byTheRule = byTheRule(standing);
      assertEquals(owners(fresh(standing)), owners(names), where);
      assertEquals(owners(byTheRule), owners(names), where);
      assertEquals(byTheRule.size(), names.size(), where);
      assertEquals(byTheRule.leaves("mmv"), names.leaves("mmv"), where);
      assertEquals(byParts(names.leaves("")), inSteps(names, random), where);
      for (String leaf : names.leaves("mmv")) {
        for (int end = leaf.length(); end > 0; end = leaf.lastIndexOf('.', end - 1)) {
          String node = leaf.substring(0, end);
          assertTrue(names.contains(node), where);
          assertEquals(children(byTheRule, node), children(names, node), where);
          assertEquals(Set.copyOf(names.children(node)), childrenInSteps(node, random), where);
          assertEquals(byParts(names.leaves(node)), below(node), where);
        }
      }
      for (Claim claim : refused) {
        assertTrue(standing.contains(claim) && isLost(claim), where);
      }
      for (Claim claim : added) {
        assertEquals(isLost(claim), refused.contains(claim), where);
      }
      for (Claim claim : named) {
        assertTrue(!isLost(claim) || claim.refusedFor != null, where);
      }
    }
  }

  private boolean isLost(Claim claim) {
    Claim owner = names.leaf(claim.name());
    return owner == null || owner.pmid() != claim.pmid();
  }

  private static boolean isSamePlace(Claim one, Claim other) {
    return one.fileName().equals(other.fileName()) && one.index() == other.index();
  }

  private static Claim randomClaim(Random random) {
    StringBuilder name = new StringBuilder("mmv");
    for (int depth = random.nextInt(6); depth >= 0; depth--) {
      name.append('.').append(List.of("x", "y", "xy").get(random.nextInt(3)));
    }
    String file = "abcd".substring(random.nextInt(4)).substring(0, 1);
    return claim(file, random.nextInt(6), name.toString(), random.nextInt(4));
  }

  /** All claims at once. */
  private static NameTree fresh(Collection<Claim> claims) {
    NameTree fresh = new NameTree();
    List<Claim> shuffled = new ArrayList<>(); // copies: a claim belongs to one tree
    claims.forEach(each ->
        shuffled.add(claim(each.fileName().name(), each.index(), each.name(), each.pmid())));
    Collections.shuffle(shuffled, new Random(claims.size()));
    fresh.update(List.of(), shuffled, (_, _) -> {});
    return fresh;
  }

  /** Files in order, each claim granted unless one that was granted before stands against it. */
  private static NameTree byTheRule(Collection<Claim> claims) {
    List<Claim> granted = new ArrayList<>();
    claims.stream()
        .sorted(Comparator.comparing(Claim::fileName).thenComparingInt(Claim::index))
        .filter(claim -> granted.stream().noneMatch(other -> conflict(claim.name(), other.name())))
        .forEach(granted::add);
    return fresh(granted);
  }

  private static boolean conflict(String one, String other) {
    return (one + ".").startsWith(other + ".") || (other + ".").startsWith(one + ".");
  }
}
