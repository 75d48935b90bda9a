package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jmmv.core.NameTree;
import org.jmmv.core.NameTree.Child;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/children}: the names directly below a name, first the leaves and then the others,
 * each in the order of the names.
 */
final class ChildrenDocument extends Document {
  private final String prefix;
  private String last = ""; // of the children that are written

  ChildrenDocument(Call call) {
    super(call);
    prefix = FileText.encode(call.first("prefix", "name").orElse(""));
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        members(this::writeName),
        array("leaf", (json, _) -> writeSome(json, true)),
        array("nonleaf", (json, _) -> writeSome(json, false)));
  }

  private void writeName(JsonGenerator json) throws IOException, Failure {
    if (!begin().names().contains(prefix)) {
      throw Failure.badRequest("child traversal failed - Unknown metric name");
    }
    writeContext(json);
    json.writeStringField("name", FileText.decode(prefix));
  }

  private boolean writeSome(JsonGenerator json, boolean areLeaves) throws IOException {
    List<Child> children = begin().names().children(prefix, last, NameTree.BATCH);
    for (Child child : children) {
      if (child.isLeaf() == areLeaves) {
        json.writeString(FileText.decode(child.name()));
      }
    }
    last = children.isEmpty() ? "" : children.getLast().name();
    return !children.isEmpty();
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.of(prefix) + HeapSize.of(last);
  }
}
