package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.CatalogEntry;
import org.jmmv.core.EntryCursor;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.watch.CountedFault;
import org.jmmv.reader.watch.EntryStatus;
import org.jmmv.web.http.JsonBody;

/**
 * The entries of the directories, and what is wrong with them: {@code files}. All of one health are
 * written, then all of the next one, so that a document of some entries has those that somebody
 * should look at.
 */
final class FilesBody extends JsonBody {
  private static final List<FileHealth> ORDER = List.of(FileHealth.values());

  private final boolean isUnhealthyOnly;
  private final long start; // the position of the first entry of this document
  private final long end; // the position after the last one
  private final EntryCursor entries;
  private final int[] ends = new int[ORDER.size()]; // positions after each health
  private int health; // of the next entry, as an index
  private int position; // of the next entry

  FilesBody(boolean isUnhealthyOnly, int offset, int limit) {
    this.isUnhealthyOnly = isUnhealthyOnly;
    start = offset;
    end = start + limit;
    entries = new EntryCursor(new Scope.AllFiles());
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.ofInts(ends.length) + entries.bytes();
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        this::count,
        members(json -> json.writeNumberField("total", total())),
        array("files", this::writeSome),
        members(this::writeNext));
  }

  private int total() {
    return ends[ends.length - 1];
  }

  private boolean count(Turn turn) {
    boolean hasMore =
        entries.goOn(
            catalog(),
            turn,
            entry -> {
              FileHealth one = FileHealth.of(entry);
              ends[ORDER.indexOf(one)] += isUnhealthyOnly && !one.isUnhealthy() ? 0 : 1;
              return true;
            });
    if (!hasMore) {
      for (int i = 1; i < ends.length; i++) {
        ends[i] += ends[i - 1];
      }
      entries.restart();
    }
    return hasMore;
  }

  private boolean writeSome(JsonGenerator json, Turn turn) throws IOException {
    while (health < ends.length && ends[health] <= Math.max(start, position)) {
      goToNextHealth();
    }
    if (health == ends.length || position >= end) {
      return false;
    }
    boolean hasMore =
        entries.goOn(
            catalog(),
            turn,
            entry -> {
              if (FileHealth.of(entry) == ORDER.get(health)) {
                if (position >= start) {
                  write(entry, json);
                }
                position++;
              }
              return !isFull() && position < Math.min(end, ends[health]);
            });
    if (!hasMore) { // some have gone since they were counted
      goToNextHealth();
    }
    return true;
  }

  private void goToNextHealth() {
    position = ends[health];
    health++;
    entries.restart();
  }

  private void writeNext(JsonGenerator json) throws IOException {
    if (end < total()) {
      json.writeNumberField("next", end);
    }
  }

  private static void write(CatalogEntry entry, JsonGenerator json) throws IOException {
    EntryStatus status = entry.status();
    json.writeStartObject();
    json.writeStringField("file", Printable.utf8(status.name().name()));
    json.writeStringField("directory", FileText.decode(status.name().directory()));
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
    if (entry.startNanos() != 0) {
      json.writeNumberField("started", TimeUnit.NANOSECONDS.toSeconds(entry.startNanos()));
    }
    json.writeBooleanField("restarted", status.isSuccessor());
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
