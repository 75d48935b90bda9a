package org.jmmv.core;

import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jmmv.core.BuiltInMetric.Kind;
import org.jmmv.core.BuiltInMetric.Storing;
import org.jmmv.core.BuiltInMetric.Value;
import org.jmmv.core.HelpTexts.Help;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PcpVersion;
import org.jmmv.pcp.PmError;
import org.jmmv.reader.watch.Limit;

/**
 * The agent's own metrics, {@code mmv.control.*}, in cluster 0. Their help texts are in the file
 * {@code help}, but for those of limits.
 *
 * <p>Items 0 to 3 are those of pmdammv(1), in the same types as in the installed version of PCP: an
 * archive must not have a metric with two types, and pmlogger(1) exits when the type of a metric
 * that it logs changes. Items from 100 on are those of {@code mmv.control.file.*} and {@code
 * mmv.control.agent.*}, which pmdammv(1) does not have; others stay free for what it may get. After
 * it has been installed again, they are unknown, and a pmlogger(1) that logs them exits. Archives
 * have the items, so a new metric gets a new one: 104, 106 to 110, 112, 114, 115, 206, 207, 220,
 * 228 and 229 were those of metrics of version 0.2.0.
 */
final class ControlMetrics extends BuiltInMetrics {
  /** The item of the first limit; those of the others follow. */
  private static final int FIRST_OF_LIMITS = 221;

  /** The item of what is used of the first limit: it leaves room for items of further limits. */
  private static final int FIRST_OF_USED = 240;

  private final String node; // with the dot after it
  private final HelpTexts texts;
  private final FileInDom inDom;

  /**
   * Creates the metrics and adds their names to the tree.
   *
   * @param fetches counts the fetches
   * @param steps has the longest step
   * @param reload is run when a client stores a value in {@code mmv.control.reload}
   */
  ControlMetrics(
      CatalogOptions with,
      MmvMetrics files,
      FetchCounts fetches,
      LongestStep steps,
      Runnable reload,
      NameTree names) {
    super(with.domain, with.root, with.root + ".control.", 0);
    int pcpVersion = with.pcpVersion;
    String version = with.version;
    DebugOptions debug = with.debug;
    node = with.root + ".control.";
    texts = new HelpTexts(with.root);
    inDom = new FileInDom(with.domain, node + "file", files.entries(), texts);

    Kind debugKind = pcpVersion >= PcpVersion.DEBUG_AS_TEXT ? Kind.STOCK_TEXT : Kind.STOCK_NUMBER;
    Value debugValue =
        pcpVersion >= PcpVersion.DEBUG_AS_TEXT
            ? BuiltInMetric.text(debug::names)
            : BuiltInMetric.number(debugKind, debug::number);
    LongSupplier isInFlux = () -> files.watcher().isInFlux() ? 1 : 0;

    add(0, "reload", Kind.STOCK_NUMBER, isInFlux, reload(reload));
    add(0, 1, "debug", debugKind, null, help("debug"), debugValue, store(debug));
    add(2, "files", Kind.STOCK_NUMBER, files::fileCount, Storing.REFUSED);
    if (pcpVersion >= PcpVersion.DEBUG_AS_TEXT) {
      add(3, "metrics", Kind.STOCK_NUMBER, names::namesOfFiles, Storing.REFUSED);
    }
    if (with.hasStatus) {
      addFile(100, "file.state", Kind.CODE, entry -> entry.state().number());
      addFileText(101, "file.state_name", entry -> entry.state().toString());
      addFileText(102, "file.reason", CatalogEntry::reason);
      addFile(103, "file.metrics", Kind.AMOUNT, CatalogEntry::served);
      addFile(105, "file.skipped", Kind.AMOUNT, entry -> entry.metrics() - entry.served());
      addFile(111, "file.loads", Kind.EVENTS, entry -> entry.recorded().loads());
      addFile(113, "file.faults", Kind.EVENTS, entry -> entry.recorded().faultCount());
      addFile(116, "file.writer", Kind.CODE, entry -> entry.recorded().writer().number());
      addFile(117, "file.hints", Kind.AMOUNT, entry -> entry.recorded().hints());
      addText(200, "agent.version", () -> version);
      add(201, "agent.uptime", Kind.AGE, fetches::uptimeSeconds, null);
      add(202, "agent.fetches", Kind.EVENTS, fetches::fetches, null);
      add(203, "agent.values", Kind.EVENTS, fetches::values, null);
      add(204, "agent.fetch_time", Kind.TIME_SPENT, fetches::nanos, null);
      add(205, "agent.refresh_time", Kind.TIME_SPENT, files.time()::totalNanos, null);
      add(208, "agent.directories", Kind.AMOUNT, () -> files.watcher().paths().size(), null);
      add(
          209,
          "agent.unreadable",
          Kind.AMOUNT,
          files.watcher().entries()::unreadableDirectories,
          null);
      LongSupplier longest = () -> steps.nanos(System.nanoTime());
      add(210, "agent.longest_step", Kind.DURATION, longest, null);
      Limit.COUNTED.forEach(limit -> addLimit(limit, files));
    }
    addTo(names);
  }

  /** Storing any value except 0 requests a reload. */
  private static Storing reload(Runnable request) {
    return new Storing(
        number -> {
          if (number != 0) {
            request.run();
          }
          return null;
        },
        (_, _) -> PmError.CONV);
  }

  /** Storing a list of debug options or a number replaces all. */
  private static Storing store(DebugOptions debug) {
    Function<String, PmError> store =
        text -> {
          try {
            DebugOptions.parse(text); // throws before anything is changed
          } catch (IllegalArgumentException e) {
            return PmError.CONV;
          }
          debug.clear();
          debug.set(text);
          return null;
        };
    return new Storing(
        number -> store.apply(Integer.toString(number)), (text, _) -> store.apply(text));
  }

  /** Adds a limit that is in force, which settings can change, and what is used of it. */
  private void addLimit(Limit limit, MmvMetrics files) {
    int index = Limit.COUNTED.indexOf(limit);
    boolean isMemory = limit == Limit.MEMORY;
    add(
        0,
        FIRST_OF_LIMITS + index,
        "agent.limits." + limit.key(),
        isMemory ? Kind.MEMORY_LIMIT : Kind.LIMIT,
        null,
        () ->
            new Help(
                "Maximum " + limit.what(),
                "limits.%s in jmmv.toml, or the option %s of the agent. %s"
                    .formatted(limit.key(), limit.option(), limit.details())
                    .strip()),
        BuiltInMetric.number(Kind.LIMIT, () -> files.budget().limits().of(limit)),
        null);
    add(
        0,
        FIRST_OF_USED + index,
        "agent.used." + limit.key(),
        isMemory ? Kind.SIZE : Kind.AMOUNT,
        null,
        () ->
            new Help(
                "How much is used of the limit of " + limit.what(),
                "The limit is %sagent.limits.%s.%s"
                    .formatted(
                        node, limit.key(), isMemory ? " This is an estimate in bytes." : "")),
        BuiltInMetric.number(Kind.AMOUNT, () -> files.budget().used(limit)),
        null);
  }

  private void add(int item, String name, Kind kind, LongSupplier value, Storing storing) {
    add(0, item, name, kind, null, help(name), BuiltInMetric.number(kind, value), storing);
  }

  private void addText(int item, String name, Supplier<String> value) {
    add(0, item, name, Kind.TEXT, null, help(name), BuiltInMetric.text(value), null);
  }

  private void addFile(int item, String name, Kind kind, ToLongFunction<CatalogEntry> value) {
    add(0, item, name, kind, inDom, help(name), inDom.numbers(kind, value), null);
  }

  private void addFileText(int item, String name, Function<CatalogEntry, String> value) {
    add(0, item, name, Kind.TEXT, inDom, help(name), inDom.texts(value), null);
  }

  private Supplier<Help> help(String name) {
    return () -> texts.of(node + name);
  }
}
