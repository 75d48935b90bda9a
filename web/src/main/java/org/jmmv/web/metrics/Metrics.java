package org.jmmv.web.metrics;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jmmv.core.Catalog;
import org.jmmv.pcp.Labels;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;
import org.jmmv.web.http.Request;
import org.jmmv.web.http.Response;
import org.jmmv.web.http.Site;

/** Serves {@code /metrics}. */
public final class Metrics {
  private final Catalog catalog;
  private final Supplier<Naming> naming;
  private final String version;
  private final List<LabelPair> ofHost;
  private final PlanCache plans;

  /**
   * Creates an object.
   *
   * @param naming the names of metrics, unless a request asks for others
   * @param version the version of this program
   * @param ofHost the labels of the host
   */
  public Metrics(Catalog catalog, Supplier<Naming> naming, String version, Labels ofHost) {
    this.catalog = catalog;
    this.naming = naming;
    this.version = version;
    this.ofHost = LabelPair.of(List.of(ofHost));
    plans = new PlanCache(catalog, ofHost);
  }

  /** Adds the resource to a site. */
  public void addTo(Site site) {
    site.add("/metrics", this::get);
  }

  private Response get(Request request) throws Failure {
    Naming asked = naming(request);
    FamilyFilter filter = FamilyFilter.of(request);
    String accept = String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT));
    Format format = Format.of(accept);
    Scrape page = new Scrape(catalog, plans.get(format, asked), filter, version, ofHost);
    return Response.ok(format.contentType(accept), page).with(HttpHeaderNames.VARY, "Accept");
  }

  /** Returns a document with the names of all metrics in Prometheus, and with their conflicts. */
  public Response names(Request request) throws Failure {
    return Response.ok(
        JsonBody.JSON, new NamesBody(catalog, plans.get(Format.OPENMETRICS, naming(request))));
  }

  private Naming naming(Request request) throws Failure {
    Optional<String> text = request.last("naming");
    if (text.isEmpty()) {
      return naming.get();
    }
    for (Naming one : Naming.values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(text.get())) {
        return one;
      }
    }
    throw Failure.badRequest("naming is prometheus or pcp");
  }
}
