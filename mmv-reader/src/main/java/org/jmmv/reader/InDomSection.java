package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;

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
  private final IntMap indexByOffset = new IntMap(); // indexes in numbers
  private int[] numbers = {}; // of all instances
  private int instanceCount;
  private int read; // how many of them have been read

  /** An instance domain to which further entries may add instances. */
  private record Draft(
      String shortHelp,
      String longHelp,
      List<Instance> instances,
      IntMap indexByNumber,
      Set<String> names) {}

  InDomSection(SchemaInput in, int version, int maxInstances, StringSection strings) {
    this.in = in;
    this.version = version;
    this.maxInstances = maxInstances;
    this.strings = strings;
  }

  void read(MmvHeader.Section section) {
    int instanceSize = instanceSize(version);
    for (int i = 0; i < section.count() && !in.isTooLarge(); i++) {
      long at = section.offset() + (long) i * INDOM_SIZE;
      Place entry = in.place(Place.Section.INDOMS, i, at);
      in.load(at, INDOM_SIZE);
      int serial = in.i32(at + INDOM_SERIAL);
      int count = in.i32(at + INDOM_COUNT);
      long offset = in.i64(at + INDOM_INSTANCES);
      if (serial < 0 || serial > InDom.MAX_SERIAL) {
        in.fault(FaultKind.SERIAL, entry, Integer.toUnsignedString(serial), InDom.MAX_SERIAL);
      } else if (count != 0 && !in.fits(offset, count, instanceSize)) {
        in.fault(
            FaultKind.INSTANCES_BEYOND_FILE,
            entry,
            Integer.toUnsignedString(count),
            Long.toUnsignedString(offset),
            in.size());
      } else if (count > maxInstances - instanceCount) {
        in.fault(FaultKind.TOO_MANY_INSTANCES, entry, count, maxInstances);
      } else if ((long) (instanceCount + count) * instanceSize > in.size()) {
        in.fault(FaultKind.INSTANCES_OVERLAP, entry);
      } else {
        instanceCount += count;
        readInDom(entry, serial, count, offset);
      }
    }
  }

  private void readInDom(Place entry, int serial, int count, long offset) {
    in.keep(Memory.OF_INDOM);
    String shortHelp = strings.help(entry, in.i64(entry.offset() + INDOM_SHORT_HELP));
    String longHelp = strings.help(entry, in.i64(entry.offset() + INDOM_LONG_HELP));
    Draft draft =
        draftBySerial.computeIfAbsent(
            serial,
            _ -> new Draft(shortHelp, longHelp, new ArrayList<>(), new IntMap(), new HashSet<>()));
    numbers = Arrays.copyOf(numbers, instanceCount);
    for (int i = 0; i < count; i++) {
      long at = offset + (long) i * instanceSize(version);
      in.load(at, instanceSize(version));
      int number = in.i32(at + INSTANCE_NUMBER);
      numbers[read] = number;
      indexByOffset.add((int) at, read++);
      String name =
          version == 1
              ? in.text(at + INSTANCE_NAME, NAME_SIZE)
              : strings.name(in.place(Place.Section.INSTANCES, i, at), in.i64(at + INSTANCE_NAME));
      if (name != null && draft.indexByNumber.add(number, draft.instances.size())) {
        draft.instances.add(new Instance(number, name));
        if (!draft.names.add(name)) {
          in.fault(FaultKind.INSTANCE_NAME, in.place(Place.Section.INSTANCES, i, at), name);
        }
        in.keep(Memory.ofInstance(name) + (version == 1 ? Memory.of(name) : 0));
      }
    }
  }

  /**
   * Returns the index of the instance whose entry begins at an offset, or {@link IntMap#NONE}.
   *
   * @param offset in bytes from the start of the file
   */
  int indexAt(long offset) {
    return offset == (int) offset ? indexByOffset.get((int) offset) : IntMap.NONE;
  }

  /** Returns the number of the instance with an index. */
  int number(int index) {
    return numbers[index];
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
