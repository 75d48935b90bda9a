package org.jmmv.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.FaultListener;
import org.jmmv.core.SettingsSource;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.serving.Access;
import org.jmmv.serving.Clients;
import org.jmmv.serving.Server;
import org.jmmv.web.http.SiteRules;
import org.jmmv.web.metrics.Naming;

/** A server of a directory, on a free port of 127.0.0.1, and a client of it. */
public final class WebServer implements AutoCloseable {
  private static final int MAX_CLIENTS = 10;

  private final Server server;
  private final Clients.Face face;
  private final InetSocketAddress address;
  private final HttpClient client = HttpClient.newHttpClient();

  /** Starts a server of the files in a directory. */
  public WebServer(Path directory) {
    this(directory, Map.of());
  }

  /**
   * Starts a server of the files in a directory.
   *
   * @param users as in {@link SiteRules}
   */
  public WebServer(Path directory, Map<String, String> users) {
    this(catalog(directory), () -> users, 0);
  }

  /** Starts a server of the files in a directory, with some series of each file for Prometheus. */
  public WebServer(Path directory, int maxSeries) {
    this(catalog(directory), Map::of, maxSeries);
  }

  /** Starts a server of a catalogue, for users who may change. */
  WebServer(Catalog catalog, Supplier<Map<String, String>> users) {
    this(catalog, users, 0);
  }

  private WebServer(Catalog catalog, Supplier<Map<String, String>> users, int maxSeries) {
    server = new Server(catalog, new Access(MAX_CLIENTS, List.of()));
    face =
        Web.face(
            server,
            () -> new SiteRules(Set.of("localhost"), Set.of(), users.get(), List.of()),
            () -> Naming.PROMETHEUS,
            maxSeries,
            () -> 16 << 20,
            "1.2.3",
            Optional.empty());
    address =
        (InetSocketAddress) listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
  }

  /** Serves at another address, too. */
  SocketAddress listen(SocketAddress wanted) {
    try {
      return server.listen(wanted, face);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  SocketAddress address() {
    return address;
  }

  /**
   * Returns a catalogue of which each request finds all files read, however busy the machine is.
   */
  public static Catalog catalog(Path directory) {
    return catalog(directory, Limits.DEFAULT.with(Limit.WAIT, 60_000));
  }

  static Catalog catalog(Path directory, Limits limits) {
    return new Catalog(
        new CatalogOptions(directory)
            .settings(new SettingsSource.Settings(limits, List.of(DirectorySettings.DEFAULT)))
            .faults(FaultListener.NONE));
  }

  public Server server() {
    return server;
  }

  /** Returns the response to a GET request. */
  public HttpResponse<String> get(String path, String... headers) {
    return send(path, BodyHandlers.ofString(), headers);
  }

  /** Returns a response of which not all has been received. */
  public <T> HttpResponse<T> send(
      String path, HttpResponse.BodyHandler<T> body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), body);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.close();
  }
}
