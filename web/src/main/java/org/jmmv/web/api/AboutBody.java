package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.EntryCursor;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.reader.watch.DirectoryStatus;
import org.jmmv.serving.ThisHost;
import org.jmmv.web.history.History;
import org.jmmv.web.http.JsonBody;

/** What is served, in a few lines: {@code about}. */
final class AboutBody extends JsonBody {
  private final String version;
  private final boolean hasAuthorization;
  private final boolean needsCertificate;
  private final History history;
  private final EntryCursor entries;
  private final Map<FileHealth, Integer> counts = new EnumMap<>(FileHealth.class);

  /**
   * Creates a body.
   *
   * @param version the version of this program
   * @param hasAuthorization whether the request has the header Authorization
   * @param needsCertificate whether clients need a certificate
   * @param history the values of the last minutes
   */
  AboutBody(String version, boolean hasAuthorization, boolean needsCertificate, History history) {
    this.version = version;
    this.hasAuthorization = hasAuthorization;
    this.needsCertificate = needsCertificate;
    this.history = history;
    entries = new EntryCursor(new Scope.AllFiles());
    for (FileHealth health : FileHealth.values()) {
      counts.put(health, 0);
    }
  }

  @Override
  protected List<Step> steps() {
    return List.of(this::count, members(this::write));
  }

  private boolean count(Turn turn) {
    return entries.goOn(
        catalog(),
        turn,
        entry -> {
          counts.merge(FileHealth.of(entry), 1, Integer::sum);
          return true;
        });
  }

  private void write(JsonGenerator json) throws IOException {
    View view = catalog().begin(new Scope.NoFiles());
    json.writeStringField("version", version);
    json.writeStringField("host", ThisHost.hostname());
    json.writeBooleanField("hasAuthorization", hasAuthorization);
    json.writeBooleanField("needsCertificate", needsCertificate);
    json.writeBooleanField("isReading", catalog().hasBacklog());
    json.writeNumberField("metrics", MetricsBody.count(view));
    json.writeArrayFieldStart("directories");
    for (DirectoryStatus directory : view.directories()) {
      json.writeStartObject();
      json.writeStringField("path", directory.path().toString());
      json.writeArrayFieldStart("faults");
      FilesBody.writeFaults(directory.faults(), json);
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("files");
    for (Map.Entry<FileHealth, Integer> count : counts.entrySet()) {
      json.writeNumberField(count.getKey().toString(), count.getValue());
    }
    json.writeEndObject();
    if (history.isOn()) {
      json.writeObjectFieldStart("history");
      json.writeNumberField("seconds", history.seconds());
      json.writeNumberField("leftOut", history.missing());
      json.writeEndObject();
    }
  }

  @Override
  public long bytes() {
    return super.bytes() + entries.bytes();
  }
}
