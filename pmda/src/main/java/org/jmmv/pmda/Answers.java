package org.jmmv.pmda;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
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
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.jmmv.reader.LabelParser;
import org.jmmv.reader.Labels;
import org.jmmv.reader.MmvInDom;
import org.jmmv.reader.MmvMetric;

/** The replies to all requests but fetches and stores, from a catalogue that is up to date. */
final class Answers {
  private static final int SEMANTICS_COUNTER = 1;
  private static final int UNITS_MICROSECONDS = 0x01001000; // dimTime 1, scaleTime PM_TIME_USEC

  private final Catalog catalog;
  private final ControlMetrics control;

  Answers(Catalog catalog, ControlMetrics control) {
    this.catalog = catalog;
    this.control = control;
  }

  static PduError error(PmError error) {
    return new PduError(0, error.code());
  }

  Pdu describe(DescReq request) {
    int pmid = request.pmid();
    if (control.has(pmid)) {
      return control.describe(pmid);
    }
    ServedMetric.Part descriptor = descriptor(pmid);
    if (descriptor == null) {
      return error(PmError.PMID);
    }
    MmvMetric metric = descriptor.metric();
    int inDom = catalog.inDomOf(descriptor);
    if (metric.type() == MmvMetric.ELAPSED) {
      return new Desc(0, pmid, ValueType.I64, inDom, SEMANTICS_COUNTER, UNITS_MICROSECONDS);
    }
    int semantics = metric.semantics() == 0 ? SEMANTICS_COUNTER : metric.semantics();
    return new Desc(0, pmid, metric.type(), inDom, semantics, metric.units());
  }

  private ServedMetric.Part descriptor(int pmid) {
    ServedMetric metric = catalog.metric(pmid);
    return metric == null ? null : metric.descriptor(catalog.names());
  }

  Pdu instances(InstanceReq request) {
    ServedInDom inDom = catalog.inDom(request.inDom());
    if (inDom == null) {
      return error(PmError.INDOM);
    }
    ServedInDom.Table table = inDom.table();
    boolean byNumber = request.instance() != Instance.NULL;
    boolean byName = !request.name().isEmpty();
    if (byNumber && byName) {
      return error(PmError.INST);
    }
    if (!byNumber && !byName) {
      List<Instance> all = new ArrayList<>(table.size());
      for (int i = 0; i < table.size(); i++) {
        all.add(new Instance(table.numbers[i], table.names[i]));
      }
      return new Instances(0, request.inDom(), all);
    }
    int found = byName ? table.indexOf(request.name()) : table.indexOf(request.instance());
    if (found < 0) {
      return error(PmError.INST);
    }
    Instance answer =
        byName
            ? new Instance(table.numbers[found], "")
            : new Instance(Instance.NULL, table.names[found]);
    return new Instances(0, request.inDom(), List.of(answer));
  }

  Pdu text(TextReq request) {
    String oneLine;
    String text;
    if ((request.textType() & TextType.INDOM) != 0) {
      ServedInDom inDom = catalog.inDom(request.ident());
      if (inDom == null) {
        return error(PmError.INDOM);
      }
      oneLine = inDom.help(MmvInDom::shortHelp);
      text = inDom.help(MmvInDom::longHelp);
    } else if (control.has(request.ident())) {
      oneLine = control.help(request.ident()).oneLine();
      text = control.help(request.ident()).text();
    } else if (descriptor(request.ident()) != null) {
      MmvMetric metric = catalog.metric(request.ident()).parts().first().metric();
      oneLine = metric.shortHelp();
      text = metric.longHelp();
    } else {
      return error(PmError.PMID);
    }
    if ((request.textType() & TextType.ONELINE) != 0 && oneLine != null) {
      return new Text(0, request.ident(), oneLine);
    }
    if ((request.textType() & TextType.HELP) != 0 && text != null) {
      return new Text(0, request.ident(), text);
    }
    return error(PmError.TEXT);
  }

  /** The PMID of a name. */
  Pdu pmid(PmnsNames request) {
    if (request.names().size() != 1) {
      return error(PmError.IPC);
    }
    NameSpace.Claim leaf = catalog.names().leaf(request.names().getFirst());
    return leaf == null ? error(PmError.NAME) : new PmnsIds(0, 0, List.of(leaf.pmid()));
  }

  /** The names of a PMID. */
  Pdu names(PmnsIds request) {
    if (request.pmids().size() != 1) {
      return error(PmError.IPC);
    }
    int pmid = request.pmids().getFirst();
    if (control.has(pmid)) {
      return new PmnsNames(0, List.of(ControlMetrics.NAMES.get(Pmid.item(pmid))), List.of());
    }
    ServedMetric metric = catalog.metric(pmid);
    List<String> names = metric == null ? List.of() : metric.names(catalog.names());
    return names.isEmpty() ? error(PmError.PMID) : new PmnsNames(0, names, List.of());
  }

  Pdu children(PmnsChild request) {
    NameSpace names = catalog.names();
    if (names.leaf(request.name()) != null) {
      return new PmnsNames(0, List.of(), List.of());
    }
    List<NameSpace.Child> children = names.children(request.name());
    if (children.isEmpty()) {
      return error(PmError.NAME);
    }
    List<Integer> statuses =
        request.withStatus()
            ? children.stream().map(child -> child.isLeaf() ? 0 : 1).toList()
            : List.of();
    return new PmnsNames(0, children.stream().map(NameSpace.Child::name).toList(), statuses);
  }

  Pdu traverse(PmnsTraverse request) {
    NameSpace names = catalog.names();
    if (names.leaf(request.name()) != null) {
      return new PmnsNames(0, List.of(request.name()), List.of());
    }
    Collection<String> leaves = names.leavesBelow(request.name());
    return leaves.isEmpty()
        ? error(PmError.NAME)
        : new PmnsNames(0, List.copyOf(leaves), List.of());
  }

  Pdu labels(LabelReq request, InstanceFilter filter) {
    int ident = request.ident();
    int type = request.labelType();
    LabelIndex labels = catalog.labels();
    List<LabelSet> sets;
    switch (type) {
      case LabelType.CONTEXT -> sets = List.of(); // pmcd's own affair
      case LabelType.DOMAIN -> sets = set(LabelParser.parse("{\"agent\":\"mmv\"}", type), type);
      case LabelType.CLUSTER -> sets = set(labels.ofCluster(Pmid.cluster(ident)), type);
      case LabelType.ITEM -> sets = set(labels.ofItem(Pmid.cluster(ident), Pmid.item(ident)), type);
      case LabelType.INDOM -> sets = set(labels.ofInDom(ident), type);
      case LabelType.INSTANCES -> sets = instanceSets(ident, filter.of(ident));
      default -> {
        return error(PmError.TYPE);
      }
    }
    return new Label(0, ident, type, sets);
  }

  private List<LabelSet> instanceSets(int inDom, InstanceFilter.Choice choice) {
    ServedInDom served = catalog.inDom(inDom);
    if (served == null ? inDom != InDom.NULL : served.table().size() == 0) {
      return List.of();
    }
    List<LabelSet> sets = new ArrayList<>();
    if (served != null) {
      for (int instance : served.table().numbers) {
        if (choice.passes(instance)) {
          Labels labels = catalog.labels().ofInstance(inDom, instance);
          sets.add(labelSet(instance, labels, LabelType.INSTANCES));
        }
      }
    }
    return sets.isEmpty() ? List.of(new LabelSet(Instance.NULL, "", List.of())) : sets;
  }

  private static List<LabelSet> set(Labels labels, int type) {
    return labels == null ? List.of() : List.of(labelSet(Instance.NULL, labels, type));
  }

  private static LabelSet labelSet(int instance, Labels labels, int type) {
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
