package org.jmmv.dist;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes the dashboards for Grafana: the same panels for Prometheus and for PCP. Their model is the
 * one that Grafana calls classic, which version 9 and all later ones import.
 */
final class Dashboards {
  /** A query, and the text beside its line. */
  private record Query(String expression, String legend) {}

  /** What a panel shows, and how many of 24 columns and which height it takes. */
  private enum Look {
    NUMBER("stat", 6, 4),
    LINES("timeseries", 12, 8),
    STATES("state-timeline", 24, 8),
    TITLE("row", 24, 1);

    private final String type;
    private final int width;
    private final int height;

    Look(String type, int width, int height) {
      this.type = type;
      this.width = width;
      this.height = height;
    }
  }

  /**
   * A panel. It is only in dashboards for which it has queries.
   *
   * @param unit as Grafana calls it
   * @param repeated the variable for each of whose values there is a panel; empty: there is one
   */
  private record Panel(
      Look look,
      String title,
      String description,
      String unit,
      String repeated,
      List<Query> prometheus,
      List<Query> pcp) {
    private static Panel of(
        Look look, String title, String description, List<Query> prometheus, List<Query> pcp) {
      return new Panel(look, title, description, "none", "", prometheus, pcp);
    }

    private static Panel title(String text) {
      return of(Look.TITLE, text, "", List.of(), List.of());
    }

    private Panel withUnit(String other) {
      return new Panel(look, title, description, other, repeated, prometheus, pcp);
    }

    private Panel forEach(String variable) {
      return new Panel(look, title, description, unit, variable, prometheus, pcp);
    }
  }

  /** Returns a query of PromQL, in which HOSTS stands for the hosts that are chosen. */
  private static List<Query> prom(String expression, String legend) {
    return List.of(new Query(expression.replace("HOSTS", "instance=~\"$instance\""), legend));
  }

  private static List<Query> pcp(String expression, String legend) {
    return List.of(new Query(expression, legend));
  }

  private static Query used(String limit) {
    return new Query(
        "mmv.control.agent.used.%1$s / mmv.control.agent.limits.%1$s".formatted(limit), limit);
  }

  private static final List<Panel> PANELS =
      List.of(
          Panel.title("Files"),
          Panel.of(
              Look.NUMBER,
              "Served files",
              "Files of which at least a part is served.",
              prom(
                  "count(jmmv_file_state{state=~\"(partly )?served\", HOSTS}) or vector(0)",
                  "served"),
              pcp("mmv.control.files", "served")),
          Panel.of(
              Look.NUMBER,
              "Other files",
              "Files that are not served. The panel of states says why.",
              prom(
                  "count(jmmv_file_state{state!~\"(partly )?served\", HOSTS}) or vector(0)",
                  "others"),
              pcp("sum(mmv.control.file.state != 1)", "others")),
          Panel.of(
              Look.NUMBER,
              "Metrics",
              "Metrics of the served files.",
              prom("sum(jmmv_file_metrics{HOSTS}) or vector(0)", "metrics"),
              pcp("mmv.control.agent.used.metrics", "metrics")),
          Panel.of(
              Look.NUMBER,
              "Lost metrics",
              "Metrics of the served files that are not served. \"jmmv check\" says why.",
              prom("sum(jmmv_file_metrics_lost{HOSTS}) or vector(0)", "lost"),
              pcp("sum(mmv.control.file.skipped)", "lost")),
          Panel.of(
              Look.STATES,
              "States of files",
              "In PCP, 1 is served; 2 and 3, the application is starting; 4 and 5, it has ended; from"
                  + " 10 on, something is wrong. A gap is a file that was not there.",
              prom("jmmv_file_state{HOSTS}", "{{instance}} {{file}}: {{state}}"),
              pcp("mmv.control.file.state", "$instance")),
          Panel.of(
              Look.LINES,
              "Starts of applications",
              "How often each application has made its file, or has changed its metadata. In PCP, a file"
                  + " that jmmv reads again because of other settings counts, too.",
              prom(
                  "changes(jmmv_file_start_time_seconds{HOSTS}[15m])",
                  "{{instance}} {{file}}, in 15 minutes"),
              pcp("delta(mmv.control.file.loads)", "$instance")),
          Panel.of(
              Look.LINES,
              "Faults found",
              "How often faults of each file were found since jmmv was started.",
              prom("jmmv_file_faults_total{HOSTS}", "{{instance}} {{file}}: {{code}}"),
              pcp("instant(mmv.control.file.faults)", "$instance")),
          Panel.title("Applications"),
          Panel.of(
                  Look.LINES,
                  "$counter, by second",
                  "A counter that is chosen above.",
                  prom("rate($counter{HOSTS}[$__rate_interval])", ""),
                  List.of())
              .forEach("counter"),
          Panel.of(
                  Look.LINES,
                  "$value",
                  "A value that is chosen above.",
                  prom("$value{HOSTS}", ""),
                  List.of())
              .forEach("value"),
          Panel.of(
              Look.LINES,
              "$metric",
              "The metric or expression that is entered above. Grafana shows counters by second.",
              List.of(),
              pcp("$metric", "")),
          Panel.title("jmmv"),
          Panel.of(
                  Look.LINES,
                  "Used of the limits",
                  "Files beyond a limit are not served. [limits] in jmmv.toml raises limits.",
                  prom("jmmv_limit_used{HOSTS} / jmmv_limit{HOSTS}", "{{instance}} {{limit}}"),
                  List.of(
                      used("files"),
                      used("metrics"),
                      used("instances"),
                      used("values"),
                      used("labels"),
                      used("clusters"),
                      new Query(
                          "mmv.control.agent.used.memory"
                              + " / rescale(mmv.control.agent.limits.memory, \"byte\")",
                          "memory")))
              .withUnit("percentunit"),
          Panel.of(
                  Look.LINES,
                  "Time of a request",
                  "How long a page for Prometheus, or a fetch, takes.",
                  prom("jmmv_scrape_duration_seconds{HOSTS}", "{{instance}}"),
                  pcp(
                      "rescale(delta(mmv.control.agent.fetch_time), \"sec\")"
                          + " / delta(mmv.control.agent.fetches)",
                      "fetch"))
              .withUnit("s"),
          Panel.of(
                  Look.LINES,
                  "Longest step",
                  "For how long other clients have waited, at most, in the last minute or two.",
                  prom("jmmv_longest_step_seconds{HOSTS}", "{{instance}}"),
                  pcp("rescale(mmv.control.agent.longest_step / 1, \"sec\")", "longest"))
              .withUnit("s"),
          Panel.of(
              Look.LINES,
              "Metrics left out",
              "Metrics whose names in Prometheus others have.",
              prom("jmmv_names_in_conflict{HOSTS}", "{{instance}}"),
              List.of()),
          Panel.of(
              Look.LINES,
              "Samples left out",
              "Samples that Prometheus can't have.",
              prom("jmmv_samples_left_out{HOSTS}", "{{instance}} {{reason}}"),
              List.of()));

  private static final String ALL =
      ", \"includeAll\": true, \"allValue\": \".*\","
          + " \"current\": {\"text\": \"All\", \"value\": \"$__all\"}";

  private final boolean isPrometheus;
  private final String source;

  private Dashboards(boolean isPrometheus, String source) {
    this.isPrometheus = isPrometheus;
    this.source = "{\"type\": %s, \"uid\": \"${datasource}\"}".formatted(quoted(source));
  }

  /**
   * Writes the dashboards.
   *
   * @param args the directory
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    String prometheus = "prometheus";
    String names = "label_values({instance=~\"$instance\"}, __name__)";
    Dashboards first = new Dashboards(true, prometheus);
    String ofPrometheus =
        String.join(
            ",\n    ",
            variable("datasource", "Data source", "datasource", prometheus, ""),
            first.asked("instance", "Host", "label_values(jmmv_build_info, instance)", "", ALL),
            first.asked("counter", "Counters", names, "/^mmv_(?!control_).+_total$/", ""),
            first.asked(
                "value", "Values", names, "/^mmv_(?!control_)(?!.*_(total|info)$).+$/", ""));
    Files.writeString(
        directory.resolve("jmmv-prometheus.json"),
        first.dashboard(
            "MMV files and applications, by Prometheus", "30s", "now-1h", ofPrometheus));
    String vector = "performancecopilot-vector-datasource";
    String ofPcp =
        variable("datasource", "Data source", "datasource", vector, "")
            + ",\n    "
            + variable("metric", "Metric", "textbox", "mmv.control.agent.values", "");
    Files.writeString(
        directory.resolve("jmmv-pcp.json"),
        new Dashboards(false, vector)
            .dashboard("MMV files and applications, by PCP", "5s", "now-5m", ofPcp));
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  private static String variable(
      String name, String label, String type, String query, String further) {
    return "{\"name\": %s, \"label\": %s, \"type\": %s, \"query\": %s%s}"
        .formatted(quoted(name), quoted(label), quoted(type), quoted(query), further);
  }

  /** Returns a variable whose values are asked for again when the range of time changes. */
  private String asked(String name, String label, String query, String regex, String further) {
    String how =
        ", \"datasource\": %s, \"regex\": %s, \"refresh\": 2, \"multi\": true"
            .formatted(source, quoted(regex));
    return variable(name, label, "query", query, how + further);
  }

  private String dashboard(String title, String refresh, String from, String variables) {
    List<String> panels = new ArrayList<>();
    int x = 0;
    int y = 0;
    int height = 0; // of the panels at y
    for (Panel panel : PANELS) {
      if (panel.look == Look.TITLE || !queries(panel).isEmpty()) {
        if (x + panel.look.width > Look.TITLE.width) {
          x = 0;
          y += height;
        }
        panels.add(panel(panels.size() + 1, panel, x, y));
        x += panel.look.width;
        height = panel.look.height;
      }
    }
    return """
    {
      "uid": %s,
      "title": %s,
      "schemaVersion": 36,
      "tags": ["jmmv"],
      "refresh": %s,
      "time": {"from": %s, "to": "now"},
      "templating": {"list": [
        %s
      ]},
      "panels": [
        %s
      ]
    }
    """
        .formatted(
            quoted(isPrometheus ? "jmmv-prometheus" : "jmmv-pcp"),
            quoted(title),
            quoted(refresh),
            quoted(from),
            variables,
            String.join(",\n    ", panels));
  }

  private List<Query> queries(Panel panel) {
    return isPrometheus ? panel.prometheus : panel.pcp;
  }

  private String panel(int id, Panel panel, int x, int y) {
    List<Query> queries = queries(panel);
    return """
    {
          "id": %d, "type": %s, "title": %s, "description": %s%s,
          "gridPos": {"x": %d, "y": %d, "w": %d, "h": %d},
          "datasource": %s,
          "fieldConfig": {"defaults": {"unit": %s}, "overrides": []},
          "targets": [%s]
        }\
    """
        .formatted(
            id,
            quoted(panel.look.type),
            quoted(panel.title),
            quoted(panel.description),
            panel.repeated.isEmpty()
                ? ""
                : ", \"repeat\": %s, \"maxPerRow\": 2".formatted(quoted(panel.repeated)),
            x,
            y,
            panel.look.width,
            panel.look.height,
            source,
            quoted(panel.unit),
            IntStream.range(0, queries.size())
                .mapToObj(i -> target(i, queries.get(i)))
                .collect(joining(", ")));
  }

  private String target(int index, Query query) {
    return "{\"refId\": %s, \"datasource\": %s, \"expr\": %s, \"legendFormat\": %s%s}"
        .formatted(
            quoted(String.valueOf((char) ('A' + index))),
            source,
            quoted(query.expression),
            quoted(query.legend),
            isPrometheus ? "" : ", \"format\": \"time_series\"");
  }
}
