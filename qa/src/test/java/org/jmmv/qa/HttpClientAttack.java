package org.jmmv.qa;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.jmmv.client.CollectorConnection;
import org.jmmv.protocol.InstanceValue;

/** What clients of HTTP can do. */
enum HttpClientAttack implements ClientAttack {
  HTTP_SLOW_HEADS("490 clients that send a head a byte at a time") {
    @Override
    public void round(ClientSite site) throws IOException {
      List<HttpConnection> clients = site.httpClients(site.size(490, 100));
      for (int i = 0; i < 20; i++) {
        for (HttpConnection client : clients) {
          client.send(SCRAPE.substring(i, i + 1));
        }
      }
    }
  },
  HTTP_HALF_REQUESTS("clients that send half a request and leave") {
    @Override
    public void round(ClientSite site) throws IOException {
      for (int i = 0; i < 1_000; i++) {
        HttpConnection client = site.httpClients(1).getFirst();
        client.send(SCRAPE.substring(0, SCRAPE.length() / 2));
        client.reset();
      }
    }
  },
  HTTP_PIPELINED("100 clients that send 200 requests for 50,000 values without a pause") {
    @Override
    public void begin(ClientSite site) {
      site.writeLarge();
    }

    @Override
    public void round(ClientSite site) throws IOException {
      scrape(site, site.httpClients(site.size(100, 20)), 200);
    }
  },
  HTTP_LONG_HEADS("heads of 64 KiB") {
    @Override
    public void round(ClientSite site) throws IOException {
      String head = HttpConnection.request("/metrics", "X: " + "x".repeat(64 << 10) + "\r\n");
      refuse(site, head.substring(0, 24_600), 431); // what is read before the answer
    }
  },
  HTTP_MANY_HEADERS("heads of 4,000 headers") {
    @Override
    public void round(ClientSite site) throws IOException {
      refuse(site, HttpConnection.request("/metrics", "X:\r\n".repeat(4_000)), 431);
    }
  },
  HTTP_PATHS("paths that lead elsewhere, and requests that are none") {
    private static final List<String> REQUESTS =
        List.of(
            HttpConnection.request("/../../../../etc/passwd"),
            HttpConnection.request("/%2e%2e/%2e%2e/%2e%2e/etc/passwd"),
            HttpConnection.request("/..%5c..%5cetc/passwd"),
            HttpConnection.request("//etc/passwd"),
            HttpConnection.request("/%00"),
            HttpConnection.request("/%"),
            HttpConnection.request("/page/../../openapi.json"),
            HttpConnection.request("/" + "/".repeat(8_000)),
            HttpConnection.request("/metrics?" + "name[]&".repeat(1_000) + "name[]=%"),
            HttpConnection.request("/metrics", "Content-Length: 1000000000\r\n"),
            HttpConnection.request("/metrics", "Transfer-Encoding: chunked\r\n"),
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "\0\0\0\u0014\0\0p\u000b\r\n\r\n");

    @Override
    public void round(ClientSite site) throws IOException {
      for (String request : REQUESTS) {
        HttpConnection client = site.httpClients(1).getFirst();
        client.send(request);
        HttpConnection.Response response = client.receive();
        site.check(response.status() / 100 == 4 && response.body().length() < 200, response);
      }
    }
  },
  HTTP_STRANGERS("requests under another host's name, as by DNS rebinding") {
    @Override
    public void round(ClientSite site) throws IOException {
      refuse(site, SCRAPE.replace("Host: localhost", "Host: attacker.example"), 421);
    }
  },
  HTTP_CONTEXTS("20,000 contexts of PCP's web API") {
    @Override
    public void round(ClientSite site) throws IOException {
      HttpConnection client = site.httpClients(1).getFirst();
      String context = HttpConnection.request("/pmapi/context");
      for (int i = 0; i < site.size(200, 50); i++) {
        client.send(String.join("", Collections.nCopies(100, context)));
        for (int j = 0; j < 100; j++) {
          HttpConnection.Response response = client.receive();
          site.check(response.status() == 200 || response.status() == 503, response);
        }
      }
    }
  },
  HTTP_BUSY_DAY("100 pages, 10 scrapers and 50 clients of PCP, while files come and go") {
    private static final String EVENTS =
        HttpConnection.request("/api/v1/stream?interval=200&series=70.5.1:0&series=70.5.1:1");

    @Override
    public boolean isSoak() {
      return true;
    }

    @Override
    public void begin(ClientSite site) throws IOException {
      site.write(WorstCatalogue.NAMES, site.size(14, 70)); // files of 1,000 metrics
    }

    @Override
    public void round(ClientSite site) throws IOException {
      for (HttpConnection page : site.httpClients(site.size(100, 20))) {
        page.send(EVENTS);
        site.check(page.receiveHead().status() == 200, "no stream");
        site.inBackground(() -> {
          for (int i = 0; i < 10; i++) {
            String event = page.receiveChunk();
            site.check(event.startsWith("data: ") && event.contains("[\"41\",\"42\"]"), event);
          }
        });
      }
      for (HttpConnection scraper : site.httpClients(10)) {
        site.inBackground(() -> {
          String page = scraper.get("/metrics", "Accept: application/openmetrics-text\r\n").body();
          String good = "mmv_good_good_total{instname=\"right\",instid=\"1\"} 42\n";
          site.check(page.contains(good) && page.endsWith("\n# EOF\n"), "a wrong page");
        });
      }
      for (CollectorConnection client : site.clients(50)) {
        site.inBackground(() -> {
          for (int i = 0; i < 10; i++) {
            List<InstanceValue> values =
                client.fetch(ClientSite.GOOD).result().sets().getFirst().values();
            site.check(values.size() == 2 && values.get(1).value().asText().equals("42"), values);
          }
        });
      }
      for (int i = 0; i < 20; i++) {
        site.comeAndGo(i);
      }
    }
  },
  HTTP_IDLE("1,000 connections that ask nothing") {
    @Override
    public void round(ClientSite site) throws IOException {
      site.httpClients(1_000);
      site.pause(1_000);
    }
  };

  private static final String SCRAPE = HttpConnection.request("/metrics");

  private final String what;

  HttpClientAttack(String what) {
    this.what = what;
  }

  /** Has clients send a number of requests at once, and reads the first page of each. */
  private static void scrape(ClientSite site, List<HttpConnection> clients, int requests)
      throws IOException {
    for (HttpConnection client : clients) {
      client.send(SCRAPE.repeat(requests));
    }
    for (HttpConnection client : clients) {
      site.countPage(client.receive());
    }
  }

  /** Sends a request 200 times, each of which must be answered with this status. */
  private static void refuse(ClientSite site, String request, int status) throws IOException {
    for (int i = 0; i < 200; i++) {
      HttpConnection client = site.httpClients(1).getFirst();
      client.send(request);
      HttpConnection.Response response = client.receive();
      site.check(response.status() == status, response);
    }
  }

  @Override
  public boolean usesTls() {
    return false;
  }

  @Override
  public String what() {
    return what;
  }
}
