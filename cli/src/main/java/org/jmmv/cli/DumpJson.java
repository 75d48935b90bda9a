package org.jmmv.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import org.jmmv.cli.command.Json;
import org.jmmv.core.FileValues;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Units;
import org.jmmv.reader.InspectedFile;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvHeader;
import org.jmmv.reader.MmvInDom;
import org.jmmv.reader.MmvLabel;
import org.jmmv.reader.MmvMetric;

/** Prints what is in a file, as one JSON object. The man page jmmv(1) describes its members. */
final class DumpJson {
  private final JsonGenerator json;

  private DumpJson(JsonGenerator json) {
    this.json = json;
  }

  static void print(InspectedFile file, Writer out) throws IOException {
    try (JsonGenerator json = Json.generator(out).useDefaultPrettyPrinter()) {
      new DumpJson(json).print(file);
      json.writeRaw('\n');
    }
  }

  private void print(InspectedFile file) throws IOException {
    json.writeStartObject();
    Json.textField(json, "file", file.name());
    json.writeNumberField("size", file.status().size());
    if (file.header() != null) {
      print(file.header());
      Json.objects(json, "toc", file.toc(), this::print);
    }
    if (file.file() != null) {
      json.writeBooleanField("processGone", file.file().schema().isProcessGone());
      print(file.file());
    }
    Json.faults(json, "faults", file.faults());
    json.writeEndObject();
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

  private void print(MmvHeader.Section section) throws IOException {
    json.writeNumberField("offset", section.entryOffset());
    json.writeStringField("section", section.name());
    json.writeNumberField("entries", section.count());
    json.writeNumberField("sectionOffset", section.offset());
  }

  private void print(MmvFile file) throws IOException {
    FileValues values = new FileValues(file);
    Json.objects(json, "instanceDomains", file.schema().inDoms(), this::print);
    Json.objects(json, "metrics", file.schema().metrics(), metric -> print(metric, values));
    Json.objects(json, "labels", file.schema().labels(), this::print);
  }

  private void print(MmvInDom inDom) throws IOException {
    json.writeNumberField("serial", inDom.serial());
    Json.textField(json, "shortHelp", inDom.shortHelp());
    Json.textField(json, "longHelp", inDom.longHelp());
    Json.objects(json, "instances", inDom.instances().list(), this::print);
  }

  private void print(Instance instance) throws IOException {
    json.writeNumberField("number", instance.number());
    Json.textField(json, "name", instance.name());
  }

  private void print(MmvMetric metric, FileValues values) throws IOException {
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
    json.writeArrayFieldStart("values");
    String noValue = ValuePrinter.print(values, metric, this::print);
    json.writeEndArray();
    if (noValue != null) {
      json.writeStringField("noValue", noValue);
    }
  }

  private void print(int instance, String text, boolean isNumber) throws IOException {
    json.writeStartObject();
    if (instance != Instance.NULL) {
      json.writeNumberField("instance", instance);
    }
    json.writeFieldName("value");
    if (isNumber && !text.endsWith("N") && !text.endsWith("y")) {
      json.writeNumber(text);
    } else { // NaN and Infinity are not in JSON
      json.writeString(FileText.decodeOrLatin1(text));
    }
    json.writeEndObject();
  }

  private void print(MmvLabel label) throws IOException {
    json.writeStringField("of", MmvNames.labelled(label.flags()));
    json.writeNumberField("identity", Integer.toUnsignedLong(label.identity()));
    json.writeNumberField("instance", label.instance());
    json.writeNumberField("flags", Integer.toUnsignedLong(label.flags()));
    json.writeFieldName("labels");
    String labels = label.labels().json();
    json.writeRawValue(labels.isEmpty() ? "{}" : Json.ascii(labels));
  }
}
