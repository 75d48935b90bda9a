package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_SIZE;
import static org.jmmv.reader.MmvLayout.STRING_SIZE;

import java.util.HashMap;
import java.util.Map;
import org.jmmv.reader.SchemaInput.Entry;

/**
 * Reads the strings that entries of other sections point to. Like the stock agent, it accepts
 * strings anywhere after the header. The number of different strings is limited to the size of the
 * file divided by 256 bytes, the size of a string; more strings would have to overlap, and are left
 * out.
 */
final class StringSection {
  private final SchemaInput in;
  private final Map<Long, String> stringByOffset = new HashMap<>();

  StringSection(SchemaInput in) {
    this.in = in;
  }

  /**
   * Returns the name that an entry points to. If the offset is invalid, adds a fault and returns
   * null.
   */
  String name(Entry entry, long offset) {
    return string(entry, offset, "name", "");
  }

  /**
   * Returns the help text that an entry points to, or null if there is none (offset 0). If the
   * offset is invalid, adds a fault and returns null.
   */
  String help(Entry entry, long offset) {
    return offset == 0 ? null : string(entry, offset, "help", "help ");
  }

  private String string(Entry entry, long offset, String what, String loss) {
    if (offset < HEADER_SIZE && offset >= 0) {
      in.fault(entry, "%s offset %d is in the header, %sleft out", what, offset, loss);
      return null;
    }
    if (!in.fits(offset, 1, STRING_SIZE)) {
      in.fault(
          entry,
          "%s offset %s is beyond the file's %d bytes, %sleft out",
          what,
          Long.toUnsignedString(offset),
          in.size(),
          loss);
      return null;
    }
    String known = stringByOffset.get(offset);
    if (known != null) {
      return known;
    }
    if (stringByOffset.size() >= in.size() / STRING_SIZE) {
      in.fault(entry, "%s offset %d: strings overlap, %sleft out", what, offset, loss);
      return null;
    }
    String text = in.text(offset, STRING_SIZE - 1);
    stringByOffset.put(offset, text);
    return text;
  }
}
