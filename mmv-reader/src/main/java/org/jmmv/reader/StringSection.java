package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_SIZE;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.reader.SchemaInput.Entry;

/**
 * Reads the strings that entries of other sections point to. Like the stock agent, it accepts
 * strings anywhere after the header: they need not be in the STRINGS section or 256 bytes apart,
 * and may overlap. An entry has at most three strings, and a string at most 255 bytes, so the
 * limits for the number of entries also bound the time and the memory for strings. Entries that
 * point to the same offset share a {@code String}.
 */
final class StringSection {
  private final SchemaInput in;
  private final List<String> texts = new ArrayList<>();
  private final IntMap indexByOffset = new IntMap(); // indexes in texts

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
    if (!in.fits(offset, 1, 1)) {
      in.fault(
          entry,
          "%s offset %s is beyond the file's %d bytes, %sleft out",
          what,
          Long.toUnsignedString(offset),
          in.size(),
          loss);
      return null;
    }
    int index = indexByOffset.get((int) offset);
    if (index != IntMap.NONE) {
      return texts.get(index);
    }
    String text = in.string(offset);
    if (text == null) {
      in.fault(
          entry,
          "%s at offset %d has no NUL before the end of the file, %sleft out",
          what,
          offset,
          loss);
      return null;
    }
    indexByOffset.add((int) offset, texts.size());
    texts.add(text);
    in.keep(Memory.of(text));
    return text;
  }
}
