package org.jmmv.qa;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jmmv.writer.DoubleGauge;
import org.jmmv.writer.InDom;
import org.jmmv.writer.Instances;
import org.jmmv.writer.LongCounter;
import org.jmmv.writer.LongGauge;
import org.jmmv.writer.MetricBuilder;
import org.jmmv.writer.MetricValue;
import org.jmmv.writer.MmvApplication;
import org.jmmv.writer.Semantics;
import org.jmmv.writer.Text;
import org.jmmv.writer.Timer;
import org.jmmv.writer.Type;
import org.jmmv.writer.Units;

/** An application with the library of this project. It has the same protocol as application.c. */
final class WriterApplication {
  private static final String LONG_NAME =
      "a_name_that_is_longer_than_the_sixty_three_bytes_that_version_one_has_for_it";

  private final MmvApplication application;
  private final Map<String, MetricValue> singular = new HashMap<>();
  private final Map<String, Instances<? extends MetricValue>> others = new HashMap<>();

  private WriterApplication(MmvApplication application) {
    this.application = application;
  }

  public static void main(String[] args) throws IOException {
    MmvApplication.Builder builder =
        MmvApplication.named(args[0])
            .onProblem(problem -> {
              throw new IllegalStateException(problem);
            });
    String shape = args[1];
    builder =
        switch (shape) {
          case "plain", "sentinel" -> builder.cluster(507).sentinel();
          case "short" -> builder.cluster(507).version(1);
          case "long" -> builder.withoutPrefix().withoutProcess();
          default -> builder.cluster(507);
        };
    try (MmvApplication application = builder.start()) {
      WriterApplication written = new WriterApplication(application);
      switch (shape) {
        case "plain" -> application.together(written::addPlain);
        case "long" -> written.addLong();
        case "labelled" -> written.addLabelled();
        case "short", "sentinel", "types" -> written.addTypes(shape.equals("sentinel"));
        default -> written.singular.put("answer", application.metric("answer").gauge());
      }
      written.serve();
    }
  }

  private void addPlain() {
    InDom queues =
        application.inDom("queues").help("Queues", "The queues of the application.").add();
    singular.put(
        "requests",
        application
            .metric("requests")
            .units(Units.COUNT)
            .help("requests taken", "All that came.")
            .counter());
    Instances<LongGauge> depths =
        application.metric("queue.depth").help("waiting requests").gauges(queues);
    depths.of("orders").set(0);
    depths.of("invoices of the quarter").set(0);
    others.put("queue.depth", depths);
    singular.put(
        "throughput",
        application.metric("throughput").units(Units.KILOBYTES.per(Units.SECONDS)).doubleGauge());
    Timer busy = application.metric("busy").timers(queues).of("orders");
    busy.add(1, TimeUnit.SECONDS);
    busy.begin();
    Text state = application.metric("state").help("state", "starting, running, ended").text();
    state.set("starting");
    singular.put("state", state);
  }

  private void addLong() {
    application.metric(LONG_NAME).units(Units.COUNT).help("a long name").counter().add(3);
    InDom queues = application.inDom("queues").add();
    application.metric("depth").gauges(queues).of(LONG_NAME).set(4);
  }

  private void addLabelled() {
    InDom queues = application.inDom("queues").label("kind", "in").help("Queues").add();
    queues.label("orders", "share", -2.5e-3).label("invoices", "rank", 2).instance("unlabelled");
    application.label("build", 1234);
    application.label("owner", "the \"shop\"");
    application.metric("requests").label("public", true).counter().add(1);
    Instances<LongCounter> served = application.metric("served").label("a", "é").counters(queues);
    for (String queue : List.of("orders", "unlabelled")) {
      served.of(queue).add(7);
    }
  }

  /** All types and semantics, with and without instances, each added by itself. */
  private void addTypes(boolean hasSentinel) {
    InDom some = application.inDom("some").add().instance("first", 7).instance("second one", 0);
    for (Type type : Type.values()) {
      for (Semantics semantics : Semantics.values()) {
        MetricValue one = add(describe(type, semantics, "one"), type, null);
        MetricValue first = add(describe(type, semantics, "some"), type, some);
        boolean isReal = type == Type.FLOAT || type == Type.DOUBLE; // pmdammv of PCP 6 shows NaN
        if (hasSentinel && semantics == Semantics.INSTANT && !isReal) {
          one.noValue();
          first.noValue();
        }
      }
    }
  }

  private MetricBuilder describe(Type type, Semantics semantics, String last) {
    return application
        .metric("%s.%s.%s".formatted(type, semantics, last))
        .type(type)
        .semantics(semantics)
        .units(Units.MEGABYTES.per(Units.SECONDS))
        .help("one line", "and more");
  }

  /** Adds a metric with a value; with instances, only the first has one. */
  private static MetricValue add(MetricBuilder metric, Type type, InDom inDom) {
    String first = "first";
    return switch (type) {
      case FLOAT, DOUBLE -> {
        DoubleGauge gauge =
            inDom == null ? metric.doubleGauge() : metric.doubleGauges(inDom).of(first);
        gauge.set(-0.5);
        yield gauge;
      }
      case STRING -> {
        Text text = inDom == null ? metric.text() : metric.texts(inDom).of(first);
        text.set("a text");
        yield text;
      }
      case ELAPSED -> {
        Timer timer = inDom == null ? metric.timer() : metric.timers(inDom).of(first);
        timer.add(5, TimeUnit.MILLISECONDS);
        yield timer;
      }
      default -> {
        LongGauge gauge = inDom == null ? metric.gauge() : metric.gauges(inDom).of(first);
        gauge.set(-5);
        yield gauge;
      }
    };
  }

  private void serve() throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    System.out.println("ready");
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] words = order.split(" ", 3);
      MetricValue value =
          words[1].equals("-") ? singular.get(words[0]) : others.get(words[0]).of(words[1]);
      set(value, words[2]);
      System.out.println("ok");
    }
  }

  private static void set(MetricValue value, String word) {
    switch (value) {
      case LongCounter counter -> counter.add(Long.parseLong(word) - counter.get());
      case LongGauge gauge -> gauge.set(Long.parseLong(word));
      case DoubleGauge gauge -> gauge.set(Double.parseDouble(word));
      case Text text -> text.set(word);
      default -> throw new IllegalArgumentException(value.toString());
    }
  }
}
