package org.jmmv.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.NamingConvention;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jmmv.writer.InDom;
import org.jmmv.writer.Instances;
import org.jmmv.writer.MetricBuilder;
import org.jmmv.writer.MetricValue;
import org.jmmv.writer.MmvApplication;
import org.jmmv.writer.Semantics;
import org.jmmv.writer.Units;

/**
 * The meters in the file. A meter without tags is a metric, or several below one name. One with
 * tags is an instance of each: so all meters of a name that have tags share the metrics.
 */
final class MeterFile implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.jmmv.micrometer");

  /**
   * The last number that is tried behind a name that another kind of meter has. Without an end, a
   * name that is too long would be tried for ever.
   */
  private static final int OTHER_NAMES = 9;

  private final MmvApplication application;
  private final Supplier<NamingConvention> convention;
  private final Map<String, List<String>> owners = new HashMap<>(); // of names of metrics
  private final Map<String, TagInstances> instances = new HashMap<>(); // by names of meters
  private final Map<Meter.Id, Metrics> meters = new HashMap<>();

  MeterFile(MmvApplication application, Supplier<NamingConvention> convention) {
    this.application = application;
    this.convention = convention;
  }

  /** The metrics of one meter. */
  final class Metrics {
    private final Meter.Id id;
    private final String name;
    private final List<MetricValue> values = new ArrayList<>();

    private Metrics(Meter.Id id) {
      this.id = id;
      name = id.getConventionName(convention.get());
    }

    /**
     * Adds a metric.
     *
     * @param part follows the name of the meter, for example {@code .count}
     * @return its value; null if there is no room for it
     */
    <V extends MetricValue> V add(String part, Kind<V> kind, Units units) {
      return add(part, kind, units, null);
    }

    /** As {@link #add(String, Kind, Units)}, with other semantics than those of the kind. */
    <V extends MetricValue> V add(String part, Kind<V> kind, Units units, Semantics semantics) {
      List<String> owner = List.of(id.getName(), part);
      IllegalArgumentException last = null;
      for (String candidate : candidates(name + part)) {
        if (!owners.getOrDefault(candidate, owner).equals(owner)) {
          continue; // a meter whose name is only in PCP the same
        }
        try {
          V value = value(describe(candidate, units, semantics), kind);
          values.add(value);
          if (!value.hasRoom()) {
            return null;
          }
          owners.put(candidate, owner);
          return value;
        } catch (IllegalArgumentException e) {
          last = e; // another kind of meter has the name, or one that continues it
        }
      }
      LOG.log(System.Logger.Level.WARNING, "nobody can read " + id, last);
      return null;
    }

    private MetricBuilder describe(String metric, Units units, Semantics semantics) {
      String help = id.getDescription() == null ? id.getName() : id.getDescription();
      MetricBuilder described = application.metric(metric).units(units).help(help);
      return semantics == null ? described : described.semantics(semantics);
    }

    private <V extends MetricValue> V value(MetricBuilder described, Kind<V> kind) {
      if (id.getTags().isEmpty()) {
        return kind.one().apply(described);
      }
      List<Tag> tags = id.getTags();
      InDom inDom = application.inDom(name).help("The tags of " + id.getName()).add();
      Instances<V> all = kind.several().apply(described, inDom);
      TagInstances names = instances.getOrDefault(name, new TagInstances());
      boolean isNew = !names.has(tags);
      String instance = names.name(tags);
      V value = all.of(instance);
      if (isNew && value.hasRoom()) {
        instances.put(name, names);
        label(inDom, instance, tags);
      } else if (isNew) {
        names.forget(tags);
      }
      return value;
    }

    /** Says that there are no values. */
    void withdraw() {
      values.forEach(MetricValue::noValue);
    }
  }

  /** Labels an instance with its tags, unless they are too long for labels. */
  private void label(InDom inDom, String instance, List<Tag> tags) {
    Set<String> names = new HashSet<>(); // keys that are the same in PCP are told apart, too
    for (Tag tag : tags) {
      String key = convention.get().tagKey(tag.getKey());
      String name = key;
      for (int i = 2; !names.add(name); i++) {
        name = key + "_" + i;
      }
      try {
        inDom.label(instance, name, tag.getValue());
      } catch (IllegalArgumentException e) {
        LOG.log(System.Logger.Level.DEBUG, "the instance {0} has no label of {1}", instance, tag);
      }
    }
  }

  /** Returns a name, and those that a metric can have in its place. */
  private static List<String> candidates(String name) {
    List<String> names = new ArrayList<>();
    names.add(name);
    StringBuilder other = new StringBuilder(name);
    for (int dot; (dot = other.lastIndexOf(".")) >= 0; ) {
      other.setCharAt(dot, '_');
      names.add(other.toString());
    }
    for (String first : List.of(name, other.toString())) {
      for (int i = 2; i <= OTHER_NAMES; i++) {
        names.add(first + "_" + i);
      }
    }
    return names;
  }

  /**
   * Makes a meter, of which readers see all metrics at once.
   *
   * @param make adds the metrics
   */
  synchronized <M extends Meter> M make(Meter.Id id, Function<Metrics, M> make) {
    Metrics metrics = new Metrics(id);
    AtomicReference<M> made = new AtomicReference<>();
    application.together(() -> {
      made.set(make.apply(metrics));
      meters.put(id, metrics);
    });
    return made.get();
  }

  /** Withdraws the values of a meter. */
  synchronized void withdraw(Meter.Id id) {
    Metrics metrics = meters.remove(id);
    if (metrics != null) {
      metrics.withdraw();
    }
  }

  @Override
  public void close() {
    application.close();
  }
}
