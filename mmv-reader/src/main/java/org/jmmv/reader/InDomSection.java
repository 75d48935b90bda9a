package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.*;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.reader.SchemaInput.Entry;

/**
 * Reads the INDOMS sections of a file, and the instances that their entries point to. Several
 * entries with the same serial form one instance domain. Entries that would make all instances
 * together larger than the file are left out, because they share instances with other entries.
 */
final class InDomSection {
  private final SchemaInput in;
  private final int version;
  private final int maxInstances;
  private final StringSection strings;
  private final Map<Integer, Draft> draftBySerial = new LinkedHashMap<>();
  private final Map<Long, Integer> numberByOffset = new HashMap<>();
  private int instanceCount;

  /** An instance domain to which further entries may add instances. */
  private record Draft(
      String shortHelp, String longHelp, List<Instance> instances, Set<Integer> numbers) {}

  InDomSection(SchemaInput in, int version, int maxInstances, StringSection strings) {
    this.in = in;
    this.version = version;
    this.maxInstances = maxInstances;
    this.strings = strings;
  }

  void read(Header.Section section) {
    int instanceSize = instanceSize(version);
    for (int i = 0; i < section.count() && !in.isTooLarge(); i++) {
      long at = section.offset() + (long) i * INDOM_SIZE;
      Entry entry = new Entry("indom", i, at);
      int serial = in.i32(at + INDOM_SERIAL);
      int count = in.i32(at + INDOM_COUNT);
      long offset = in.i64(at + INDOM_INSTANCES);
      if (serial < 0 || serial > InDom.MAX_SERIAL) {
        in.fault(
            entry,
            "serial %s is over %d, left out",
            Integer.toUnsignedString(serial),
            InDom.MAX_SERIAL);
      } else if (count != 0 && !in.fits(offset, count, instanceSize)) {
        in.fault(
            entry,
            "%s instances from %s on are beyond the file's %d bytes, left out",
            Integer.toUnsignedString(count),
            Long.toUnsignedString(offset),
            in.size());
      } else if (count > maxInstances - instanceCount) {
        in.fault(
            entry,
            "%d instances are too many, at most %d of a file are served, left out",
            count,
            maxInstances);
      } else if ((long) (instanceCount + count) * instanceSize > in.size()) {
        in.fault(entry, "the instances of the file's instance domains overlap, left out");
      } else {
        instanceCount += count;
        readInDom(entry, serial, count, offset);
      }
    }
  }

  private void readInDom(Entry entry, int serial, int count, long offset) {
    in.keep(Memory.OF_INDOM);
    String shortHelp = strings.help(entry, in.i64(entry.at() + INDOM_SHORT_HELP));
    String longHelp = strings.help(entry, in.i64(entry.at() + INDOM_LONG_HELP));
    Draft draft =
        draftBySerial.computeIfAbsent(
            serial, _ -> new Draft(shortHelp, longHelp, new ArrayList<>(), new HashSet<>()));
    for (int i = 0; i < count; i++) {
      long at = offset + (long) i * instanceSize(version);
      Integer number = in.i32(at + INSTANCE_NUMBER); // boxed once, for both collections
      numberByOffset.put(at, number);
      String name =
          version == 1
              ? in.text(at + INSTANCE_NAME, NAME_SIZE)
              : strings.name(new Entry("instance", i, at), in.i64(at + INSTANCE_NAME));
      if (name != null && draft.numbers.add(number)) {
        draft.instances.add(new Instance(number, name));
        in.keep(Memory.ofInstance(name) + (version == 1 ? Memory.of(name) : 0));
      }
    }
  }

  /**
   * Returns the number of the instance whose entry begins at an offset, or null if there is none.
   *
   * @param offset in bytes from the start of the file
   */
  Integer instanceAt(long offset) {
    return numberByOffset.get(offset);
  }

  /** Returns the instance domains, in the order of the file. */
  List<MmvInDom> inDoms() {
    List<MmvInDom> inDoms = new ArrayList<>(draftBySerial.size());
    draftBySerial.forEach((serial, draft) ->
        inDoms.add(
            new MmvInDom(serial, List.copyOf(draft.instances), draft.shortHelp, draft.longHelp)));
    return List.copyOf(inDoms);
  }
}
