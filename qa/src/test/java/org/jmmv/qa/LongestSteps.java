package org.jmmv.qa;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jmmv.client.CollectorConnection;
import org.jmmv.collector.Collector;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.FaultListener;
import org.jmmv.core.PmcdClients;
import org.jmmv.core.PmcdFacts;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.serving.Access;
import org.jmmv.serving.Server;
import org.jmmv.serving.ThisHost;
import org.jmmv.web.Web;
import org.jmmv.web.http.SiteRules;
import org.jmmv.web.metrics.Naming;

/**
 * Prints the longest step of the event loop for each {@link WorstRequest} over each {@link
 * WorstCatalogue}: {@code qa/steps}. During a step, nobody else is served. A cell is the median of
 * three requests, after one that is not measured.
 */
final class LongestSteps implements AutoCloseable {
  private static final int REQUESTS = 3;
  private static final int WARM_UP = 1;
  private static final long BAR_NANOS = 20_000_000;
  private static final int WAIT_MILLIS = 5_000; // for the first byte of a reply
  private static final int READ_MILLIS = 1_000; // for the rest; then the client leaves
  private static final long CELL_NANOS = 5_000_000_000L; // then no further request is measured
  private static final long IDLE_NANOS = 2_000_000_000; // for which a request goes on unread
  private static final int MAX_CLIENTS = 5_000; // of one user, who can have half of them

  /** Those of a heap of 512 MiB; this one is larger, so that no row ends the program. */
  private static final Limits LIMITS = Limits.DEFAULT.with(Limit.MEMORY, 128);

  private final WorstCatalogue files;
  private final Path root = Files.createTempDirectory("jmmv-steps");
  private final Path directory = Files.createDirectory(root.resolve("mmv"));
  private final SocketAddress pcp = UnixDomainSocketAddress.of(root.resolve("pcp"));
  private final SocketAddress http = UnixDomainSocketAddress.of(root.resolve("http"));
  private final List<CollectorConnection> clients = new ArrayList<>();
  private Server server;
  private Collector collector;
  private LoopWatch watch;

  /** Writes these files, and starts a server of them. */
  private LongestSteps(WorstCatalogue files) throws IOException {
    this.files = files;
    files.write(directory, 1);
    start();
  }

  /** Starts a server, and waits until it has read the files. */
  private void start() throws IOException {
    PmcdClients known = new PmcdClients();
    Catalog catalog =
        new Catalog(
            new CatalogOptions(directory)
                .settings(new SettingsSource.Settings(LIMITS, List.of(DirectorySettings.DEFAULT)))
                .domain(WorstCatalogue.DOMAIN)
                .faults(FaultListener.NONE)
                .pmcd(new PmcdFacts("here", "UTC0", Optional.empty(), "1", 1), known));
    server = new Server(catalog, new Access(MAX_CLIENTS, List.of()));
    collector =
        new Collector(server, known, ThisHost.labels(), Optional.empty(), new DebugOptions());
    server.listen(pcp, collector);
    server.listen(
        http,
        Web.face(
            server,
            () -> new SiteRules(Set.of("localhost"), Set.of(), Map.of(), List.of()),
            () -> Naming.PROMETHEUS,
            Integer.MAX_VALUE, // counted, but not left out
            () -> 16 << 20,
            "1",
            Optional.empty()));
    watch = new LoopWatch(server.loop().executor());
    awaitFiles();
    for (int i = 0; i < files.clients(); i++) {
      clients.add(files.connect(pcp));
    }
  }

  private void stop() {
    watch.close();
    clients.forEach(CollectorConnection::close);
    clients.clear();
    server.close();
    collector.close();
  }

  /**
   * Measures.
   *
   * @param args labels of catalogues and of requests; those of which none is given are all measured
   */
  public static void main(String[] args) throws IOException {
    Set<String> given = Set.of(args);
    boolean isGood =
        print(chosen(WorstCatalogue.values(), given), chosen(WorstRequest.values(), given));
    System.exit(isGood ? 0 : 1);
  }

  /** Returns those with these labels, or all if none has one. */
  private static <E extends Labelled> List<E> chosen(E[] all, Set<String> labels) {
    List<E> chosen = Stream.of(all).filter(each -> labels.contains(each.label())).toList();
    return chosen.isEmpty() ? List.of(all) : chosen;
  }

  private static boolean print(List<WorstCatalogue> columns, List<WorstRequest> rows)
      throws IOException {
    Map<WorstRequest, Map<WorstCatalogue, LoopWatch.Longest>> steps =
        new EnumMap<>(WorstRequest.class);
    for (WorstCatalogue column : columns) {
      try (LongestSteps measured = new LongestSteps(column)) {
        for (WorstRequest row : rows) {
          steps
              .computeIfAbsent(row, _ -> new EnumMap<>(WorstCatalogue.class))
              .put(column, measured.measure(row));
        }
      }
    }
    System.out.println("Longest step in ms of CPU time");
    System.out.printf("%-25s", "");
    for (WorstCatalogue column : columns) {
      System.out.printf("%10s", column.label());
    }
    System.out.println();
    List<String> places = new ArrayList<>();
    steps.forEach((row, cells) -> {
      System.out.printf("%-25s", row.label());
      cells.forEach((column, step) -> {
        String millis = String.format(Locale.ROOT, "%.1f", step.nanos() / 1e6);
        System.out.printf("%10s", millis);
        if (step.nanos() > BAR_NANOS) {
          places.add(
              "%-25s%-10s%8s %s".formatted(row.label(), column.label(), millis, step.place()));
        }
      });
      System.out.println();
    });
    System.out.println("\nOver 20 ms:");
    places.forEach(System.out::println);
    return places.isEmpty();
  }

  private void awaitFiles() {
    Await.until("all files are read", files::label, () -> !watch.get(server.catalog()::hasBacklog));
  }

  /**
   * Waits until what was asked last is over. It may go on for long although its client has left;
   * then another server is started.
   */
  private void awaitIdle() throws IOException {
    long end = System.nanoTime() + IDLE_NANOS;
    while (!watch.isIdle()) {
      if (System.nanoTime() - end > 0) {
        stop();
        start();
        return;
      }
      Await.briefly();
    }
    awaitFiles();
  }

  private LoopWatch.Longest measure(WorstRequest request) throws IOException {
    List<LoopWatch.Longest> steps = new ArrayList<>();
    long end = System.nanoTime() + CELL_NANOS;
    for (int i = 0; i < WARM_UP + REQUESTS && (i < 2 || System.nanoTime() - end < 0); i++) {
      byte[] bytes =
          request.isHttp()
              ? request.http(files, request.needsContext() ? context() : "")
              : request.encoded(files);
      awaitIdle();
      watch.take();
      long read = ask(request, bytes);
      LoopWatch.Longest step = watch.take();
      if (i >= WARM_UP) {
        steps.add(step);
      }
      System.err.printf(
          Locale.ROOT,
          "%-10s %-25s %8d %10d %.1f %s%n",
          files.label(),
          request.label(),
          bytes.length,
          read,
          step.nanos() / 1e6,
          step.place());
    }
    steps.sort(Comparator.comparingLong(LoopWatch.Longest::nanos));
    return steps.get(steps.size() / 2);
  }

  /** Sends a request, and returns the number of bytes read until the end or until it has left. */
  private long ask(WorstRequest request, byte... bytes) throws IOException {
    boolean isHttp = request.isHttp();
    try (ByteClient client = ByteClient.connect(isHttp ? http : pcp, isHttp)) {
      client.send(bytes);
      if (!isHttp) {
        client.end();
      }
      return client.readAll(WAIT_MILLIS, READ_MILLIS);
    }
  }

  /** Returns the number of a new context of PCP's web API. */
  private String context() throws IOException {
    try (HttpConnection client = new HttpConnection(http)) {
      return ClientSite.contextOf(client);
    }
  }

  @Override
  public void close() throws IOException {
    stop();
    Trees.delete(root);
  }
}
