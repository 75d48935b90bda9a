package org.jmmv.web.pmapi;

import static java.util.stream.Collectors.joining;

import java.util.Iterator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jmmv.core.Catalog;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;

/**
 * The labels of several objects, merged as by pmMergeLabelSets(3): a later value replaces an
 * earlier one of the same name.
 */
final class MergedLabels {
  /** The JSON text of a value. */
  private record Value(String json, boolean isOptional) {}

  private final SortedMap<String, Value> values = new TreeMap<>();

  /** Merges the labels of a context. */
  static MergedLabels ofContext(Labels hostLabels) {
    return new MergedLabels().add(hostLabels);
  }

  /** Merges the labels of a context and of a metric. */
  static MergedLabels ofMetric(Labels hostLabels, View view, int pmid, int inDom) {
    MergedLabels merged = ofContext(hostLabels);
    merged.add(view.labels(LabelType.DOMAIN, Pmid.domain(pmid)));
    if (inDom != InDom.NULL) {
      merged.add(view.labels(LabelType.INDOM, inDom));
    }
    return merged.add(view.labels(LabelType.CLUSTER, pmid)).add(view.labels(LabelType.ITEM, pmid));
  }

  /** Merges the labels of a context and of an instance domain. */
  static MergedLabels ofInDom(Catalog catalog, Labels hostLabels, View view, int inDom) {
    MergedLabels merged = ofContext(hostLabels);
    if (catalog.hasDomain(InDom.domain(inDom))) {
      merged.add(view.labels(LabelType.DOMAIN, InDom.domain(inDom)));
    }
    return merged.add(view.labels(LabelType.INDOM, inDom));
  }

  /**
   * Merges further labels into these.
   *
   * @param labels null: none
   */
  private MergedLabels add(Labels labels) {
    if (labels != null) {
      Iterator<LabelEntry> entries = labels.entries().iterator();
      labels
          .values()
          .forEach((name, json) -> {
            boolean isOptional = (entries.next().flags() & LabelType.OPTIONAL) != 0;
            values.put(name, new Value(json, isOptional));
          });
    }
    return this;
  }

  /** Returns these labels with further ones merged into them. */
  MergedLabels with(Labels labels) {
    MergedLabels merged = new MergedLabels();
    merged.values.putAll(values);
    return merged.add(labels);
  }

  /** Returns the labels as a JSON object, one char per byte. */
  String json() {
    return json(true);
  }

  /** Returns those labels that are not optional, which identify the object. */
  String identity() {
    return json(false);
  }

  private String json(boolean withOptional) {
    return values.entrySet().stream()
        .filter(label -> withOptional || !label.getValue().isOptional)
        .map(label -> '"' + label.getKey() + "\":" + label.getValue().json)
        .collect(joining(",", "{", "}"));
  }
}
