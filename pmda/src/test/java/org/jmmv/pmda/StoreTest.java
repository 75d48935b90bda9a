package org.jmmv.pmda;

import static org.jmmv.pmda.AgentTester.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreTest {
  private static final int RELOAD = pmid(0, AgentTester.RELOAD);
  static final Value ONE = new Value.Word(1);
  private static final int DEBUG = pmid(0, AgentTester.DEBUG);

  @TempDir Path root;
  private AgentTester agent;

  @BeforeEach
  void start() {
    agent = new AgentTester(root);
    MmvWriter file = new MmvWriter(2).cluster(1);
    file.metric("m", 1, ValueType.I32).value(7);
    agent.write("app", file);
    assertEquals("7", agent.values(pmid(1, 1)));
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  static Result store(ValueSet... sets) {
    return new Result(0, 0x12345678, -1, List.of(sets));
  }

  static ValueSet set(int pmid, Value... values) {
    return ValueSet.of(
        pmid, List.of(values).stream().map(value -> new InstanceValue(-1, value)).toList());
  }

  private void assertDone(Result store) {
    assertEquals(new PduError(0, 0), agent.ask(store));
  }

  private int flags() {
    return agent.fetch(RELOAD).seconds();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, -1, 1 << 31})
  void anyNumberButZeroReloadsTheFiles(int number) {
    assertDone(store(set(RELOAD, new Value.Word(number))));

    assertEquals(0x10, flags());
    assertEquals("7", agent.values(pmid(1, 1)));
    assertEquals("0", agent.values(RELOAD));
  }

  @Test
  void zeroDoesNotReload() {
    assertDone(store(set(RELOAD, new Value.Word(0))));

    assertEquals(0, flags());
  }

  @Test
  void whatIsNo32BitNumberDoesNotReload() {
    agent.assertError(PmError.CONV, store(set(RELOAD, Value.ofText("1"))));
    agent.assertError(PmError.CONV, store(set(RELOAD, Value.ofInteger(ValueType.I64, 1))));
    agent.assertError(PmError.CONV, store(set(RELOAD, Value.ofDouble(1))));

    assertEquals(0, flags());
  }

  @Test
  void debugOptionsAreThoseStored() {
    assertDone(store(set(DEBUG, Value.ofText("appl0,pdu"))));
    assertEquals("pdu,appl0", agent.values(DEBUG));

    assertDone(store(set(DEBUG, Value.ofText("libpmda"))));
    assertEquals("libpmda", agent.values(DEBUG));

    assertDone(store(set(DEBUG, Value.ofText(""))));
    assertEquals("", agent.values(DEBUG));
  }

  @Test
  void debugOptionsAreANumberBeforePcp7() {
    agent.close();
    agent = new AgentTester(root, 6);
    assertEquals(ValueType.I32, agent.ask(Desc.class, new DescReq(0, DEBUG)).valueType());
    assertEquals("0", agent.values(DEBUG));

    assertDone(store(set(DEBUG, new Value.Word(2049))));
    assertEquals("2049", agent.values(DEBUG));

    assertDone(store(set(DEBUG, Value.ofText("libpmda,tls"))));
    assertEquals("32768", agent.values(DEBUG));
  }

  @Test
  void debugOptionsShowWhatHappens() {
    agent.ask(new DescReq(0, pmid(1, 1)));
    assertEquals(1, agent.log().messages().size(), "the line of the start");

    assertDone(store(set(DEBUG, Value.ofText("libpmda,appl0"))));
    agent.ask(new DescReq(0, pmid(1, 1)));
    assertTrue(agent.log().messages().get(1).startsWith("request DescReq"));
    assertDone(store(set(RELOAD, new Value.Word(1))));

    assertTrue(agent.log().messages().contains("app: withdrawn"));
    assertTrue(agent.log().messages().contains("app: loaded, 1 metrics"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "pdu,nonsense", "pdu appl0", ",pdu", "pdu,,libpmda"})
  void aRefusedStoreOfDebugOptionsChangesNothing(String options) {
    assertDone(store(set(DEBUG, Value.ofText("appl0"))));

    agent.assertError(PmError.CONV, store(set(DEBUG, Value.ofText(options))));

    assertEquals("appl0", agent.values(DEBUG));
  }

  @Test
  void everythingElseIsNotForStores() {
    for (int pmid :
        new int[] {
          pmid(0, AgentTester.FILES),
          pmid(0, AgentTester.METRICS),
          pmid(0, 4),
          pmid(1, 1),
          pmid(9, 9),
          1 // another domain's
        }) {
      agent.assertError(PmError.PERMISSION, store(set(pmid, new Value.Word(1))));
    }
    assertEquals("7", agent.values(pmid(1, 1)));
    assertEquals(0, flags());
  }

  @Test
  void aStoreNeedsExactlyOneValue() {
    agent.assertError(PmError.BADSTORE, store(set(RELOAD, new Value.Word(1), new Value.Word(1))));
    agent.assertError(PmError.BADSTORE, store(ValueSet.none(RELOAD, 0)));
    agent.assertError(PmError.BADSTORE, store(ValueSet.none(DEBUG, -1)));
    agent.assertError(PmError.PERMISSION, store(ValueSet.none(pmid(1, 1), 0)));

    assertEquals(0, flags());
  }

  @Test
  void severalMetricsCanBeStoredUntilOneFails() {
    assertDone(store(set(DEBUG, Value.ofText("appl0")), set(RELOAD, new Value.Word(1))));
    assertEquals("appl0", agent.values(DEBUG));
    assertFalse(agent.log().messages().isEmpty());

    agent.assertError(
        PmError.PERMISSION,
        store(set(pmid(1, 1), new Value.Word(1)), set(DEBUG, Value.ofText("pdu"))));
    assertEquals("appl0", agent.values(DEBUG));
  }

  @Test
  void severalStoresOfAReloadAreOneReload() {
    assertDone(store(set(DEBUG, Value.ofText("appl0"))));
    ValueSet[] reloads = new ValueSet[16_000];
    Arrays.fill(reloads, set(RELOAD, new Value.Word(1)));

    assertDone(store(reloads));
    assertEquals(1, reloads());
    assertDone(store(reloads));
    assertEquals(2, reloads());
  }

  @Test
  void manyStoresOfAReloadThatArriveTogetherAreOneReload() {
    assertDone(store(set(DEBUG, Value.ofText("appl0"))));
    int stores = 1000;
    Pdu[] requests = new Pdu[2 * stores];
    for (int i = 0; i < stores; i++) {
      requests[2 * i] = store(set(RELOAD, new Value.Word(1)));
      requests[2 * i + 1] = new DescReq(0, pmid(1, 1));
    }

    agent.send(requests);

    for (int i = 0; i < stores; i++) {
      assertEquals(new PduError(0, 0), agent.read());
      assertInstanceOf(Desc.class, agent.read());
    }
    assertEquals(1, reloads());
  }

  private long reloads() {
    return agent.log().messages().stream().filter("app: withdrawn"::equals).count();
  }

  @Test
  void aStoreOfNothingIsDone() {
    assertDone(store());
  }
}
