package org.jmmv.qa;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jmmv.client.CollectorConnection;
import org.jmmv.collector.Collector;
import org.jmmv.core.Catalog;
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
 * WorstCatalogue}: {@code qa/steps}. Meanwhile nobody else is served. A cell is the median of three
 * requests, after one that is not measured.
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
        new Catalog.Builder(directory)
            .settings(new SettingsSource.Settings(LIMITS, List.of(DirectorySettings.DEFAULT)))
            .domain(WorstCatalogue.DOMAIN)
            .faults(FaultListener.NONE)
            .pmcd(new PmcdFacts("here", "UTC0", Optional.empty(), "1", 1), known)
            .build();
    server = new Server(catalog, new Access(MAX_CLIENTS, List.of()));
    collector =
        new Collector(server, known, ThisHost.labels(), Optional.empty(), new DebugOptions());
    collector.listen(pcp);
    server.listen(
        http,
        Web.face(
            server,
            () -> new SiteRules(Set.of("localhost"), Set.of(), Map.of()),
            () -> Naming.PROMETHEUS,
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
    WorstCatalogue[] columns =
        Arrays.stream(WorstCatalogue.values())
            .filter(each -> given.contains(each.label()))
            .toArray(WorstCatalogue[]::new);
    WorstRequest[] rows =
        Arrays.stream(WorstRequest.values())
            .filter(each -> given.contains(each.label()))
            .toArray(WorstRequest[]::new);
    boolean isGood =
        print(
            columns.length == 0 ? WorstCatalogue.values() : columns,
            rows.length == 0 ? WorstRequest.values() : rows);
    System.exit(isGood ? 0 : 1);
  }

  private static boolean print(WorstCatalogue[] columns, WorstRequest[] rows) throws IOException {
    LoopWatch.Longest[][] steps = new LoopWatch.Longest[rows.length][columns.length];
    for (int column = 0; column < columns.length; column++) {
      try (LongestSteps measured = new LongestSteps(columns[column])) {
        for (int row = 0; row < rows.length; row++) {
          steps[row][column] = measured.measure(rows[row]);
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
    for (int row = 0; row < rows.length; row++) {
      System.out.printf("%-25s", rows[row].label());
      for (int column = 0; column < columns.length; column++) {
        LoopWatch.Longest step = steps[row][column];
        String millis = String.format(Locale.ROOT, "%.1f", step.nanos() / 1e6);
        System.out.printf("%10s", millis);
        if (step.nanos() > BAR_NANOS) {
          places.add(
              "%-25s%-10s%8s %s"
                  .formatted(rows[row].label(), columns[column].label(), millis, step.place()));
        }
      }
      System.out.println();
    }
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
              : request.pdus(files);
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
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
