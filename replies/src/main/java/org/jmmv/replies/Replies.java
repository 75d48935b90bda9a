package org.jmmv.replies;

import java.nio.IntBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Reply;
import org.jmmv.protocol.Request;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;

/** Creates the replies to requests from the catalogue. */
public final class Replies {
  /** What stands in a DESCS for a metric that is unknown. */
  private static final Desc UNKNOWN = new Desc(0, Pmid.NULL, 0, 0, 0, 0);

  private static final Labels NO_LABELS = new Labels("", List.of());
  private static final LabelSet NO_INSTANCE = new LabelSet(Instance.NULL, NO_LABELS);

  private final Catalog catalog;
  private ReplyBuffer spare = new ReplyBuffer(); // null: a fetch has it

  /** Creates an object that is used by the thread that owns the catalogue. */
  Replies(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Returns an ERROR as a reply. */
  public static PduError error(PmError error) {
    return new PduError(0, error.code());
  }

  Catalog catalog() {
    return catalog;
  }

  /** Returns a buffer for the reply to a fetch. Most fetches take the one that the last had. */
  ReplyBuffer takeBuffer() {
    ReplyBuffer taken = spare == null ? new ReplyBuffer() : spare;
    spare = null;
    return taken;
  }

  /** Takes a buffer back at the end of a fetch. A large one is freed. */
  void giveBack(ReplyBuffer buffer) {
    if (spare == null && !buffer.isLarge()) {
      spare = buffer;
    } else {
      buffer.release();
    }
  }

  /**
   * Returns whether the catalogue has what is in the list that answers a request, until it changes.
   * It does not if names are made for the reply, as those of children, and it replaces the
   * instances of this program's own metrics without a change.
   */
  boolean isShared(Message request) {
    return switch (request) {
      case PmnsTraverse _, LabelReq _ -> true;
      case InstanceReq(int _, int inDom, int _, String _) -> catalog.isOfFiles(inDom);
      default -> false;
    };
  }

  /** Replies to a request that is not a fetch. */
  Reply reply(Request request, Session session, Role role) {
    Reply reply = replyTo(request, session, role);
    session.begin(catalog.changes());
    return reply;
  }

  private Reply replyTo(Request request, Session session, Role role) {
    return switch (request) {
      case Fetch _ -> throw new IllegalArgumentException();
      case Result store -> role.mayStore() ? store(store, role) : error(PmError.PERMISSION);
      case DescReq describe -> describe(describe);
      case DescIds describe -> describe(describe);
      case InstanceReq instances -> instances(instances);
      case TextReq text -> text(text);
      case PmnsNames names -> role.lookUp(names, this);
      case PmnsIds ids -> names(ids, role);
      case PmnsChild children -> children(children, role);
      case PmnsTraverse traverse -> traverse(traverse, role);
      case LabelReq labels -> labels(labels, session.lastProfile(), role);
    };
  }

  /** Releases the memory for replies. */
  void release() {
    if (spare != null) {
      spare.release();
    }
  }

  // ---------------------------------------------------------------- stores

  /** Stores values until one can't be stored. */
  private PduError store(Result request, Role role) {
    Metric[] metrics = catalog.begin(new Scope.OfMetrics(request)).metrics(request);
    for (int i = 0; i < request.count(); i++) {
      PmError error = store(metrics[i], request.sets().get(i), role);
      if (error != null) {
        return error(error);
      }
    }
    return new PduError(0, 0);
  }

  private static PmError store(Metric metric, ValueSet set, Role role) {
    if (metric == null || !metric.isStorable()) {
      return PmError.PERMISSION;
    }
    if (set.values().size() != 1) {
      return PmError.BADSTORE;
    }
    return switch (set.values().getFirst().value()) {
      case Value.Word(int bits) -> metric.store(bits);
      case Value.Block block -> metric.store(block.asText(), role.client());
    };
  }

  // ---------------------------------------------------------------- metrics

  private Metric metric(int pmid) {
    return catalog.begin(new Scope.OfMetric(pmid)).metric(pmid);
  }

  private InstanceDomain instanceDomain(int inDom) {
    return catalog.begin(new Scope.OfInDom(inDom)).instances(inDom);
  }

  private Reply describe(DescReq request) {
    Metric metric = metric(request.pmid());
    return metric == null ? error(PmError.PMID) : describe(metric);
  }

  private Reply describe(DescIds request) {
    Metric[] metrics = catalog.begin(new Scope.OfMetrics(request)).metrics(request);
    int count = request.count();
    if (count == 1 && metrics[0] == null) {
      return error(PmError.PMID);
    }
    List<Desc> descs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      descs.add(metrics[i] == null ? UNKNOWN : describe(metrics[i]));
    }
    return new Descs(0, descs);
  }

  private static Desc describe(Metric metric) {
    return new Desc(
        0, metric.pmid(), metric.type(), metric.inDom(), metric.semantics(), metric.units());
  }

  private Reply text(TextReq request) {
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
  private Reply instances(InstanceReq request) {
    InstanceDomain inDom = instanceDomain(request.inDom());
    if (inDom == null) {
      return error(PmError.INDOM);
    }
    boolean byNumber = request.instance() != Instance.NULL;
    boolean byName = !request.name().isEmpty();
    if (byNumber && byName) {
      return error(PmError.INST);
    }
    InstanceTable table = inDom.table();
    if (!byNumber && !byName) {
      return new Instances(0, request.inDom(), table.list());
    }
    int found = byName ? table.indexOf(request.name()) : table.indexOf(request.instance());
    if (found < 0) {
      return error(PmError.INST);
    }
    Instance instance =
        byName
            ? new Instance(table.number(found), "")
            : new Instance(Instance.NULL, table.name(found));
    return new Instances(0, request.inDom(), List.of(instance));
  }

  // ---------------------------------------------------------------- names

  /** Replies with the PMIDs of any number of names, or with what is wrong with a single one. */
  public Reply pmids(PmnsNames request) {
    List<String> names = request.names();
    if (names.isEmpty()) {
      return error(PmError.TOOSMALL);
    }
    NameTree tree = catalog.begin(new Scope.AllFiles()).names();
    List<Integer> pmids = names.stream().map(tree::pmid).toList();
    if (pmids.size() == 1 && pmids.getFirst() == Pmid.NULL) {
      return error(tree.contains(names.getFirst()) ? PmError.NONLEAF : PmError.NAME);
    }
    int found = (int) pmids.stream().filter(pmid -> pmid != Pmid.NULL).count();
    return new PmnsIds(0, found, pmids);
  }

  /** Replies with the PMID of a single name. */
  public Reply pmid(PmnsNames request) {
    if (request.names().size() != 1) {
      return error(PmError.IPC);
    }
    String name = request.names().getFirst();
    Metric metric = catalog.begin(new Scope.OfName(name)).metric(name);
    return metric == null ? error(PmError.NAME) : new PmnsIds(0, 0, List.of(metric.pmid()));
  }

  private Reply names(PmnsIds request, Role role) {
    if (request.pmids().size() != 1) {
      return error(PmError.IPC);
    }
    int pmid = request.pmids().getFirst();
    Metric metric = metric(pmid);
    List<String> names = metric == null ? List.of() : metric.names();
    return names.isEmpty() ? error(unknown(pmid, role)) : new PmnsNames(0, names, List.of());
  }

  /** Returns the error for a PMID that is unknown. */
  static PmError unknown(int pmid, Role role) {
    return role.hasDomain(Pmid.domain(pmid)) ? PmError.PMID : PmError.NOAGENT;
  }

  private Reply children(PmnsChild request, Role role) {
    NameTree names = catalog.begin(new Scope.AllFiles()).names();
    if (!role.hasNode(names, request.name())) {
      return error(PmError.NAME);
    }
    List<NameTree.Child> children = names.children(request.name());
    List<Integer> statuses =
        request.withStatus()
            ? children.stream().map(child -> child.isLeaf() ? 0 : 1).toList()
            : List.of();
    return new PmnsNames(0, children.stream().map(NameTree.Child::name).toList(), statuses);
  }

  private Reply traverse(PmnsTraverse request, Role role) {
    NameTree names = catalog.begin(new Scope.AllFiles()).names();
    List<String> leaves =
        role.hasNode(names, request.name()) ? names.leaves(request.name()) : List.of();
    return leaves.isEmpty() ? error(PmError.NAME) : new PmnsNames(0, leaves, List.of());
  }

  // ---------------------------------------------------------------- labels

  /**
   * Replies with the labels of an object.
   *
   * @param filter the instances to include, for labels of instances; null: it is not known
   */
  private Reply labels(LabelReq request, InstanceFilter filter, Role role) {
    int ident = request.ident();
    int type = request.labelType();
    return switch (type) {
      case LabelType.CONTEXT -> new Label(0, ident, type, role.contextLabels());
      case LabelType.DOMAIN -> role.hasDomain(ident) ? labels(ident, type) : error(PmError.NOAGENT);
      case LabelType.CLUSTER, LabelType.ITEM ->
          role.hasDomain(Pmid.domain(ident)) ? labels(ident, type) : error(PmError.PMID);
      case LabelType.INDOM ->
          role.hasDomain(InDom.domain(ident)) ? labels(ident, type) : error(PmError.INDOM);
      case LabelType.INSTANCES -> {
        if (!role.hasDomain(InDom.domain(ident))) {
          yield error(PmError.INDOM);
        }
        yield filter == null
            ? error(PmError.NOPROFILE)
            : new Label(0, ident, type, instanceLabels(ident, filter));
      }
      default -> error(PmError.TYPE);
    };
  }

  private Reply labels(int ident, int type) {
    Labels labels = catalog.begin(new Scope.OfLabels(type, ident)).labels(type, ident);
    List<LabelSet> sets = labels == null ? List.of() : List.of(new LabelSet(Instance.NULL, labels));
    return new Label(0, ident, type, sets);
  }

  private List<LabelSet> instanceLabels(int ident, InstanceFilter filter) {
    InstanceDomain inDom = instanceDomain(ident);
    if (inDom == null) {
      return ident == InDom.NULL ? List.of(NO_INSTANCE) : List.of();
    }
    InstanceTable table = inDom.table();
    IntBuffer numbers = filter.numbers(ident, table, 0);
    if (!numbers.hasRemaining()) {
      return table.size() == 0 ? List.of() : List.of(NO_INSTANCE);
    }
    return new InstanceLabels(numbers, inDom);
  }

  /** The labels of instances, if there are any, each of which are looked up when needed first. */
  private static final class InstanceLabels extends AbstractList<LabelSet> {
    private final IntBuffer numbers;
    private final InstanceDomain inDom;
    private final Labels[] found;

    InstanceLabels(IntBuffer numbers, InstanceDomain inDom) {
      this.numbers = numbers;
      this.inDom = inDom;
      found = new Labels[inDom.hasLabels() ? numbers.limit() : 0];
    }

    @Override
    public LabelSet get(int index) {
      int number = numbers.get(index);
      if (found.length == 0) {
        return new LabelSet(number, NO_LABELS);
      }
      if (found[index] == null) {
        found[index] = Objects.requireNonNullElse(inDom.labels(number), NO_LABELS);
      }
      return new LabelSet(number, found[index]);
    }

    @Override
    public int size() {
      return numbers.limit();
    }
  }
}
