package org.jmmv.cli;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jmmv.cli.command.Command;
import org.jmmv.collector.Collector;
import org.jmmv.config.Addresses;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.CertificateFiles;
import org.jmmv.config.Converters;
import org.jmmv.config.DefaultDirectories;
import org.jmmv.config.HttpSettings;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.SettingsFile;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.PmcdClients;
import org.jmmv.pcp.Network;
import org.jmmv.pcp.Pmcd;
import org.jmmv.posix.ServiceManager;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.serving.Access;
import org.jmmv.serving.Certificate;
import org.jmmv.serving.Clients;
import org.jmmv.serving.Server;
import org.jmmv.serving.ThisHost;
import org.jmmv.serving.Tls;
import org.jmmv.web.Web;
import org.jmmv.web.http.SiteRules;
import org.jmmv.web.metrics.Naming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The command {@code jmmv serve}: a collector, which PCP's clients ask instead of pmcd. */
final class Serve extends Command {
  /** With the 1,024 descriptors that a process usually may open, accepting clients can't fail. */
  private static final int DEFAULT_CLIENTS = 1000;

  /** A larger number is reported as a mistake: each client takes a descriptor. */
  private static final int MAX_CLIENTS = 100_000;

  private static final InetAddress ANY_IPV4 = InetAddress.ofLiteral("0.0.0.0");
  private static final InetAddress ANY_IPV6 = InetAddress.ofLiteral("::");
  private static final List<String> QUESTIONS = List.of("ready", "healthy");

  private final Arg<List<Path>> directories =
      directories("directories of MMV files, served without the rules of jmmv.toml");
  private final Arg<List<SocketAddress>> listen =
      addresses(
          "ADDR:PORT",
          "listen on this address instead of localhost:44321, that is 127.0.0.1 and [::1]; :PORT:"
              + " on all addresses; port 0: on a free one; none: on no address",
          Addresses::pcp,
          "--listen");
  private final Arg<Path> socket = file("listen on this Unix domain socket, too", "--socket");
  private final Arg<List<SocketAddress>> http =
      addresses(
          "ADDR:PORT",
          "serve metrics to Prometheus and browsers over HTTP on this address, or on the Unix"
              + " domain socket of unix:FILE",
          Addresses::http,
          "--http");
  private final Arg<List<String>> httpHosts =
      several(
          "NAME",
          "answer clients of HTTP that call this host by this name, in the header Host; *: by any"
              + " name",
          Addresses::host,
          "--http-host");
  private final Arg<List<Network>> allowed =
      several(
          "CIDR",
          "admit clients of other hosts only from this network",
          Addresses::network,
          "--allow");
  private final Arg<Integer> maxClients =
      option(
          "NUM",
          "maximum number of clients, " + DEFAULT_CLIENTS + " by default",
          Converters.numberUpTo(MAX_CLIENTS),
          "--max-clients");
  private final Arg<Path> chain =
      file("offer TLS (pcps://) with the certificate in this PEM file; needs --key", "--cert");
  private final Arg<Path> key = file("the PEM file of the certificate's key, PKCS #8", "--key");
  private final Arg<Path> state =
      add(
          builder(
                  "DIR",
                  "keep assigned numbers in this directory instead of $XDG_STATE_HOME/jmmv or"
                      + " ~/.local/state/jmmv",
                  Converters::path,
                  "--state")
              .type(Path.class));
  private final Arg<Path> settings = file("read these settings instead of jmmv.toml", "--settings");
  private final Arg<String> ask =
      add(
          builder(
                  "WHAT",
                  "ask a server with these options and settings over HTTP whether it is ready or"
                      + " healthy, and exit with 0 if it is, otherwise with 1",
                  Serve::question,
                  "--ask")
              .completionCandidates(QUESTIONS));

  Serve() {
    super("serve the files to clients of PCP, such as pminfo, without pmcd");
  }

  private <T> Arg<List<T>> several(
      String value, String text, Function<String, T> converter, String name) {
    return options(value, text + "; may be repeated", converter, name);
  }

  /** As {@link #several}; a value stands for any number of addresses, which picocli joins. */
  private Arg<List<SocketAddress>> addresses(
      String value, String text, Function<String, List<SocketAddress>> converter, String name) {
    return add(builder(value, text + "; may be repeated", converter, name).type(List.class));
  }

  private static String question(String text) {
    if (!QUESTIONS.contains(text)) {
      throw Converters.wrong("ready or healthy", text);
    }
    return text;
  }

  private List<SocketAddress> pcpAddresses() {
    return Stream.concat(
            socket.value().map(UnixDomainSocketAddress::of).stream(),
            listen.value().orElseGet(() -> Addresses.localhost(Pmcd.PORT)).stream())
        .toList();
  }

  private Set<SocketAddress> httpAddresses(HttpSettings file) {
    return addresses(http.or(List.of()), file.addresses());
  }

  /**
   * Serves until the process is ended: SIGTERM and SIGINT end it with status 0.
   *
   * @throws IOException if an address can't be bound, or the settings file is invalid
   */
  @Override
  public int run(Map<String, String> environment, Writer out) throws IOException {
    HangUp.handle(() -> {}); // what is read from now on is new anyway
    try (Shutdown shutdown = new Shutdown()) {
      return run(environment, out, shutdown);
    }
  }

  private int run(Map<String, String> environment, Writer out, Shutdown shutdown)
      throws IOException {
    if (chain.isGiven() != key.isGiven()) {
      throw wrong("--cert and --key belong together");
    }
    List<Path> given = checked(directories);
    PcpConfig config = PcpConfig.load(environment);
    SettingsFile file =
        settings
            .value()
            .map(SettingsFile::new)
            .orElseGet(() -> SettingsFile.of(config, AgentCommand.DEFAULT_NAME));
    SettingsWatch watch =
        new SettingsWatch(
            file,
            read -> read.with(directories(given, read.directories(), config)),
            AtStart.OF_SERVER);
    if (settings.isGiven() && !file.exists()) {
      throw new IOException(file.path() + ": no such file");
    }
    HttpSettings first = watch.settings().http();
    if (pcpAddresses().isEmpty() && httpAddresses(first).isEmpty()) {
      throw wrong("--listen none needs --socket or --http, because nobody could connect otherwise");
    }
    if (ask.isGiven()) {
      return Ask.run(ask.or(""), httpAddresses(first), certificate(first).isPresent(), out);
    }
    Path directory = watch.settings().paths().getFirst();
    PmcdClients clients = new PmcdClients();
    Catalog catalog =
        new Catalog(
            new CatalogOptions(directory)
                .pcpVersion(config.version())
                .version(version())
                .status(watch.settings().hasStatus())
                .clusters(StateFile.of(state.value(), directory, environment))
                .debug(watch.debug())
                .settings(watch.ofCatalog())
                .source(watch::changed)
                .pmcd(ThisHost.facts(environment, version()), clients));
    CompletableFuture<Void> signal = new CompletableFuture<>();
    shutdown.stopsWith(() -> signal.complete(null));
    try (Server server =
        new Server(catalog, new Access(maxClients.or(DEFAULT_CLIENTS), allowed.or(List.of())))) {
      List<String> lines = listen(server, faces(server, clients, watch));
      HangUp.handle(() -> {
        log().info("SIGHUP: the settings and all files are read again");
        catalog.requestReload();
        server.loop().executor().execute(server.maintenance()::run);
      });
      print(lines, out);
      notifyServiceManager(environment, "READY=1");
      signal.join();
      HangUp.handle(() -> {}); // the loop ends
      notifyServiceManager(environment, "STOPPING=1");
      return GOOD;
    }
  }

  /** Returns the directories of the command line, or if it has none, those of the settings. */
  private static List<DirectorySettings> directories(
      List<Path> given, List<DirectorySettings> settings, PcpConfig config) {
    return given.isEmpty()
        ? DefaultDirectories.of(settings, config)
        : given.stream().map(DirectorySettings.DEFAULT::at).toList();
  }

  /** Returns the logger. A constant would set up the log for each command of {@code jmmv}. */
  private static Logger log() {
    return LoggerFactory.getLogger(Serve.class);
  }

  /**
   * A face, and where it listens.
   *
   * @param hint returns how to ask at an address
   */
  private record Face(
      Set<SocketAddress> addresses, Clients.Face clients, Function<SocketAddress, String> hint) {}

  /** Returns all faces. */
  private List<Face> faces(Server server, PmcdClients clients, SettingsWatch watch)
      throws IOException {
    HttpSettings first = watch.settings().http();
    Optional<Tls> tls = tls(server, ownCertificate(), Optional.empty());
    Optional<Tls> https = tls(server, certificate(first), first.clientCa());
    if (https.isEmpty() && first.clientCa().isPresent() && !httpAddresses(first).isEmpty()) {
      throw new IOException("http.client_ca in the settings needs http.cert and http.key, too");
    }
    Set<String> hosts = new HashSet<>(httpHosts.or(List.of()));
    hosts.addAll(List.of("localhost", ThisHost.hostname().toLowerCase(Locale.ROOT)));
    List<Face> faces = new ArrayList<>();
    faces.add(
        new Face(
            addresses(pcpAddresses(), List.of()),
            new Collector(server, clients, ThisHost.labels(), tls, watch.debug()),
            bound -> "pminfo -h " + AddressText.toAsk(bound, tls.isPresent()) + " mmv"));
    Set<SocketAddress> ofHttp = httpAddresses(first);
    if (!ofHttp.isEmpty()) { // or else values would be kept that nobody can ask for
      faces.add(
          new Face(
              ofHttp,
              Web.face(
                  server,
                  () -> rules(watch.settings().http(), hosts),
                  () -> watch.settings().http().hasPcpNames() ? Naming.PCP : Naming.PROMETHEUS,
                  first.maxSeries(),
                  () -> (long) watch.settings().http().history() << 20,
                  version(),
                  https),
              bound -> AddressText.toBrowse(bound, https.isPresent())));
    }
    return faces;
  }

  /** Starts all faces. Returns a line for each address, which says how to ask there. */
  private static List<String> listen(Server server, List<Face> faces) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Face face : faces) {
      for (SocketAddress address : face.addresses) {
        SocketAddress bound = listen(server, face.clients, address);
        lines.add(
            "listening at %s; to ask: %s\n"
                .formatted(AddressText.shown(bound), face.hint.apply(bound)));
      }
    }
    return lines;
  }

  /** Returns all addresses, without 0.0.0.0 beside [::] at the same port, which includes IPv4. */
  private static Set<SocketAddress> addresses(
      List<SocketAddress> some, List<SocketAddress> others) {
    Set<SocketAddress> all = new LinkedHashSet<>(some);
    all.addAll(others);
    for (SocketAddress address : List.copyOf(all)) {
      if (address instanceof InetSocketAddress ip && ip.getAddress().equals(ANY_IPV6)) {
        all.remove(new InetSocketAddress(ANY_IPV4, ip.getPort()));
      }
    }
    return all;
  }

  private Optional<CertificateFiles> ownCertificate() {
    return chain.value().map(path -> new CertificateFiles(path, key.value().orElseThrow()));
  }

  private Optional<CertificateFiles> certificate(HttpSettings file) {
    return file.certificate().or(this::ownCertificate);
  }

  private static Optional<Tls> tls(
      Server server, Optional<CertificateFiles> files, Optional<Path> clientCa) throws IOException {
    if (files.isEmpty()) {
      return Optional.empty();
    }
    Certificate certificate = new Certificate(files.get().chain(), files.get().key(), clientCa);
    return Optional.of(new Tls(certificate, server.slowTasks()));
  }

  /**
   * Returns the rules in force.
   *
   * @param known names of this host that are not in the settings
   */
  private static SiteRules rules(HttpSettings settings, Set<String> known) {
    Set<String> hosts = new HashSet<>(settings.hosts());
    hosts.addAll(known);
    return new SiteRules(hosts, settings.origins(), settings.users(), settings.proxies());
  }

  private static void print(List<String> lines, Writer out) {
    try {
      out.write(String.join("", lines));
      out.flush();
    } catch (IOException e) {
      log().warn("standard output can't be written: {}", e.getMessage()); // which is no hindrance
    }
  }

  private static SocketAddress listen(Server server, Clients.Face face, SocketAddress address)
      throws IOException {
    try {
      return server.listen(address, face);
    } catch (IOException e) {
      String hint =
          address instanceof InetSocketAddress ip && ip.getPort() == Pmcd.PORT
              ? "; if pmcd runs here, choose another port, for example --listen 127.0.0.1:44322"
              : "";
      throw new IOException(
          "can't listen at %s: %s%s".formatted(AddressText.shown(address), e.getMessage(), hint),
          e);
    }
  }

  /** Reports the state of this process to the service manager, if it was started by one. */
  private static void notifyServiceManager(Map<String, String> environment, String state) {
    String socket = environment.get("NOTIFY_SOCKET");
    if (socket != null) {
      try {
        ServiceManager.report(socket, state);
      } catch (IOException e) {
        log()
            .warn(
                "the service manager at {} could not be notified of {}: {}",
                socket,
                state,
                e.getMessage());
      }
    }
  }
}
