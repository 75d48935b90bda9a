package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.User;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.http.Body;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Query;
import org.jmmv.web.http.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents that are written in several pieces. */
class DocumentTest {
  private static final int MANY = 3000;
  private static final int BEGINNING = 500; // bytes

  @TempDir Path root;
  private static final User USER = User.of(1);

  private final Context context = new Context(1, USER, 1L << 40);
  private Catalog catalog;

  @BeforeEach
  void load() throws IOException {
    MmvWriter file = new MmvWriter(2).cluster(5);
    MmvWriter.InDom many = file.inDom(1);
    MmvWriter.Metric values = file.metric("values", 1, ValueType.U32).inDom(many);
    for (int i = 0; i < MANY; i++) {
      many.instance(i, "instance " + i);
      values.at(i, i);
    }
    for (int i = 2; i < 1000; i++) {
      file.metric("metric" + i, i, ValueType.U32).value(i);
    }
    file.write(root, "app");
    catalog = new Catalog(new CatalogOptions(root));
    catalog.load();
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private Call call(String parameter, String value) {
    Request request =
        new Request(
            "",
            new Query(Map.of(parameter, List.of(value))),
            EmptyHttpHeaders.INSTANCE,
            USER,
            true,
            () -> {});
    return new Call(LabelParser.parse("{\"hostname\":\"h\"}", LabelType.CONTEXT), context, request);
  }

  /** Writes a document whose file is removed after its beginning. */
  private String write(Body document) throws IOException, Failure {
    ByteBuf out = Unpooled.buffer();
    Progress progress = Progress.MORE;
    while (out.readableBytes() < BEGINNING) {
      progress = document.write(catalog, out, Turn.ENDLESS);
    }
    assertEquals(Progress.MORE, progress);
    Files.delete(root.resolve("app"));
    while (!catalog.begin(new Scope.AllFiles()).names().leaves("mmv.app").isEmpty()) {
      Thread.onSpinWait();
    }
    while (progress == Progress.MORE) {
      ByteBuf piece = Unpooled.buffer();
      progress = document.write(catalog, piece, Turn.ENDLESS);
      assertTrue(piece.readableBytes() < 2 * Body.PIECE);
      out.writeBytes(piece);
    }
    return out.toString(UTF_8);
  }

  /** Returns how many objects a document has, which must be valid. */
  private static int objects(String document) throws IOException {
    int objects = 0;
    try (JsonParser parser = new JsonFactory().createParser(document)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        objects += token == JsonToken.START_OBJECT ? 1 : 0;
      }
    }
    return objects;
  }

  @Test
  void anInstanceThatGoesIsLeftOut() throws IOException, Failure {
    int objects = objects(write(new InDomDocument(call("indom", "70.10241"))));
    assertTrue(objects > 2 && objects < 2 * MANY, objects + " objects");
  }

  @Test
  void metricsThatGoAreLeftOut() throws IOException, Failure {
    int objects = objects(write(new MetricDocument(call("prefix", "mmv.app"))));
    assertTrue(objects > 2 && objects < 1000, objects + " objects");
  }

  @Test
  void valuesAreThoseOfTheBeginning() throws IOException, Failure {
    String document =
        write(
            new FetchDocument(
                call("names", "mmv.app.values" + ",mmv.app.values".repeat(9)),
                new Contexts(null, null, System::nanoTime)));
    assertEquals(1 + 10 + 10 * MANY, objects(document));
  }

  /** A value may be a sentence about what is wrong with a file. */
  @Test
  void aMetricOfThisProgramIsReadInTurns() throws IOException, Failure {
    for (int i = 0; i < 2_500; i++) {
      Files.writeString(root.resolve("text" + i), "no MMV file".repeat(10));
    }
    catalog.begin(new Scope.AllFiles());
    while (catalog.hasBacklog()) {
      catalog.idle(Turn.ENDLESS);
    }
    String names = "mmv.control.file.reason,mmv.app.metric2,mmv.control.file.reason";
    FetchDocument document =
        new FetchDocument(call("names", names), new Contexts(null, null, System::nanoTime));
    ByteBuf out = Unpooled.buffer();
    int turns = 0;
    while (out.readableBytes() == 0) {
      assertEquals(Progress.MORE, document.write(catalog, out, Turn.OVER));
      turns++;
    }
    assertTrue(turns > 10, turns + " turns for the values, three for the names");
    while (document.write(catalog, out, Turn.OVER) == Progress.MORE) {}
    assertEquals(1 + 3 + 1 + 2 * 2_501, objects(out.toString(UTF_8)));
  }
}
