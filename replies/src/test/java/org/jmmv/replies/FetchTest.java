package org.jmmv.replies;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.core.TestCatalog.inDom;
import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FetchTest {
  private static final int SERIAL = 5;

  @AutoClose private final ServiceTester tester = new ServiceTester();

  /** A file of cluster 1. */
  private static MmvWriter file() {
    return new MmvWriter(2).cluster(1);
  }

  /** An instance domain with the instances 0, 1 and so on. */
  private static MmvWriter.InDom inDomOf(MmvWriter file, int instances) {
    MmvWriter.InDom inDom = file.inDom(SERIAL);
    for (int i = 0; i < instances; i++) {
      inDom.instance(i, "instance" + i);
    }
    return inDom;
  }

  /** A file of cluster 1 whose item 1 has the values 10, 11, … of the instances 0, 1, …. */
  private static MmvWriter fileWithInstances(int instances) {
    MmvWriter file = file();
    MmvWriter.Metric metric = file.metric("m", 1, ValueType.I32).inDom(inDomOf(file, instances));
    for (int i = 0; i < instances; i++) {
      metric.at(i, 10 + i);
    }
    return file;
  }

  private static int[] repeat(int pmid, int times) {
    int[] pmids = new int[times];
    Arrays.fill(pmids, pmid);
    return pmids;
  }

  private static Profile profile(boolean include, InDomProfile... inDoms) {
    return new Profile(0, 0, include, List.of(inDoms));
  }

  // ---------------------------------------------------------------- encoding

  /** Returns a number whose bytes are the first ones of a word. */
  private static Value number(int type, long word) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(word).array();
    return new Value.Block(type, new String(bytes, 0, ValueType.size(type), ISO_8859_1));
  }

  @Test
  void aReplyIsLaidOutAsPcpReadsIt() {
    MmvWriter file = file();
    MmvWriter.InDom inDom = inDomOf(file, 2);
    file.metric("float", 0, ValueType.FLOAT).inDom(inDom).at(0, 1.0).at(1, 2.0);
    file.metric("int", 1, ValueType.U32).value(7);
    file.metric("text", 2, ValueType.STRING).text("abcd");
    tester.write("app", file);

    tester.send(Fetch.of(0, 0, pmid(1, 0), pmid(1, 9), pmid(1, 1), pmid(1, 2)));

    ByteBuf reply = tester.readBytes();
    String expected =
        """
        00000080 00007001 00000000 00000000 00000000 00000004 11800400 00000002
        00000001 00000000 00000019 00000001 0000001b 11800409 ffffcfba 11800401
        00000001 00000000 ffffffff 00000007 11800402 00000001 00000001 ffffffff
        0000001d 04000008 3f800000 04000008 40000000 06000009 61626364 007e7e7e
        """;
    assertEquals(expected.replaceAll("\\s", ""), ByteBufUtil.hexDump(reply));
    reply.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, Integer.MIN_VALUE, 71 << 22 | 1 << 10 | 1})
  void aPmidOfNoMetricIsAnErrorAmongTheOthersValues(int unknown) {
    tester.write("app", fileWithInstances(2));

    List<ValueSet> sets = tester.fetch(unknown, pmid(1, 1), pmid(1, 2), pmid(0, 4)).sets();

    assertEquals(
        List.of("PM_ERR_PMID", "0=10 1=11", "PM_ERR_PMID", "PM_ERR_PMID"),
        sets.stream().map(ServiceTester::text).toList());
  }

  @Test
  void aMetricAskedForAgainIsAnsweredAgain() {
    MmvWriter file = fileWithInstances(2);
    file.metric("text", 2, ValueType.STRING).text("twice");
    tester.write("app", file);

    List<ValueSet> sets =
        tester.fetch(pmid(1, 2), pmid(1, 1), pmid(1, 2), pmid(1, 2), pmid(1, 1)).sets();

    assertEquals(
        List.of("twice", "0=10 1=11", "twice", "twice", "0=10 1=11"),
        sets.stream().map(ServiceTester::text).toList());
  }

  // ---------------------------------------------------------------- profiles

  private static InDomProfile only(int... instances) {
    return new InDomProfile(inDom(1, SERIAL), false, instances);
  }

  private static InDomProfile allBut(int... instances) {
    return new InDomProfile(inDom(1, SERIAL), true, instances);
  }

  static List<List<Object>> profiles() {
    InDomProfile other = new InDomProfile(inDom(1, SERIAL + 1), false, 1);
    return List.of(
        List.of(profile(true), "0=10 1=11 2=12 3=13"),
        List.of(profile(false), ""),
        List.of(profile(true, other), "0=10 1=11 2=12 3=13"),
        List.of(profile(false, other), ""),
        List.of(profile(true, only(2)), "2=12"),
        List.of(profile(false, only(2)), "2=12"),
        List.of(profile(false, other, only(3, 0)), "0=10 3=13"),
        List.of(profile(false, only(3, 3, 1, 3)), "1=11 3=13"),
        List.of(profile(false, only(7, -1, 2)), "2=12"),
        List.of(profile(false, only(7)), ""),
        List.of(profile(true, only()), ""),
        List.of(profile(false, allBut()), "0=10 1=11 2=12 3=13"),
        List.of(profile(false, allBut(1)), "0=10 2=12 3=13"),
        List.of(profile(true, allBut(3, 7, 0)), "1=11 2=12"),
        List.of(profile(true, allBut(3, 2, 1, 0)), ""),
        List.of(profile(true, only(1), only(2)), "2=12"));
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void theProfileTellsWhichInstancesAreSent(List<Object> profileAndValues) {
    tester.write("app", fileWithInstances(4));

    tester.send((Profile) profileAndValues.getFirst());

    ValueSet set = tester.fetch(pmid(1, 1)).sets().getFirst();
    assertEquals(profileAndValues.getLast(), ServiceTester.text(set));
    assertEquals(set.values().size(), set.status());
  }

  @Test
  void aProfileStaysInForceUntilTheNext() {
    tester.write("app", fileWithInstances(3));

    tester.send(profile(false, only(1)));
    assertEquals("1=11", tester.values(pmid(1, 1)));
    assertEquals("1=11", tester.values(pmid(1, 1)));
    tester.send(profile(true));

    assertEquals("0=10 1=11 2=12", tester.values(pmid(1, 1)));
  }

  // ---------------------------------------------------------------- size

  @Test
  void aLargeReplyIsWhole() {
    MmvWriter file = file();
    MmvWriter.Metric metric = file.metric("m", 1, ValueType.I64).inDom(inDomOf(file, 1000));
    List<InstanceValue> values = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      metric.at(i, i * 1_000_000_007L);
      values.add(new InstanceValue(i, number(ValueType.I64, i * 1_000_000_007L)));
    }
    tester.write("app", file);

    List<ValueSet> sets = tester.fetch(repeat(pmid(1, 1), 50)).sets();

    for (ValueSet set : sets) {
      assertEquals(values, set.values());
    }
  }

  @ParameterizedTest
  @CsvSource({ValueType.U32 + ",8", ValueType.DOUBLE + ",20", ValueType.STRING + ",24"})
  void aReplyThatWouldBeTooLargeIsAnError(int type, int bytesOfAValue) {
    int instances = 2000;
    MmvWriter file = file();
    MmvWriter.Metric metric = file.metric("m", 1, type).inDom(inDomOf(file, instances));
    for (int i = 0; i < instances; i++) {
      if (type == ValueType.STRING) {
        metric.textAt(i, "some text");
      } else {
        metric.at(i, i);
      }
    }
    file.metric("small", 2, ValueType.I64).value(42);
    tester.write("app", file);
    int most = FetchReply.MAX_RESULT / (bytesOfAValue * instances);
    Fetch fetch = Fetch.of(0, 0, repeat(pmid(1, 1), most + 1));

    tester.assertError(PmError.GENERIC, fetch);

    assertEquals("42", tester.values(pmid(1, 2)));
    assertEquals(instances, tester.fetch(pmid(1, 1)).sets().getFirst().status());
  }

  /**
   * Writes a file whose one metric, item 1, is singular, with its value beyond the largest page.
   */
  private Path writeSparse() {
    MmvWriter file = file();
    file.metric("m", 1, ValueType.I64).value(5);
    return MmvWriter.write(file.imageOfPages(), tester.directory(), "broken");
  }

  /** A directory that has just changed is read again, and its files' sizes are looked at. */
  private void askUntilTheDirectoryIsOld() throws IOException {
    FileTime changed = (FileTime) Files.getAttribute(tester.directory(), "unix:ctime");
    do {
      tester.values(pmid(1, 1));
    } while (changed.toInstant().plusMillis(200).isAfter(Instant.now()));
  }

  /**
   * The room in the reply is that for the values of the file that is cut short. The first reading
   * finds that another file describes the metric now, otherwise than the client knows it.
   */
  @ParameterizedTest
  @ValueSource(ints = {ValueType.U32, ValueType.FLOAT, ValueType.U64, ValueType.STRING})
  void theNextFileMayHaveMoreValuesThanTheOneThatIsCutShort(int type) throws IOException {
    int instances = 3000;
    MmvWriter sound = file();
    MmvWriter.Metric metric = sound.metric("m", 1, type).inDom(inDomOf(sound, instances));
    for (int i = 0; i < instances; i++) {
      if (type == ValueType.STRING) {
        metric.textAt(i, "text" + i);
      } else {
        metric.at(i, i);
      }
    }
    sound.metric("other", 2, ValueType.I64).value(42);
    sound.metric("text", 3, ValueType.STRING).text("a text");
    tester.write("sound", sound);
    int[] pmids = {pmid(1, 2), pmid(1, 3), pmid(1, 1), pmid(1, 3), pmid(1, 1), pmid(1, 2)};
    List<ValueSet> expected = new ArrayList<>(tester.fetch(pmids).sets());
    expected.set(2, new ValueSet(pmid(1, 1), PmError.PMID.code(), List.of()));
    List<ValueSet> found;
    do { // until no sweep finds the change before the fetch
      Files.deleteIfExists(tester.directory().resolve("broken"));
      Path broken = writeSparse();
      askUntilTheDirectoryIsOld();
      assertEquals("5", tester.values(pmid(1, 1)));
      MmvWriter.resize(broken, MmvWriter.LARGEST_PAGE);
      found = tester.fetch(pmids).sets();
      tester.names();
    } while (!tester.log().warnings().toString().contains("truncated while its values were read"));
    assertEquals(expected, found);
  }

  @Test
  void fetchesAndTheirValuesAreCounted() {
    tester.write("app", fileWithInstances(2));
    assertEquals("0", ofAgent("fetches"));
    tester.fetch(pmid(1, 1), pmid(1, 1), TestCatalog.FILES, pmid(9, 9));
    assertEquals("2", ofAgent("fetches"));
    assertEquals("7", ofAgent("values"), "1, 5 and 1");
    assertTrue(Long.parseLong(ofAgent("fetch_time")) > 0);
  }

  private String ofAgent(String metric) {
    return tester.values(tester.pmid("mmv.control.agent." + metric));
  }
}
