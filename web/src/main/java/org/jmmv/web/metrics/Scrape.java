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
 * One page. It writes a family after the other, and a family with many instances in parts, because
 * what a view has returned is not valid in the next turn. The parts are those of the instances that
 * there were when the family was begun, whatever changes meanwhile.
 */
final class Scrape implements Body {
  private static final int BATCH = 64; // metrics

  private final Catalog catalog;
  private final PlanCache.Entry plans;
  private final Encoding encoding;
  private final FamilyFilter filter;
  private final Bytes bytes = new Bytes();
  private final SampleWriter samples;
  private final Batch batch = new Batch();
  private final long start = System.nanoTime();
  private final String version;
  private final List<LabelPair> ofHost;
  private Plan plan; // null: it is being made
  private int next; // of its families, to be selected
  private int[] instances; // of the family that is being written in parts; null: of none
  private int nextInstance; // index in instances
  private OwnSeries own; // null: not begun

  /** The next families that were selected. */
  private static final class Batch implements PmidList {
    private final int[] pmids = new int[BATCH];
    private final int[] indexes = new int[BATCH]; // in the plan
    private int count;
    private int written;

    boolean hasMore() {
      return written < count;
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public int pmid(int index) {
      return pmids[index];
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
      Encoding encoding,
      FamilyFilter filter,
      String version,
      List<LabelPair> ofHost) {
    this.catalog = catalog;
    this.plans = plans;
    this.encoding = encoding;
    this.filter = filter;
    this.version = version;
    this.ofHost = ofHost;
    samples = new SampleWriter(encoding, bytes);
  }

  @Override
  public Progress write(ByteBuf out, Turn turn) {
    boolean hasMore = true;
    do {
      if (plan == null) {
        Optional<Plan> complete = plans.advance(turn);
        plan = complete.orElse(null);
      } else if (batch.hasMore()) {
        writeBatch(turn);
      } else if (next < plan.families().size()) {
        select(turn);
      } else {
        hasMore = writeOwn();
      }
    } while (hasMore && bytes.size() < PIECE && !turn.isOver());
    bytes.moveTo(out);
    return hasMore ? Progress.MORE : Progress.END;
  }

  /** Selects the next families. To match names takes as long as the client wants it to. */
  private void select(Turn turn) {
    List<EncodedFamily> families = plan.families();
    batch.count = 0;
    batch.written = 0;
    do {
      Family family = families.get(next).family;
      if (filter.test(family)) {
        batch.pmids[batch.count] = family.source().pmid();
        batch.indexes[batch.count++] = next;
      }
      next++;
    } while (batch.count < BATCH && next < families.size() && !turn.isOver());
  }

  private void writeBatch(Turn turn) {
    View view = catalog.begin(new Scope.OfMetrics(batch));
    Metric[] metrics = view.metrics(batch);
    do {
      Metric metric = metrics[batch.written];
      EncodedFamily family = plan.families().get(batch.indexes[batch.written]);
      if (!write(family, metric, view)) {
        return;
      }
      batch.written++;
    } while (batch.hasMore() && bytes.size() < PIECE && !turn.isOver());
  }

  /** Writes a family, or the next part of it. Returns whether it is complete. */
  private boolean write(EncodedFamily family, Metric metric, View view) {
    Family.Source source = family.family.source();
    long now = catalog.changes().version();
    boolean isCurrent =
        metric != null
            && (now == plan.version()
                || (Family.Source.of(source.name(), metric).equals(source)
                    && metric.names().contains(source.name())));
    InstanceDomain domain = source.inDom() == InDom.NULL ? null : view.instances(source.inDom());
    if (!isCurrent || (source.inDom() != InDom.NULL && domain == null)) {
      instances = null;
      return true; // it is not there any more, or has changed since the page was begun
    }
    samples.begin(family, domain, instances != null);
    if (instances == null
        && domain != null
        && view.maxValues(metric, InstanceFilter.ALL) > InstanceTexts.MAX) {
      instances = domain.numbers();
      nextInstance = 0;
    }
    view.read(metric, nextPart(source.inDom()), samples);
    samples.end();
    if (instances != null && nextInstance == instances.length) {
      instances = null;
    }
    return instances == null;
  }

  /** Returns the instances to read now, and sets where the next part begins. */
  private InstanceFilter nextPart(int inDom) {
    if (instances == null) {
      return InstanceFilter.ALL;
    }
    int end = Math.min(nextInstance + InstanceTexts.MAX, instances.length);
    InstanceFilter part = new InstanceFilter(false);
    part.set(inDom, false, Arrays.copyOfRange(instances, nextInstance, end));
    nextInstance = end;
    return part;
  }

  private boolean writeOwn() {
    if (own == null) {
      own = new OwnSeries(encoding, bytes, filter, catalog.begin(new Scope.OfNone()));
      own.writeFirst(version, ofHost);
      return true;
    }
    if (own.writeFiles()) {
      return true;
    }
    own.writeLast(plan, samples, System.nanoTime() - start);
    encoding.endPage(bytes);
    return false;
  }

  @Override
  public long bytes() {
    long ofInstances = instances == null ? 0 : (long) Integer.BYTES * instances.length;
    long ofOwn = own == null ? 0 : own.bytes();
    return bytes.size() + samples.bytes() + plans.bytes(plan) + ofInstances + ofOwn;
  }
}
