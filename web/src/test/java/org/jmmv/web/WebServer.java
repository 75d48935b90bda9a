package org.jmmv.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import org.jmmv.core.Catalog;
import org.jmmv.core.FaultListener;
import org.jmmv.core.SettingsSource;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.serving.Access;
import org.jmmv.serving.Server;
import org.jmmv.web.http.SiteRules;
import org.jmmv.web.metrics.Naming;

/** A server of a directory, on a free port of 127.0.0.1, and a client of it. */
public final class WebServer implements AutoCloseable {
  private static final int MAX_CLIENTS = 10;

  private final Server server;
  private final String root;
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
    server = new Server(catalog(directory), new Access(MAX_CLIENTS, List.of()));
    try {
      InetSocketAddress address =
          (InetSocketAddress)
              server.listen(
                  new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
                  Web.face(
                      server,
                      () -> new SiteRules(Set.of("localhost"), Set.of(), users),
                      () -> Naming.PROMETHEUS,
                      "1.2.3",
                      Optional.empty()));
      root = "http://127.0.0.1:" + address.getPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Returns a catalogue of which each request finds all files read, however busy the machine is.
   */
  public static Catalog catalog(Path directory) {
    Limits patient = Limits.DEFAULT.with(Limit.WAIT, 60_000);
    return new Catalog.Builder(directory)
        .settings(new SettingsSource.Settings(patient, List.of(DirectorySettings.DEFAULT)))
        .faults(FaultListener.NONE)
        .build();
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
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path));
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
