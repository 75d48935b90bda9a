package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.fault.Fault;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is served as it is in the file, but is probably not what its author wants. */
class HintTest {
  private static final String LONG = "n".repeat(63);

  private static List<Fault> faults(MmvWriter writer) throws MmvFormatException {
    return Images.read(writer.image()).faults();
  }

  private static void assertHint(String text, MmvWriter writer) throws MmvFormatException {
    Fault hint = faults(writer).getFirst();
    assertEquals(text, hint.toString());
    assertTrue(hint.isHint());
    assertEquals("nothing", hint.loss());
    assertEquals(1, faults(writer).size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void instancesOfOneName(int version) throws Exception {
    MmvWriter writer = new MmvWriter(version);
    MmvWriter.InDom inDom = writer.inDom(3).instance(0, "a").instance(1, "b").instance(7, "a");
    writer.inDom(4).instance(0, "a");
    writer.metric("m", 1, ValueType.U32).inDom(inDom).at(0, 1).at(1, 2).at(7, 3);
    assertHint(
        "app: instance[2] at %d: the name \"a\" is also that of another instance of the instance domain"
            .formatted(writer.instanceAt(2)),
        writer);
    assertEquals("3{0=a,1=b,7=a} 4{0=a}", Images.inDoms(Images.read(writer.image())));
  }

  @Test
  void namesOfVersion1ThatAreTheSameAfter63Bytes() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.metric("short", 1, ValueType.U32).value(1);
    writer.metric(LONG, 2, ValueType.U32).value(2);
    writer.metric(LONG, 3, ValueType.U32).value(3);
    assertHint(
        "app: metric[2] at %d: the name %s, of which version 1 keeps 63 bytes, is also that of metric[1]"
            .formatted(writer.metricAt(2), LONG),
        writer);
  }

  @Test
  void longNamesOfVersion1ThatDiffer() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.metric(LONG, 2, ValueType.U32).value(2);
    writer.metric("m" + LONG.substring(1), 3, ValueType.U32).value(3);
    assertEquals(List.of(), faults(writer));
  }

  @Test
  void unitsThatNoVersionOfPcpKnows() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("kilowatthours", 1, ValueType.U32).units(0x01005021).value(1);
    writer.metric("m", 2, ValueType.U32).units(0x00100049).value(1);
    assertHint(
        "app: metric[1] at %d: no version of PCP knows the units extra-9 count (00100049)"
            .formatted(writer.metricAt(1)),
        writer);
  }
}
