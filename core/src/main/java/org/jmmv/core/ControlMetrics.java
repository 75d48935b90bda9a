package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.core.FileMetric.OfNumbers.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jmmv.core.ControlMetric.Kind;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.EntryStatus;
import org.jmmv.reader.Limits;

/**
 * The agent's own metrics, {@code mmv.control.*}, in cluster 0.
 *
 * <p>Items 0 to 3 are those of pmdammv(1), in the same types as in the installed version of PCP: an
 * archive must not have a metric with two types, and pmlogger(1) exits when the type of a metric
 * that it logs changes. Items from {@value #FIRST_OF_FILES} on are {@code mmv.control.file.*} and
 * those from {@value #FIRST_OF_AGENT} on {@code mmv.control.agent.*}, which pmdammv(1) does not
 * have; others stay free for what it may get. After it has been installed again, they are unknown,
 * and a pmlogger(1) that logs them exits.
 */
final class ControlMetrics implements MetricSource {
  private static final int FIRST_OF_FILES = 100;
  private static final int FIRST_OF_AGENT = 200;
  private static final int FIRST_OF_LIMITS = 220;
  private static final int FIRST_OF_USED = 240;
  private static final int ITEMS = 260;

  /** The names of what {@code MmvCounts.numbers()} counts, in that order. */
  private static final String[] COUNTED = {
    "files", "metrics", "instances", "values", "labels", "memory"
  };

  private static final int MEMORY = COUNTED.length - 1;

  /**
   * 1 while the application of a file is writing it, otherwise 0. Storing any value except 0 has
   * {@link Catalog#isReloadDue} return true.
   */
  private final class Reload extends ControlNumber {
    Reload() {
      super(domain, 0, node + "reload", Kind.STOCK_NUMBER, texts, () -> files.isInFlux() ? 1 : 0);
    }

    @Override
    public PmError store(int number) {
      if (number != 0) {
        files.requestReload();
      }
      return null;
    }

    @Override
    public PmError store(String text) {
      return PmError.CONV;
    }
  }

  /**
   * The debug options that are on: their names from PCP 7 on, and one number before. Storing a list
   * or a number replaces them.
   */
  private final class Debug extends ControlMetric {
    Debug(int pcpVersion) {
      super(domain, 1, node + "debug", pcpVersion < 7 ? Kind.STOCK_NUMBER : Kind.STOCK_TEXT, texts);
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

  private final String node; // with the dot after it
  private final int domain;
  private final MmvMetrics files;
  private final DebugOptions debug;
  private final HelpTexts texts;
  private final FileInDom inDom;
  private final ControlMetric[] byItem = new ControlMetric[ITEMS];
  private final List<NameTree.Claim> claims = new ArrayList<>();
  private int others; // names of other sources than files

  /**
   * Creates the metrics and adds their names to the tree. Their claims have an empty file name and
   * so precede those of all files.
   *
   * @param root the first component of all names
   * @param pcpVersion PCP's major version
   * @param version the agent's version
   * @param fetches counts the fetches
   */
  ControlMetrics(
      String root,
      int domain,
      int pcpVersion,
      String version,
      MmvMetrics files,
      FetchCounts fetches,
      DebugOptions debug,
      NameTree names) {
    node = root + ".control.";
    this.domain = domain;
    this.files = files;
    this.debug = debug;
    texts = new HelpTexts(root);
    inDom = new FileInDom(domain, node + "file", files, texts);
    add(new Reload());
    add(new Debug(pcpVersion));
    addNumber(2, "files", Kind.STOCK_NUMBER, files::fileCount);
    if (pcpVersion >= 7) {
      addNumber(3, "metrics", Kind.STOCK_NUMBER, () -> metricsIn(names));
    }
    addFileMetrics();
    add(
        new ControlText(
            domain, FIRST_OF_AGENT, node + "agent.version", Kind.TEXT, texts, () -> version));
    addAgentMetrics(fetches);
    addLimits();
    names.update(List.of(), claims, (_, _) -> {});
  }

  /** Adds metrics in the order of their items, which archives have: new ones belong at the end. */
  private void addFileMetrics() {
    int item = FIRST_OF_FILES;
    addFileNumber(item++, "state", Kind.CODE, entry -> entry.state().number());
    addFileText(item++, "state_name", entry -> entry.state().toString().getBytes(ISO_8859_1));
    addFileText(item++, "reason", FileInDom.Entry::reason);
    addFileNumber(item++, "metrics", Kind.AMOUNT, FileInDom.Entry::metrics);
    addFileNumber(item++, "values", Kind.AMOUNT, FileInDom.Entry::values);
    addFileNumber(item++, "skipped", Kind.AMOUNT, FileInDom.Entry::skipped);
    addOfHeader(item++, "version", Kind.CODE, EntryStatus.Head::version);
    addFileNumber(
        item++, "cluster", Kind.CODE, entry -> entry.served == null ? NONE : entry.served.cluster);
    addOfHeader(item++, "pid", Kind.CODE, EntryStatus.Head::pid);
    addOfHeader(item++, "generation", Kind.DATE, EntryStatus.Head::generation);
    addFileNumber(item++, "size", Kind.SIZE, entry -> orNone(entry.status.size()));
    addFileNumber(item++, "loads", Kind.EVENTS, entry -> entry.status.loads());
    addFileNumber(item++, "load_time", Kind.TIME_SPENT, entry -> entry.status.loadNanos());
    addFileNumber(item++, "faults", Kind.EVENTS, entry -> entry.status.faultCount());
    addFileNumber(item++, "first_fault", Kind.DATE, entry -> orNone(entry.status.firstFault()));
    addFileNumber(item, "last_fault", Kind.DATE, entry -> orNone(entry.status.lastFault()));
  }

  /** As {@link #addFileMetrics}. */
  private void addAgentMetrics(FetchCounts fetches) {
    int item = FIRST_OF_AGENT + 1;
    addNumber(item++, "agent.uptime", Kind.AGE, fetches::uptimeSeconds);
    addNumber(item++, "agent.fetches", Kind.EVENTS, fetches::fetches);
    addNumber(item++, "agent.values", Kind.EVENTS, fetches::values);
    addNumber(item++, "agent.fetch_time", Kind.TIME_SPENT, fetches::nanos);
    addNumber(item++, "agent.refresh_time", Kind.TIME_SPENT, files::refreshNanos);
    addNumber(item++, "agent.scans", Kind.EVENTS, files::scans);
    addNumber(item, "agent.bytes_mapped", Kind.SIZE, files::mappedBytes);
  }

  /** As {@link #addFileMetrics}. */
  private void addLimits() {
    int item = FIRST_OF_LIMITS;
    addLimit(item++, "file_size", Kind.SIZE_LIMIT, Limits::fileSize);
    addLimit(item++, "files", Kind.LIMIT, Limits::files);
    addLimit(item++, "metrics", Kind.LIMIT, Limits::metrics);
    addLimit(item++, "instances", Kind.LIMIT, Limits::instances);
    addLimit(item++, "values", Kind.LIMIT, Limits::values);
    addLimit(item++, "labels", Kind.LIMIT, Limits::labels);
    addLimit(item++, "memory", Kind.MEMORY_LIMIT, Limits::memory);
    addLimit(item++, "share", Kind.CODE, Limits::share);
    addLimit(item, "wait", Kind.WAIT_LIMIT, Limits::loadTime);
    for (int i = 0; i < COUNTED.length; i++) {
      int index = i;
      addNumber(
          FIRST_OF_USED + i,
          "agent.used." + COUNTED[i],
          i == MEMORY ? Kind.SIZE : Kind.AMOUNT,
          () -> files.budget().used().numbers()[index]);
    }
  }

  /** Adds a limit that is in force: settings can change it. */
  private void addLimit(int item, String name, Kind kind, ToLongFunction<Limits> limit) {
    addNumber(item, "agent.limits." + name, kind, () -> limit.applyAsLong(files.budget().limits()));
  }

  private void addNumber(int item, String name, Kind kind, LongSupplier value) {
    add(new ControlNumber(domain, item, node + name, kind, texts, value));
  }

  private void addFileNumber(
      int item, String name, Kind kind, ToLongFunction<FileInDom.Entry> value) {
    add(new FileMetric.OfNumbers(domain, item, node + "file." + name, kind, texts, inDom, value));
  }

  private void addFileText(int item, String name, Function<FileInDom.Entry, byte[]> value) {
    add(
        new FileMetric.OfTexts(
            domain, item, node + "file." + name, Kind.TEXT, texts, inDom, value));
  }

  /** Adds a metric of a field of files' headers. */
  private void addOfHeader(
      int item, String name, Kind kind, ToLongFunction<EntryStatus.Head> value) {
    addFileNumber(
        item,
        name,
        kind,
        entry -> entry.status.head() == null ? NONE : value.applyAsLong(entry.status.head()));
  }

  private static long orNone(long number) {
    return number < 0 ? NONE : number;
  }

  private void add(ControlMetric metric) {
    int item = Pmid.item(metric.pmid());
    byItem[item] = metric;
    claims.add(new NameTree.Claim(metric.name(), metric.pmid(), NameTree.AGENT, item));
  }

  /** Removes {@code mmv.control.file} and {@code mmv.control.agent}. */
  void removeStatus(NameTree names) {
    List<NameTree.Claim> status =
        claims.stream().filter(claim -> claim.index() >= FIRST_OF_FILES).toList();
    names.update(status, List.of(), (_, _) -> {});
    claims.removeAll(status);
    Arrays.fill(byItem, FIRST_OF_FILES, ITEMS, null);
  }

  /** Excludes metrics of other sources from the number of files' metrics. */
  void leaveOut(int count) {
    others = count;
  }

  /** Returns the number of metrics of files. */
  int metricsIn(NameTree names) {
    return names.size() - claims.size() - others;
  }

  @Override
  public void refresh(Scope scope) {
    inDom.beginRequest();
  }

  @Override
  public Metric metric(int pmid) {
    int item = Pmid.item(pmid);
    return item < ITEMS && pmid == Pmid.build(domain, 0, item) ? byItem[item] : null;
  }

  @Override
  public InstanceDomain instanceDomain(int inDom) {
    return inDom == this.inDom.id() && byItem[FIRST_OF_FILES] != null ? this.inDom : null;
  }
}
