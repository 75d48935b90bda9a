package org.jmmv.core;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.PmidList;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.testkit.MmvWriter;

/**
 * A catalogue over files below a directory, with what it logs. Each question is a request of its
 * own, and is answered with a text that a test compares. The file with the assigned numbers is
 * {@code jmmv.clusters}, beside the directory {@code mmv} of the files.
 */
public final class TestCatalog implements AutoCloseable {
  public static final int DOMAIN = 70;

  // PMIDs of the control metrics of pmdammv
  public static final int RELOAD = pmid(0, 0);
  public static final int DEBUG = pmid(0, 1);
  public static final int FILES = pmid(0, 2);
  public static final int METRICS = pmid(0, 3);

  /** The units of two metrics of {@link #describedFile}. */
  public static final int UNITS = 0x0f112300;

  /** The instance domain of the entries of the directories. */
  public static final int ENTRIES = InDom.build(DOMAIN, 0);

  /** Long enough for a request to load all files, however busy the machine is. */
  public static final Limits LIMITS = loadingFor(60_000);

  private final Path root;
  private final boolean isTemporary;
  private final int pcpVersion;
  private final Limits limits;
  private final LogCapture log = new LogCapture();
  private final DebugOptions debug = new DebugOptions();
  private Catalog catalog;
  private SettingsSource.Settings next; // null: no other settings
  private boolean isForReload;

  /** Creates a catalogue in a directory of its own, which is deleted at the end. */
  public TestCatalog() {
    this(702);
  }

  public TestCatalog(int pcpVersion) {
    this(temporaryDirectory(), true, pcpVersion, LIMITS);
  }

  /** Creates a catalogue in a directory that is kept. */
  public TestCatalog(Path root, Limits limits) {
    this(root, false, 702, limits);
  }

  private TestCatalog(Path root, boolean isTemporary, int pcpVersion, Limits limits) {
    this.root = root;
    this.isTemporary = isTemporary;
    this.pcpVersion = pcpVersion;
    this.limits = limits;
    open();
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("jmmv-catalog");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void open() {
    catalog =
        new Catalog(
            new CatalogOptions(directory(root))
                .version("1.2.3")
                .settings(settings(limits))
                .pcpVersion(pcpVersion)
                .clusters(Optional.of(root.resolve("jmmv.clusters")))
                .source(this::takeSettings)
                .debug(debug));
  }

  /** Returns settings of the one default directory. */
  public static SettingsSource.Settings settings(Limits limits) {
    return new SettingsSource.Settings(limits, List.of(DirectorySettings.DEFAULT));
  }

  /** Returns the default limits with a time, in ms, that a request waits for files to be loaded. */
  public static Limits loadingFor(int millis) {
    return Limits.DEFAULT.with(Limit.WAIT, millis);
  }

  public Catalog catalog() {
    return catalog;
  }

  public DebugOptions debug() {
    return debug;
  }

  /** What has been logged. */
  public LogCapture log() {
    return log;
  }

  /** Returns a view of all files. */
  View view() {
    return catalog.begin(new Scope.AllFiles());
  }

  // ---------------------------------------------------------------- what happens to it

  /** Closes the catalogue and opens another one, as a restart does. */
  void restart() {
    catalog.close();
    open();
  }

  /** Provides other settings at the next request. */
  public void set(SettingsSource.Settings settings) {
    next = settings;
    isForReload = false;
  }

  /** Provides other settings at the next reload. */
  void setAtReload(SettingsSource.Settings settings) {
    next = settings;
    isForReload = true;
  }

  private SettingsSource.Settings takeSettings(boolean isNow) {
    SettingsSource.Settings taken = isForReload && !isNow ? null : next;
    next = taken == null ? next : null;
    return taken;
  }

  /** Reads all files for which requests had no time. */
  void idle() {
    catalog.begin(new Scope.AllFiles());
    while (catalog.hasBacklog()) {
      catalog.idle(Turn.ENDLESS);
    }
  }

  /** Reloads all files. */
  void reload() {
    catalog.requestReload();
    Catalog.Reload reload = catalog.dueReload();
    while (!reload.goOn(Turn.ENDLESS)) {}
  }

  /** Waits until the numbers that are assigned to files are saved: the disk may be busy. */
  void awaitSaved() {
    while (catalog.idle(Turn.of(1_000_000)) >= 0) {
      Thread.onSpinWait();
    }
  }

  // ---------------------------------------------------------------- files

  /** The directory with that of the MMV files. */
  public Path root() {
    return root;
  }

  /** Where the MMV files are. */
  public static Path directory(Path root) {
    try {
      return Files.createDirectories(root.resolve("mmv"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path directory() {
    return root.resolve("mmv");
  }

  public Path write(String name, MmvWriter writer) {
    return writer.write(directory(), name);
  }

  public Path write(String name, byte[] bytes) {
    return MmvWriter.write(ByteBuffer.wrap(bytes), directory(), name);
  }

  public void delete(String name) {
    try {
      Files.deleteIfExists(directory().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a file of cluster 1 with metrics, instance domains and labels of all kinds. */
  public static MmvWriter describedFile() {
    MmvWriter file = new MmvWriter(2).cluster(1);
    MmvWriter.InDom inDom = file.inDom(3).help("an InDom", "a text of an InDom");
    inDom.instance(4, "1 minute").instance(0, "5 minute").instance(-7, "whole").instance(5, "1");
    file.inDom(6);
    file.metric("single", 1, ValueType.U64)
        .semantics(Semantics.DISCRETE)
        .units(UNITS)
        .help("one line", "a text\nof lines")
        .value(1);
    file.metric("some.many", 2, ValueType.STRING).inDom(inDom).help(null, "only a text");
    file.metric("some.time", 3, MmvWriter.ELAPSED).semantics(4).units(UNITS).help("only", null);
    file.metric("some.more.odd", 4, ValueType.NOSUPPORT).semantics(0).help("", "");
    file.metric("unknown", 5, 77).semantics(99).serial(-1);
    file.label(LabelType.CLUSTER, 0, 0, "{\"of\": \"the cluster\"}");
    file.label(LabelType.ITEM, 1, 0, "{\"z\":1,\"a\":{\"b\":true}}");
    file.label(LabelType.ITEM | LabelType.OPTIONAL, 2, 0, "{\"note\":\"n\"}");
    file.label(LabelType.INDOM, 3, 0, "{\"of\":\"the InDom\"}");
    file.label(LabelType.INSTANCES, 3, 0, "{\"of\":\"five\"}");
    file.label(LabelType.INSTANCES, 3, 99, "{\"of\":\"nothing\"}");
    file.label(LabelType.DOMAIN | LabelType.CONTEXT, 0, 0, "{\"not\":\"used\"}");
    return file;
  }

  public static int pmid(int cluster, int item) {
    return Pmid.build(DOMAIN, cluster, item);
  }

  public static int inDom(int cluster, int serial) {
    return InDom.build(DOMAIN, cluster << 11 | serial);
  }

  // ---------------------------------------------------------------- questions

  /** Returns the metric with a PMID in a new view, or null. */
  Metric metric(int pmid) {
    return catalog.begin(new Scope.OfMetric(pmid)).metric(pmid);
  }

  /** Returns the metric with a name in a new view, or null. */
  public Metric metric(String name) {
    return catalog.begin(new Scope.OfName(name)).metric(name);
  }

  /** Returns the PMID of a name, or {@link Pmid#NULL}. */
  public int pmid(String name) {
    Metric metric = metric(name);
    return metric == null ? Pmid.NULL : metric.pmid();
  }

  /** Returns an instance domain in a new view, or null. */
  InstanceDomain inDom(int inDom) {
    return catalog.begin(new Scope.OfInDom(inDom)).instances(inDom);
  }

  /**
   * Returns a metric's values as {@code instance=value}, or the one value of a singular metric, or
   * the name of an error, or {@code no value}.
   */
  public String values(int pmid) {
    return values(InstanceFilter.ALL, pmid).getFirst();
  }

  public String values(String name) {
    return values(pmid(name));
  }

  /** Returns the values of some metrics, which are read in one view. */
  List<String> values(InstanceFilter filter, int... pmids) {
    View view = catalog.begin(new Scope.OfMetrics(PmidList.of(pmids)));
    return Arrays.stream(pmids)
        .mapToObj(view::metric)
        .map(metric -> metric == null ? "PM_ERR_PMID" : RecordingSink.read(view, metric, filter))
        .toList();
  }

  /** The sorted names of all metrics but those below mmv.control. */
  public List<String> names() {
    return view().names().leaves("mmv").stream()
        .filter(name -> !name.startsWith("mmv.control."))
        .sorted()
        .toList();
  }

  /** The names of a metric. */
  List<String> namesOf(int pmid) {
    Metric metric = metric(pmid);
    return metric == null ? List.of() : metric.names();
  }

  /** The names of all metrics with their clusters, {@code mmv.a.m=1}. */
  String clusters() {
    return names().stream()
        .map(name -> name + "=" + Pmid.cluster(pmid(name)))
        .collect(joining(" "));
  }

  /** All instances, {@code 2=two 7=seven}; empty if the instance domain is unknown. */
  public String instances(int inDom) {
    InstanceDomain instances = inDom(inDom);
    return instances == null
        ? ""
        : instances.table().list().stream()
            .map(instance -> instance.number() + "=" + instance.name())
            .collect(joining(" "));
  }

  /** The JSON text of an object's labels, or with {@code instance=} that of each instance. */
  public String labels(int ident, int type) {
    if (type == LabelType.INSTANCES) {
      InstanceDomain instances = inDom(ident);
      return instances.table().list().stream()
          .mapToInt(instance -> instance.number())
          .mapToObj(number -> number + "=" + json(instances.labels(number)))
          .collect(joining(" "));
    }
    return json(catalog.begin(new Scope.OfLabels(type, ident)).labels(type, ident));
  }

  private static String json(Labels labels) {
    return labels == null ? "" : labels.json();
  }

  /** All that there is to know about all metrics and their instance domains. */
  String describe() {
    return names().stream().map(this::describe).collect(joining("\n"));
  }

  private String describe(String name) {
    Metric metric = metric(name);
    int pmid = metric.pmid();
    int inDom = metric.inDom();
    String text =
        String.join(
            "\n  ",
            name + " " + Pmid.toString(pmid),
            metric.names().toString(),
            metric.oneLine() + " / " + metric.help(),
            "type %d semantics %d units %x"
                .formatted(metric.type(), metric.semantics(), metric.units()),
            values(pmid),
            labels(pmid, LabelType.CLUSTER) + " " + labels(pmid, LabelType.ITEM));
    if (inDom == InDom.NULL) {
      return text;
    }
    InstanceDomain instances = inDom(inDom);
    return String.join(
        "\n  ",
        text,
        InDom.toString(inDom) + " " + instances.oneLine() + " / " + instances.help(),
        instances(inDom),
        labels(inDom, LabelType.INDOM) + " " + labels(inDom, LabelType.INSTANCES));
  }

  @Override
  public void close() {
    catalog.close();
    log.close();
    if (isTemporary) {
      delete();
    }
  }

  private void delete() {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
