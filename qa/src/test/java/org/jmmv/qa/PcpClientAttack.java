package org.jmmv.qa;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;

/** What clients can do that speak PCP's protocol. */
enum PcpClientAttack implements ClientAttack {
  PROFILES_OF_IN_DOMS("64 profiles of 3,270 instance domains from each of 50 clients") {
    @Override
    public void round(ClientSite site) throws IOException {
      profile(
          site,
          site.clients(50),
          IntStream.range(0, 3_270).mapToObj(i -> new InDomProfile(i, false, 1)).toList());
    }
  },
  PROFILES_OF_INSTANCES("64 profiles of 16,370 instances from each of 127 clients") {
    @Override
    public void round(ClientSite site) throws IOException {
      int[] instances = IntStream.range(0, 16_370).toArray();
      profile(
          site,
          site.clients(site.size(127, 60)),
          List.of(new InDomProfile(ClientSite.LARGE_IN_DOM, false, instances)));
    }
  },
  UNREAD_REPLIES("clients that do not read a thousand short replies") {
    @Override
    public void round(ClientSite site) throws IOException {
      Pdu[] requests = Collections.nCopies(1_000, Fetch.of(0, 0, GOOD)).toArray(Pdu[]::new);
      for (CollectorConnection client : site.clients(site.size(200, 50))) {
        client.send(requests);
      }
    }
  },
  MALFORMED("malformed PDUs, and connections that end with one") {
    @Override
    public void round(ClientSite site) throws IOException {
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
          site.checkClosed(closed);
        }
      }
    }
  },
  DESCRIPTORS("400 requests for 16,300 descriptors each at once, with 100 directories") {
    @Override
    public void begin(ClientSite site) throws IOException {
      site.addDirectories(99);
    }

    @Override
    public void round(ClientSite site) throws IOException {
      Pdu request = new DescIds(0, Collections.nCopies(16_300, GOOD));
      site.askAll(site.clients(site.size(400, 100)), request, PcpClientAttack::hasAllDescriptors);
    }
  },
  DESCRIPTORS_OF_ONE("one client asks for 16,300 descriptors, with 100 directories") {
    @Override
    public void begin(ClientSite site) throws IOException {
      site.addDirectories(99);
    }

    @Override
    public void round(ClientSite site) throws IOException {
      site.askAll(
          site.clients(1),
          new DescIds(0, Collections.nCopies(16_300, GOOD)),
          PcpClientAttack::hasAllDescriptors);
    }
  },
  RELOADS("60 clients that store to mmv.control.reload, beside 5,000 empty files") {
    @Override
    public void begin(ClientSite site) throws IOException {
      site.writeEmpty(site.size(5_000, 500));
    }

    @Override
    public void round(ClientSite site) throws IOException {
      Value one = new Value.Word(1);
      ValueSet set = ValueSet.of(RELOAD, List.of(new InstanceValue(Instance.NULL, one)));
      site.askAll(site.clients(60), new Result(0, 0, 0, List.of(set)));
    }
  },
  RANDOM_VALUES("one client fetches 2,000,000 values in random order, of a file that changes") {
    private static final int METRICS = 1_000;

    @Override
    public void begin(ClientSite site) {
      int values = site.size(2_000, 200);
      site.writeRandom(METRICS, values * METRICS);
    }

    @Override
    public void round(ClientSite site) throws IOException {
      int[] all = IntStream.range(0, METRICS).map(m -> Pmid.build(70, 7, m)).toArray();
      CollectorConnection client = site.clients(1).getFirst();
      site.changeRandom();
      while (client.fetch(all[0]).result().sets().getFirst().status() < 0) {
        site.pause(20); // the file is being read
      }
      site.count(client.ask(Fetch.of(0, 0, all)), Result.class::isInstance);
    }
  },
  CONNECTIONS("500 clients that ask small and large things at once, others that come and go") {
    @Override
    public void begin(ClientSite site) {
      site.writeLarge();
    }

    @Override
    public void round(ClientSite site) throws IOException {
      List<CollectorConnection> clients = site.clients(site.size(490, 100));
      site.askAll(clients, new DescReq(0, GOOD));
      site.askAll(clients, Fetch.of(0, 0, ClientSite.LARGE));
      for (int i = 0; i < 1_000; i++) {
        CollectorConnection.connect(site.address()).reset();
      }
    }
  },
  TOO_MANY_CONNECTIONS("1,100 connections of a user at once, of which a tenth is refused") {
    @Override
    public void begin(ClientSite site) {
      site.writeLarge();
    }

    @Override
    public void round(ClientSite site) throws IOException {
      List<CollectorConnection> clients = site.admitted(1_100);
      site.checkAdmitted(clients.size(), 990, 1_000); // of --max-clients=1000
      site.askAll(clients, new DescReq(0, GOOD));
      site.askAll(clients, Fetch.of(0, 0, ClientSite.LARGE));
    }
  },
  TLS_CREDENTIALS("1,024 credentials in a PDU, each of which asks for TLS", true) {
    @Override
    public void round(ClientSite site) throws IOException {
      int version = 1 << 24 | 2 << 16 | Greeting.SECURE | Greeting.SECURE_ACK;
      Pdu request = new Creds(0, Collections.nCopies(1_024, version));
      for (int i = 0; i < 200; i++) {
        try (CollectorConnection client = CollectorConnection.connect(site.address())) {
          client.send(request);
          site.count(client.receive(), new PduError(0, 0)::equals);
        }
      }
    }
  },
  TLS_LARGE_REPLY("with TLS, one client fetches 57 MB three times", true) {
    @Override
    public void begin(ClientSite site) throws IOException {
      site.write(WorstCatalogue.INSTANCES, site.size(1, 20));
    }

    @Override
    public void round(ClientSite site) throws IOException {
      CollectorConnection client = site.secured();
      for (int i = 0; i < 3; i++) {
        client.sendBytes(WorstRequest.FETCH.pdus(WorstCatalogue.INSTANCES));
        site.count(client.receive());
      }
    }
  },
  TLS_SHORT_RECORDS("with TLS, one client sends one PDU per record", true) {
    @Override
    public void round(ClientSite site) throws IOException {
      CollectorConnection client = site.secured();
      byte[] request = CollectorConnection.encoded(new DescReq(0, GOOD));
      int count = site.size(20_000, 3_000);
      site.inBackground(() -> {
        for (int i = 0; i < count; i++) {
          client.sendBytes(request);
        }
      });
      for (int i = 0; i < count; i++) {
        site.count(client.receive());
      }
    }
  },
  TLS_EMPTY_RECORDS("with TLS, one client sends one byte per record", true) {
    @Override
    public void round(ClientSite site) throws IOException {
      CollectorConnection client = site.secured();
      byte[] request =
          CollectorConnection.encoded(new DescIds(0, Collections.nCopies(4_000, GOOD)));
      for (byte one : request) {
        client.sendBytes(new byte[] {one});
      }
      site.count(client.receive());
    }
  },
  TLS_HANDSHAKES("with TLS, handshakes of 10 clients at a time", true) {
    @Override
    public void round(ClientSite site) throws IOException {
      for (int i = 0; i < 10; i++) {
        site.inBackground(() -> {
          for (int j = 0; j < site.size(20, 5); j++) {
            site.secured().close();
          }
        });
      }
    }
  };

  private static final int GOOD = ClientSite.GOOD;
  private static final int RELOAD = Pmid.build(70, 0, 0);

  private final String what;
  private final boolean usesTls;

  PcpClientAttack(String what) {
    this(what, false);
  }

  PcpClientAttack(String what, boolean usesTls) {
    this.what = what;
    this.usesTls = usesTls;
  }

  private static boolean hasAllDescriptors(Pdu reply) {
    return reply instanceof Descs descs && descs.descs().size() == 16_300;
  }

  /**
   * Sends a profile for 64 contexts of each client, and fetches of the last one and of the first,
   * which has been forgotten.
   */
  private static void profile(
      ClientSite site, List<CollectorConnection> clients, List<InDomProfile> inDoms)
      throws IOException {
    for (int context = 0; context < 64; context++) {
      for (CollectorConnection client : clients) {
        client.send(new Profile(0, context, false, inDoms));
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

  @Override
  public boolean usesTls() {
    return usesTls;
  }

  @Override
  public String what() {
    return what;
  }
}
