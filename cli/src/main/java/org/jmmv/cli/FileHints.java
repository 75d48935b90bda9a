package org.jmmv.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.FileValues;
import org.jmmv.core.KeptValues;
import org.jmmv.pcp.IntMap;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvLabel;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Faults;
import org.jmmv.reader.fault.Place;
import org.jmmv.reader.watch.EntryStatus;

/**
 * Finds what is served as it is in a file, but is probably not what the application's author wants.
 * The agent does not look for it: it concerns values, or matters only to other tools.
 */
final class FileHints {
  /** 31 years in microseconds. A time of day is longer. */
  private static final long MAX_ELAPSED = 1_000_000_000_000_000L;

  private final MmvFile file;
  private final EntryStatus status;
  private final Faults found = new Faults();
  private List<KeptValues> before; // of each metric; null until remember is called

  FileHints(EntryStatus status) {
    this.status = status;
    file = status.file();
  }

  /** Returns the values of a metric, if they are numbers. */
  private static KeptValues numbers(MmvMetric metric, FileValues values) {
    KeptValues found = new KeptValues();
    if (metric.type() != ValueType.STRING) {
      try {
        values.read(metric, found);
      } catch (FileTruncated e) {
        found.clear(); // a fault of the next check
      }
    }
    return found;
  }

  /** Remembers the values of counters, with which {@link #list} compares the later ones. */
  void remember() {
    FileValues values = new FileValues(file);
    before = file.schema().metrics().stream().map(metric -> numbers(metric, values)).toList();
  }

  /** Returns the first hint of each kind, with the number of the others. */
  List<Fault> list() {
    MmvSchema schema = file.schema();
    boolean hasNoWriter =
        switch (status.writer()) {
          case YES -> false;
          case NO -> true;
          case UNKNOWN -> MmvSchema.hasEnded(schema.header().pid());
        };
    if (hasNoWriter && schema.header().pid() != 0 && !schema.has(MmvSchema.FLAG_PROCESS)) {
      hint(
          FaultKind.WRITER_ENDED,
          Place.of(schema.name()),
          schema.header().pid(),
          status.modified());
    }
    FileValues values = new FileValues(file);
    Map<String, String> names = new HashMap<>(); // by their names in Prometheus
    for (int i = 0; i < schema.metrics().size(); i++) {
      MmvMetric metric = schema.metrics().get(i);
      Place place =
          new Place(schema.name(), Place.Section.METRICS, metric.index(), metric.offset());
      describe(metric, place, names);
      KeptValues now = numbers(metric, values);
      examine(metric, now, place);
      if (before != null && metric.isCounter()) {
        compare(metric.name(), before.get(i), now, place);
      }
    }
    for (MmvLabel label : schema.labels()) {
      for (String name : label.labels().values().keySet()) {
        if (name.indexOf('.') >= 0 || name.startsWith("__")) {
          hint(FaultKind.LABEL_IN_PROMETHEUS, Place.of(schema.name()), name);
        }
      }
    }
    return found.list();
  }

  private void describe(MmvMetric metric, Place place, Map<String, String> names) {
    if (isEmpty(metric.shortHelp()) && isEmpty(metric.longHelp())) {
      hint(FaultKind.NO_HELP, place, metric.name());
    }
    if (metric.units() == 0
        && metric.type() != ValueType.STRING
        && metric.type() != MmvMetric.ELAPSED) {
      hint(FaultKind.NO_UNITS, place, metric.name());
    }
    String other = names.putIfAbsent(metric.name().replace('.', '_'), metric.name());
    if (other != null && !other.equals(metric.name())) {
      hint(FaultKind.SAME_IN_PROMETHEUS, place, other, metric.name());
    }
  }

  /** PCP's module for Python writes a text without characters if none is given. */
  private static boolean isEmpty(String help) {
    return help == null || help.isEmpty();
  }

  private void examine(MmvMetric metric, KeptValues now, Place place) {
    for (int i = 0; i < now.count(); i++) {
      long bits = now.bits(i);
      if (metric.type() == ValueType.DOUBLE) {
        double number = Math.abs(Double.longBitsToDouble(bits));
        if (number > 0 && number < Double.MIN_NORMAL) {
          hint(FaultKind.FLOAT_IN_DOUBLE, place, metric.name(), decimal(now, i));
        }
      } else if (metric.type() == MmvMetric.ELAPSED && (bits < 0 || bits > MAX_ELAPSED)) {
        hint(FaultKind.ELAPSED_TIME, place, metric.name(), decimal(now, i));
      }
    }
  }

  private void compare(String name, KeptValues earlier, KeptValues now, Place place) {
    IntMap indexes = new IntMap(); // of the values now: others may have come or gone
    for (int i = 0; i < now.count(); i++) {
      indexes.add(now.instance(i), i);
    }
    for (int i = 0; i < earlier.count(); i++) {
      int index = indexes.get(earlier.instance(i));
      if (index != IntMap.NONE
          && ValueType.increase(now.type(), earlier.bits(i), now.bits(index)) < 0) {
        String first = decimal(earlier, i);
        hint(FaultKind.COUNTER_DECREASED, place, name, first, decimal(now, index));
      }
    }
  }

  private static String decimal(KeptValues values, int index) {
    return ValueType.decimal(values.type(), values.bits(index));
  }

  private void hint(FaultKind kind, Place place, Object... arguments) {
    found.add(kind, () -> Fault.of(kind, place, arguments));
  }
}
