package org.jmmv.cli.top;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.cli.command.Json;
import org.jmmv.pcp.Printable;

/** Prints values in ASCII, for scripts. */
final class Printout {
  private final Writer out;

  Printout(Writer out) {
    this.out = out;
  }

  void table(List<WatchedMetric> metrics) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (WatchedMetric metric : metrics) {
      for (Series series : metric.series()) {
        rows.add(new Row(metric.name(), 0, 0, metric, series, 0, false));
      }
    }
    TableText text = new TableText(new DisplayText(false), Integer.MAX_VALUE);
    for (String line : text.lines(rows, false, false)) {
      out.write(line + '\n');
    }
    out.flush();
  }

  /** Prints the titles of {@link #csv}. */
  void csvTitles() throws IOException {
    out.write("time,metric,instance,value,rate,units\n");
  }

  /**
   * Prints a line of CSV (RFC 4180) for each value. Text has every byte escaped that is not
   * printable ASCII, as in the log. Metrics without a value are left out.
   */
  void csv(List<WatchedMetric> metrics, Instant time) throws IOException {
    for (WatchedMetric metric : metrics) {
      for (Series series : metric.series()) {
        if (series.hasValue()) {
          String value = series.text() == null ? series.decimal() : csv(series.text());
          String rate = Double.isNaN(series.rate()) ? "" : Double.toString(series.rate());
          String instance = series.instanceName() == null ? "" : csv(series.instanceName());
          List<String> fields =
              List.of(
                  time.toString(),
                  csv(metric.name()),
                  instance,
                  value,
                  rate,
                  csv(metric.units().toString()));
          out.write(String.join(",", fields) + '\n');
        }
      }
    }
    out.flush();
  }

  private static String csv(String text) {
    String printable = Printable.escaped(text);
    return printable.matches("[^\",]*") ? printable : '"' + printable.replace("\"", "\"\"") + '"';
  }

  /** Prints a line with a JSON object. Metrics without a value are left out. */
  void json(List<WatchedMetric> metrics, Instant time) throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      json.writeStringField("time", time.toString());
      json.writeArrayFieldStart("values");
      for (WatchedMetric metric : metrics) {
        for (Series series : metric.series()) {
          if (series.hasValue()) {
            write(metric, series, json);
          }
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.write('\n');
    out.flush();
  }

  private static void write(WatchedMetric metric, Series series, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    Json.textField(json, "metric", metric.name());
    Json.textField(json, "instance", series.instanceName());
    if (series.text() != null) {
      Json.textField(json, "value", series.text());
    } else if (Double.isFinite(series.number())) {
      json.writeFieldName("value");
      json.writeNumber(series.decimal());
    } else {
      json.writeStringField("value", series.decimal());
    }
    if (!Double.isNaN(series.rate())) {
      json.writeNumberField("rate", series.rate());
    }
    json.writeStringField("units", metric.units().toString());
    json.writeEndObject();
  }
}
