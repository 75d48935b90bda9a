package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.TextType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.ResultWriter;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.reader.Labels;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the replies to requests from the catalogue. */
public final class Replies {
  private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

  /**
   * The maximum size of a RESULT in bytes: 64 MiB. A FETCH may contain the same PMID many times, so
   * the limits of what is served do not bound the size.
   */
  public static final int MAX_RESULT = 64 << 20;

  private final Catalog catalog;
  private final IntFunction<PmError> unknown;
  private final ResultWriter result = new ResultWriter();

  /**
   * Creates an object that is used by the thread that owns the catalogue.
   *
   * @param unknown returns the error for a PMID that is unknown
   */
  public Replies(Catalog catalog, IntFunction<PmError> unknown) {
    this.catalog = catalog;
    this.unknown = unknown;
  }

  /** Returns an ERROR as a reply. */
  public static PduError error(PmError error) {
    return new PduError(0, error.code());
  }

  // ---------------------------------------------------------------- values

  /**
   * Replies to a fetch.
   *
   * @param filter the instances that the client has selected; null: it is not known
   * @param buffer receives the RESULT
   * @param end calls {@link ResultWriter#end}
   * @return the encoded RESULT, or an ERROR if the filter is not known, if the RESULT would be
   *     larger than {@link #MAX_RESULT}, or if there is no memory for it
   */
  public Object fetch(
      Fetch fetch, InstanceFilter filter, ReplyBuffer buffer, Consumer<ResultWriter> end) {
    if (filter == null) {
      return error(PmError.NOPROFILE);
    }
    try {
      ResultWriter written = fetch(fetch, filter, buffer.clear());
      if (written != null) {
        end.accept(written);
        return buffer.reply();
      }
    } catch (OutOfMemoryError e) { // of direct memory; if the heap is exhausted, the JVM exits
      LOG.error("no memory for the reply to a fetch of {} metrics", fetch.count());
    }
    buffer.shrink();
    return error(PmError.GENERIC);
  }

  /** Writes a result except for its end. Returns null if it would be too large. */
  private ResultWriter fetch(Fetch fetch, InstanceFilter filter, ByteBuf reply) {
    long start = System.nanoTime();
    View view = catalog.begin(new Scope.OfMetrics(fetch));
    Metric[] metrics = view.metrics(fetch);
    int count = fetch.count();
    long sets = 0;
    for (int i = 0; i < count; i++) {
      sets += ResultWriter.sizeOfSet(metrics[i] == null ? 0 : metrics[i].maxValues(filter));
    }
    if (sets > MAX_RESULT) {
      return null;
    }
    result.begin(reply, fetch.isHighRes(), (int) sets);
    for (int i = 0; i < count; i++) {
      int pmid = fetch.pmid(i);
      result.beginSet(pmid);
      if (metrics[i] == null) {
        result.none(unknown.apply(pmid).code());
      } else {
        view.read(metrics[i], filter, result);
      }
      if (result.size() > MAX_RESULT) {
        return null;
      }
    }
    catalog.fetches().add(result.values(), System.nanoTime() - start);
    return result;
  }

  /** Stores values until one can't be stored. */
  public PduError store(Result request) {
    Metric[] metrics = catalog.begin(new Scope.OfMetrics(request)).metrics(request);
    for (int i = 0; i < request.count(); i++) {
      PmError error = store(metrics[i], request.sets().get(i));
      if (error != null) {
        return error(error);
      }
    }
    return new PduError(0, 0);
  }

  private static PmError store(Metric metric, ValueSet set) {
    if (metric == null || !metric.isStorable()) {
      return PmError.PERMISSION;
    }
    if (set.values().size() != 1) {
      return PmError.BADSTORE;
    }
    return switch (set.values().getFirst().value()) {
      case Value.Word(int bits) -> metric.store(bits);
      case Value.Block block -> metric.store(block.asText());
    };
  }

  // ---------------------------------------------------------------- metrics

  private Metric metric(int pmid) {
    return catalog.begin(new Scope.OfMetric(pmid)).metric(pmid);
  }

  private InstanceDomain instanceDomain(int inDom) {
    return catalog.begin(new Scope.OfInDom(inDom)).instances(inDom);
  }

  /** Replies with the descriptor of a metric. */
  public Pdu describe(DescReq request) {
    Metric metric = metric(request.pmid());
    return metric == null ? error(PmError.PMID) : describe(metric);
  }

  /** Returns the descriptor of a metric. */
  public static Desc describe(Metric metric) {
    return new Desc(
        0, metric.pmid(), metric.type(), metric.inDom(), metric.semantics(), metric.units());
  }

  /** Replies with a help text. */
  public Pdu text(TextReq request) {
    String oneLine;
    String help;
    if ((request.textType() & TextType.INDOM) != 0) {
      InstanceDomain inDom = instanceDomain(request.ident());
      if (inDom == null) {
        return error(PmError.INDOM);
      }
      oneLine = inDom.oneLine();
      help = inDom.help();
    } else {
      Metric metric = metric(request.ident());
      if (metric == null) {
        return error(PmError.PMID);
      }
      oneLine = metric.oneLine();
      help = metric.help();
    }
    if ((request.textType() & TextType.ONELINE) != 0 && oneLine != null) {
      return new Text(0, request.ident(), oneLine);
    }
    if ((request.textType() & TextType.HELP) != 0 && help != null) {
      return new Text(0, request.ident(), help);
    }
    return error(PmError.TEXT);
  }

  // ---------------------------------------------------------------- instances

  /** Replies with all instances, or with the number or the name of one. */
  public Pdu instances(InstanceReq request) {
    InstanceDomain inDom = instanceDomain(request.inDom());
    if (inDom == null) {
      return error(PmError.INDOM);
    }
    boolean byNumber = request.instance() != Instance.NULL;
    boolean byName = !request.name().isEmpty();
    if (byNumber && byName) {
      return error(PmError.INST);
    }
    if (!byNumber && !byName) {
      List<Instance> all = new ArrayList<>(inDom.size());
      for (int i = 0; i < inDom.size(); i++) {
        all.add(new Instance(inDom.number(i), inDom.name(i)));
      }
      return new Instances(0, request.inDom(), all);
    }
    int found = byName ? inDom.indexOf(request.name()) : inDom.indexOf(request.instance());
    if (found < 0) {
      return error(PmError.INST);
    }
    Instance answer =
        byName
            ? new Instance(inDom.number(found), "")
            : new Instance(Instance.NULL, inDom.name(found));
    return new Instances(0, request.inDom(), List.of(answer));
  }

  // ---------------------------------------------------------------- names

  /** Replies with the PMID of a name. */
  public Pdu pmid(PmnsNames request) {
    if (request.names().size() != 1) {
      return error(PmError.IPC);
    }
    String name = request.names().getFirst();
    Metric metric = catalog.begin(new Scope.OfName(name)).metric(name);
    return metric == null ? error(PmError.NAME) : new PmnsIds(0, 0, List.of(metric.pmid()));
  }

  /** Replies with the names of a PMID. */
  public Pdu names(PmnsIds request) {
    if (request.pmids().size() != 1) {
      return error(PmError.IPC);
    }
    Metric metric = metric(request.pmids().getFirst());
    List<String> names = metric == null ? List.of() : metric.names();
    return names.isEmpty()
        ? error(unknown.apply(request.pmids().getFirst()))
        : new PmnsNames(0, names, List.of());
  }

  /** Replies with the names of the children of a node. */
  public Pdu children(PmnsChild request) {
    NameTree names = catalog.begin(new Scope.OfAll()).names();
    if (!names.contains(request.name())) {
      return error(PmError.NAME);
    }
    List<NameTree.Child> children = names.children(request.name());
    List<Integer> statuses =
        request.withStatus()
            ? children.stream().map(child -> child.isLeaf() ? 0 : 1).toList()
            : List.of();
    return new PmnsNames(0, children.stream().map(NameTree.Child::name).toList(), statuses);
  }

  /** Replies with the names of all leaves below a node. */
  public Pdu traverse(PmnsTraverse request) {
    List<String> leaves = catalog.begin(new Scope.OfAll()).names().leaves(request.name());
    return leaves.isEmpty() ? error(PmError.NAME) : new PmnsNames(0, leaves, List.of());
  }

  // ---------------------------------------------------------------- labels

  /**
   * Replies with the labels of an object.
   *
   * @param filter the instances to include, for labels of instances; null: it is not known
   */
  public Pdu labels(LabelReq request, InstanceFilter filter) {
    int ident = request.ident();
    int type = request.labelType();
    return switch (type) {
      case LabelType.CONTEXT ->
          new Label(0, ident, type, List.of()); // pmcd adds these labels itself
      case LabelType.DOMAIN, LabelType.CLUSTER, LabelType.ITEM, LabelType.INDOM -> {
        Labels labels = catalog.begin(new Scope.OfLabels(type, ident)).labels(type, ident);
        yield new Label(
            0,
            ident,
            type,
            labels == null ? List.of() : List.of(labelSet(Instance.NULL, labels, type)));
      }
      case LabelType.INSTANCES ->
          filter == null
              ? error(PmError.NOPROFILE)
              : new Label(0, ident, type, instanceLabels(ident, filter));
      default -> error(PmError.TYPE);
    };
  }

  private List<LabelSet> instanceLabels(int ident, InstanceFilter filter) {
    InstanceDomain inDom = instanceDomain(ident);
    if (inDom == null ? ident != InDom.NULL : inDom.size() == 0) {
      return List.of();
    }
    List<LabelSet> sets = new ArrayList<>();
    for (int i = 0; inDom != null && i < inDom.size(); i++) {
      int number = inDom.number(i);
      if (filter.passes(ident, number)) {
        sets.add(labelSet(number, inDom.labels(number), LabelType.INSTANCES));
      }
    }
    return sets.isEmpty() ? List.of(new LabelSet(Instance.NULL, "", List.of())) : sets;
  }

  /** Returns a set of labels of one type as it is sent; null stands for no labels. */
  public static LabelSet labelSet(int instance, Labels labels, int type) {
    if (labels == null) {
      return new LabelSet(instance, "", List.of());
    }
    List<LabelEntry> entries =
        labels.entries().stream()
            .map(label ->
                new LabelEntry(
                    label.nameOffset(),
                    label.nameLength(),
                    label.flags() | type,
                    label.valueOffset(),
                    label.valueLength()))
            .toList();
    return new LabelSet(instance, labels.json(), entries);
  }
}
