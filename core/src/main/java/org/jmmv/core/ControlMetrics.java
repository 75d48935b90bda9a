package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/**
 * The agent's own metrics, {@code mmv.control.*}, in cluster 0: those of pmdammv(1) in the
 * installed version of PCP. Others would break archives: pmlogger(1) exits when a metric that it
 * logs changes its type or, after pmdammv has been installed again, is unknown.
 */
final class ControlMetrics implements MetricSource {
  private static final String NODE = "mmv.control.";

  /** A singular metric of cluster 0. */
  private abstract class ControlMetric implements Metric {
    private final int item;
    private final String name;
    private final int type;

    ControlMetric(int item, String name, int type) {
      this.item = item;
      this.name = NODE + name;
      this.type = type;
    }

    @Override
    public int pmid() {
      return Pmid.build(domain, 0, item);
    }

    @Override
    public int type() {
      return type;
    }

    @Override
    public int inDom() {
      return InDom.NULL;
    }

    @Override
    public int semantics() {
      return Semantics.INSTANT;
    }

    @Override
    public int units() {
      return 0;
    }

    @Override
    public List<String> names() {
      return List.of(name);
    }

    @Override
    public String oneLine() {
      return text().oneLine();
    }

    @Override
    public String help() {
      return text().text();
    }

    private HelpTexts.Help text() {
      if (texts == null) {
        texts = new HelpTexts();
      }
      return texts.of(name);
    }

    @Override
    public int mostValues(InstanceFilter filter) {
      return 1;
    }

    @Override
    public boolean isStorable() {
      return true;
    }
  }

  /** A metric of type I32. */
  private class Count extends ControlMetric {
    private final IntSupplier value;

    Count(int item, String name, IntSupplier value) {
      super(item, name, ValueType.I32);
      this.value = value;
    }

    @Override
    public void read(InstanceFilter filter, ValueSink sink) {
      sink.numbers(ValueType.I32, new int[] {Instance.NULL}, new long[] {value.getAsInt()}, 1);
    }
  }

  /**
   * 1 while the application of a file is writing it, otherwise 0. Storing any value except 0 has
   * {@link Catalog#isReloadDue} return true.
   */
  private final class Reload extends Count {
    Reload() {
      super(0, "reload", () -> files.isInFlux() ? 1 : 0);
    }

    @Override
    public PmError store(int number) {
      if (number != 0) {
        files.askForReload();
      }
      return null;
    }

    @Override
    public PmError store(String text) {
      return PmError.CONV;
    }
  }

  /**
   * The debug options that are on: their names from PCP 7 on, and one number before, because an
   * archive must not have a metric with two types. Storing a list or a number replaces them.
   */
  private final class Debug extends ControlMetric {
    Debug(int pcpVersion) {
      super(1, "debug", pcpVersion < 7 ? ValueType.I32 : ValueType.STRING);
    }

    @Override
    public void read(InstanceFilter filter, ValueSink sink) {
      if (type() == ValueType.I32) {
        sink.numbers(ValueType.I32, new int[] {Instance.NULL}, new long[] {debug.number()}, 1);
      } else {
        byte[] names = debug.names().getBytes(ISO_8859_1);
        sink.text(Instance.NULL, names, 0, names.length);
      }
    }

    @Override
    public PmError store(int number) {
      return store(Integer.toString(number));
    }

    @Override
    public PmError store(String text) {
      try {
        DebugOptions.parse(text); // throws before anything is changed
      } catch (IllegalArgumentException e) {
        return PmError.CONV;
      }
      debug.clear();
      debug.set(text);
      return null;
    }
  }

  private final int domain;
  private final MmvMetrics files;
  private final DebugOptions debug;
  private final List<ControlMetric> metrics;
  private HelpTexts texts;

  /**
   * Creates the metrics and adds their names to the tree. Their claims have an empty file name and
   * so precede those of all files.
   *
   * @param pcpVersion PCP's major version
   */
  ControlMetrics(int domain, int pcpVersion, MmvMetrics files, DebugOptions debug, NameTree names) {
    this.domain = domain;
    this.files = files;
    this.debug = debug;
    metrics = new ArrayList<>();
    metrics.add(new Reload());
    metrics.add(new Debug(pcpVersion));
    metrics.add(new Count(2, "files", files::fileCount));
    if (pcpVersion >= 7) {
      metrics.add(new Count(3, "metrics", () -> names.size() - metrics.size()));
    }
    List<NameTree.Claim> claims = new ArrayList<>();
    for (ControlMetric metric : metrics) {
      claims.add(new NameTree.Claim(metric.name, metric.pmid(), "", metric.item));
    }
    names.update(List.of(), claims, (_, _) -> {});
  }

  @Override
  public Metric metric(int pmid) {
    boolean isOurs =
        Pmid.cluster(pmid) == 0
            && Pmid.item(pmid) < metrics.size()
            && pmid == Pmid.build(domain, 0, Pmid.item(pmid));
    return isOurs ? metrics.get(Pmid.item(pmid)) : null;
  }
}
