package org.jmmv.cli;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jmmv.collector.Collector;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.AgentOptions;
import org.jmmv.config.CertificateFiles;
import org.jmmv.config.DefaultDirectories;
import org.jmmv.config.HttpSettings;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.ServeCommand;
import org.jmmv.config.Settings;
import org.jmmv.config.SettingsException;
import org.jmmv.config.SettingsFile;
import org.jmmv.core.Catalog;
import org.jmmv.core.PmcdClients;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.posix.Reason;
import org.jmmv.posix.ServiceManager;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.serving.Access;
import org.jmmv.serving.Certificate;
import org.jmmv.serving.Server;
import org.jmmv.serving.ThisHost;
import org.jmmv.serving.Tls;
import org.jmmv.web.Web;
import org.jmmv.web.http.SiteRules;
import org.jmmv.web.metrics.Naming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParseResult;

/** The command {@code jmmv serve}: a collector, which PCP's clients ask instead of pmcd. */
final class Serve {
  private static final Logger LOG = LoggerFactory.getLogger(Serve.class);

  private static final InetAddress ANY_IPV4 = InetAddress.ofLiteral("0.0.0.0");
  private static final InetAddress ANY_IPV6 = InetAddress.ofLiteral("::");

  private Serve() {}

  /**
   * Serves until the process is ended: SIGTERM and SIGINT end it with status 0.
   *
   * @throws IOException if an address can't be bound, or the settings file is invalid
   */
  static int run(ParseResult command, Map<String, String> environment, Writer out)
      throws IOException {
    ServeCommand.Options options = ServeCommand.options(command);
    PcpConfig config = PcpConfig.load(environment);
    SettingsFile file =
        options.settings().map(SettingsFile::new).orElseGet(() -> SettingsFile.of(config));
    Settings settings = read(file);
    if (options.settings().isPresent() && !file.exists()) {
      throw new IOException(file.path() + ": no such file");
    }
    if (options.ask().isPresent()) {
      return Ask.run(
          options.ask().get(),
          addresses(options.http(), settings.http().addresses()),
          certificate(options, settings.http()).isPresent(),
          out);
    }
    ParseResult noOptions = AgentCommand.commandLine().parseArgs();
    AgentOptions agent = AgentCommand.options(noOptions, settings);
    List<DirectorySettings> directories = directories(options, agent.directories(), config);
    Path first = directories.getFirst().path().orElseThrow();
    SettingsWatch watch = new SettingsWatch(file, noOptions, settings, agent);
    PmcdClients clients = new PmcdClients();
    Catalog catalog =
        new Catalog.Builder(first)
            .root(agent.name())
            .domain(agent.domain())
            .pcpVersion(config.version())
            .version(AgentCommand.version())
            .status(agent.hasStatus())
            .clusters(numbers(options, environment, first))
            .debug(agent.debug())
            .settings(new SettingsSource.Settings(Main.limits(agent), directories))
            .source(isNow -> {
              SettingsSource.Settings changed = watch.changed(isNow);
              return changed == null
                  ? null
                  : new SettingsSource.Settings(
                      changed.limits(), directories(options, changed.directories(), config));
            })
            .pmcd(ThisHost.facts(environment, AgentCommand.version()), clients)
            .build();
    try (Shutdown shutdown = new Shutdown();
        Server server = new Server(catalog, new Access(options.maxClients(), options.allowed()))) {
      List<Listening> listening = listen(server, clients, options, agent.debug(), watch::http);
      HangUp.handle(() -> {
        LOG.info("SIGHUP: the settings and all files are read again");
        catalog.requestReload();
      });
      serve(shutdown, listening, out, environment);
      return ExitStatus.GOOD;
    }
  }

  /** Returns the directories of the command line, or if it has none, those of the settings. */
  private static List<DirectorySettings> directories(
      ServeCommand.Options options, List<DirectorySettings> settings, PcpConfig config) {
    return options.directories().isEmpty()
        ? DefaultDirectories.of(settings, config)
        : options.directories().stream().map(DirectorySettings.DEFAULT::at).toList();
  }

  /**
   * An address at which the process listens.
   *
   * @param hint how to ask it
   */
  private record Listening(SocketAddress address, String hint) {}

  /**
   * Starts all faces.
   *
   * @param http the settings for HTTP that are in force
   */
  private static List<Listening> listen(
      Server server,
      PmcdClients clients,
      ServeCommand.Options options,
      DebugOptions debug,
      Supplier<HttpSettings> http)
      throws IOException {
    List<Listening> listening = new ArrayList<>();
    Optional<Tls> tls = tls(server, options.certificate(), Optional.empty());
    Collector collector = new Collector(server, clients, ThisHost.labels(), tls, debug);
    for (SocketAddress address : addresses(options.addresses(), List.of())) {
      SocketAddress bound = listen(collector::listen, address);
      listening.add(new Listening(bound, "pminfo -h " + toAsk(bound, tls.isPresent()) + " mmv"));
    }
    HttpSettings first = http.get();
    Optional<Tls> https = tls(server, certificate(options, first), first.clientCa());
    Set<String> hosts = new HashSet<>(options.httpHosts());
    hosts.addAll(List.of("localhost", ThisHost.hostname().toLowerCase(Locale.ROOT)));
    Web web =
        new Web(
            server,
            () -> rules(http.get(), hosts),
            () -> http.get().hasPcpNames() ? Naming.PCP : Naming.PROMETHEUS,
            AgentCommand.version(),
            https);
    for (SocketAddress address : addresses(options.http(), first.addresses())) {
      SocketAddress bound = listen(web::listen, address);
      listening.add(new Listening(bound, toBrowse(bound, https.isPresent())));
    }
    return listening;
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

  private static Optional<CertificateFiles> certificate(
      ServeCommand.Options options, HttpSettings settings) {
    return settings.certificate().or(options::certificate);
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
    return new SiteRules(hosts, settings.origins(), settings.users());
  }

  /** Returns after a signal. */
  private static void serve(
      Shutdown shutdown, List<Listening> listening, Writer out, Map<String, String> environment)
      throws IOException {
    CountDownLatch signal = new CountDownLatch(1);
    shutdown.stopsWith(() -> {
      notifyServiceManager(environment, "STOPPING=1");
      signal.countDown();
    });
    Runtime.getRuntime().addShutdownHook(shutdown);
    for (Listening one : listening) {
      out.write("listening at %s; to ask: %s\n".formatted(shown(one.address), one.hint));
    }
    out.flush();
    notifyServiceManager(environment, "READY=1");
    try {
      signal.await();
    } catch (InterruptedException e) { // nobody interrupts the main thread
      throw new IllegalStateException(e);
    }
  }

  /** What starts to listen at an address, see {@link Collector#listen}. */
  private interface Listener {
    SocketAddress listen(SocketAddress address) throws IOException;
  }

  private static SocketAddress listen(Listener face, SocketAddress address) throws IOException {
    try {
      return face.listen(address);
    } catch (IOException e) {
      String hint =
          address instanceof InetSocketAddress ip && ip.getPort() == ServeCommand.PORT
              ? "; if pmcd runs here, choose another port, for example --listen 127.0.0.1:44322"
              : "";
      throw new IOException("can't listen at " + shown(address) + ": " + e.getMessage() + hint, e);
    }
  }

  /** Reports the state of this process to the service manager, if it was started by one. */
  private static void notifyServiceManager(Map<String, String> environment, String state) {
    String socket = environment.get("NOTIFY_SOCKET");
    if (socket != null) {
      try {
        ServiceManager.report(socket, state);
      } catch (IOException e) {
        LOG.warn(
            "the service manager at {} could not be notified of {}: {}",
            socket,
            state,
            e.getMessage());
      }
    }
  }

  private static Settings read(SettingsFile file) throws IOException {
    try {
      return file.read();
    } catch (SettingsException e) {
      throw new IOException(String.join("; ", e.lines()), e);
    }
  }

  /**
   * Returns the file that keeps the numbers assigned to files.
   *
   * @param directory the first directory
   */
  private static Optional<Path> numbers(
      ServeCommand.Options options, Map<String, String> environment, Path directory) {
    Optional<Path> state =
        options
            .state()
            .or(() -> path(environment, "XDG_STATE_HOME").map(home -> home.resolve("jmmv")))
            .or(() -> path(environment, "HOME").map(home -> home.resolve(".local/state/jmmv")));
    if (state.isEmpty()) {
      LOG.warn(
          "clusters are not kept across restarts: neither --state nor XDG_STATE_HOME nor HOME is"
              + " given");
      return Optional.empty();
    }
    try {
      Files.createDirectories(
          state.get(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      LOG.warn("clusters are not kept across restarts: {}: {}", state.get(), Reason.of(e));
      return Optional.empty();
    }
    // one file for each directory, because a process locks its file
    String name =
        URLEncoder.encode(
            directory.toAbsolutePath().normalize().toString(), StandardCharsets.UTF_8);
    return Optional.of(state.get().resolve(name + ".clusters"));
  }

  private static Optional<Path> path(Map<String, String> environment, String key) {
    return Optional.ofNullable(environment.get(key))
        .filter(value -> !value.isEmpty())
        .map(Path::of);
  }

  private static String shown(SocketAddress address) {
    return switch (address) {
      case UnixDomainSocketAddress socket -> socket.getPath().toAbsolutePath().toString();
      case InetSocketAddress ip -> shown(ip.getAddress().getHostAddress()) + ":" + ip.getPort();
      default -> throw new IllegalStateException(address.toString());
    };
  }

  private static String shown(String ip) {
    return ip.contains(":") ? "[" + ip.replaceFirst("(^|:)0(:0)+(:|$)", "::") + "]" : ip;
  }

  /** Returns what clients of PCP call an address, on other hosts as well if they can connect. */
  private static String toAsk(SocketAddress address, boolean hasTls) {
    if (!(address instanceof InetSocketAddress ip)) {
      return "unix://" + shown(address);
    }
    return (hasTls ? "pcps://" : "") + reachable(ip);
  }

  /** Returns how to ask with HTTP. */
  private static String toBrowse(SocketAddress address, boolean hasTls) {
    String scheme = hasTls ? "https" : "http";
    return address instanceof InetSocketAddress ip
        ? scheme + "://" + reachable(ip) + "/"
        : "curl --unix-socket %s %s://localhost/".formatted(shown(address), scheme);
  }

  /** Returns an address at which other hosts can connect, if any can. */
  private static String reachable(InetSocketAddress ip) {
    return ip.getAddress().isAnyLocalAddress()
        ? ThisHost.hostname() + ":" + ip.getPort()
        : shown(ip);
  }
}
