package org.jmmv.web.api;

import static java.util.Map.entry;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import org.jmmv.pcp.FileText;
import org.jmmv.web.history.History;
import org.jmmv.web.history.Order;
import org.jmmv.web.history.Top;
import org.jmmv.web.http.Body;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;
import org.jmmv.web.http.Request;
import org.jmmv.web.http.Resource;
import org.jmmv.web.http.Response;
import org.jmmv.web.http.Site;

/** The resources below {@code /api/v1}. */
public final class Api {
  private static final String ROOT = "/api/v1";
  private static final String EVENTS = "text/event-stream";

  /** The maximum number of metrics in a document: more would be a list that nobody reads. */
  private static final int MAX_METRICS = 100_000;

  /** The maximum number of instances or files in a document, and of metrics by default. */
  private static final int MAX_ELEMENTS = 1000;

  /** How often a stream sends values, unless its client wants another interval. */
  private static final int DEFAULT_MILLIS = 1000;

  /** With a shorter interval, the loop would read values for one stream all the time. */
  private static final int MIN_MILLIS = 200;

  /** A quarter of the time after which an idle connection is closed. */
  private static final int MAX_MILLIS = 30_000;

  /** The number of series in a list of those that change most, unless its client wants others. */
  private static final int DEFAULT_TOP = 10;

  private final ScheduledExecutorService loop;
  private final String version;
  private final boolean needsCertificate;
  private final Resource names;
  private final History history;

  /**
   * Creates the resources.
   *
   * @param loop the event loop
   * @param version the version of this program
   * @param needsCertificate whether clients need a certificate
   * @param names the names of the metrics in Prometheus
   * @param history the values of the last minutes
   */
  public Api(
      ScheduledExecutorService loop,
      String version,
      boolean needsCertificate,
      Resource names,
      History history) {
    this.loop = loop;
    this.version = version;
    this.needsCertificate = needsCertificate;
    this.names = names;
    this.history = history;
  }

  public void addTo(Site site) {
    resources().forEach((path, resource) -> site.add(ROOT + path, resource.strict()));
    site.addErrors(ROOT, JsonBody::error);
  }

  /** Returns the resources by their paths below {@code /api/v1}. */
  Map<String, Resource> resources() {
    byte[] description = description();
    return Map.ofEntries(
        entry("/about", this::about),
        entry("/metrics", this::metrics),
        entry("/metric", this::metric),
        entry("/instances", this::instances),
        entry("/search", this::search),
        entry("/values", request -> json(new ValuesBody(Subscription.of(request), ""))),
        entry("/stream", this::stream),
        entry("/history", this::history),
        entry("/top", this::top),
        entry("/files", this::files),
        entry("/prometheus", names),
        entry("/openapi.json", _ -> json(Body.of(description))));
  }

  private static Response json(Body body) {
    return Response.ok(JsonBody.JSON, body);
  }

  private static byte[] description() {
    try (InputStream file = Api.class.getResourceAsStream("openapi.json")) {
      return file.readAllBytes();
    } catch (IOException e) { // it is in the same jar as this class
      throw new UncheckedIOException(e);
    }
  }

  private Response about(Request request) {
    boolean hasAuthorization = request.headers().contains(HttpHeaderNames.AUTHORIZATION);
    return json(new AboutBody(version, hasAuthorization, needsCertificate, history));
  }

  private Response metrics(Request request) throws Failure {
    String search = request.last("search").orElse("").toLowerCase(Locale.ROOT);
    int limit = Parameters.number(request, "limit", MAX_ELEMENTS, 1, MAX_METRICS);
    return json(new MetricsBody(search, after(request), limit));
  }

  private Response metric(Request request) throws Failure {
    int pmid = Parameters.pmid(request);
    return json(
        new JsonBody() {
          @Override
          protected List<Step> steps() {
            return List.of(members(json -> MetricJson.writeAll(pmid, catalog(), json)));
          }
        });
  }

  private Response instances(Request request) throws Failure {
    int pmid = Parameters.pmid(request);
    int offset = Parameters.offset(request);
    int limit = Parameters.number(request, "limit", MAX_ELEMENTS, 1, MAX_ELEMENTS);
    return json(new InstancesBody(pmid, Words.of(request), offset, limit));
  }

  private Response search(Request request) throws Failure {
    Words words = Words.of(request);
    int limit = Parameters.number(request, "limit", MAX_ELEMENTS, 1, MAX_METRICS);
    return json(new SearchBody(words, after(request), limit));
  }

  private static String after(Request request) {
    return FileText.encode(request.last("after").orElse(""));
  }

  private Response stream(Request request) throws Failure {
    int millis = Parameters.number(request, "interval", DEFAULT_MILLIS, MIN_MILLIS, MAX_MILLIS);
    Subscription values = Subscription.of(request);
    Body body = new StreamBody(values, millis, loop, request.resume());
    return Response.ok(EVENTS, body)
        .with("content-encoding", "identity")
        .with("x-accel-buffering", "no"); // nginx would collect events before it sends them
  }

  private Response history(Request request) throws Failure {
    checkHistory();
    double since = Parameters.clock(request, "since");
    int step = Parameters.number(request, "step", 0, 0, Integer.MAX_VALUE);
    return json(new HistoryBody(history, Subscription.of(request), since, step));
  }

  private Response top(Request request) throws Failure {
    checkHistory();
    Order order = Parameters.order(request);
    int limit = Parameters.number(request, "limit", DEFAULT_TOP, 1, MAX_ELEMENTS);
    List<String> files = request.all("file");
    if (limit * files.size() > MAX_ELEMENTS) {
      throw Failure.badRequest(
          "limit times the number of files is more than %d".formatted(MAX_ELEMENTS));
    }
    return json(new TopBody(new Top(history, order, limit, files), Words.of(request)));
  }

  private void checkHistory() throws Failure {
    if (!history.isOn()) {
      throw new Failure(
          HttpResponseStatus.NOT_FOUND, "no values are kept: http.history in jmmv.toml is 0");
    }
  }

  private Response files(Request request) throws Failure {
    String health = request.last("health").orElse("");
    if (!health.isEmpty() && !health.equals("unhealthy")) {
      throw Failure.badRequest("health can only be unhealthy");
    }
    int limit = Parameters.number(request, "limit", MAX_ELEMENTS, 1, MAX_ELEMENTS);
    boolean isUnhealthyOnly = !health.isEmpty();
    return json(new FilesBody(isUnhealthyOnly, Parameters.offset(request), limit));
  }
}
