package org.jmmv.web.metrics;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jmmv.pcp.Labels;
import org.jmmv.serving.Accounts;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;
import org.jmmv.web.http.Request;
import org.jmmv.web.http.Resource;
import org.jmmv.web.http.Response;
import org.jmmv.web.http.Site;

/** Serves {@code /metrics}. */
public final class Metrics {
  /**
   * Without it, the caches of six kinds of pages would take three quarters of the clients' memory.
   */
  private static final int MAX_CACHES = 2;

  private final Accounts accounts;
  private final Supplier<Naming> naming;
  private final int maxSeries;
  private final String version;
  private final Labels ofHost;
  private final Map<Naming, PlanCache> plans = new EnumMap<>(Naming.class);
  private final Map<Format, Encoding> encodings = new EnumMap<>(Format.class);
  // the first one has not been used for the longest time
  private final LinkedHashMap<Kind, FamilyCache> families = new LinkedHashMap<>(4, 0.75f, true);

  private record Kind(Format format, Naming naming) {}

  /**
   * Creates an object.
   *
   * @param accounts are charged for what pages have in common
   * @param naming the names of metrics, unless a request asks for others
   * @param maxSeries how many series of a file are on a page; 0: any number
   * @param version the version of this program
   * @param ofHost the labels of the host
   */
  public Metrics(
      Accounts accounts, Supplier<Naming> naming, int maxSeries, String version, Labels ofHost) {
    this.accounts = accounts;
    this.naming = naming;
    this.maxSeries = maxSeries;
    this.version = version;
    this.ofHost = ofHost;
  }

  public void addTo(Site site) {
    Resource page = this::get;
    site.addUrgent("/metrics", page.strict());
    site.redirect("/metrics/", "../metrics");
  }

  private Response get(Request request) throws Failure {
    PlanCache plan = plans(request);
    FamilyFilter filter = FamilyFilter.of(request);
    String accept = String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT));
    Format format = Format.of(accept);
    Encoding encoding = encodings.computeIfAbsent(format, Format::encoding);
    FamilyCache cache = families(new Kind(format, plan.naming()));
    Scrape page = new Scrape(plan, encoding, cache, filter, version, ofHost);
    return Response.ok(format.contentType(accept), page).with(HttpHeaderNames.VARY, "Accept");
  }

  /** Returns a document with the names of all metrics in Prometheus, and with their conflicts. */
  public Response names(Request request) throws Failure {
    return Response.ok(JsonBody.JSON, new NamesBody(plans(request)));
  }

  private FamilyCache families(Kind kind) {
    FamilyCache cache = families.computeIfAbsent(kind, _ -> new FamilyCache(accounts));
    if (families.size() > MAX_CACHES) {
      families.pollFirstEntry().getValue().close();
    }
    return cache;
  }

  private PlanCache plans(Request request) throws Failure {
    return plans.computeIfAbsent(
        naming(request), asked -> new PlanCache(asked, maxSeries, accounts));
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
