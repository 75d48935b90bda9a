package org.jmmv.replies;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a file holds, every request is answered, and for another file as if it were alone. */
class SessionFuzzTest {
  /** First in the order of the files, so that nobody takes its names. */
  private static final String GOOD = "a";

  private static final int CLUSTER = 1024;
  private static final int MMV_CLUSTER = 36; // where a file's header says its cluster

  private static final List<String> NAMES =
      List.of("mmv.a.number", "mmv.a.text", "mmv.a.each", "mmv.a.share");

  @TempDir static Path root;
  private static String alone;

  static Collection<byte[]> files() {
    return SeedFiles.all().values();
  }

  @BeforeAll
  static void writeTheGoodFile() {
    MmvWriter writer = new MmvWriter(3).cluster(CLUSTER);
    MmvWriter.InDom inDom = writer.inDom(1).help("some", "some things");
    inDom.instance(3, "three").instance(4, "four");
    writer.metric("number", 1, ValueType.U32).help("one", "one number").value(42);
    writer.metric("text", 2, ValueType.STRING).text("right");
    writer.metric("each", 3, ValueType.I64).inDom(inDom).at(3, 33).at(4, -44);
    writer.metric("share", 4, ValueType.DOUBLE).inDom(inDom).at(3, 0.75).at(4, 0.25);
    writer.label(8, CLUSTER, 0, "{\"a\":1}").label(16, 2, 0, "{\"b\":2}");
    writer.label(4, 1, 0, "{\"c\":3}").label(32, 1, 4, "{\"d\":4}");
    try (ServiceTester tester = new ServiceTester(root)) {
      tester.write(GOOD, writer);
      alone = describe(tester);
    }
    assertTrue(alone.contains("4=-44"), alone);
  }

  @MethodSource("files")
  @FuzzTest
  void aFileHarmsNeitherTheAgentNorAnotherFile(byte[] bytes) throws IOException {
    // in its place, the new file would have to wait if that one took long
    Files.deleteIfExists(TestCatalog.directory(root).resolve("b"));
    try (ServiceTester tester = new ServiceTester(root)) {
      Path file = tester.write("b", bytes);
      walk(tester);
      assertGood(tester, bytes);
      int[] pmids = tester.names().stream().mapToInt(tester::pmid).toArray();
      MmvWriter.resize(file, bytes.length / 2);
      tester.fetch(pmids);
      assertGood(tester, bytes);
      assertEquals(List.of(), tester.log().failures());
      for (String line : tester.log().messages()) {
        assertTrue(line.matches("[ -~]+"), line);
      }
    }
  }

  private static String describe(ServiceTester tester) {
    return NAMES.stream().map(tester::describe).collect(joining());
  }

  /** Asks for everything that there is. */
  private static void walk(ServiceTester tester) {
    Set<String> leaves = new HashSet<>();
    collectLeaves(tester, "mmv", leaves);
    leaves.removeIf(name -> name.startsWith("mmv.control."));
    assertEquals(leaves, Set.copyOf(tester.names()));
    tester.describe();
    fetch(tester, leaves.stream().mapToInt(tester::pmid).toArray());
  }

  /** Fetches everything, with several profiles. */
  private static void fetch(ServiceTester tester, int[] pmids) {
    for (ValueSet set : tester.fetch(pmids).sets()) {
      assertFits(tester, set);
    }
    InDomProfile listed = new InDomProfile(TestCatalog.inDom(9, 2), false, 6, 5, 6, 7);
    tester.send(new Profile(0, 0, false, List.of(listed)));
    tester.fetch(pmids);
    InDomProfile unlisted = new InDomProfile(TestCatalog.inDom(9, 1), true, 1);
    tester.send(new Profile(0, 0, true, List.of(unlisted)));
    tester.fetch(pmids);
    tester.send(Profile.all(0, 0));
  }

  private static void collectLeaves(ServiceTester tester, String parent, Set<String> leaves) {
    PmnsNames children = tester.ask(PmnsNames.class, new PmnsChild(0, true, parent));
    for (int i = 0; i < children.names().size(); i++) {
      String name = parent + "." + children.names().get(i);
      if (children.statuses().get(i) == 0) {
        leaves.add(name);
      } else {
        collectLeaves(tester, name, leaves);
      }
    }
  }

  /** A metric's values are of its type, and of instances of its instance domain. */
  private static void assertFits(ServiceTester tester, ValueSet set) {
    Desc desc = tester.ask(Desc.class, new DescReq(0, set.pmid()));
    Set<Integer> instances = new HashSet<>();
    if (desc.inDom() == InDom.NULL) {
      instances.add(Instance.NULL);
    } else {
      Pdu reply = tester.ask(new InstanceReq(0, desc.inDom(), Instance.NULL, ""));
      if (reply instanceof Instances all) {
        all.instances().forEach(instance -> instances.add(instance.number()));
      }
    }
    for (InstanceValue value : set.values()) {
      assertTrue(instances.remove(value.instance()), () -> value + " of " + desc);
      int type = value.value() instanceof Value.Block block ? block.type() : ValueType.I32;
      assertEquals(desc.valueType() == ValueType.U32 ? ValueType.I32 : desc.valueType(), type);
    }
  }

  private static void assertGood(ServiceTester tester, byte[] other) {
    if (mayShareIdentifiers(other)) {
      assertEquals("42", tester.values(TestCatalog.pmid(CLUSTER, 1)));
      assertTrue(tester.values(TestCatalog.pmid(CLUSTER, 3)).contains("3=33 4=-44"));
    } else {
      assertEquals(alone, describe(tester));
    }
  }

  /**
   * Whether a file may add to the good one's instances and labels. A serial may have more bits than
   * an instance domain's identifier has beside the cluster.
   */
  private static boolean mayShareIdentifiers(byte[] bytes) {
    if (bytes.length < MMV_CLUSTER + 4) {
      return false;
    }
    int cluster = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(MMV_CLUSTER);
    return cluster != 0 && (cluster & 0x3ff) == 0;
  }
}
