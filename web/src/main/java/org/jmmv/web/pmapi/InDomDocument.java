package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/indom}: the instances of an instance domain. An instance that is added while the
 * document is written is not in it, and neither is one that is removed before it is written.
 */
final class InDomDocument extends Document {
  private final String name; // of a metric; null: the instance domain is given
  private final InstanceChoice choice;
  private int inDom;
  private IntBuffer numbers = IntBuffer.allocate(0); // of the instances that are left

  /**
   * Creates a document. An unknown instance domain has no instances.
   *
   * @throws Failure if the call names no instance domain
   */
  InDomDocument(Call call) throws Failure {
    super(call);
    name = call.first("name").map(FileText::encode).orElse(null);
    Optional<String> given = call.first("indom");
    inDom = given.map(Call::inDom).orElse(InDom.NULL);
    if (name == null && inDom == InDom.NULL) {
      throw Failure.badRequest(
          given
              .map(text -> "failed to lookup indom " + text)
              .orElse("neither indom nor name is given"));
    }
    choice = InstanceChoice.of(call);
  }

  @Override
  protected List<Step> steps() {
    return List.of(members(this::writeInDom), array("instances", this::writeSome));
  }

  private void writeInDom(JsonGenerator json) throws IOException, Failure {
    inDom = name == null ? inDom : inDom(name);
    View view = catalog().begin(new Scope.OfInDom(inDom));
    InstanceDomain instances = view.instances(inDom);
    writeContext(json);
    json.writeStringField("indom", InDom.toString(inDom));
    writeRaw(json, "labels", labels(view).json());
    if (instances != null) {
      numbers = instances.table().numbers();
      writeHelp(json, instances.oneLine(), instances.help());
    }
  }

  private Labels labels(View view) {
    Labels ofDomain =
        catalog().hasDomain(InDom.domain(inDom))
            ? view.labels(LabelType.DOMAIN, InDom.domain(inDom))
            : null;
    Labels own = view.labels(LabelType.INDOM, inDom);
    return merged(Stream.of(ofDomain, own).filter(Objects::nonNull).toList());
  }

  private boolean writeSome(JsonGenerator json, Turn turn) throws IOException {
    View view = catalog().begin(new Scope.OfInDom(inDom));
    InstanceDomain instances = view.instances(inDom);
    if (instances == null || !numbers.hasRemaining()) {
      return false;
    }
    InstanceTable table = instances.table();
    Labels labels = labels(view);
    InstanceChoice.Matcher matcher = choice.matcher();
    do {
      int number = numbers.get();
      int index = table.indexOf(number);
      if (index >= 0 && matcher.matches(number, table.name(index))) {
        Labels own = instances.labels(number);
        Labels all = own == null ? labels : Labels.mergeAll(List.of(labels, own));
        json.writeStartObject();
        json.writeNumberField("instance", Integer.toUnsignedLong(number)); // as pmproxy
        json.writeStringField("name", FileText.decode(table.name(index)));
        writeRaw(json, "labels", all.json());
        json.writeEndObject();
      }
    } while (numbers.hasRemaining() && !isFull() && !view.isOver(turn));
    return true;
  }

  @Override
  public long bytes() {
    return super.bytes() + choice.bytes() + HeapSize.of(name) + HeapSize.ofInts(numbers.capacity());
  }
}
