package org.jmmv.web.metrics;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.PmidList;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.web.http.Body;

/**
 * One page. It writes a family after the other: the first ones as the plan has them encoded, as
 * long as the plan is up to date, then by their names. Between two pieces it keeps the last name
 * only. A family with many or long samples is written in parts; the instances are those that there
 * were when the family was begun, whatever changes meanwhile.
 */
final class Scrape implements Body {
  private static final int BATCH = 64; // metrics that are looked for at once

  /** Values that are read for a part. Those that do not fit into it are read again. */
  private static final int MAX_READ = 1024;

  private static final int NOT_ENCODED = -1; // an index

  private final Catalog catalog;
  private final PlanCache.Entry plans;
  private final FamilyFilter filter;
  private final PageBuffers buffers;
  private final SampleWriter samples;
  private final long start = System.nanoTime();
  private final String version;
  private final List<LabelPair> ofHost;
  private Plan plan; // null: it is being made
  private String last = ""; // the name of the last metric that was written or left out
  private int next; // of the families that the plan has encoded
  private boolean isAtEnd; // of the metrics
  private Part part; // null: no family has been begun
  private OwnSeries own; // null: not begun

  /** A family that has been begun: the last one. */
  private static final class Part {
    final FamilyName names;
    final int pmid;
    final int inDom;
    final int[] instances;
    int next; // index in instances
    boolean hasSamples;

    Part(FamilyName names, Metric metric, int[] instances) {
      this.names = names;
      pmid = metric.pmid();
      inDom = metric.inDom();
      this.instances = instances;
    }

    long bytes() {
      return (long) Integer.BYTES * instances.length
          + names.name().length()
          + names.series().length();
    }
  }

  /**
   * Begins a page.
   *
   * @param filter which families are written
   */
  Scrape(
      Catalog catalog,
      PlanCache.Entry plans,
      FamilyFilter filter,
      String version,
      List<LabelPair> ofHost) {
    this.catalog = catalog;
    this.plans = plans;
    this.filter = filter;
    this.version = version;
    this.ofHost = ofHost;
    buffers = plans.buffers();
    samples = new SampleWriter(buffers);
  }

  @Override
  public Progress write(ByteBuf out, Turn turn) {
    buffers.out.truncate(0); // a page that failed has left something
    FamilyFilter.Matcher matcher = filter.matcher();
    boolean hasMore = true;
    do {
      if (plan == null) {
        plan = plans.advance(turn).orElse(null);
      } else if (part != null) {
        writePart();
      } else if (!isAtEnd) {
        writeMetrics(matcher, turn);
      } else {
        hasMore = writeOwn(matcher);
      }
    } while (hasMore && !isOver(turn));
    buffers.out.moveTo(out);
    return hasMore ? Progress.MORE : Progress.END;
  }

  private boolean isOver(Turn turn) {
    return buffers.out.size() >= PIECE || turn.isOver();
  }

  private void writeMetrics(FamilyFilter.Matcher matcher, Turn turn) {
    if (matcher.isAll() && isEncoded()) {
      writeEncoded(plan.families(), matcher, turn);
    } else {
      writeListed(matcher, turn);
    }
  }

  private boolean isEncoded() {
    return next < plan.families().count();
  }

  /** Writes some of the families that the plan has encoded, if they are still on the page. */
  private void writeEncoded(EncodedFamilies encoded, FamilyFilter.Matcher matcher, Turn turn) {
    int first = next;
    PmidList pmids = encoded.pmids(first, BATCH);
    View view = catalog.begin(new Scope.OfMetrics(pmids));
    boolean isCurrent = plans.isCurrent(plan);
    do {
      int index = next++;
      last = encoded.name(index);
      Metric metric = view.metric(encoded.pmid(index));
      if (isCurrent) {
        write(encoded.get(index), metric, view);
      } else if (metric != null && view.names().pmid(last) == metric.pmid()) {
        if (encoded.describes(index, metric)) {
          write(encoded.get(index), metric, view);
        } else {
          write(NOT_ENCODED, metric, view, matcher);
        }
      }
    } while (next < first + pmids.count() && part == null && !isOver(turn));
  }

  /** Writes the families of the next metrics that are asked for. */
  private void writeListed(FamilyFilter.Matcher matcher, Turn turn) {
    View view = catalog.begin(new Scope.OfNone());
    EncodedFamilies encoded = plan.families();
    boolean areEncoded = isEncoded();
    List<String> listed = areEncoded ? encoded.names(next, BATCH) : view.names().next(last, BATCH);
    isAtEnd = listed.isEmpty();
    for (String name : listed) {
      last = name;
      int index = areEncoded ? next++ : NOT_ENCODED;
      Metric metric = view.metric(name);
      FamilyName names = names(name, metric, matcher);
      if (names != null) {
        view = catalog.begin(new Scope.OfMetric(metric.pmid()));
        write(index, view.metric(name), view, matcher);
      }
      if (part != null || isOver(turn)) {
        return;
      }
    }
  }

  /**
   * Writes the family of the metric with the last name, as the plan has it encoded, unless it has
   * another descriptor now.
   *
   * @param index among the encoded families
   * @param metric null: it is not there any more
   */
  private void write(int index, Metric metric, View view, FamilyFilter.Matcher matcher) {
    FamilyName names = names(last, metric, matcher);
    if (names == null) {
      return;
    }
    EncodedFamilies encoded = plan.families();
    write(
        index != NOT_ENCODED && encoded.describes(index, metric)
            ? encoded.get(index)
            : buffers.encode(plans.family(names, last, metric, view)),
        metric,
        view);
  }

  /** Returns the names of a metric's family, or null if it is not on this page. */
  private FamilyName names(String name, Metric metric, FamilyFilter.Matcher matcher) {
    if (metric == null || !plans.naming().has(metric)) {
      return null;
    }
    FamilyName names = FamilyName.of(name, metric, plans.naming()).orElse(null);
    return names != null && plan.has(name, metric, names) && matcher.test(names, metric)
        ? names
        : null;
  }

  /** Writes a family, or begins to. */
  private void write(EncodedFamily family, Metric metric, View view) {
    boolean isSingular = metric == null || metric.inDom() == InDom.NULL;
    InstanceDomain domain = isSingular ? null : view.instances(metric.inDom());
    if (metric == null || (domain == null && !isSingular)) {
      return; // its file has just been truncated
    }
    if (domain != null && view.maxValues(metric, InstanceFilter.ALL) > MAX_READ) {
      begin(metric, domain.numbers());
      writePart(family, metric, domain, view);
      return;
    }
    samples.begin(family, domain, false);
    view.read(metric, InstanceFilter.ALL, samples);
    boolean hasSamples = samples.end();
    int[] refused = samples.takeRefused();
    if (refused.length > 0) {
      begin(metric, refused);
      part.hasSamples = hasSamples;
    }
  }

  private void begin(Metric metric, int[] instances) {
    FamilyName names = FamilyName.of(last, metric, plans.naming()).orElseThrow();
    part = new Part(names, metric, instances);
  }

  /** Writes the next part of the last family, unless the catalogue has changed it. */
  private void writePart() {
    View view = catalog.begin(new Scope.OfMetric(part.pmid));
    Metric metric = view.names().pmid(last) == part.pmid ? view.metric(part.pmid) : null;
    boolean isSame =
        metric != null
            && metric.inDom() == part.inDom
            && FamilyName.of(last, metric, plans.naming()).equals(Optional.of(part.names));
    InstanceDomain domain = isSame ? view.instances(part.inDom) : null;
    if (domain == null) {
      part = null;
      return;
    }
    Family family = plans.family(part.names, last, metric, view);
    writePart(buffers.encode(family), metric, domain, view);
  }

  private void writePart(EncodedFamily family, Metric metric, InstanceDomain domain, View view) {
    int end = Math.min(part.next + MAX_READ, part.instances.length);
    InstanceFilter filter = new InstanceFilter(false);
    filter.set(part.inDom, false, Arrays.copyOfRange(part.instances, part.next, end));
    samples.begin(family, domain, part.hasSamples);
    view.read(metric, filter, samples);
    part.hasSamples = samples.end();
    int[] refused = samples.takeRefused();
    part.next = end - refused.length;
    System.arraycopy(refused, 0, part.instances, part.next, refused.length);
    if (part.next == part.instances.length) {
      part = null;
    }
  }

  private boolean writeOwn(FamilyFilter.Matcher matcher) {
    if (own == null) {
      own = new OwnSeries(catalog, buffers);
      own.writeFirst(version, ofHost, matcher);
      return true;
    }
    if (own.writeFiles(matcher)) {
      return true;
    }
    own.writeLast(plan, samples, System.nanoTime() - start, matcher);
    buffers.encoding.endPage(buffers.out);
    return false;
  }

  @Override
  public long bytes() {
    long ofPart = part == null ? 0 : part.bytes();
    long ofOwn = own == null ? 0 : own.bytes();
    return filter.bytes() + plans.bytes(plan) + last.length() + ofPart + ofOwn;
  }
}
