package org.jmmv.dist;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the dashboards for Grafana: the same panels for Prometheus and for PCP. Their model is the
 * one that Grafana calls classic, which version 9 and all later ones import.
 */
final class Dashboards {
  private static final int SCHEMA_VERSION = 36; // of Grafana 9
  private static final int COLUMNS = 24;

  /** A query, and the text beside its line. */
  private record Query(String expression, String legend) {}

  /** Of PromQL, for the chosen hosts. */
  private static Query ofHosts(String expression, String legend) {
    return new Query(expression.replace("HOSTS", "instance=~\"$instance\""), legend);
  }

  /** How a panel shows its queries. */
  private enum Look {
    NUMBER("stat", 4, 6),
    LINES("timeseries", 8, 12),
    STATES("state-timeline", 8, 24);

    private final String type;
    private final int height;
    private final int width;

    Look(String type, int height, int width) {
      this.type = type;
      this.height = height;
      this.width = width;
    }
  }

  /**
   * A panel.
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
      List<Query> pcp) {}

  private record Row(String title, List<Panel> panels) {}

  private static Query used(String limit) {
    return new Query(
        "mmv.control.agent.used.%1$s / mmv.control.agent.limits.%1$s".formatted(limit), limit);
  }

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "Files",
              List.of(
                  new Panel(
                      Look.NUMBER,
                      "Served files",
                      "Files of which at least a part is served.",
                      "none",
                      "",
                      List.of(ofHosts("count(jmmv_file_state{state=\"served\", HOSTS})", "served")),
                      List.of(new Query("mmv.control.files", "served"))),
                  new Panel(
                      Look.NUMBER,
                      "Other files",
                      "Files that are not served. The panel of states says why.",
                      "none",
                      "",
                      List.of(
                          ofHosts(
                              "count(jmmv_file_state{state!=\"served\", HOSTS}) or vector(0)",
                              "others")),
                      List.of(
                          new Query(
                              "count(mmv.control.file.state) - mmv.control.files", "others"))),
                  new Panel(
                      Look.NUMBER,
                      "Metrics",
                      "Metrics of the served files.",
                      "none",
                      "",
                      List.of(ofHosts("sum(jmmv_file_metrics{HOSTS})", "metrics")),
                      List.of(new Query("sum(mmv.control.file.metrics)", "metrics"))),
                  new Panel(
                      Look.NUMBER,
                      "Lost metrics",
                      "Metrics of the served files that are not served. \"jmmv check\" says why.",
                      "none",
                      "",
                      List.of(ofHosts("sum(jmmv_file_metrics_lost{HOSTS})", "lost")),
                      List.of(new Query("sum(mmv.control.file.skipped)", "lost"))),
                  new Panel(
                      Look.STATES,
                      "States of files",
                      "1 is served; 2 and 3, the application is starting; 4 and 5, it has ended; from 10 on,"
                          + " something is wrong. A gap is a file that was not there.",
                      "none",
                      "",
                      List.of(
                          ofHosts("jmmv_file_state{HOSTS}", "{{instance}} {{file}}: {{state}}")),
                      List.of(new Query("mmv.control.file.state", "$instance"))),
                  new Panel(
                      Look.LINES,
                      "Starts of applications",
                      "How often each application has made its file, or has changed its metadata.",
                      "none",
                      "",
                      List.of(
                          ofHosts(
                              "changes(jmmv_file_start_time_seconds{HOSTS}[15m])",
                              "{{instance}} {{file}}, in 15 minutes")),
                      List.of(new Query("delta(mmv.control.file.loads)", "$instance"))),
                  new Panel(
                      Look.LINES,
                      "Faults found",
                      "New faults of files, by second.",
                      "none",
                      "",
                      List.of(
                          ofHosts(
                              "rate(jmmv_file_faults_total{HOSTS}[$__rate_interval])",
                              "{{instance}} {{file}}: {{code}}")),
                      List.of(new Query("rate(mmv.control.file.faults)", "$instance"))))),
          new Row(
              "Applications",
              List.of(
                  new Panel(
                      Look.LINES,
                      "$counter, by second",
                      "A counter that is chosen above.",
                      "none",
                      "counter",
                      List.of(ofHosts("rate($counter{HOSTS}[$__rate_interval])", "")),
                      List.of()),
                  new Panel(
                      Look.LINES,
                      "$value",
                      "A value that is chosen above.",
                      "none",
                      "value",
                      List.of(ofHosts("$value{HOSTS}", "")),
                      List.of()),
                  new Panel(
                      Look.LINES,
                      "$metric",
                      "The metric or expression that is entered above. Grafana shows counters by second.",
                      "none",
                      "",
                      List.of(),
                      List.of(new Query("$metric", ""))))),
          new Row(
              "jmmv",
              List.of(
                  new Panel(
                      Look.LINES,
                      "Used of the limits",
                      "Files beyond a limit are not served. The options --max-… raise limits.",
                      "percentunit",
                      "",
                      List.of(
                          ofHosts(
                              "jmmv_limit_used{HOSTS} / jmmv_limit{HOSTS}",
                              "{{instance}} {{limit}}")),
                      List.of(used("files"), used("metrics"), used("instances"), used("values"))),
                  new Panel(
                      Look.LINES,
                      "Time of a request",
                      "How long a page for Prometheus, or a fetch, takes.",
                      "s",
                      "",
                      List.of(ofHosts("jmmv_scrape_duration_seconds{HOSTS}", "{{instance}}")),
                      List.of(
                          new Query(
                              "rescale(delta(mmv.control.agent.fetch_time), \"sec\")"
                                  + " / delta(mmv.control.agent.fetches)",
                              "fetch"))),
                  new Panel(
                      Look.LINES,
                      "Longest step",
                      "For how long other clients have waited, at most, in the last minute or two.",
                      "s",
                      "",
                      List.of(ofHosts("jmmv_longest_step_seconds{HOSTS}", "{{instance}}")),
                      List.of(
                          new Query(
                              "rescale(mmv.control.agent.longest_step, \"sec\")", "longest"))),
                  new Panel(
                      Look.LINES,
                      "Left out of pages",
                      "Metrics whose names in Prometheus others have, and samples that Prometheus can't"
                          + " have.",
                      "none",
                      "",
                      List.of(
                          ofHosts(
                              "jmmv_names_in_conflict{HOSTS}", "{{instance}} names in conflict"),
                          ofHosts("jmmv_samples_left_out{HOSTS}", "{{instance}} {{reason}}")),
                      List.of()))));

  private final JsonGenerator json;
  private final boolean isPrometheus;
  private int id;

  private Dashboards(JsonGenerator json, boolean isPrometheus) {
    this.json = json;
    this.isPrometheus = isPrometheus;
  }

  /**
   * Writes the dashboards.
   *
   * @param args the directory
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    for (boolean isPrometheus : new boolean[] {true, false}) {
      Path file = directory.resolve(isPrometheus ? "jmmv-prometheus.json" : "jmmv-pcp.json");
      try (JsonGenerator json = new JsonFactory().createGenerator(Files.newBufferedWriter(file))) {
        json.setPrettyPrinter(new DefaultPrettyPrinter());
        new Dashboards(json, isPrometheus).write();
        json.writeRaw('\n');
      }
    }
  }

  private List<Query> queries(Panel panel) {
    return isPrometheus ? panel.prometheus : panel.pcp;
  }

  private void write() throws IOException {
    json.writeStartObject();
    json.writeStringField("uid", isPrometheus ? "jmmv-prometheus" : "jmmv-pcp");
    json.writeStringField(
        "title", "MMV files and their applications, by " + (isPrometheus ? "Prometheus" : "PCP"));
    json.writeNumberField("schemaVersion", SCHEMA_VERSION);
    json.writeArrayFieldStart("tags");
    json.writeString("jmmv");
    json.writeEndArray();
    json.writeStringField("refresh", isPrometheus ? "30s" : "5s");
    json.writeObjectFieldStart("time");
    json.writeStringField("from", isPrometheus ? "now-1h" : "now-5m");
    json.writeStringField("to", "now");
    json.writeEndObject();
    json.writeObjectFieldStart("templating");
    json.writeArrayFieldStart("list");
    writeVariables();
    json.writeEndArray();
    json.writeEndObject();
    json.writeArrayFieldStart("panels");
    int y = 0;
    for (Row row : ROWS) {
      y = write(row, y);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private String source() {
    return isPrometheus ? "prometheus" : "performancecopilot-vector-datasource";
  }

  private void writeVariables() throws IOException {
    beginVariable("datasource", "Data source", "datasource");
    json.writeStringField("query", source());
    json.writeEndObject();
    if (isPrometheus) {
      writeQuery("instance", "Host", "label_values(jmmv_build_info, instance)", "", true);
      String names = "label_values({instance=~\"$instance\"}, __name__)";
      writeQuery("counter", "Counters", names, "/^mmv_(?!control_).+_total$/", false);
      writeQuery("value", "Values", names, "/^mmv_(?!control_)(?!.*_(total|info)$).+$/", false);
    } else {
      beginVariable("metric", "Metric", "textbox");
      json.writeStringField("query", "mmv.control.agent.values");
      json.writeEndObject();
    }
  }

  private void beginVariable(String name, String label, String type) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeStringField("label", label);
    json.writeStringField("type", type);
  }

  private void writeQuery(String name, String label, String query, String regex, boolean areAll)
      throws IOException {
    beginVariable(name, label, "query");
    writeSource();
    json.writeStringField("query", query);
    json.writeStringField("regex", regex);
    json.writeNumberField("refresh", 2); // when the range of time changes
    json.writeBooleanField("multi", true);
    json.writeBooleanField("includeAll", areAll);
    if (areAll) {
      json.writeStringField("allValue", ".*");
      json.writeObjectFieldStart("current");
      json.writeStringField("text", "All");
      json.writeStringField("value", "$__all");
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void writeSource() throws IOException {
    json.writeObjectFieldStart("datasource");
    json.writeStringField("type", source());
    json.writeStringField("uid", "${datasource}");
    json.writeEndObject();
  }

  /** Writes the panels of a row that have queries. Returns where the next row begins. */
  private int write(Row row, int top) throws IOException {
    beginPanel("row", row.title, 0, top, COLUMNS, 1);
    json.writeEndObject();
    int x = 0;
    int y = top + 1;
    int height = 0;
    for (Panel panel : row.panels) {
      if (!queries(panel).isEmpty()) {
        if (x + panel.look.width > COLUMNS) {
          x = 0;
          y += height;
        }
        write(panel, x, y);
        x += panel.look.width;
        height = panel.look.height;
      }
    }
    return y + height;
  }

  private void beginPanel(String type, String title, int x, int y, int width, int height)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", ++id);
    json.writeStringField("type", type);
    json.writeStringField("title", title);
    json.writeObjectFieldStart("gridPos");
    json.writeNumberField("x", x);
    json.writeNumberField("y", y);
    json.writeNumberField("w", width);
    json.writeNumberField("h", height);
    json.writeEndObject();
  }

  private void write(Panel panel, int x, int y) throws IOException {
    beginPanel(panel.look.type, panel.title, x, y, panel.look.width, panel.look.height);
    json.writeStringField("description", panel.description);
    if (!panel.repeated.isEmpty()) {
      json.writeStringField("repeat", panel.repeated);
      json.writeNumberField("maxPerRow", 2);
    }
    writeSource();
    json.writeObjectFieldStart("fieldConfig");
    json.writeObjectFieldStart("defaults");
    json.writeStringField("unit", panel.unit);
    json.writeEndObject();
    json.writeArrayFieldStart("overrides");
    json.writeEndArray();
    json.writeEndObject();
    json.writeArrayFieldStart("targets");
    char reference = 'A';
    for (Query query : queries(panel)) {
      json.writeStartObject();
      json.writeStringField("refId", String.valueOf(reference++));
      writeSource();
      json.writeStringField("expr", query.expression);
      json.writeStringField("legendFormat", query.legend);
      if (!isPrometheus) {
        json.writeStringField("format", "time_series");
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
