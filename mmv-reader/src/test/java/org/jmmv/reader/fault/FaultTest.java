package org.jmmv.reader.fault;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.Stream;
import org.jmmv.reader.fault.FaultKind.Severity;
import org.jmmv.reader.fault.Place.Section;
import org.junit.jupiter.api.Test;

class FaultTest {
  private static final FileName APP = FileName.of("app");
  private static final Place METRIC = new Place(APP, Section.METRICS, 3, 416);

  @Test
  void faultOfARecordSaysWhere() {
    assertEquals(
        "app: metric[3] at 416: the name is empty, left out",
        Fault.of(FaultKind.NAME_EMPTY, METRIC).toString());
  }

  @Test
  void faultOfAFileSaysNoOffset() {
    assertEquals(
        "app: truncated while it was read. No metrics of it are served.",
        Fault.of(FaultKind.TRUNCATED, Place.of(APP)).toString());
  }

  @Test
  void furtherFaultsOfAKindAreCounted() {
    assertEquals(
        "app: metric[3] at 416: the name is empty, left out (and 99999 more like it)",
        Fault.of(FaultKind.NAME_EMPTY, METRIC).withMore(99_999).toString());
  }

  @Test
  void bytesOfNamesAreEscaped() {
    Fault fault =
        Fault.of(
            FaultKind.NAME_TAKEN,
            Place.of(FileName.of("a\nb\\\u00ff~ ")),
            "%s\u001b",
            "file " + APP);
    assertEquals(
        "a\\x0ab\\x5c\\xff~ : the name %s\\x1b is taken by file app, left out", fault.toString());
  }

  @Test
  void theTextSaysNothingAboutWhetherAFaultRepeatsAnother() {
    Fault fault = Fault.of(FaultKind.ITEM, METRIC, "1024", "m", 1023);
    assertTrue(fault.repeats(Fault.of(FaultKind.ITEM, METRIC, "1025", "n", 1023)));
    assertFalse(fault.repeats(fault.withMore(1)));
    assertFalse(fault.repeats(Fault.of(FaultKind.ITEM_TAKEN, METRIC, 1, "m", 0)));
    Place other = new Place(APP, Section.METRICS, 4, 464);
    assertFalse(fault.repeats(Fault.of(FaultKind.ITEM, other, "1024", "m", 1023)));
  }

  @Test
  void theLossOfARecordNamesItsKind() {
    Place inDom = new Place(APP, Section.INDOMS, 0, 88);
    assertEquals("the instance domain", Fault.of(FaultKind.INSTANCES_OVERLAP, inDom).loss());
    assertEquals("the metric", Fault.of(FaultKind.NAME_EMPTY, METRIC).loss());
    assertEquals("the help text", Fault.of(FaultKind.HELP_BEYOND_FILE, METRIC, "1", 0).loss());
  }

  @Test
  void codesAreWordsForPrograms() {
    Set<String> codes = Stream.of(FaultKind.values()).map(FaultKind::code).collect(toSet());
    assertEquals(FaultKind.values().length, codes.size());
    codes.forEach(code -> assertTrue(code.matches("[a-z]+(-[a-z]+)*"), code));
    assertEquals("section-beyond-file", FaultKind.SECTION_BEYOND_FILE.code());
  }

  @Test
  void theSeverityIsThatOfTheLoss() {
    assertEquals(Severity.ERROR, FaultKind.NOT_MMV.severity());
    assertEquals(Severity.ERROR, FaultKind.DIRECTORY_DENIED.severity());
    assertEquals(Severity.WARNING, FaultKind.ITEM.severity());
    assertEquals(Severity.INFO, FaultKind.HIDDEN.severity());
    assertEquals(Severity.HINT, FaultKind.NO_HELP.severity());
  }
}
