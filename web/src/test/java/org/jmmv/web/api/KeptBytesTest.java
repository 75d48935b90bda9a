package org.jmmv.web.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.FaultListener;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.User;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.Accounts;
import org.jmmv.testkit.HeapUse;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.history.History;
import org.jmmv.web.history.Order;
import org.jmmv.web.history.Top;
import org.jmmv.web.http.Body;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Query;
import org.jmmv.web.http.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What bodies say that they keep is what they take. */
class KeptBytesTest {
  private static final int FILES = 100;
  private static final int SERIES = 400;

  @TempDir Path root;
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
  private final Accounts accounts = new Accounts(Long.MAX_VALUE, loop);
  private Catalog catalog;

  @BeforeEach
  void load() throws Exception {
    MmvWriter file = new MmvWriter(2).cluster(11);
    MmvWriter.InDom inDom = file.inDom(1);
    MmvWriter.Metric texts = file.metric("texts", 1, ValueType.STRING).inDom(inDom);
    for (int i = 0; i < SERIES; i++) {
      inDom.instance(i, "i" + i);
      texts.textAt(i, "x".repeat(250));
      file.metric("m" + i, 2 + i, ValueType.U32).value(i);
    }
    file.write(root, "app");
    for (int i = 0; i < FILES; i++) {
      Files.writeString(
          root.resolve("text" + i), "a text that is longer than the header of a file");
    }
    catalog = new Catalog(new CatalogOptions(root).faults(FaultListener.NONE));
    catalog.load();
  }

  @AfterEach
  void close() {
    catalog.close();
    loop.shutdownNow();
  }

  private Body begin(Body body) throws Failure {
    ByteBuf out = Unpooled.buffer();
    for (int steps = 0; !out.isReadable() && steps < 3; steps++) {
      body.write(catalog, out, Turn.OVER);
    }
    catalog.begin(new Scope.NoFiles()); // ends the view of the last step
    return body;
  }

  private Subscription subscription() throws Failure {
    List<String> series = IntStream.range(0, SERIES).mapToObj(i -> "70.11.1:" + i).toList();
    return Subscription.of(request("series", series));
  }

  private Words words(String... words) throws Failure {
    return Words.of(request("word", List.of(words)));
  }

  private static Request request(String parameter, List<String> values) {
    return new Request(
        "",
        new Query(Map.of(parameter, values)),
        EmptyHttpHeaders.INSTANCE,
        User.of(1),
        true,
        () -> {});
  }

  private void assertCounted(String name, HeapUse.Maker<Body> maker) throws Exception {
    HeapUse.assertCounted(name, 200, number -> begin(maker.make(number)), Body::bytes);
  }

  @Test
  void bodiesCountWhatTheyKeep() throws Exception {
    History history = new History(catalog, () -> 16 << 20, accounts);
    assertCounted("about", _ -> new AboutBody("1", false, false, history));
    while (history.read(Turn.ENDLESS)) {} // one round
    assertCounted(
        "history", _ -> new HistoryBody(history, subscription(), Double.NEGATIVE_INFINITY, 0));
    assertCounted(
        "top", _ -> new TopBody(new Top(history, Order.VALUE, 200, List.of()), words("m")));
    HeapUse.assertCounted(
        "top, found",
        200,
        _ -> {
          TopBody body = new TopBody(new Top(history, Order.VALUE, 200, List.of()), words("m"));
          ByteBuf out = Unpooled.buffer();
          while (!out.isReadable()) { // then it writes what it has found
            body.write(catalog, out, Turn.OVER);
          }
          return body;
        },
        Body::bytes);
    assertCounted("files", _ -> new FilesBody(false, 0, 1000));
    int texts = Pmid.build(70, 11, 1);
    assertCounted("instances", _ -> new InstancesBody(texts, words(), 0, 1000));
    assertCounted("instances, found", _ -> new InstancesBody(texts, words("i1"), 0, 1000));
    assertCounted("search", _ -> new SearchBody(words("i1"), "", 1000));
    assertCounted("metrics", _ -> new MetricsBody("m", "", 1000));
    assertCounted("stream", _ -> new StreamBody(subscription(), 1000, loop, () -> {}));
    HeapUse.assertCounted(
        "values",
        200,
        _ -> {
          ValuesBody body = new ValuesBody(subscription(), "");
          body.write(catalog, Unpooled.buffer(), Turn.OVER); // the step that reads
          return body;
        },
        Body::bytes);
  }
}
