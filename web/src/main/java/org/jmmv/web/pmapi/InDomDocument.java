package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Labels;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;

/**
 * {@code /pmapi/indom}: the instances of an instance domain. An instance that is added while the
 * document is written is not in it, and neither is one that is removed before it is written.
 */
final class InDomDocument extends Document {
  private final String name; // of a metric; null: the instance domain is given
  private final InstanceChoice choice;
  private int inDom;
  private int[] numbers; // null: the document is not begun
  private int done; // of numbers

  /**
   * Creates a document. An unknown instance domain has no instances.
   *
   * @throws Failure if the call names no instance domain
   */
  InDomDocument(Call call) throws Failure {
    super(call);
    name = call.first("name").map(JsonBody::encoded).orElse(null);
    Optional<String> given = call.first("indom");
    inDom = given.map(Call::inDom).orElse(InDom.NULL);
    if (name == null && inDom == InDom.NULL) {
      throw BadRequest.of(
          given
              .map(text -> "failed to lookup indom " + text)
              .orElse("neither indom nor name is given"));
    }
    choice = InstanceChoice.of(call);
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException, Failure {
    if (numbers == null && name != null) {
      inDom = inDom(name);
    }
    View view = catalog().begin(new Scope.OfInDom(inDom));
    InstanceDomain instances = view.instances(inDom);
    MergedLabels labels = MergedLabels.ofInDom(catalog(), hostLabels(), view, inDom);
    if (numbers == null) {
      numbers = instances == null ? new int[0] : instances.numbers();
      begin(json);
      json.writeStringField("indom", InDom.toString(inDom));
      writeRaw(json, "labels", labels.json());
      if (instances != null) {
        writeHelp(json, instances.oneLine(), instances.help());
      }
      json.writeArrayFieldStart("instances");
      return true;
    }
    if (instances != null && done < numbers.length) {
      write(json, instances, labels, turn);
      return true;
    }
    json.writeEndArray();
    json.writeEndObject();
    return false;
  }

  /** Writes some instances. */
  private void write(JsonGenerator json, InstanceDomain instances, MergedLabels labels, Turn turn)
      throws IOException {
    InstanceChoice.Matcher matcher = choice.matcher();
    String ofAll = labels.json();
    do {
      int number = numbers[done++];
      int index = instances.indexOf(number);
      if (index >= 0 && matcher.matches(number, instances.name(index))) {
        Labels own = instances.labels(number);
        json.writeStartObject();
        json.writeNumberField("instance", Integer.toUnsignedLong(number)); // as pmproxy
        json.writeStringField("name", text(instances.name(index)));
        writeRaw(json, "labels", own == null ? ofAll : labels.with(own).json());
        json.writeEndObject();
      }
    } while (done < numbers.length && !isFull() && !turn.isOver());
  }

  @Override
  public long bytes() {
    return super.bytes()
        + choice.bytes()
        + HeapSize.of(name)
        + (numbers == null ? 0 : HeapSize.ofInts(numbers.length));
  }
}
