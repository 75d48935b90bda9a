package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link JsonFace} has at most 60 lines: core is all that a face needs. */
final class JsonFaceTest {
  private static final Path SOURCE = Path.of("src/test/java/org/jmmv/qa/JsonFace.java");

  @TempDir private Path directory;

  @Test
  void valuesHaveTheLabelsInForce() {
    MmvWriter writer = new MmvWriter(3).cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1).instance(0, "zero").instance(1, "one");
    writer.metric("count", 1, ValueType.U32).inDom(inDom).at(0, 10).at(1, 11);
    writer.metric("state", 2, ValueType.STRING).text("up");
    writer.label(LabelType.CLUSTER, 0, 0, "{\"a\":\"cluster\",\"b\":\"cluster\"}");
    writer.label(LabelType.INDOM, 1, 0, "{\"a\":\"indom\",\"c\":3}");
    writer.label(LabelType.ITEM, 1, 0, "{\"b\":\"item\"}");
    writer.label(LabelType.INSTANCES, 1, 1, "{\"b\":\"instance\"}");
    writer.write(directory, "app");
    String json = JsonFace.print(directory);
    assertHas(
        json,
        """
        "mmv.app.count":[\
        {"instance":0,"value":"10",\
        "labels":{"a":"cluster","agent":"mmv","b":"item","c":3}},\
        {"instance":1,"value":"11",\
        "labels":{"a":"cluster","agent":"mmv","b":"instance","c":3}}]\
        """);
    assertHas(
        json,
        """
        "mmv.app.state":[{"instance":-1,"value":"up",\
        "labels":{"a":"cluster","agent":"mmv","b":"cluster"}}]\
        """);
  }

  private static void assertHas(String json, String part) {
    assertTrue(json.contains(part), json);
  }

  @Test
  void aFaceIsShort() {
    assertTrue(TemporaryPcp.text(SOURCE).lines().count() <= 60);
  }
}
