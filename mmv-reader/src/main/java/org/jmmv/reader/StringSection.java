package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_SIZE;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.IntMap;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

/**
 * Reads the strings that entries of other sections point to. Like the stock agent, it accepts
 * strings anywhere after the header: they need not be in the STRINGS section or 256 bytes apart,
 * and may overlap. An entry has at most three strings, and a string at most 255 bytes, so the
 * limits for the number of entries also bound the time and the memory for strings. Each offset is
 * read once: entries that point to the same one share a {@code String}.
 */
final class StringSection {
  private final SchemaInput in;
  private final List<String> texts = new ArrayList<>(); // null: without an end
  private final IntMap indexByOffset = new IntMap(); // indexes in texts

  StringSection(SchemaInput in) {
    this.in = in;
  }

  /**
   * Returns the name that an entry points to. If the offset is invalid, adds a fault and returns
   * null.
   */
  String name(Place entry, long offset) {
    return string(
        entry,
        offset,
        FaultKind.NAME_IN_HEADER,
        FaultKind.NAME_BEYOND_FILE,
        FaultKind.NAME_UNTERMINATED);
  }

  /**
   * Returns the help text that an entry points to, or null if there is none (offset 0). If the
   * offset is invalid, adds a fault and returns null.
   */
  String help(Place entry, long offset) {
    return offset == 0
        ? null
        : string(
            entry,
            offset,
            FaultKind.HELP_IN_HEADER,
            FaultKind.HELP_BEYOND_FILE,
            FaultKind.HELP_UNTERMINATED);
  }

  private String string(
      Place entry, long offset, FaultKind inHeader, FaultKind beyondFile, FaultKind unterminated) {
    if (offset < HEADER_SIZE && offset >= 0) {
      in.fault(inHeader, entry, offset);
      return null;
    }
    if (!in.fits(offset, 1, 1)) {
      in.fault(beyondFile, entry, Long.toUnsignedString(offset), in.size());
      return null;
    }
    int index = indexByOffset.get((int) offset);
    if (index == IntMap.NONE) {
      index = texts.size();
      indexByOffset.add((int) offset, index);
      texts.add(read(offset));
    }
    String text = texts.get(index);
    if (text == null) {
      in.fault(unterminated, entry, offset);
    }
    return text;
  }

  private String read(long offset) {
    String text = in.string(offset);
    if (text != null) { // otherwise it is one of the last 255 bytes
      in.keep(Memory.of(text));
    }
    return text;
  }
}
