package org.jmmv.web;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jmmv.core.Catalog;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;
import org.jmmv.web.http.Response;
import org.jmmv.web.http.Site;

/** Says whether this process works: {@code /-/healthy} and {@code /-/ready}, as Prometheus does. */
final class Health {
  private final Catalog catalog;

  Health(Catalog catalog) {
    this.catalog = catalog;
  }

  void addTo(Site site) {
    site.add("/-/healthy", _ -> Response.text(HttpResponseStatus.OK, "healthy"));
    site.add("/-/ready", this::ready);
  }

  private Response ready(Request request) throws Failure {
    if (catalog.hasBacklog()) {
      throw new Failure(HttpResponseStatus.SERVICE_UNAVAILABLE, "files are still being read");
    }
    return Response.text(HttpResponseStatus.OK, "ready");
  }
}
