package org.jmmv.qa;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Calls of PCP's clients, whose output must be the same by way of pmcd and by way of {@code jmmv
 * serve}. They are about an application {@code shop} of {@link Application.Library#LIBPCP_MMV} with
 * the shape {@code plain}, and about all metrics below mmv.
 */
final class ClientCalls {
  private static final String[] SHOP = {
    "mmv.shop.requests", "mmv.shop.queue.depth", "mmv.shop.load", "mmv.shop.throughput"
  };

  /** Rules for pmie: the values of these expressions, and one that is true. */
  static final String RULES =
      """
      delta = 100 msec;
      requests = mmv.shop.requests;
      depth = max_inst mmv.shop.queue.depth;
      some_inst mmv.shop.queue.depth > 2 -> print "deep: " "%i at %h, %v ";
      """;

  /** One call: a client and its arguments, or pmproxy and a request of its REST API. */
  record Call(String program, List<String> arguments) {
    /** Makes the call. In the output, HOST stands for the server's host specification. */
    private Shell.Result run(PcpServer server, Pmproxy pmproxy) {
      Shell.Result result =
          program.equals("pmproxy")
              ? pmproxy.print(server, arguments.getFirst())
              : server.client(program, arguments.toArray(String[]::new));
      return new Shell.Result(
          result.command(),
          result.status(),
          result.out().replace(server.host(), "HOST"),
          result.err().replace(server.host(), "HOST"));
    }

    /** Returns how the output differs by way of both servers; empty if it does not. */
    String difference(PcpServer reference, PcpServer candidate, Pmproxy pmproxy) {
      return new SameOutput(
              run(reference, pmproxy), run(candidate, pmproxy), () -> run(reference, pmproxy))
          .difference();
    }

    @Override
    public String toString() {
      String words = program + " " + String.join(" ", arguments);
      return words.length() > 100 ? words.substring(0, 100) + "…" : words;
    }
  }

  private final List<Call> calls = new ArrayList<>();

  private ClientCalls() {}

  /**
   * Returns all calls.
   *
   * @param rules a file with {@link #RULES}
   * @param metrics the metrics whose values are compared
   */
  static List<Call> all(Path rules, List<String> metrics) {
    ClientCalls all = new ClientCalls();
    String[] values = metrics.toArray(String[]::new);
    all.addAboutMetrics(values);
    all.addSamples(rules, values);
    all.addStores();
    all.addRequests(String.join(",", metrics));
    return all.calls;
  }

  /** Returns the metrics whose values do not depend on when and how often an agent was asked. */
  static List<String> metrics(PcpServer server) {
    return server
        .client("pminfo", "mmv")
        .outOfSuccess()
        .lines()
        .filter(name -> !name.matches("mmv\\.control\\.(agent\\..*|file\\.(faults|loads))"))
        .toList();
  }

  /** Makes all calls. Returns how the output differs; empty if it does not. */
  static String differences(Path rules, PcpServer reference, PcpServer candidate, Pmproxy pmproxy) {
    StringBuilder differences = new StringBuilder();
    for (Call call : all(rules, metrics(reference))) {
      String difference = call.difference(reference, candidate, pmproxy);
      if (!difference.isEmpty()) {
        differences.append("--- ").append(call).append('\n').append(difference);
      }
    }
    return differences.toString();
  }

  private void add(String program, String... arguments) {
    calls.add(new Call(program, List.of(arguments)));
  }

  private void add(String program, List<String> options, String... metrics) {
    add(program, Stream.concat(options.stream(), Arrays.stream(metrics)).toArray(String[]::new));
  }

  private void addAboutMetrics(String... values) {
    add("pminfo", "mmv");
    for (String option : List.of("-d", "-m", "-t", "-T", "-l", "-M", "-I", "-s", "-dmtTl")) {
      add("pminfo", option, "mmv");
    }
    add("pminfo", List.of("-f"), values);
    add("pminfo", List.of("-v"), values);
    add("pminfo", List.of("-dfmtTl"), values);
    add("pminfo", "-f", "mmv.shop.requests", "mmv.shop.nothing", "mmv.shop.queue", "nothing");
    add("pminfo", "-f", "mmv.shop.load", "mmv.shop.load");
    // not pmcd.zoneinfo, which pmcd has from PCP 6 on
    add("pminfo", "-f", "pmcd.hostname", "pmcd.timezone");
    add("pmprobe", "mmv");
    add("pmprobe", "mmv.shop.nothing");
    for (String option : List.of("-v", "-i", "-I")) {
      add("pmprobe", List.of(option), values);
    }
  }

  private void addSamples(Path rules, String... values) {
    for (String metric : List.of("requests", "queue.depth", "queue.skew", "load", "throughput")) {
      add("pmval", "-s3", "-t0.1", "mmv.shop." + metric);
    }
    add("pmval", "-s2", "-t0.1", "mmv.shop.state");
    add("pmval", "-s2", "-t0.1", "-r", "-z", "mmv.shop.requests");
    add("pmval", "-s2", "-t0.1", "-iorders,spare", "mmv.shop.queue.depth");
    add("pmval", "-s2", "-t0.1", "-inothing", "mmv.shop.queue.depth");
    add("pmrep", List.of("-s2", "-t0.1"), SHOP);
    add("pmrep", List.of("-s2", "-t0.1", "-ocsv", "-z"), SHOP);
    add("pmrep", List.of("-s2", "-t0.1", "-r", "-iorders"), SHOP);
    // without a width, a value that grows out of its column becomes xxx
    add("pmrep", List.of("-s1", "-r", "-w24"), values);
    add("pmdumptext", List.of("-s2", "-t0.1", "-Xlimu"), SHOP);
    add("pcp2json", List.of("-s2", "-t0.1", "-r", "-x", "-I"), SHOP);
    add("pcp2json", List.of("-s1", "-r"), values);
    add("pmie", "-v", "-T0.35", "-c" + rules);
  }

  private void addStores() {
    add("pmstore", "mmv.control.reload", "1");
    add("pmstore", "mmv.control.debug", "0");
    add("pminfo", "-f", "mmv.control.debug");
    add("pmstore", "mmv.shop.requests", "1");
    add("pmstore", "-iorders", "mmv.shop.queue.depth", "1");
    add("pmstore", "mmv.shop.nothing", "1");
  }

  private void addRequests(String values) {
    for (String request :
        List.of(
            "context?polltimeout=5",
            "metric?prefix=mmv",
            "metric?names=" + values,
            "metric?names=mmv.shop.nothing",
            "children?prefix=mmv",
            "children?prefix=mmv.shop",
            "indom?name=mmv.shop.queue.depth",
            "indom?name=mmv.shop.queue.depth&match=glob&iname=*e*",
            "fetch?names=" + values,
            "fetch?names=mmv.shop.nothing,mmv.shop.load",
            "metrics?names=" + values,
            "derive?name=twice&expr=2*mmv.shop.requests",
            "store?name=mmv.control.reload&value=1",
            "store?name=mmv.shop.requests&value=1")) {
      add("pmproxy", request);
    }
  }
}
