package org.jmmv.replies;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.jmmv.core.TestCatalog.DEBUG;
import static org.jmmv.core.TestCatalog.FILES;
import static org.jmmv.core.TestCatalog.METRICS;
import static org.jmmv.core.TestCatalog.RELOAD;
import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreTest {
  private static final int LOADS = pmid(0, 111); // of each file, how often it was read
  private static final Value ONE = new Value.Word(1);

  @AutoClose private final ServiceTester tester = new ServiceTester();

  @BeforeEach
  void start() {
    write(7);
    tester.write("text", "no MMV file".repeat(10).getBytes(US_ASCII));
    assertEquals("7", tester.values(pmid(1, 1)));
  }

  private void write(int value) {
    MmvWriter file = new MmvWriter(2).cluster(1);
    file.metric("m", 1, ValueType.I32).value(value);
    tester.write("app", file);
  }

  private static Result store(ValueSet... sets) {
    return new Result(0, 0x12345678, -1, List.of(sets));
  }

  private static ValueSet set(int pmid, Value... values) {
    return ValueSet.of(
        pmid, List.of(values).stream().map(value -> new InstanceValue(-1, value)).toList());
  }

  private void assertDone(Result store) {
    assertEquals(new PduError(0, 0), tester.ask(store));
  }

  private int flags() {
    return tester.fetch(RELOAD).seconds();
  }

  @Test
  void aReloadIsOverBeforeTheReply() {
    write(8);
    assertDone(store(set(RELOAD, ONE)));

    assertEquals(0x10, flags());
    assertEquals("8", tester.values(pmid(1, 1)));
    assertEquals("0", tester.values(RELOAD));
  }

  @Test
  void whatIsNo32BitNumberDoesNotReload() {
    tester.assertError(PmError.CONV, store(set(RELOAD, Value.ofText("1"))));
    tester.assertError(
        PmError.CONV, store(set(RELOAD, new Value.Block(ValueType.I64, "\0\0\0\0\0\0\0\1"))));
    tester.assertError(
        PmError.CONV, store(set(RELOAD, new Value.Block(ValueType.DOUBLE, "\77\360\0\0\0\0\0\0"))));

    assertEquals(0, flags());
  }

  @Test
  void debugOptionsShowWhatHappens() {
    int before = tester.log().messages().size();
    tester.ask(new DescReq(0, pmid(1, 1)));
    assertEquals(before, tester.log().messages().size());

    assertDone(store(set(DEBUG, Value.ofText("libpmda,appl0"))));
    tester.ask(new DescReq(0, pmid(1, 1)));
    assertTrue(tester.log().messages().get(before).startsWith("request DescReq"));
  }

  @Test
  void everythingElseIsNotForStores() {
    for (int pmid :
        new int[] {
          FILES, METRICS, pmid(0, 4), pmid(1, 1), pmid(9, 9), 1 // another domain's
        }) {
      tester.assertError(PmError.PERMISSION, store(set(pmid, new Value.Word(1))));
    }
    assertEquals("7", tester.values(pmid(1, 1)));
    assertEquals(0, flags());
  }

  @Test
  void aStoreNeedsExactlyOneValue() {
    tester.assertError(PmError.BADSTORE, store(set(RELOAD, new Value.Word(1), new Value.Word(1))));
    tester.assertError(PmError.BADSTORE, store(ValueSet.none(RELOAD, 0)));
    tester.assertError(PmError.BADSTORE, store(ValueSet.none(DEBUG, -1)));
    tester.assertError(PmError.PERMISSION, store(ValueSet.none(pmid(1, 1), 0)));

    assertEquals(0, flags());
  }

  @Test
  void severalMetricsCanBeStoredUntilOneFails() {
    assertDone(store(set(DEBUG, Value.ofText("appl0")), set(RELOAD, new Value.Word(1))));
    assertEquals("appl0", tester.values(DEBUG));
    assertEquals("2", loads());

    tester.assertError(
        PmError.PERMISSION,
        store(set(pmid(1, 1), new Value.Word(1)), set(DEBUG, Value.ofText("pdu"))));
    assertEquals("appl0", tester.values(DEBUG));
  }

  @Test
  void severalStoresOfAReloadAreOneReload() {
    assertEquals("1", loads());
    ValueSet[] reloads = new ValueSet[16_000];
    Arrays.fill(reloads, set(RELOAD, new Value.Word(1)));

    assertDone(store(reloads));
    assertEquals("2", loads());
    assertDone(store(reloads));
    assertEquals("3", loads());
  }

  /** Returns how often the text was read, which reloads do though it has not changed. */
  private String loads() {
    String all = tester.values(LOADS);
    return all.substring(all.lastIndexOf('=') + 1);
  }

  @Test
  void aStoreOfNothingIsDone() {
    assertDone(store());
  }
}
