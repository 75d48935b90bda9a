package org.jmmv.cli.command;

import static java.util.stream.Collectors.joining;
import static org.jmmv.pcp.FileText.decodeOrLatin1;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.Writer;
import java.util.Collection;
import org.jmmv.reader.fault.Fault;
import org.jmmv.web.api.FaultJson;

/** Writes JSON in ASCII, so that no name in a file can send control sequences to a terminal. */
public final class Json {
  private Json() {}

  /** Returns a generator. Closing it neither closes nor flushes the writer. */
  public static JsonGenerator generator(Writer out) throws IOException {
    return JsonFactory.builder()
        .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
        .build()
        .createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
  }

  /** Writes the members of the object that stands for something. */
  public interface Members<T> {
    void write(T one) throws IOException;
  }

  /** Writes a field with an array of objects. */
  public static <T> void objects(
      JsonGenerator json, String name, Collection<T> all, Members<T> members) throws IOException {
    json.writeArrayFieldStart(name);
    for (T one : all) {
      json.writeStartObject();
      members.write(one);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes a field with an array of faults. */
  public static void faults(JsonGenerator json, String name, Collection<Fault> faults)
      throws IOException {
    objects(json, name, faults, fault -> FaultJson.writeMembers(fault, json));
  }

  /** Returns valid JSON, given as one char per byte, in ASCII. */
  public static String ascii(String json) {
    return decodeOrLatin1(json) // only strings can have other chars than ASCII
        .chars()
        .mapToObj(c -> c <= '~' ? Character.toString(c) : "\\u%04x".formatted(c))
        .collect(joining());
  }

  /** Writes a field with bytes of a file, given as one char per byte, unless they are null. */
  public static void textField(JsonGenerator json, String name, String bytes) throws IOException {
    if (bytes != null) {
      json.writeStringField(name, decodeOrLatin1(bytes));
    }
  }

  /** Writes a field with a number without a sign. */
  public static void unsignedField(JsonGenerator json, String name, long number)
      throws IOException {
    json.writeFieldName(name);
    json.writeNumber(Long.toUnsignedString(number));
  }
}
