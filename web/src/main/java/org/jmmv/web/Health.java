package org.jmmv.web;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jmmv.core.Catalog;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;
import org.jmmv.web.http.Response;
import org.jmmv.web.http.Site;

/**
 * Says whether this process works: {@code /-/healthy} and {@code /-/ready}, as Prometheus does.
 * Both need no password, because a probe of Kubernetes has none.
 */
final class Health {
  private final Catalog catalog;

  Health(Catalog catalog) {
    this.catalog = catalog;
  }

  void addTo(Site site) {
    site.addPublic("/-/healthy", _ -> Response.text(HttpResponseStatus.OK, "healthy"));
    site.addPublic("/-/ready", this::ready);
  }

  private Response ready(Request request) throws Failure {
    if (!catalog.isStarted()) {
      throw new Failure(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "files that were there at the start are still being read");
    }
    return Response.text(HttpResponseStatus.OK, "ready");
  }
}
