package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jmmv.core.NameTree;
import org.jmmv.core.NameTree.Child;
import org.jmmv.core.Turn;
import org.jmmv.pcp.HeapSize;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/children}: the names directly below a name, first the leaves and then the others,
 * each in the order of the names.
 */
final class ChildrenDocument extends Document {
  private static final int STEP = 64; // children

  private final String prefix;
  private boolean isBegun;
  private boolean areLeaves = true; // which are written now
  private String last = ""; // of the children that are written

  ChildrenDocument(Call call) {
    super(call);
    prefix = encoded(call.first("prefix", "name").orElse(""));
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException, Failure {
    NameTree names = begin().names();
    if (!isBegun) {
      if (!names.contains(prefix)) {
        throw BadRequest.of("child traversal failed - Unknown metric name");
      }
      isBegun = true;
      begin(json);
      json.writeStringField("name", text(prefix));
      json.writeArrayFieldStart("leaf");
    }
    List<Child> children = names.children(prefix, last, STEP);
    for (Child child : children) {
      if (child.isLeaf() == areLeaves) {
        json.writeString(text(child.name()));
      }
      last = child.name();
    }
    if (!children.isEmpty()) {
      return true;
    }
    json.writeEndArray();
    if (areLeaves) {
      json.writeArrayFieldStart("nonleaf");
      areLeaves = false;
      last = "";
      return true;
    }
    json.writeEndObject();
    return false;
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.of(prefix) + HeapSize.of(last);
  }
}
