package org.jmmv.web.metrics;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.ValueCursor;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmidList;
import org.jmmv.web.http.StepBody;

/**
 * One page. It writes the families of metrics one after the other, by their names. Between two
 * pieces it keeps the last name only. A family with many or long samples is written in parts; the
 * instances are those that there were when the family was begun.
 */
final class Scrape extends StepBody {
  private final PlanCache plans;
  private final FamilyFilter filter;
  private final Encoding encoding;
  private final FamilyCache families;
  private final SampleWriter samples;
  private final JmmvSeries own;
  private final long start = System.nanoTime();
  private final String version;
  private final Labels ofHost;
  private Plan plan; // null: it is being made
  private String last = ""; // the name of the last metric that was written or left out
  private int next; // of the families that pages have in common, or of the names asked for
  private boolean isAtEnd; // of the metrics
  private Part part; // null: no family has been begun
  private FamilyFilter.Matcher matcher; // of the current piece

  /**
   * A family that has been begun: the last one.
   *
   * @param cursor what is left of it
   */
  private record Part(FamilyName names, ValueCursor cursor, boolean hasSamples) {
    long bytes() {
      return cursor.bytes() + names.name().length() + names.series().length();
    }
  }

  /**
   * A metric that is on this page.
   *
   * @param names those of its family
   */
  private record Wanted(NameTree.Leaf leaf, FamilyName names) {}

  /**
   * Begins a page.
   *
   * @param families those of all pages of this format and naming
   * @param filter which families are written
   * @param version the version of this program
   * @param ofHost the labels of the host
   */
  Scrape(
      PlanCache plans,
      Encoding encoding,
      FamilyCache families,
      FamilyFilter filter,
      String version,
      Labels ofHost) {
    this.plans = plans;
    this.encoding = encoding;
    this.families = families;
    this.filter = filter;
    this.version = version;
    this.ofHost = ofHost;
    samples = new SampleWriter(encoding);
    own = new JmmvSeries(encoding);
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        this::advancePlan,
        this::writeMetrics,
        once(() -> own.writeFirst(version, ofHost, matcher)),
        turn -> own.writeFiles(catalog(), plan, matcher, turn),
        once(this::writeLast));
  }

  @Override
  protected void beginPiece(ByteBuf out) {
    encoding.out.truncate(0); // a page that failed has left something
    matcher = filter.matcher();
  }

  @Override
  protected boolean isFull() {
    return encoding.out.size() >= PIECE;
  }

  @Override
  protected void endPiece(ByteBuf out, boolean isLast) {
    encoding.out.moveTo(out);
    matcher = null;
  }

  /** Returns whether the plan is still being made. */
  private boolean advancePlan(Turn turn) {
    plan = plans.advance(catalog(), turn).orElse(null);
    return plan == null;
  }

  private boolean isOver(View view, Turn turn) {
    return isFull() || view.isOver(turn);
  }

  /** Writes families, or goes on with the last one. Returns whether there are more. */
  private boolean writeMetrics(Turn turn) {
    if (part != null) {
      writePart(turn);
    } else if (!matcher.names().isEmpty()) {
      writeNamed(turn);
    } else {
      List<FamilyCache.Cached> cached =
          matcher.isAll() && plan.isOf(catalog())
              ? families.next(plan.version(), next, NameTree.BATCH)
              : List.of();
      if (cached.isEmpty()) {
        writeListed(turn);
      } else {
        writeCached(cached, turn);
      }
    }
    return part != null || !isAtEnd;
  }

  /** Writes families that a page has encoded before, unless the catalogue changes now. */
  private void writeCached(List<FamilyCache.Cached> cached, Turn turn) {
    View view = begin(cached.size(), i -> cached.get(i).metric());
    for (int i = 0; i < cached.size() && plan.isOf(catalog()); i++) {
      NameTree.Leaf leaf = cached.get(i).metric();
      next++;
      last = leaf.name();
      write(cached.get(i).family(), view.metric(leaf.pmid()), view, turn);
      if (part != null || isOver(view, turn)) {
        return;
      }
    }
  }

  /**
   * Writes the family of the next name that is asked for. It takes no longer if there are more
   * metrics.
   */
  private void writeNamed(Turn turn) {
    isAtEnd = next == matcher.names().size();
    if (isAtEnd) {
      return;
    }
    String asked = matcher.names().get(next++);
    NameTree.Leaf leaf = plan.owner(asked, catalog().begin(new Scope.NoFiles()));
    if (leaf == null) {
      return;
    }
    View view = catalog().begin(new Scope.OfMetric(leaf.pmid()));
    last = leaf.name();
    Metric metric = metric(leaf, view);
    FamilyName names = wanted(last, metric);
    if (names != null && matcher.isNamedBy(asked, names)) {
      write(encoding.encode(Family.of(names, last, metric)), metric, view, turn);
    }
  }

  /**
   * Writes the families of the next metrics that are asked for. Only these are in the scope of the
   * view: to check the files of a metric may take as long as to write thousands of others.
   */
  private void writeListed(Turn turn) {
    View all = catalog().begin(new Scope.NoFiles());
    List<NameTree.Leaf> listed = all.names().next(last, NameTree.BATCH);
    isAtEnd = listed.isEmpty();
    List<Wanted> batch = new ArrayList<>();
    String end = last;
    for (NameTree.Leaf leaf : listed) {
      end = leaf.name();
      FamilyName names = wanted(end, all.metric(leaf.pmid()));
      if (names != null) {
        batch.add(new Wanted(leaf, names));
      }
      if (all.isOver(turn)) { // with thousands of patterns to compare
        break;
      }
    }
    View view = begin(batch.size(), i -> batch.get(i).leaf);
    for (Wanted one : batch) {
      last = one.leaf.name();
      Metric metric = metric(one.leaf, view);
      if (one.names.equals(names(last, metric))) { // otherwise it has just changed
        EncodedFamily family = encoding.encode(Family.of(one.names, last, metric));
        if (matcher.isAll() && plan.isOf(catalog())) {
          families.add(plan.version(), next++, one.leaf, family);
        }
        write(family, metric, view, turn);
      }
      if (part != null || isOver(view, turn)) {
        return;
      }
    }
    last = end;
  }

  /** Returns the names of a metric's family if it is on this page, or null. */
  private FamilyName wanted(String name, Metric metric) {
    FamilyName names = names(name, metric);
    return names != null && matcher.test(names, metric) && plan.has(name, metric, names)
        ? names
        : null;
  }

  private View begin(int count, IntFunction<NameTree.Leaf> leaves) {
    int[] pmids = new int[count];
    Arrays.setAll(pmids, i -> leaves.apply(i).pmid());
    return catalog().begin(new Scope.OfMetrics(PmidList.of(pmids)));
  }

  /** Returns a metric; null if it is withdrawn, or has another name or PMID now. */
  private static Metric metric(NameTree.Leaf leaf, View view) {
    return view.names().pmid(leaf.name()) == leaf.pmid() ? view.metric(leaf.pmid()) : null;
  }

  /** Returns the names of a metric's family; null if it has none. */
  private FamilyName names(String name, Metric metric) {
    return FamilyName.of(name, metric, plans.naming());
  }

  /** Writes a family, or goes on with the last one. */
  private void write(EncodedFamily family, Metric metric, View view, Turn turn) {
    Part begun = part;
    part = null;
    boolean isSingular = metric == null || metric.inDom() == InDom.NULL;
    InstanceDomain domain = isSingular ? null : view.instances(metric.inDom());
    FamilyName names = // before a file is truncated, and another one describes the metric
        begun != null ? begun.names : isSingular ? null : names(last, metric);
    if (metric == null || (!isSingular && (domain == null || names == null))) {
      return; // a file has just been truncated
    }
    samples.begin(
        family,
        labels(metric, view),
        domain,
        begun != null && begun.hasSamples,
        () -> view.isOver(turn));
    ValueCursor left = begun == null ? null : begun.cursor;
    ValueCursor cursor = view.read(metric, InstanceFilter.ALL, left, turn, samples);
    boolean hasSamples = samples.end();
    part = cursor == null ? null : new Part(names, cursor, hasSamples);
  }

  private List<Labels> labels(Metric metric, View view) {
    return plans.naming().labels(metric, view, ofHost);
  }

  /** Writes the next part of the last family, unless the catalogue has changed it. */
  private void writePart(Turn turn) {
    int pmid = part.cursor.pmid();
    View view = catalog().begin(new Scope.OfMetric(pmid));
    Metric metric = metric(new NameTree.Leaf(last, pmid), view);
    if (metric == null || !part.names.equals(names(last, metric))) {
      part = null;
      return;
    }
    write(encoding.encode(Family.of(part.names, last, metric)), metric, view, turn);
  }

  private void writeLast() {
    own.writeLast(catalog(), plan, samples, System.nanoTime() - start, matcher);
    encoding.endPage();
  }

  @Override
  public long bytes() {
    long ofPart = part == null ? 0 : part.bytes();
    return filter.bytes() + plans.bytesOf(plan) + last.length() + ofPart + own.bytes();
  }
}
