package org.jmmv.core;

import static org.jmmv.core.TestCatalog.DEBUG;
import static org.jmmv.core.TestCatalog.FILES;
import static org.jmmv.core.TestCatalog.METRICS;
import static org.jmmv.core.TestCatalog.RELOAD;
import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be stored: a reload, and debug options. */
class StoreTest {
  @AutoClose private final TestCatalog catalog = new TestCatalog();

  @BeforeEach
  void start() {
    write(1);
    assertEquals("7", catalog.values(pmid(1, 1)));
  }

  private void write(long generation) {
    MmvWriter file = new MmvWriter(2).cluster(1).generation(generation);
    file.metric("m", 1, ValueType.I32).value(7);
    catalog.write("app", file);
  }

  private PmError store(int pmid, String text) {
    return catalog.metric(pmid).store(text, PmcdClients.NONE);
  }

  private PmError store(int pmid, int number) {
    return catalog.metric(pmid).store(number);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, -1, 1 << 31})
  void anyNumberButZeroReloadsTheFiles(int number) {
    assertNull(store(RELOAD, number));
    assertNotNull(catalog.catalog().dueReload());
    assertEquals("0", catalog.values(RELOAD));
  }

  @Test
  void nothingElseReloads() {
    assertNull(store(RELOAD, 0));
    assertEquals(PmError.CONV, store(RELOAD, "1"));
    assertNull(catalog.catalog().dueReload());
  }

  @Test
  void debugOptionsAreThoseStored() {
    for (String[] stored :
        List.of(
            new String[] {"appl0,pdu", "pdu,appl0"},
            new String[] {"libpmda", "libpmda"},
            new String[] {"", ""})) {
      assertNull(store(DEBUG, stored[0]));
      assertEquals(stored[1], catalog.values(DEBUG));
    }
  }

  @Test
  void debugOptionsAreANumberBeforePcp7() {
    try (TestCatalog old = new TestCatalog(600)) {
      assertEquals(ValueType.I32, old.metric(DEBUG).type());
      assertEquals("0", old.values(DEBUG));
      assertNull(old.metric(DEBUG).store(2049));
      assertEquals("2049", old.values(DEBUG));
      assertNull(old.metric(DEBUG).store("libpmda,tls", PmcdClients.NONE));
      assertEquals("32768", old.values(DEBUG));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "pdu,nonsense", "pdu appl0", ",pdu", "pdu,,libpmda"})
  void refusedDebugOptionsChangeNothing(String options) {
    assertNull(store(DEBUG, "appl0"));
    assertEquals(PmError.CONV, store(DEBUG, options));
    assertEquals("appl0", catalog.values(DEBUG));
  }

  @Test
  void withADebugOptionTheLogTellsOfFiles() {
    store(DEBUG, "appl0");
    write(2);
    catalog.reload();
    List<String> messages = catalog.log().messages();
    assertTrue(messages.contains("app: withdrawn"));
    assertTrue(messages.contains("app: loaded, 1 metrics"));
  }

  @Test
  void everythingElseIsNotForStores() {
    assertEquals(PmError.PERMISSION, store(FILES, 1));
    assertEquals(PmError.PERMISSION, store(METRICS, "1"));
    assertFalse(catalog.metric(pmid(1, 1)).isStorable());
  }
}
