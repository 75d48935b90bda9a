package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Labels;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/indom}: the instances of an instance domain. An instance that is added while the
 * document is written is not in it, and neither is one that is removed before it is written.
 */
final class InDomDocument extends Document {
  private static final int STEP = 32; // instances

  private final int inDom;
  private final InstanceChoice choice;
  private final int[] numbers;
  private final MergedLabels labels;
  private final String ofAll; // these labels as JSON
  private int done; // of numbers
  private boolean isBegun;

  private InDomDocument(Call call, int inDom, InstanceChoice choice) {
    super(call);
    this.inDom = inDom;
    this.choice = choice;
    View view = call.catalog().begin(new Scope.OfInDom(inDom));
    InstanceDomain instances = view.instances(inDom);
    numbers = instances == null ? new int[0] : instances.numbers();
    labels = MergedLabels.ofInDom(call, view, inDom);
    ofAll = labels.json();
  }

  /**
   * Answers a call. An unknown instance domain has no instances.
   *
   * @throws Failure if the call names no instance domain
   */
  static InDomDocument of(Call call) throws Failure {
    int inDom = InstanceChoice.inDom(call);
    if (inDom == InDom.NULL) {
      throw BadRequest.of(
          call.first("indom")
              .map(text -> "failed to lookup indom " + text)
              .orElse("neither indom nor name is given"));
    }
    return new InDomDocument(call, inDom, InstanceChoice.of(call));
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    InstanceDomain instances = call().catalog().begin(new Scope.OfInDom(inDom)).instances(inDom);
    if (!isBegun) {
      isBegun = true;
      begin(json);
      json.writeStringField("indom", InDom.toString(inDom));
      writeRaw(json, "labels", ofAll);
      if (instances != null) {
        writeHelp(json, instances.oneLine(), instances.help());
      }
      json.writeArrayFieldStart("instances");
    } else if (done < numbers.length) {
      int end = instances == null ? numbers.length : Math.min(done + STEP, numbers.length);
      for (; instances != null && done < end; done++) {
        int index = instances.indexOf(numbers[done]);
        if (index >= 0 && choice.contains(numbers[done], instances.name(index))) {
          write(json, numbers[done], instances.name(index), instances.labels(numbers[done]));
        }
      }
      done = end;
    } else {
      json.writeEndArray();
      json.writeEndObject();
      return false;
    }
    return true;
  }

  private void write(JsonGenerator json, int number, String name, Labels own) throws IOException {
    json.writeStartObject();
    json.writeNumberField("instance", Integer.toUnsignedLong(number)); // as pmproxy
    json.writeStringField("name", text(name));
    writeRaw(json, "labels", own == null ? ofAll : labels.with(own).json());
    json.writeEndObject();
  }

  @Override
  public long bytes() {
    return (long) Integer.BYTES * numbers.length;
  }
}
