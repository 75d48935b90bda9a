package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.Access;
import org.jmmv.serving.Server;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of faces: {@link JsonFace} is asked, {@link PushFace} sends of its own accord. */
@Tag("quick")
final class FaceTest {
  private static final int INSTANCES = 20_000;
  private static final int MAX_LINES = 86;

  @TempDir private Path directory;

  /** What a face needs is public, and so little that a face is short. */
  @ParameterizedTest
  @ValueSource(strings = {"JsonFace", "PushFace"})
  void aFaceIsShort(String name) {
    Path source = Path.of("src/test/java/org/jmmv/qa", name + ".java");
    assertTrue(TemporaryPcp.text(source).lines().count() <= MAX_LINES);
  }

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

  /** A metric that takes many pieces. */
  @Test
  void eachValueIsSentOnceInARound() throws IOException {
    MmvWriter writer = new MmvWriter(2).cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1);
    MmvWriter.Metric large = writer.metric("large", 1, ValueType.U32).inDom(inDom);
    IntStream.range(0, INSTANCES)
        .forEach(i -> {
          inDom.instance(i, "instance " + i);
          large.at(i, i + 1);
        });
    writer.metric("small", 2, ValueType.I64).value(-7);
    writer.write(directory, "app");
    Catalog catalog = new Catalog(new CatalogOptions(directory).status(false));
    try (Server server = new Server(catalog, new Access(1, List.of()));
        ServerSocket graphite = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(graphite.getInetAddress(), graphite.getLocalPort());
      server.push(address, Duration.ofMillis(50), to -> new PushFace(catalog, to));
      try (Socket client = graphite.accept();
          BufferedReader in =
              new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII))) {
        for (int round = 0; round < 3; round++) {
          assertRound(in);
        }
      }
    }
  }

  private static void assertRound(BufferedReader in) throws IOException {
    TreeMap<String, String> values = new TreeMap<>();
    String[] line;
    do {
      line = in.readLine().split(" ");
      assertEquals(3, line.length);
      assertEquals(null, values.put(line[0], line[1]), line[0]);
    } while (!line[0].equals("mmv.control.reload")); // the last number in the order of names
    assertEquals("-7", values.get("mmv.app.small"));
    assertEquals(INSTANCES, values.tailMap("mmv.app.large.").headMap("mmv.app.large/").size());
    assertEquals("20000", values.get("mmv.app.large.instance_19999"));
  }
}
