package org.jmmv.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.Place;

/** Writes JSON in ASCII, so that no name in a file can send control sequences to a terminal. */
final class Json {
  private static final int LAST_ASCII = '~';

  private Json() {}

  /** Returns a generator of indented JSON. Closing it does not close the writer. */
  static JsonGenerator generator(Writer out) throws IOException {
    return JsonFactory.builder()
        .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
        .build()
        .createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .useDefaultPrettyPrinter();
  }

  /** Returns bytes of a file, given as one char per byte, as UTF-8 or else as ISO 8859-1. */
  static String text(String bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.getBytes(ISO_8859_1))).toString();
    } catch (CharacterCodingException e) {
      return bytes;
    }
  }

  /** Returns valid JSON, given as one char per byte, in ASCII. */
  static String ascii(String json) {
    StringBuilder ascii = new StringBuilder();
    for (char c : text(json).toCharArray()) { // only strings can have other chars than ASCII
      if (c <= LAST_ASCII) {
        ascii.append(c);
      } else {
        ascii.append("\\u%04x".formatted((int) c));
      }
    }
    return ascii.toString();
  }

  /** Writes a field unless its value is null. */
  static void textField(JsonGenerator json, String name, String bytes) throws IOException {
    if (bytes != null) {
      json.writeStringField(name, text(bytes));
    }
  }

  /** Writes a number without a sign. */
  static void unsignedField(JsonGenerator json, String name, long number) throws IOException {
    json.writeFieldName(name);
    json.writeNumber(Long.toUnsignedString(number));
  }

  /** Writes a fault as an object. */
  static void write(JsonGenerator json, Fault fault) throws IOException {
    Place place = fault.place();
    json.writeStartObject();
    if (place.section() != Place.Section.FILE) {
      json.writeStringField("entry", place.entry());
      json.writeNumberField("offset", place.offset());
    }
    json.writeStringField("code", fault.kind().code());
    json.writeStringField("problem", fault.problem());
    json.writeNumberField("more", fault.more());
    json.writeEndObject();
  }
}
