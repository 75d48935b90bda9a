package org.jmmv.qa;

import static org.jmmv.qa.ClientAttack.Reading.ALL;
import static org.jmmv.qa.ClientAttack.Reading.LITTLE;
import static org.jmmv.qa.ClientSite.GOOD;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;

/**
 * What clients of {@code jmmv serve} can do to cost it time, memory, connections or log. Unless an
 * attack has users, all of them connect to its TCP ports from this machine, so that they are one
 * user.
 *
 * <p>Most attacks are rows, in which many clients ask for the same at once: which {@link
 * WorstRequest} over which {@link WorstCatalogue}, how many clients, and whether they read the
 * replies. A new kind of request or of file is a constant there, a new attack a row here.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum ClientAttack implements Labelled {
  PROFILES_OF_IN_DOMS(
      "64 profiles of 3,270 instance domains from each of 50 clients",
      site ->
          profile(
              site,
              50,
              IntStream.range(0, 3_270)
                  .mapToObj(i -> new InDomProfile(i, false, 1))
                  .toArray(InDomProfile[]::new))),
  PROFILES_OF_INSTANCES(
      "64 profiles of 16,370 instances from each of 127 clients",
      site -> {
        int[] instances = IntStream.range(0, 16_370).toArray();
        profile(
            site, site.size(127, 60), new InDomProfile(ClientSite.LARGE_IN_DOM, false, instances));
      }),
  UNREAD_REPLIES(
      "clients that do not read a thousand short replies",
      site -> {
        Pdu[] requests = Collections.nCopies(1_000, Fetch.of(0, 0, GOOD)).toArray(Pdu[]::new);
        for (CollectorConnection client : site.clients(site.size(200, 50))) {
          client.send(requests);
        }
      }),
  MALFORMED(
      "malformed PDUs, and connections that end with one",
      site -> {
        ByteBuffer fetches = ByteBuffer.allocate(1_000 * 12);
        while (fetches.hasRemaining()) {
          fetches.putInt(12).putInt(0x7003).putInt(0); // without a body
        }
        CollectorConnection client = site.clients(1).getFirst();
        for (int i = 0; i < 20; i++) {
          client.sendBytes(fetches.array());
          for (int j = 0; j < 1_000; j++) {
            site.count(client.receive(), new PduError(0, PmError.IPC.code())::equals);
          }
        }
        for (int i = 0; i < 200; i++) {
          try (CollectorConnection closed = CollectorConnection.introduced(site.address())) {
            closed.sendBytes(new byte[4]); // a length that is too small
            site.check(closed.isClosedInSilence(), "not closed, or a reply");
          }
        }
      }),
  DESCRIPTORS(
      "400 requests for 16,300 descriptors each at once, with 100 directories",
      site -> site.addDirectories(99),
      site -> {
        List<CollectorConnection> clients = site.clients(site.size(400, 100));
        for (CollectorConnection client : clients) {
          client.send(new DescIds(0, Collections.nCopies(16_300, GOOD)));
        }
        for (CollectorConnection client : clients) {
          site.count(
              client.receive(),
              reply -> reply instanceof Descs descs && descs.descs().size() == 16_300);
        }
      }),
  RANDOM_VALUES(
      "one client fetches 2,000,000 values in random order, of a file that changes",
      site -> site.writeRandom(1_000, site.size(2_000, 200) * 1_000),
      site -> {
        int[] all = IntStream.range(0, 1_000).map(m -> Pmid.build(70, 7, m)).toArray();
        CollectorConnection client = site.clients(1).getFirst();
        site.changeRandom();
        while (client.fetch(all[0]).result().sets().getFirst().status() < 0) {
          site.pause(20); // the file is being read
        }
        site.count(client.ask(Fetch.of(0, 0, all)), Result.class::isInstance);
      }),
  CONNECTIONS(
      "1,100 connections of a user at once, of which a tenth is refused; 1,000 come and go",
      ClientSite::writeLarge,
      site -> {
        List<CollectorConnection> clients = site.admitted(1_100);
        site.checkAdmitted(clients.size(), 990, 1_000); // of --max-clients=1000
        site.askAll(clients, new DescReq(0, GOOD));
        site.askAll(clients, Fetch.of(0, 0, ClientSite.LARGE));
        for (int i = 0; i < 1_000; i++) {
          CollectorConnection.connect(site.address()).reset();
        }
      }),
  TLS_LARGE_REPLY(
      "with TLS, one client fetches 57 MB three times",
      site -> site.write(WorstCatalogue.INSTANCES, site.size(1, 20)),
      site -> {
        CollectorConnection client = site.secured();
        for (int i = 0; i < 3; i++) {
          client.sendBytes(WorstRequest.FETCH.encoded(WorstCatalogue.INSTANCES));
          site.count(client.receive());
        }
      }),
  TLS_SHORT_RECORDS(
      "with TLS, one client sends one PDU per record, and another one byte",
      site -> {
        CollectorConnection other = site.secured();
        Pdu request = new DescIds(0, Collections.nCopies(4_000, GOOD));
        for (byte one : CollectorConnection.encoded(request)) {
          other.sendBytes(new byte[] {one});
        }
        site.count(other.receive());
        CollectorConnection client = site.secured();
        int count = site.size(20_000, 3_000);
        site.inBackground(() -> {
          for (int i = 0; i < count; i++) {
            client.send(new DescReq(0, GOOD));
          }
        });
        for (int i = 0; i < count; i++) {
          site.count(client.receive());
        }
      }),
  TLS_HANDSHAKES(
      "with TLS, handshakes of 10 clients at a time",
      site -> {
        for (int i = 0; i < 10; i++) {
          site.inBackground(() -> {
            for (int j = 0; j < site.size(20, 5); j++) {
              site.secured().close();
            }
          });
        }
      }),
  HTTP_SLOW_HEADS(
      "490 clients that send a head a byte at a time",
      site -> {
        List<HttpConnection> clients = site.httpClients(site.size(490, 100));
        for (int i = 0; i < 20; i++) {
          for (HttpConnection client : clients) {
            client.send(scrape().substring(i, i + 1));
          }
        }
      }),
  HTTP_HALF_REQUESTS(
      "clients that send half a request and leave",
      site -> {
        for (int i = 0; i < 1_000; i++) {
          HttpConnection client = site.httpClients(1).getFirst();
          client.send(scrape().substring(0, scrape().length() / 2));
          client.reset();
        }
      }),
  HTTP_PIPELINED(
      "100 clients that send 200 requests for 50,000 values without a pause",
      ClientSite::writeLarge,
      site -> {
        List<HttpConnection> clients = site.httpClients(site.size(100, 20));
        for (HttpConnection client : clients) {
          client.send(scrape().repeat(200));
        }
        for (HttpConnection client : clients) {
          HttpConnection.Response page = client.receive();
          site.check(
              page.status() == 200 && page.body().contains("jmmv_scrape_duration_seconds"), page);
        }
      }),
  HTTP_CONTEXTS(
      "20,000 contexts of PCP's web API",
      site -> {
        HttpConnection client = site.httpClients(1).getFirst();
        String context = HttpConnection.request("/pmapi/context");
        for (int i = 0; i < site.size(200, 50); i++) {
          client.send(context.repeat(100));
          for (int j = 0; j < 100; j++) {
            HttpConnection.Response response = client.receive();
            site.check(response.status() == 200 || response.status() == 503, response);
          }
        }
      }),
  HTTP_BUSY_DAY(
      "100 pages, 10 scrapers and 50 clients of PCP, while files come and go",
      site -> site.write(WorstCatalogue.NAMES, site.size(14, 70)), // files of 1,000 metrics
      ClientAttack::beBusy),
  HTTP_IDLE(
      "1,000 connections that ask nothing",
      site -> {
        site.httpClients(1_000);
        site.pause(1_000);
      }),
  RELOADS(WorstCatalogue.ENTRIES, 60, ALL, WorstRequest.RELOAD),
  LABELS_SCRAPED(WorstCatalogue.LABELS, 1, ALL, WorstRequest.METRICS_TEXT),
  LABELS_UNREAD(WorstCatalogue.LABELS, 60, LITTLE, WorstRequest.METRICS_TEXT),
  NAMES_SCRAPED(
      WorstCatalogue.NAMES, 4, ALL, WorstRequest.METRICS_TEXT, WorstRequest.METRICS_TEXT_PCP),
  NAMES_MATCHED(WorstCatalogue.NAMES, 1, ALL, WorstRequest.METRICS_OF_PATTERNS),
  CHILDREN_UNREAD(WorstCatalogue.NAMES, 100, LITTLE, WorstRequest.PMAPI_CHILDREN),
  NAMES_UNREAD(
      WorstCatalogue.NAMES,
      400,
      LITTLE,
      WorstRequest.API_PROMETHEUS,
      WorstRequest.API_METRICS,
      WorstRequest.PMAPI_METRIC),
  HEADS_UNREAD(WorstCatalogue.NAMES, 490, LITTLE, WorstRequest.METRICS_LONG_HEAD),
  INSTANCES_READ(WorstCatalogue.INSTANCES, 400, ALL, WorstRequest.INSTANCE_ALL),
  INSTANCES_UNREAD(WorstCatalogue.INSTANCES, 400, LITTLE, WorstRequest.INSTANCE_ALL),
  INSTANCE_LABELS(WorstCatalogue.INSTANCES, 400, ALL, WorstRequest.LABELS_OF_INSTANCES),
  SCRAPES(WorstCatalogue.INSTANCES, 200, ALL, WorstRequest.METRICS_TEXT),
  COMPRESSED_UNREAD(WorstCatalogue.INSTANCES, 490, LITTLE, WorstRequest.METRICS_GZIP),
  STREAMS_UNREAD(WorstCatalogue.INSTANCES, 400, LITTLE, WorstRequest.API_STREAM),
  PROFILED_FETCHES(WorstCatalogue.INSTANCES, 1, ALL, WorstRequest.PMAPI_PROFILED_NAMES),
  DERIVED(
      WorstCatalogue.INSTANCES,
      60,
      ALL,
      WorstRequest.PMAPI_DERIVED,
      WorstRequest.PMAPI_DERIVED_MATCHING),
  SHARED_PMID(
      WorstCatalogue.PMID, 2, ALL, WorstRequest.PMAPI_FETCH_PMIDS, WorstRequest.PMAPI_METRIC_PMIDS),
  ENTRIES(
      WorstCatalogue.ENTRIES,
      60,
      ALL,
      WorstRequest.FETCH_ONE,
      WorstRequest.API_FILES,
      WorstRequest.API_ABOUT),
  CLIENTS_OF_EIGHT_USERS(
      WorstCatalogue.CLIENTS,
      800,
      800,
      client -> 30_000L + client % 8,
      WorstRequest.INSTANCE_ALL,
      WorstRequest.FETCH_ONE),
  CLIENTS_OF_1000_USERS(
      WorstCatalogue.INSTANCES, 1_000, 200, client -> 100_000L + client, WorstRequest.FETCH_ONE);

  /** What may fail because the collector ends a connection. */
  interface Action {
    void on(ClientSite site) throws IOException;
  }

  /** What clients read of their replies. */
  enum Reading {
    ALL,
    LITTLE
  }

  /**
   * Many clients that ask for the same.
   *
   * @param clients how many connect
   * @param asking how many of them ask
   * @param user returns the user ID of a client, or -1 if it connects with TCP
   * @param requests the first client asks for the first, and so on
   */
  private record Row(
      WorstCatalogue files,
      int clients,
      int asking,
      Reading reading,
      IntToLongFunction user,
      List<WorstRequest> requests) {
    private static final int READ_MILLIS = 10_000;
    private static final int PARTS = 20; // of the catalogue, of which a small attack has one
    private static final int SMALL_PARTS = 5; // of the clients

    String what() {
      return "%d clients that %s %s, of %s"
          .formatted(
              clients,
              reading == ALL ? "read" : "hardly read",
              String.join(", ", requests.stream().map(WorstRequest::label).toList()),
              files.what());
    }

    void begin(ClientSite site) throws IOException {
      site.write(files, site.size(1, PARTS));
    }

    void round(ClientSite site) throws IOException {
      List<ByteClient> connected = new ArrayList<>();
      for (int i = 0; i < site.size(clients, Math.ceilDiv(clients, SMALL_PARTS)); i++) {
        connected.add(site.connect(user.applyAsLong(i), request(i).isHttp()));
      }
      List<ByteClient> asked =
          connected.subList(0, site.size(asking, Math.ceilDiv(asking, SMALL_PARTS)));
      for (int i = 0; i < asked.size(); i++) {
        WorstRequest request = request(i);
        if (request.isHttp()) {
          asked.get(i).send(request.http(files, request.needsContext() ? site.newContext() : ""));
        } else {
          asked.get(i).send(request.encoded(files));
          asked.get(i).end();
        }
      }
      for (ByteClient client : asked) {
        site.inBackground(() ->
            site.countBytes(
                reading == ALL ? client.readAll(READ_MILLIS, READ_MILLIS) : client.read()));
      }
      if (reading == LITTLE) {
        site.pause(1_000);
      }
      if (user.applyAsLong(0) >= 0) {
        site.checkOthersGetIn();
      }
    }

    private WorstRequest request(int client) {
      return requests.get(client % requests.size());
    }
  }

  private final String what;
  private final Action begin;
  private final Action round;

  ClientAttack(String what, Action round) {
    this(what, _ -> {}, round);
  }

  ClientAttack(String what, Action begin, Action round) {
    this.what = what;
    this.begin = begin;
    this.round = round;
  }

  ClientAttack(Row row) {
    this(row.what(), row::begin, row::round);
  }

  ClientAttack(WorstCatalogue files, int clients, Reading reading, WorstRequest... requests) {
    this(new Row(files, clients, clients, reading, _ -> -1, List.of(requests)));
  }

  ClientAttack(
      WorstCatalogue files,
      int clients,
      int asking,
      IntToLongFunction user,
      WorstRequest... requests) {
    this(new Row(files, clients, asking, ALL, user, List.of(requests)));
  }

  private static String scrape() {
    return HttpConnection.request("/metrics");
  }

  /**
   * Sends a profile for 64 contexts of each client, and fetches of the last one and of the first,
   * which has been forgotten.
   */
  private static void profile(ClientSite site, int count, InDomProfile... inDoms)
      throws IOException {
    List<CollectorConnection> clients = site.clients(count);
    for (int context = 0; context < 64; context++) {
      for (CollectorConnection client : clients) {
        client.send(new Profile(0, context, false, List.of(inDoms)));
      }
    }
    for (CollectorConnection client : clients) {
      site.count(fetch(client, 63), Result.class::isInstance);
      site.count(fetch(client, 0), new PduError(0, PmError.NOPROFILE.code())::equals);
    }
  }

  /** Returns the reply to a fetch, without what tells of changes before it. */
  private static Pdu fetch(CollectorConnection client, int context) throws IOException {
    Pdu first = client.ask(Fetch.of(0, context, GOOD));
    return first instanceof PduError(_, int code) && code > 0 ? client.receive() : first;
  }

  private static void beBusy(ClientSite site) throws IOException {
    for (HttpConnection page : site.httpClients(site.size(100, 20))) {
      page.send(
          HttpConnection.request("/api/v1/stream?interval=200&series=70.5.1:0&series=70.5.1:1"));
      site.check(page.receiveHead().status() == 200, "no stream");
      site.inBackground(() -> {
        for (int i = 0; i < 10; i++) {
          String event = page.receiveEvent();
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
          List<InstanceValue> values = client.fetch(GOOD).result().sets().getFirst().values();
          site.check(values.size() == 2 && values.get(1).value().asText().equals("42"), values);
        }
      });
    }
    for (int i = 0; i < 20; i++) {
      site.comeAndGo(i);
    }
  }

  /** Returns what it does, in a few words. */
  String what() {
    return what;
  }

  /** Returns whether the clients use TLS. */
  boolean usesTls() {
    return name().startsWith("TLS_");
  }

  /** Returns whether the collector must not grow however long the attack goes on. */
  boolean isSoak() {
    return this == HTTP_BUSY_DAY;
  }

  /** Writes the files that the attack needs, before the collector starts. */
  void begin(ClientSite site) throws IOException {
    begin.on(site);
  }

  /** Attacks. The connections of a round are closed after it. */
  void round(ClientSite site) throws IOException {
    round.on(site);
  }
}
