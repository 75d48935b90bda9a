package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DebugOptionsTest {

  @Test
  void allOptionsAreOffAtFirst() {
    DebugOptions options = new DebugOptions();
    assertEquals("", options.names());
    assertFalse(options.pdu() || options.libpmda() || options.appl0());
  }

  @ParameterizedTest
  @CsvSource({
    "pdu,true,false,false",
    "libpmda,false,true,false",
    "appl0,false,false,true",
    "all,true,true,true",
    "getopt,false,false,false"
  })
  void eachOptionIsIndependent(String spec, boolean pdu, boolean libpmda, boolean appl0) {
    DebugOptions options = DebugOptions.parse(spec);
    assertEquals(pdu, options.pdu());
    assertEquals(libpmda, options.libpmda());
    assertEquals(appl0, options.appl0());
    assertEquals(spec, options.names());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "appl0,pdu|pdu,appl0",
        "PDU,Appl0|pdu,appl0",
        "pdu,|pdu",
        "all,pdu|all",
        "tls,qed,qa|qa,tls,qed",
      })
  void namesComeInTheOrderOfPmdbg(String spec, String names) {
    assertEquals(names, DebugOptions.parse(spec).names());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|pdu",
        "2049|pdu,appl0",
        "32768|libpmda",
        "134217728|http",
        "1073741824|desperate",
        "1,appl9|pdu,appl9",
      })
  void numbersOfPcp6AreAccepted(String spec, String names) {
    assertEquals(names, DebugOptions.parse(spec).names());
  }

  @Test
  void emptyAndZeroChangeNothing() {
    DebugOptions options = DebugOptions.parse("pdu");
    options.set("");
    options.set("0");
    assertEquals("pdu", options.names());
  }

  @Test
  void minusOneSwitchesOnEveryOptionWithABit() {
    DebugOptions options = DebugOptions.parse("-1");
    assertTrue(options.names().startsWith("pdu,fetch,"), options.names());
    assertTrue(options.names().endsWith(",attr,http,desperate"), options.names());
  }

  @Test
  void setAddsAndClearRemoves() {
    DebugOptions options = DebugOptions.parse("pdu");
    options.set("appl0");
    assertEquals("pdu,appl0", options.names());
    options.clear();
    assertEquals("", options.names());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-appl0", "!appl0", "appl", " appl0", "1x", "0x1", ",pdu", "pdu,,appl0", ","})
  void anUnknownNameIsAnErrorAndChangesNothing(String spec) {
    DebugOptions options = DebugOptions.parse("fetch");
    assertThrows(IllegalArgumentException.class, () -> options.set("pdu," + spec));
    assertEquals("fetch", options.names());
  }

  @Test
  void theErrorNamesTheUnknownOption() {
    assertEquals(
        "unknown debug option \"appl10\", pmdbg(1) lists the known ones",
        assertThrows(IllegalArgumentException.class, () -> DebugOptions.parse("pdu,appl10,appl0"))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"''|0", "appl0,pdu|2049", "desperate|1073741824", "libpmda,tls|32768", "getopt|0"})
  void aNumberStandsForTheOptionsThatPcp6Has(String spec, int number) {
    assertEquals(number, DebugOptions.parse(spec).number());
  }
}
