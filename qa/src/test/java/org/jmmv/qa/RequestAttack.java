package org.jmmv.qa;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Many clients that ask for the same at once: a row says which {@link WorstRequest} over which
 * {@link WorstCatalogue}, how many clients, and whether they read the replies. A new kind of
 * request or of file is a constant there, a new attack a row here.
 */
@SuppressWarnings("ImmutableEnumChecker") // the list is unmodifiable
enum RequestAttack implements ClientAttack {
  LABELS_SCRAPED(WorstCatalogue.LABELS, 1, Reading.ALL, WorstRequest.METRICS_TEXT),
  LABELS_UNREAD(WorstCatalogue.LABELS, 60, Reading.LITTLE, WorstRequest.METRICS_TEXT),
  NAMES_SCRAPED(
      WorstCatalogue.NAMES,
      4,
      Reading.ALL,
      WorstRequest.METRICS_TEXT,
      WorstRequest.METRICS_TEXT_PCP),
  NAMES_MATCHED(WorstCatalogue.NAMES, 1, Reading.ALL, WorstRequest.METRICS_OF_PATTERNS),
  CHILDREN_UNREAD(WorstCatalogue.NAMES, 100, Reading.LITTLE, WorstRequest.PMAPI_CHILDREN),
  NAMES_UNREAD(
      WorstCatalogue.NAMES,
      400,
      Reading.LITTLE,
      WorstRequest.API_PROMETHEUS,
      WorstRequest.API_METRICS,
      WorstRequest.PMAPI_METRIC),
  HEADS_UNREAD(WorstCatalogue.NAMES, 490, Reading.LITTLE, WorstRequest.METRICS_LONG_HEAD),
  INSTANCES_READ(WorstCatalogue.INSTANCES, 400, Reading.ALL, WorstRequest.INSTANCE_ALL),
  INSTANCES_UNREAD(WorstCatalogue.INSTANCES, 400, Reading.LITTLE, WorstRequest.INSTANCE_ALL),
  INSTANCE_LABELS(WorstCatalogue.INSTANCES, 400, Reading.ALL, WorstRequest.LABELS_OF_INSTANCES),
  SCRAPES(WorstCatalogue.INSTANCES, 200, Reading.ALL, WorstRequest.METRICS_TEXT),
  COMPRESSED_UNREAD(WorstCatalogue.INSTANCES, 490, Reading.LITTLE, WorstRequest.METRICS_GZIP),
  STREAMS_UNREAD(WorstCatalogue.INSTANCES, 400, Reading.LITTLE, WorstRequest.API_STREAM),
  PROFILED_FETCHES(WorstCatalogue.INSTANCES, 1, Reading.ALL, WorstRequest.PMAPI_PROFILED_NAMES),
  SHARED_PMID(
      WorstCatalogue.PMID,
      2,
      Reading.ALL,
      WorstRequest.PMAPI_FETCH_PMIDS,
      WorstRequest.PMAPI_METRIC_PMIDS),
  ENTRIES(
      WorstCatalogue.ENTRIES,
      60,
      Reading.ALL,
      WorstRequest.FETCH_ONE,
      WorstRequest.API_FILES,
      WorstRequest.API_ABOUT),
  CLIENTS_OF_EIGHT_USERS(
      WorstCatalogue.CLIENTS, 800, Reading.ALL, WorstRequest.INSTANCE_ALL, WorstRequest.FETCH_ONE) {
    @Override
    long user(int client) {
      return 30_000L + client % 8;
    }
  },
  CLIENTS_OF_1000_USERS(WorstCatalogue.INSTANCES, 1_000, Reading.ALL, WorstRequest.FETCH_ONE) {
    @Override
    long user(int client) {
      return 100_000L + client;
    }

    @Override
    int asking() {
      return 200;
    }
  };

  private static final int READ_MILLIS = 10_000;
  private static final int PARTS = 20; // of the catalogue, of which a small attack has one
  private static final int SMALL_PARTS = 5; // of the clients

  private final WorstCatalogue files;
  private final int clients;
  private final Reading reading;
  private final List<WorstRequest> requests; // the first client asks for the first, and so on

  /** What clients read of their replies. */
  private enum Reading {
    ALL,
    LITTLE
  }

  RequestAttack(WorstCatalogue files, int clients, Reading reading, WorstRequest... requests) {
    this.files = files;
    this.clients = clients;
    this.reading = reading;
    this.requests = List.of(requests);
  }

  /** Returns the user ID of a client, or -1 if it connects with TCP. */
  long user(int client) {
    return -1;
  }

  /** Returns how many of the clients ask; the others only connect. */
  int asking() {
    return clients;
  }

  @Override
  public String what() {
    return "%d clients that %s %s, of %s"
        .formatted(
            clients,
            reading == Reading.ALL ? "read" : "hardly read",
            String.join(", ", requests.stream().map(WorstRequest::label).toList()),
            files.what());
  }

  @Override
  public boolean usesTls() {
    return false;
  }

  @Override
  public void begin(ClientSite site) throws IOException {
    site.write(files, site.size(1, PARTS));
  }

  @Override
  public void round(ClientSite site) throws IOException {
    List<ByteClient> connected = new ArrayList<>();
    for (int i = 0; i < site.size(clients, Math.ceilDiv(clients, SMALL_PARTS)); i++) {
      connected.add(site.connect(user(i), request(i).isHttp()));
    }
    int asking = site.size(asking(), Math.ceilDiv(asking(), SMALL_PARTS));
    for (int i = 0; i < asking; i++) {
      WorstRequest request = request(i);
      ByteClient client = connected.get(i);
      if (request.isHttp()) {
        client.send(request.http(files, request.needsContext() ? site.newContext() : ""));
      } else {
        client.send(request.pdus(files));
        client.end();
      }
    }
    for (ByteClient client : connected.subList(0, asking)) {
      if (reading == Reading.ALL) {
        site.inBackground(() -> site.countBytes(client.readAll(READ_MILLIS, READ_MILLIS)));
      } else {
        site.inBackground(() -> site.countBytes(client.read()));
      }
    }
    if (reading == Reading.LITTLE) {
      site.pause(1_000);
    }
    if (user(0) >= 0) {
      site.checkOthersGetIn();
    }
  }

  private WorstRequest request(int client) {
    return requests.get(client % requests.size());
  }
}
