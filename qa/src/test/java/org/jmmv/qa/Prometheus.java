package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A Prometheus that a test starts on a machine. It scrapes every 2 s, and waits as long for a page:
 * the first one of a process on a busy machine takes half a second.
 */
final class Prometheus implements AutoCloseable {
  private static final int STARTING = 503; // the status of HTTP

  private final Machine machine;
  private final Path directory;
  private final int port;
  private final RunningProgram program;

  private Prometheus(Machine machine, Path directory, int port, RunningProgram program) {
    this.machine = machine;
    this.directory = directory;
    this.port = port;
    this.program = program;
  }

  /**
   * Starts it.
   *
   * @param config its configuration, but for what is global
   * @param features empty: none
   */
  static Prometheus start(Machine machine, TemporaryPcp pcp, String config, String features) {
    try {
      Path directory = Files.createDirectories(pcp.file("prometheus"));
      Path file =
          Files.writeString(
              directory.resolve("prometheus.yml"),
              "global: {scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 2s}\n"
                  + config);
      int port = PrivatePmcd.freePort();
      List<String> command =
          new ArrayList<>(
              List.of(
                  "prometheus",
                  "--config.file=" + file,
                  "--storage.tsdb.path=" + directory.resolve("data"),
                  "--log.level=debug",
                  // by default it waits a minute for the server of remote_write, which may have
                  // ended
                  "--storage.remote.flush-deadline=1s",
                  "--web.listen-address=127.0.0.1:" + port));
      if (!features.isEmpty()) {
        command.add("--enable-feature=" + features);
      }
      RunningProgram program =
          RunningProgram.start(pcp, "prometheus", machine.command(Map.of(), command));
      return new Prometheus(machine, directory, port, program);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the configuration that docs/web.md has, with another port. */
  static String scrapeConfigs(int port) {
    return documented("scrape_configs:").replace("9464", Integer.toString(port));
  }

  /** Returns a block of docs/web.md, by its first line. */
  static String documented(String firstLine) {
    return DocumentBlock.of("web.md", firstLine);
  }

  /** Returns the values of a query, empty if there are none or if it is still starting. */
  List<Double> query(String query) {
    String path = "/api/v1/query?query=" + URLEncoder.encode(query, UTF_8);
    Shell.Result printed = LocalHttp.print(machine, port, List.of(path));
    List<Double> values = new ArrayList<>();
    if (printed.status() == 0) {
      try {
        JsonNode response = new ObjectMapper().readTree(printed.out()).at("/0");
        if (response.at("/status").asInt() == STARTING) {
          return values;
        }
        String body = response.at("/body").asText();
        for (JsonNode series : new ObjectMapper().readTree(body).at("/data/result")) {
          values.add(Double.valueOf(series.at("/value/1").asText()));
        }
      } catch (JsonProcessingException e) {
        throw new AssertionError(printed.out(), e);
      }
    }
    return values;
  }

  /** Returns its port of 127.0.0.1. */
  int port() {
    return port;
  }

  /** Returns its log. */
  String log() {
    return program.output();
  }

  /**
   * Returns what it logged of pages that it could not get or read, but for those that a busy
   * machine let wait too long; empty if there are none.
   */
  String failures() {
    return log()
        .lines()
        .filter(line -> line.matches(".*(Scrape failed|Append failed|Error on ingesting).*"))
        .filter(line -> !line.contains("context deadline exceeded"))
        .collect(Collectors.joining("\n"));
  }

  /** Kills it, if it runs on this machine: it can't send what it has not sent yet. */
  void kill() {
    program.close();
  }

  @Override
  public void close() {
    String pattern = "[p]rometheus --config.file=" + directory; // not this command itself
    machine.run("pkill", "-TERM", "-f", pattern);
    Await.until("Prometheus ends", () -> machine.run("pgrep", "-f", pattern).status() == 1);
  }
}
