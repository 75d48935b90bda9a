package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InstanceTableTest {
  private static InstanceTable table(String... names) {
    return InstanceTable.of(
        IntStream.range(0, names.length).mapToObj(i -> new Instance(10 * i, names[i])).toList());
  }

  @Test
  void theFirstInstanceOfANumberCounts() {
    InstanceTable.Builder builder = new InstanceTable.Builder();
    assertTrue(builder.add(7, "first"));
    assertTrue(builder.add(-3, "other"));
    assertFalse(builder.add(7, "second"));
    InstanceTable table = builder.build();
    assertEquals(List.of(new Instance(7, "first"), new Instance(-3, "other")), table.list());
    assertEquals(IntBuffer.wrap(new int[] {7, -3}), table.numbers());
    assertEquals(1, table.indexOf(-3));
    assertEquals(-1, table.indexOf(8));
  }

  @Test
  void anInstanceIsFoundByTheNameBeforeItsFirstSpace() {
    InstanceTable table = table("sda1", "sda", "sda extra words", "sdb x", "sdb");
    assertEquals(1, table.indexOf("sda"));
    assertEquals(2, table.indexOf("sda extra words"));
    assertEquals(3, table.indexOf("sdb"));
    assertEquals(-1, table.indexOf("sda extra"));
    assertEquals(-1, table.indexOf("sd"));
    assertEquals(-1, table.indexOf("sdb "));
  }

  @Test
  void aListStaysAsItIsAndTablesAreNotEqual() {
    InstanceTable table = table("a", "b");
    assertEquals(table.list(), table("a", "b").list());
    assertFalse(table.identity().equals(table("a", "b").identity()));
  }
}
