package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;
import java.util.Iterator;
import java.util.List;
import org.jmmv.core.NameTree;
import org.jmmv.core.NameTree.Child;
import org.jmmv.core.Scope;
import org.jmmv.web.http.Failure;

/** {@code /pmapi/children}: the names directly below a name, leaves and others. */
final class ChildrenDocument extends Document {
  private static final int BYTES_PER_CHILD = 24;

  private final String prefix;
  private final List<Child> children;
  private Iterator<Child> leaves; // null: the document is not begun
  private Iterator<Child> others; // null: the leaves are not written yet

  private ChildrenDocument(Call call, String prefix, List<Child> children) {
    super(call);
    this.prefix = prefix;
    this.children = children;
  }

  /**
   * Answers a call.
   *
   * @throws Failure if the name is unknown
   */
  static ChildrenDocument of(Call call) throws Failure {
    String prefix = Call.bytes(call.first("prefix", "name").orElse(""));
    NameTree names = call.catalog().begin(new Scope.OfAll()).names();
    if (!names.contains(prefix)) {
      throw BadRequest.of("child traversal failed - Unknown metric name");
    }
    return new ChildrenDocument(call, prefix, names.children(prefix));
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (leaves == null) {
      begin(json);
      json.writeStringField("name", text(prefix));
      json.writeArrayFieldStart("leaf");
      leaves = children.stream().filter(Child::isLeaf).iterator();
    } else if (others == null && leaves.hasNext()) {
      json.writeString(text(leaves.next().name()));
    } else if (others == null) {
      json.writeEndArray();
      json.writeArrayFieldStart("nonleaf");
      others = children.stream().filter(child -> !child.isLeaf()).iterator();
    } else if (others.hasNext()) {
      json.writeString(text(others.next().name()));
    } else {
      json.writeEndArray();
      json.writeEndObject();
      return false;
    }
    return true;
  }

  @Override
  public long bytes() {
    return (long) BYTES_PER_CHILD * children.size();
  }
}
