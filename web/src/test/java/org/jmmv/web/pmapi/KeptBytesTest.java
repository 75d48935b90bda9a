package org.jmmv.web.pmapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.derived.DerivedMetric;
import org.jmmv.core.derived.Descriptor;
import org.jmmv.core.derived.Evaluation;
import org.jmmv.core.derived.ExpressionException;
import org.jmmv.core.derived.Operand;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.User;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.Accounts;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.testkit.HeapUse;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Query;
import org.jmmv.web.http.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What documents and contexts say that they keep is what they take. */
class KeptBytesTest {
  private static final Labels HOST = LabelParser.parse("{\"hostname\":\"h\"}", LabelType.CONTEXT);
  private static final int INSTANCES = 20_000;
  private static final int SHARING = 200; // files with the same PMID
  private static final int LINE = 7_000; // bytes of a parameter in the longest request line

  private static final Descriptor NUMBERS =
      new Descriptor(ValueType.U32, InDom.build(70, 10241), Semantics.INSTANT, Units.of(0));

  @TempDir Path root;
  private Catalog catalog;

  @BeforeEach
  void load() {
    writeInstances();
    for (int i = 0; i < SHARING; i++) {
      MmvWriter shared = new MmvWriter(3).cluster(6);
      shared.metric("a".repeat(150) + i, 1, ValueType.U32).value(1);
      shared.write(root, "shared" + i);
    }
    catalog = new Catalog(new CatalogOptions(root));
    catalog.load();
  }

  private void writeInstances() {
    MmvWriter file = new MmvWriter(3).cluster(5);
    MmvWriter.InDom many = file.inDom(1);
    MmvWriter.Metric numbers = file.metric("numbers", 1, ValueType.U32).inDom(many);
    MmvWriter.Metric texts = file.metric("texts", 2, ValueType.STRING).inDom(many);
    for (int i = 0; i < INSTANCES; i++) {
      many.instance(i, "an instance with a name of some length " + i);
      numbers.at(i, i);
      if (i < 1000) {
        texts.textAt(i, "x".repeat(200));
      }
    }
    file.write(root, "app");
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private static String list(String part) {
    return IntStream.range(0, LINE / (part.length() + 1))
        .mapToObj(_ -> part)
        .collect(Collectors.joining(","));
  }

  private Call call(Context context, String query) {
    Map<String, List<String>> parameters =
        List.of(query.split("&", -1)).stream()
            .map(parameter -> parameter.split("=", 2))
            .collect(Collectors.toMap(one -> one[0], one -> List.of(one[1])));
    return new Call(
        HOST,
        context,
        new Request(
            "", new Query(parameters), EmptyHttpHeaders.INSTANCE, User.of(1), true, () -> {}));
  }

  private Document document(String name, Call call) throws Failure {
    return switch (name) {
      case "fetch" -> new FetchDocument(call, new Contexts(null, null, System::nanoTime));
      case "derive" -> new DeriveDocument(call, new Contexts(null, null, System::nanoTime));
      case "metric" -> new MetricDocument(call);
      case "indom" -> new InDomDocument(call);
      case "children" -> new ChildrenDocument(call);
      default -> new ProfileDocument(call, new Contexts(null, null, System::nanoTime));
    };
  }

  /** Takes steps until a document has begun, or two if it writes nothing before its end. */
  private Document begin(Document document) throws Failure {
    ByteBuf out = Unpooled.buffer();
    int max = document instanceof ProfileDocument ? 2 : 1_000;
    for (int steps = 0; !out.isReadable() && steps < max; steps++) {
      assertEquals(Progress.MORE, document.write(catalog, out, Turn.OVER));
    }
    catalog.begin(new Scope.NoFiles()); // ends the view of the last step
    return document;
  }

  @ParameterizedTest
  @CsvSource({
    "fetch, names=mmv.app.numbers, 20",
    "fetch, names=mmv.app.texts&client=LIST, 20",
    "fetch, pmids=70.6.1, 100",
    "fetch, 'names=mmv.app.numbers,mmv.app.numbers,mmv.app.texts', 20",
    "fetch, names=derived.sum, 20",
    "metric, pmids=70.6.1, 100",
    "metric, prefix=LIST, 100",
    "children, name=mmv, 200",
    "profile, expr=add&name=mmv.app.numbers&instance=1, 50",
  })
  void documentsCountWhatTheyKeep(String name, String query, int count) throws Exception {
    assertCounted(name, query, count, () -> {});
  }

  /** The numbers of the instances are those of the catalogue, until the file is written again. */
  @ParameterizedTest
  @ValueSource(strings = {"", "&match=glob"})
  void aDocumentKeepsTheNumbersOfInstancesOfFormerFiles(String match) throws Exception {
    String query = "name=mmv.app.numbers" + match + "&iname=LIST";
    assertCounted("indom", query, 20, this::writeInstancesAgain);
  }

  /** Writes the instances again, and waits until nothing of the former file is kept. */
  private void writeInstancesAgain() {
    InstanceTable before = instances();
    writeInstances();
    while (instances().identity().equals(before.identity()) || catalog.hasBacklog()) {
      catalog.idle(Turn.ENDLESS);
    }
  }

  private InstanceTable instances() {
    int inDom = NUMBERS.inDom();
    return catalog.begin(new Scope.OfInDom(inDom)).instances(inDom).table();
  }

  private void assertCounted(String name, String query, int count, Runnable beforeEach)
      throws Exception {
    String whole = query.replace("LIST", list("mmv.shared1"));
    Context context = new Context(1, User.of(1), 1L << 40);
    context.define("derived.sum", derived("(mmv.app.numbers+1)*(mmv.app.numbers+2)"));
    HeapUse.assertCounted(
        name + "?" + query,
        count,
        _ -> {
          beforeEach.run();
          return begin(document(name, call(context, whole)));
        },
        Document::bytes);
  }

  @Test
  void documentsCountWhatTheyKeepOfACall() throws Exception {
    Context context = new Context(1, User.of(1), 1L << 40);
    HeapUse.assertCounted(
        "context", 500, _ -> new ContextDocument(longCall(context)), Document::bytes);
    HeapUse.assertCounted("store", 500, _ -> new StoreDocument(longCall(context)), Document::bytes);
  }

  private Call longCall(Context context) {
    return call(context, "name=m&value=5&client=" + "x".repeat(5_000));
  }

  @Test
  void aDocumentCountsTheInstancesThatItHasSelected() throws Exception {
    Context context = new Context(1, User.of(1), 1L << 40);
    context.select(NUMBERS.inDom(), false, IntStream.range(0, 10).toArray());
    HeapUse.assertCounted(
        "fetch with a profile",
        20,
        _ -> begin(document("fetch", call(context, "names=mmv.app.numbers"))),
        Document::bytes);
  }

  @Test
  void aDefinitionCountsTheNamesThatItLooksUp() throws Exception {
    String sum =
        IntStream.range(0, 200).mapToObj(i -> "mmv.no." + i).collect(Collectors.joining("+"));
    HeapUse.assertCounted(
        "derive",
        100,
        _ -> {
          Context context = new Context(1, User.of(1), 1L << 40);
          Document document = document("derive", call(context, "name=x&expr=" + sum));
          for (int i = 0; i < 100; i++) {
            document.write(catalog, Unpooled.buffer(), Turn.OVER);
          }
          return document;
        },
        Document::bytes);
  }

  /** Returns a derived metric of metrics as {@code mmv.app.numbers}. */
  private static DerivedMetric derived(String expression) throws ExpressionException {
    Map<String, Descriptor> metrics = new HashMap<>();
    DerivedMetric.names(expression).forEach(name -> metrics.put(name, NUMBERS));
    return DerivedMetric.of(expression, metrics);
  }

  private static Operand numbers() {
    KeptValues values = new KeptValues();
    for (int i = 0; i < INSTANCES; i++) {
      values.add(ValueType.U32, i, i);
    }
    values.trim();
    return new Operand(NUMBERS, values);
  }

  @Test
  void aDerivedMetricCountsTheValuesThatItKeeps() throws Exception {
    HeapUse.assertCounted(
        "derived metric",
        20,
        _ -> {
          Derived metric = new Derived(1, "name", derived("rate(x) * delta(y)"));
          Map<String, Operand> operands = Map.of("x", numbers(), "y", numbers());
          Evaluation evaluation = metric.metric().evaluate(operands, InstanceFilter.ALL, 1);
          while (evaluation.goOn(_ -> null, Turn.ENDLESS)) {
            // the next step
          }
          metric.countMore();
          return metric;
        },
        Derived::counted);
  }

  /** As a client that leaves, or that asks for too much, finds it. */
  @Test
  void anEvaluationThatHasNotEndedCountsWhatItKeeps() throws Exception {
    DerivedMetric metric = derived("delta(x*2) + delta(x*3) + delta(x*4) + delta(x*5)");
    Operand x = numbers();
    HeapUse.assertCounted(
        "evaluation",
        20,
        _ -> {
          Evaluation evaluation = metric.evaluate(Map.of("x", x), InstanceFilter.ALL, 1);
          for (int i = 0; i < 16; i++) {
            assertTrue(evaluation.goOn(_ -> null, Turn.OVER));
          }
          return evaluation;
        },
        Evaluation::bytes);
    assertEquals(0, metric.bytes() / 10_000, "the metric keeps nothing yet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x{160}", "[a-ce-gi-kq]{50}", "(?i)[a-z]{70}", "abcdefghijklmnopq"})
  void aDerivedMetricCountsItsPattern(String pattern) throws Exception {
    HeapUse.assertCounted(
        pattern,
        200,
        _ -> {
          Derived metric = new Derived(1, "n", derived("matchinst(/" + pattern + "/,x)"));
          metric.countMore();
          return metric;
        },
        Derived::counted);
  }

  @Test
  void contextsCountWhatTheyKeep() throws Exception {
    ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    try {
      Contexts contexts =
          new Contexts(new Accounts(1L << 40, Runnable::run), loop, System::nanoTime);
      HeapUse.assertCounted(
          "context",
          30_000,
          number -> contexts.create(User.of(number % 4), 1L << 40),
          Context::charged);
      HeapUse.assertCounted(
          "context with a profile and derived metrics",
          20,
          number -> {
            Context context = contexts.create(User.of(1), 1L << 40);
            for (int i = 0; i < 1024; i++) {
              context.select(i, true, IntStream.range(0, 100).toArray());
              context.define("a name %d %d".formatted(i, number), derived("rate(x" + i + ")*8"));
            }
            contexts.charge(context);
            return context;
          },
          Context::charged);
    } finally {
      loop.shutdownNow();
    }
  }
}
