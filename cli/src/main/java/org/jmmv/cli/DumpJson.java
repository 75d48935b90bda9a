package org.jmmv.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import org.jmmv.core.FileValues;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Units;
import org.jmmv.reader.InspectedFile;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvHeader;
import org.jmmv.reader.MmvInDom;
import org.jmmv.reader.MmvLabel;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.fault.Fault;

/** Prints what is in a file, as one JSON object. The man page jmmv(1) describes its members. */
final class DumpJson implements AutoCloseable {
  private final JsonGenerator json;

  /** Creates a printer. Closing it flushes the writer, but does not close it. */
  DumpJson(Writer out) throws IOException {
    json = Json.generator(out);
  }

  @Override
  public void close() throws IOException {
    json.close();
  }

  /** Prints a file. */
  void print(InspectedFile file) throws IOException {
    json.writeStartObject();
    Json.textField(json, "file", file.name());
    json.writeNumberField("size", file.status().size());
    if (file.header() != null) {
      print(file.header());
      json.writeArrayFieldStart("toc");
      for (MmvHeader.Section section : file.toc()) {
        json.writeStartObject();
        json.writeNumberField("offset", section.entryOffset());
        json.writeStringField("section", section.name());
        json.writeNumberField("entries", section.count());
        json.writeNumberField("sectionOffset", section.offset());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    if (file.file() != null) {
      json.writeBooleanField("processGone", file.file().schema().isProcessGone());
      print(file.file());
    }
    json.writeArrayFieldStart("faults");
    for (Fault fault : file.faults()) {
      Json.write(json, fault);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void print(MmvHeader header) throws IOException {
    json.writeNumberField("version", header.version());
    Json.unsignedField(json, "generation1", header.generation1());
    Json.unsignedField(json, "generation2", header.generation2());
    json.writeArrayFieldStart("flags");
    for (String flag : MmvNames.flags(header.flags())) {
      json.writeString(flag);
    }
    json.writeEndArray();
    json.writeNumberField("process", header.pid());
    json.writeNumberField("cluster", header.cluster());
  }

  private void print(MmvFile file) throws IOException {
    json.writeArrayFieldStart("instanceDomains");
    for (MmvInDom inDom : file.schema().inDoms()) {
      print(inDom);
    }
    json.writeEndArray();
    FileValues values = new FileValues(file);
    json.writeArrayFieldStart("metrics");
    for (MmvMetric metric : file.schema().metrics()) {
      print(metric, values);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("labels");
    for (MmvLabel label : file.schema().labels()) {
      print(label);
    }
    json.writeEndArray();
  }

  private void print(MmvInDom inDom) throws IOException {
    json.writeStartObject();
    json.writeNumberField("serial", inDom.serial());
    Json.textField(json, "shortHelp", inDom.shortHelp());
    Json.textField(json, "longHelp", inDom.longHelp());
    json.writeArrayFieldStart("instances");
    for (Instance instance : inDom.instances()) {
      json.writeStartObject();
      json.writeNumberField("number", instance.number());
      Json.textField(json, "name", instance.name());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void print(MmvMetric metric, FileValues values) throws IOException {
    json.writeStartObject();
    Json.textField(json, "name", metric.name());
    json.writeNumberField("offset", metric.offset());
    json.writeNumberField("item", metric.item());
    json.writeStringField("type", MmvNames.type(metric.type()));
    json.writeStringField("semantics", MmvNames.semantics(metric.semantics()));
    json.writeStringField("units", Units.of(metric.units()).toString());
    if (!metric.isSingular()) {
      json.writeNumberField("instanceDomain", Integer.toUnsignedLong(metric.serial()));
    }
    Json.textField(json, "shortHelp", metric.shortHelp());
    Json.textField(json, "longHelp", metric.longHelp());
    Values printed = new Values();
    json.writeArrayFieldStart("values");
    new ValuePrinter(printed).print(values, metric);
    json.writeEndArray();
    if (printed.none != null) {
      json.writeStringField("noValue", printed.none);
    }
    json.writeEndObject();
  }

  private void print(MmvLabel label) throws IOException {
    json.writeStartObject();
    json.writeStringField("of", MmvNames.labelled(label.flags()));
    json.writeNumberField("identity", Integer.toUnsignedLong(label.identity()));
    json.writeNumberField("instance", label.instance());
    json.writeNumberField("flags", Integer.toUnsignedLong(label.flags()));
    json.writeFieldName("labels");
    String labels = label.labels().json();
    json.writeRawValue(labels.isEmpty() ? "{}" : Json.ascii(labels));
    json.writeEndObject();
  }

  /** Writes each value of a metric as an object. */
  private final class Values implements ValuePrinter.Output {
    private String none;

    @Override
    public void number(int instance, String decimal) throws IOException {
      start(instance);
      if (decimal.endsWith("N") || decimal.endsWith("y")) { // NaN, Infinity: not in JSON
        json.writeString(decimal);
      } else {
        json.writeNumber(decimal);
      }
      json.writeEndObject();
    }

    @Override
    public void text(int instance, String text) throws IOException {
      start(instance);
      json.writeString(Json.text(text));
      json.writeEndObject();
    }

    private void start(int instance) throws IOException {
      json.writeStartObject();
      if (instance != Instance.NULL) {
        json.writeNumberField("instance", instance);
      }
      json.writeFieldName("value");
    }

    @Override
    public void none(String reason) {
      none = reason;
    }
  }
}
