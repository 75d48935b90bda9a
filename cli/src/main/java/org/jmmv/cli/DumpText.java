package org.jmmv.cli;

import static org.jmmv.pcp.Printable.escaped;

import java.io.IOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.FileValues;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Units;
import org.jmmv.reader.InspectedFile;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvHeader;
import org.jmmv.reader.MmvInDom;
import org.jmmv.reader.MmvLabel;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;
import org.jmmv.reader.fault.Fault;

/** Prints what is in a file, for people. */
final class DumpText {
  private final Writer out;
  private final Map<Integer, Map<Integer, String>> instances = new HashMap<>(); // names by serial

  DumpText(Writer out) {
    this.out = out;
  }

  /** Prints a file from the header to the labels, then its faults. */
  void print(InspectedFile file) throws IOException {
    line(escaped(file.name()) + ": " + file.status().size() + " bytes");
    if (file.header() != null) {
      boolean isGone = file.file() != null && file.file().schema().isProcessGone();
      print(file.header(), isGone);
      heading("Sections");
      for (MmvHeader.Section section : file.toc()) {
        String entries = section.count() == 1 ? "entry" : "entries";
        line(
            "  %s: %d %s from %d on (TOC entry at %d)"
                .formatted(
                    section.name(),
                    section.count(),
                    entries,
                    section.offset(),
                    section.entryOffset()));
      }
    }
    if (file.file() != null) {
      print(file.file());
    }
    if (!file.faults().isEmpty()) {
      heading("Faults");
      for (Fault fault : file.faults()) {
        String text = (fault.isHint() ? "hint: " : "") + fault.text() + fault.others();
        line("  " + escaped(file.name()) + ": " + text);
      }
    }
  }

  private void print(MmvHeader header, boolean isProcessGone) throws IOException {
    String generation = Long.toUnsignedString(header.generation1());
    if (header.isInFlux()) {
      generation += " and " + Long.toUnsignedString(header.generation2()) + ", in flux";
    }
    List<String> flags = MmvNames.flags(header.flags());
    line("  version     " + header.version());
    line("  generation  " + generation);
    line("  flags       " + (flags.isEmpty() ? "none" : String.join(", ", flags)));
    line("  process     " + header.pid() + (isProcessGone ? ", has ended: not served" : ""));
    line(
        "  cluster     " + (header.cluster() == 0 ? "0, assigned by the agent" : header.cluster()));
  }

  private void print(MmvFile file) throws IOException {
    MmvSchema schema = file.schema();
    for (MmvInDom inDom : schema.inDoms()) {
      print(inDom);
    }
    FileValues values = new FileValues(file);
    for (MmvMetric metric : schema.metrics()) {
      print(metric);
      print(metric, values);
    }
    if (!schema.labels().isEmpty()) {
      heading("Labels");
    }
    for (MmvLabel label : schema.labels()) {
      String json = label.labels().json();
      line("  " + labelled(label) + ": " + (json.isEmpty() ? "{}" : escaped(json)));
    }
  }

  private void print(MmvInDom inDom) throws IOException {
    heading("Instance domain " + inDom.serial());
    help(inDom.shortHelp());
    help(inDom.longHelp());
    Map<Integer, String> names = new HashMap<>();
    for (Instance instance : inDom.instances()) {
      names.put(instance.number(), instance.name());
      line("  " + name(instance.number(), instance.name()));
    }
    instances.put(inDom.serial(), names);
  }

  private void print(MmvMetric metric) throws IOException {
    heading("Metric " + escaped(metric.name()));
    String units = Units.of(metric.units()).toString();
    String inDom = "instance domain " + Integer.toUnsignedString(metric.serial());
    line(
        "  item %d at %d, %s, %s%s%s"
            .formatted(
                metric.item(),
                metric.offset(),
                MmvNames.type(metric.type()),
                MmvNames.semantics(metric.semantics()),
                units.isEmpty() ? "" : ", " + units,
                metric.isSingular() ? "" : ", " + inDom));
    help(metric.shortHelp());
    help(metric.longHelp());
  }

  private void help(String help) throws IOException {
    if (help != null && !help.isEmpty()) {
      for (String line : help.split("\n", -1)) {
        line("  " + escaped(line));
      }
    }
  }

  private static String labelled(MmvLabel label) {
    String kind = MmvNames.labelled(label.flags());
    String object = kind + " " + Integer.toUnsignedString(label.identity());
    return kind.equals("instance") ? object + "[" + label.instance() + "]" : object;
  }

  private static String name(int number, String name) {
    return "[%d or \"%s\"]".formatted(number, escaped(name));
  }

  /** Prints each value of a metric on a line. */
  private void print(MmvMetric metric, FileValues values) throws IOException {
    Map<Integer, String> names = instances.getOrDefault(metric.serial(), Map.of());
    String noValue =
        ValuePrinter.print(
            values,
            metric,
            (instance, text, isNumber) -> {
              String name = names.get(instance);
              line(
                  "  %s= %s"
                      .formatted(
                          name == null ? "" : name(instance, name) + " ",
                          isNumber ? text : '"' + escaped(text) + '"'));
            });
    if (noValue != null) {
      line("  (" + noValue + ")");
    }
  }

  private void heading(String text) throws IOException {
    line("");
    line(text);
  }

  private void line(String text) throws IOException {
    out.write(text);
    out.write('\n');
  }
}
