// The names as a tree, and the rows that it shows. A part of names with one child is one row with
// it, as in jmmv top.

import {seriesOf} from './series.js';

const FEW = 100; // rows: a tree of at most this number of metrics is unfolded at first

/** A part of names, or a metric. */
class Node {
  constructor(label, path) {
    this.label = label;
    this.path = path;
    this.children = new Map();
    this.metric = null;
    this.size = 0; // metrics below
  }
}

export class Tree {
  #root = new Node('', '');
  #isOpen = new Map(); // by path, where the user has decided
  #instances = new Map(); // of unfolded metrics, by PMID: {total, names}
  #isFewMetrics = true;
  #search = '';
  metrics = [];
  byName = new Map();
  found = 0; // metrics that match the search

  /** Sets the metrics of /api/v1. */
  setMetrics(metrics) {
    this.metrics = metrics.toSorted((one, other) => rank(one) - rank(other)
      || (one.name < other.name ? -1 : 1));
    this.byName = new Map(metrics.map(metric => [metric.name, metric]));
    this.#isFewMetrics = metrics.length <= FEW;
    for (const metric of metrics) {
      metric.text = `${metric.name} ${metric.help} ${metric.units}`.toLowerCase();
    }
    this.#build();
  }

  /** Shows only metrics whose name, help text or units contain all words of a text. */
  search(text) {
    this.#search = text.trim().toLowerCase();
    this.#build();
  }

  #build() {
    const words = this.#search.split(/\s+/);
    const shown = this.metrics.filter(metric => words.every(word => metric.text.includes(word)));
    this.found = shown.length;
    this.#root = new Node('', '');
    for (const metric of shown) {
      let node = this.#root;
      node.size++;
      for (const part of metric.name.split('.')) {
        let child = node.children.get(part);
        if (!child) {
          child = new Node(part, node.path ? `${node.path}.${part}` : part);
          node.children.set(part, child);
        }
        child.size++;
        node = child;
      }
      node.metric = metric;
    }
  }

  /** Returns the rows: {key, label, depth, size, isOpen, metric, series, index}. */
  rows() {
    const rows = [];
    for (const child of this.#root.children.values()) {
      this.#add(child, 0, rows);
    }
    return rows;
  }

  #add(start, depth, rows) {
    let node = start;
    let label = node.label;
    while (!node.metric && node.children.size === 1) {
      [node] = node.children.values();
      label += `.${node.label}`;
    }
    const {metric} = node;
    const row = {key: node.path, label, depth, metric, size: node.size};
    rows.push(row);
    if (metric && metric.instances === undefined) {
      row.series = seriesOf(metric);
      return;
    }
    row.isOpen = this.#opens(node);
    if (row.isOpen && metric) {
      this.#addInstances(metric, depth + 1, rows);
    } else if (row.isOpen) {
      for (const child of node.children.values()) {
        this.#add(child, depth + 1, rows);
      }
    }
  }

  #opens(node) {
    const isMany = !node.metric && node.size > FEW;
    const byDefault = this.#search && !node.metric ? true
      : this.#isFewMetrics ? !node.metric || node.metric.instances <= 8
      : !node.metric && !node.path.includes('.') && (!isMany || node.children.size <= FEW);
    return this.#isOpen.get(node.path) ?? byDefault;
  }

  #addInstances(metric, depth, rows) {
    const known = this.#instances.get(metric.pmid);
    const total = known?.total ?? metric.instances;
    for (let index = 0; index < total; index++) {
      const instance = known?.names.get(index);
      rows.push({
        key: instance ? `${metric.name}[${instance.name}]` : `${metric.name} ${index}`,
        label: instance ? instance.name : '…',
        depth,
        metric,
        index,
        series: instance && seriesOf(metric, instance),
        instance
      });
    }
  }

  /** Folds or unfolds a row. */
  toggle(row, isOpen = !row.isOpen) {
    this.#isOpen.set(row.key, isOpen);
    if (!isOpen) {
      this.#instances.delete(row.metric?.pmid); // there may be others when it is unfolded again
    }
  }

  /** Folds or unfolds all parts of names. Metrics stay as they are: each may have many instances. */
  toggleAll(isOpen) {
    this.#isOpen.clear();
    const visit = node => {
      if (!node.metric) {
        this.#isOpen.set(node.path, isOpen);
        node.children.forEach(visit);
      } else if (!isOpen) {
        this.#isOpen.set(node.path, false);
      }
    };
    this.#root.children.forEach(visit);
  }

  /**
   * Sets instances of a metric, from an index on: a document of /api/v1. If there are others than
   * before, what was known of the rest is forgotten.
   *
   * @return whether anything is new
   */
  setInstances(metric, offset, {total, instances}) {
    const known = this.#instances.get(metric.pmid);
    const before = instances.map((_, index) => known?.names.get(offset + index));
    const isNew = before.some(one => !one);
    const isOther = known?.total !== total || before.some((one, index) =>
      one && (one.name !== instances[index].name || one.instance !== instances[index].instance));
    const names = isOther ? new Map() : known.names;
    instances.forEach((instance, index) => names.set(offset + index, instance));
    this.#instances.set(metric.pmid, {total, names});
    return isNew || isOther;
  }

  /** Forgets all instances, so that they are asked for again. */
  forgetInstances() {
    this.#instances.clear();
  }
}

/** The metrics of jmmv itself come last. */
function rank(metric) {
  return /^[^.]*\.control\./.test(metric.name) ? 1 : 0;
}
