package org.jmmv.web;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jmmv.core.Catalog;
import org.jmmv.pcp.Labels;
import org.jmmv.serving.Clients;
import org.jmmv.serving.Server;
import org.jmmv.serving.ThisHost;
import org.jmmv.serving.Tls;
import org.jmmv.web.api.Api;
import org.jmmv.web.history.History;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.HttpPipeline;
import org.jmmv.web.http.Response;
import org.jmmv.web.http.Site;
import org.jmmv.web.http.SiteRules;
import org.jmmv.web.metrics.Metrics;
import org.jmmv.web.metrics.Naming;
import org.jmmv.web.page.Page;
import org.jmmv.web.pmapi.PmApi;

/** Serves a catalogue over HTTP. */
public final class Web {
  /** The maximum memory for the history, in bytes: half of what is for all clients. */
  private static final long MAX_HISTORY = Runtime.getRuntime().maxMemory() / 8;

  private Web() {}

  /**
   * Returns the face of a server.
   *
   * @param rules who may ask what; is asked for each request, after the settings
   * @param naming the names of metrics for Prometheus, unless a request asks for others
   * @param maxSeries how many series of a file are on a page for Prometheus; 0: any number
   * @param historyBytes how much memory the values of the last minutes may take; 0: none are kept
   * @param version the version of this program
   * @param tls empty: without TLS
   */
  public static Clients.Face face(
      Server server,
      Supplier<SiteRules> rules,
      Supplier<Naming> naming,
      int maxSeries,
      LongSupplier historyBytes,
      String version,
      Optional<Tls> tls) {
    Site site =
        new Site(() -> {
          server.catalog().applySettings();
          return rules.get();
        });
    site.addPublic("/-/healthy", _ -> Response.text(HttpResponseStatus.OK, "healthy"));
    site.addPublic("/-/ready", _ -> ready(server.catalog()));
    Labels ofHost = ThisHost.labels();
    ScheduledExecutorService loop = server.loop().executor();
    Metrics metrics = new Metrics(server.clients().accounts(), naming, maxSeries, version, ofHost);
    metrics.addTo(site);
    new PmApi(server.clients().accounts(), loop, ofHost).addTo(site);
    History history =
        new History(
            server.catalog(),
            () -> Math.min(historyBytes.getAsLong(), MAX_HISTORY),
            server.clients().accounts());
    server.repeat("history", History.PERIOD, history::read);
    boolean needsCertificate = tls.map(Tls::needsClientCertificate).orElse(false);
    new Api(loop, version, needsCertificate, metrics::names, history).addTo(site);
    new Page().addTo(site);
    return new HttpPipeline(server, site, tls);
  }

  /** Answers {@code /-/ready}, as Prometheus does. A probe of Kubernetes has no password. */
  private static Response ready(Catalog catalog) throws Failure {
    if (!catalog.isStarted()) {
      throw new Failure(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "files that were there at the start are still being read");
    }
    return Response.text(HttpResponseStatus.OK, "ready");
  }
}
