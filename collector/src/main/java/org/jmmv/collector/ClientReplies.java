package org.jmmv.collector;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.replies.Replies;

/** Creates those replies to clients that an agent does not send, or not in this form, to pmcd. */
final class ClientReplies {
  /** What stands in a DESCS for a metric that is unknown. */
  private static final Desc UNKNOWN = new Desc(0, Pmid.NULL, 0, 0, 0, 0);

  private final Catalog catalog;
  private final Replies replies;

  ClientReplies(Catalog catalog, Replies replies) {
    this.catalog = catalog;
    this.replies = replies;
  }

  /** Returns the error for a PMID that is unknown. */
  static PmError unknown(Catalog catalog, int pmid) {
    return pmid != Pmid.NULL && catalog.hasDomain(Pmid.domain(pmid))
        ? PmError.PMID
        : PmError.NOAGENT;
  }

  /** Replies with the descriptors of metrics. */
  Pdu describe(DescIds request) {
    Metric[] metrics = catalog.begin(new Scope.OfMetrics(request)).metrics(request);
    int count = request.count();
    if (count == 1 && metrics[0] == null) {
      return Replies.error(PmError.PMID);
    }
    List<Desc> descs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      descs.add(metrics[i] == null ? UNKNOWN : Replies.describe(metrics[i]));
    }
    return new Descs(0, descs);
  }

  /** Replies with the PMIDs of names. */
  Pdu pmids(PmnsNames request) {
    List<String> names = request.names();
    if (names.isEmpty()) {
      return Replies.error(PmError.TOOSMALL);
    }
    NameTree tree = catalog.begin(new Scope.OfAll()).names();
    List<Integer> pmids = names.stream().map(tree::pmid).toList();
    if (pmids.size() == 1 && pmids.getFirst() == Pmid.NULL) {
      return Replies.error(tree.contains(names.getFirst()) ? PmError.NONLEAF : PmError.NAME);
    }
    int found = (int) pmids.stream().filter(pmid -> pmid != Pmid.NULL).count();
    return new PmnsIds(0, found, pmids);
  }

  /**
   * Replies with the labels of an object.
   *
   * @param context the labels of the connection
   * @param filter the instances to include, for labels of instances; null: it is not known
   */
  Pdu labels(LabelReq request, LabelSet context, InstanceFilter filter) {
    int ident = request.ident();
    int type = request.labelType();
    return switch (type) {
      case LabelType.CONTEXT -> new Label(0, ident, type, List.of(context));
      case LabelType.DOMAIN ->
          catalog.hasDomain(ident)
              ? replies.labels(request, filter)
              : Replies.error(PmError.NOAGENT);
      case LabelType.INDOM, LabelType.INSTANCES ->
          catalog.hasDomain(InDom.domain(ident))
              ? replies.labels(request, filter)
              : Replies.error(PmError.INDOM);
      case LabelType.CLUSTER, LabelType.ITEM ->
          catalog.hasDomain(Pmid.domain(ident))
              ? replies.labels(request, filter)
              : Replies.error(PmError.PMID);
      default -> Replies.error(PmError.TYPE);
    };
  }
}
