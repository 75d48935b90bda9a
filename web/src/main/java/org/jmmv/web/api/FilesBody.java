package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;
import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogEntry;
import org.jmmv.core.Scope;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.watch.CountedFault;
import org.jmmv.reader.watch.EntryStatus;
import org.jmmv.web.http.JsonBody;

/** The entries of the directories, and what is wrong with them: {@code files}. */
final class FilesBody extends JsonBody {
  /** How many entries are looked at. */
  static final int MAX = 20_000;

  private static final int ENTRY_BYTES = 500; // of an entry in the heap, with some faults

  private final List<CatalogEntry> entries;
  private final int total;
  private final int end; // position after the last entry of this document
  private int next = -1; // index in the entries; -1: nothing is written yet

  /**
   * Creates a body.
   *
   * @param isUnhealthyOnly whether only entries are listed that somebody should look at
   * @param offset the position of the first entry
   * @param limit the maximum number of entries
   */
  FilesBody(Catalog catalog, boolean isUnhealthyOnly, int offset, int limit) {
    List<CatalogEntry> all = catalog.begin(new Scope.OfAll()).entries(MAX);
    if (isUnhealthyOnly) {
      all = all.stream().filter(entry -> FileHealth.of(entry).isUnhealthy()).toList();
    }
    total = all.size();
    int start = Math.min(offset, total);
    end = Math.min(total, start + limit);
    entries = List.copyOf(all.subList(start, end));
  }

  @Override
  public long bytes() {
    return (long) ENTRY_BYTES * entries.size();
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (next < 0) {
      json.writeStartObject();
      json.writeNumberField("total", total);
      json.writeArrayFieldStart("files");
      next = 0;
    } else if (next < entries.size()) {
      write(entries.get(next), json);
      next++;
    } else {
      json.writeEndArray();
      if (end < total) {
        json.writeNumberField("next", end);
      }
      json.writeEndObject();
      return false;
    }
    return true;
  }

  private static void write(CatalogEntry entry, JsonGenerator json) throws IOException {
    EntryStatus status = entry.status();
    json.writeStartObject();
    json.writeStringField("file", Printable.utf8(status.name().name()));
    json.writeStringField("directory", text(status.name().directory()));
    json.writeStringField("health", FileHealth.of(entry).toString());
    json.writeStringField("state", entry.state().toString());
    json.writeNumberField("served", entry.served());
    json.writeNumberField("metrics", entry.metrics());
    if (status.header() != null) {
      json.writeNumberField("format", status.header().version());
      json.writeNumberField("pid", Integer.toUnsignedLong(status.header().pid()));
    }
    if (status.modified() != null) {
      json.writeNumberField("modified", status.modified().getEpochSecond());
    }
    json.writeNumberField("loads", status.loads());
    json.writeNumberField("faultCount", status.faultCount());
    json.writeArrayFieldStart("faults");
    if (status.counted().isEmpty()) {
      for (Fault reason : status.reasons()) { // no fault, but what the state means
        json.writeStartObject();
        FaultJson.writeMembers(reason, json);
        json.writeEndObject();
      }
    } else {
      writeFaults(status.counted(), json);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Writes faults and hints, with how often and when they were found. */
  static void writeFaults(List<CountedFault> faults, JsonGenerator json) throws IOException {
    for (CountedFault counted : faults) {
      json.writeStartObject();
      FaultJson.writeMembers(counted.fault(), json);
      json.writeNumberField("count", counted.count());
      json.writeNumberField("first", counted.first().getEpochSecond());
      json.writeNumberField("last", counted.last().getEpochSecond());
      json.writeEndObject();
    }
  }
}
