package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.IntMap;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

/**
 * Reads the INDOMS sections of a file, and the instances that their entries point to. Several
 * entries with the same serial form one instance domain. Entries that would make all instances
 * together larger than the file are left out, because they share instances with other entries.
 */
final class InDomSection {
  /**
   * Records of a step: with {@code MmvFileReader.STEPS_PER_LOOK} such steps, a turn ends in time.
   */
  private static final int AT_ONCE = 64;

  private final SchemaInput in;
  private final int version;
  private final int maxInstances;
  private final StringSection strings;
  private final Map<Integer, Draft> draftBySerial = new LinkedHashMap<>();
  private final IntMap indexByOffset = new IntMap(); // indexes in numbers
  private int[] numbers = {}; // of all instances that were read
  private int instanceCount; // of all accepted entries
  private int read; // how many of them have been read

  /** An instance domain to which further entries may add instances. */
  private record Draft(
      String shortHelp, String longHelp, InstanceTable.Builder instances, Set<String> names) {}

  InDomSection(SchemaInput in, int version, int maxInstances, StringSection strings) {
    this.in = in;
    this.version = version;
    this.maxInstances = maxInstances;
    this.strings = strings;
  }

  /** Returns what reads some records of a section, and then returns whether there are more. */
  BooleanSupplier reading(MmvHeader.Section section) {
    return new Reading(section)::read;
  }

  /** How far a section was read. */
  private final class Reading {
    private final MmvHeader.Section section;
    private int next; // the index of the entry that is read next
    private Draft draft; // of the last entry
    private long offset; // of its instances
    private int count; // of its instances
    private int done; // how many of them were read

    Reading(MmvHeader.Section section) {
      this.section = section;
    }

    boolean read() {
      for (int i = 0; i < AT_ONCE; i++) {
        if (done < count) {
          readInstance(draft, done, offset + (long) done * instanceSize(version));
          done++;
        } else if (next < section.count()) {
          readEntry(section.offset() + (long) next * INDOM_SIZE);
          next++;
        } else {
          return false;
        }
      }
      return true;
    }

    private void readEntry(long at) {
      count = 0;
      done = 0;
      Place entry = in.place(Place.Section.INDOMS, next, at);
      in.load(at, INDOM_SIZE);
      int serial = in.i32(at + INDOM_SERIAL);
      int instances = in.i32(at + INDOM_COUNT);
      offset = in.i64(at + INDOM_INSTANCES);
      if (isAccepted(entry, serial, instances, offset)) {
        count = instances;
        instanceCount += instances;
        in.keep(Memory.OF_INDOM);
        String shortHelp = strings.help(entry, in.i64(at + INDOM_SHORT_HELP));
        String longHelp = strings.help(entry, in.i64(at + INDOM_LONG_HELP));
        draft =
            draftBySerial.computeIfAbsent(
                serial,
                _ -> new Draft(shortHelp, longHelp, new InstanceTable.Builder(), new HashSet<>()));
      }
    }
  }

  private boolean isAccepted(Place entry, int serial, int count, long offset) {
    int instanceSize = instanceSize(version);
    if (!InDom.isSerial(serial)) {
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
      return true;
    }
    return false;
  }

  private void readInstance(Draft draft, int index, long at) {
    in.load(at, instanceSize(version));
    int number = in.i32(at + INSTANCE_NUMBER);
    if (read == numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(AT_ONCE, 2 * read));
    }
    numbers[read] = number;
    indexByOffset.add((int) at, read++);
    String name =
        version == 1
            ? in.text(at + INSTANCE_NAME, NAME_SIZE)
            : strings.name(
                in.place(Place.Section.INSTANCES, index, at), in.i64(at + INSTANCE_NAME));
    if (name != null && draft.instances.add(number, name)) {
      if (!draft.names.add(name)) {
        in.fault(FaultKind.INSTANCE_NAME, in.place(Place.Section.INSTANCES, index, at), name);
      }
      in.keep(Memory.OF_INSTANCE + (version == 1 ? Memory.of(name) : 0));
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

  /** Returns whether there is an instance domain with a serial. */
  boolean has(int serial) {
    return draftBySerial.containsKey(serial);
  }

  /** Returns the instance domains, in the order of the file. */
  List<MmvInDom> inDoms() {
    List<MmvInDom> inDoms = new ArrayList<>(draftBySerial.size());
    draftBySerial.forEach((serial, draft) ->
        inDoms.add(new MmvInDom(serial, draft.instances.build(), draft.shortHelp, draft.longHelp)));
    return List.copyOf(inDoms);
  }
}
