// The names as a tree, and the rows that it shows. A part of names with one child is one row with
// it, as in jmmv top.

import {parse} from './search.js';
import {seriesOf} from './series.js';

const FEW = 100; // rows: a tree of at most this number of metrics is unfolded at first
const FEW_INSTANCES = 8; // as many as lines in a chart: a metric of at most this number is unfolded at first

/** A part of names, or a metric. */
class Node {
  children = null; // by label; null: it has none
  metric = null;
  size = 0; // metrics below that are shown
  row = null; // that of a metric without instances

  constructor(parent, label, path) {
    this.parent = parent;
    this.label = label;
    this.path = path;
  }

  /** Returns the children with metrics that are shown. */
  get shown() {
    return [...this.children?.values() ?? []].filter(child => child.size > 0);
  }
}

export class Tree {
  #root = new Node(null, '', '');
  #nodes = []; // all of them
  #leaves = []; // those of the metrics
  #isOpen = new Map(); // by path, where the user has decided
  #instances = new Map(); // of unfolded metrics, by PMID: {words, total, names}
  #isFewMetrics = true;
  #text = ''; // of the search
  #found = new Map(); // metrics that have words of it in instances or labels: numbers of instances by name
  metrics = [];
  byName = new Map();
  words = []; // of the search
  hasFacets = null; // tells whether a metric has the facets of the search; null: there are none
  shown = []; // metrics that match it

  /** Sets the metrics of /api/v1. */
  setMetrics(metrics) {
    this.metrics = metrics.toSorted((one, other) => rank(one) - rank(other)
      || (one.name < other.name ? -1 : 1));
    this.byName = new Map(metrics.map(metric => [metric.name, metric]));
    this.#isFewMetrics = metrics.length <= FEW;
    for (const metric of metrics) {
      metric.text = `${metric.name} ${metric.help} ${metric.units}`.toLowerCase();
    }
    this.#root = new Node(null, '', '');
    this.#nodes = [];
    this.#leaves = this.metrics.map(metric => Object.assign(this.#nodeOf(metric.name), {metric}));
    this.#build();
  }

  /** Shows only what matches a search. */
  search(text) {
    if (!text.startsWith(this.#text)) {
      this.#found.clear(); // or else it has what will be found, and some more
    }
    this.#text = text;
    this.#build();
  }

  /** Sets what is found by instances and labels: a document of /api/v1. Returns whether that may change anything. */
  setFound({metrics}) {
    const isEmpty = this.#found.size === 0 && metrics.length === 0;
    this.#found = new Map(metrics.map(({name, instances}) => [name, instances]));
    if (!isEmpty) {
      this.#build();
    }
    return !isEmpty;
  }

  /** Returns the words that instances of a metric must have: all, unless the metric itself has them. */
  wordsFor(metric) {
    return this.#found.get(metric.name) > 0 && !this.#hasWords(metric.text) ? this.words : [];
  }

  #hasWords(text) {
    return this.words.every(word => text.includes(word));
  }

  #build() {
    const {words, hasFacets} = parse(this.#text, this.metrics);
    this.words = words;
    this.hasFacets = hasFacets;
    this.#nodes.forEach(node => { node.size = 0; });
    this.shown = this.metrics.filter((metric, index) => {
      const isShown = (this.#hasWords(metric.text) || this.#found.has(metric.name)) && (!hasFacets || hasFacets(metric));
      for (let node = isShown ? this.#leaves[index] : null; node; node = node.parent) {
        node.size++;
      }
      return isShown;
    });
  }

  /** Returns the node of a name, which is made if there is none. */
  #nodeOf(name) {
    let node = this.#root;
    for (const part of name.split('.')) {
      node.children ??= new Map();
      let child = node.children.get(part);
      if (!child) {
        child = new Node(node, part, node.path ? `${node.path}.${part}` : part);
        node.children.set(part, child);
        this.#nodes.push(child);
      }
      node = child;
    }
    return node;
  }

  /** Returns the rows: {key, label, depth, size, isOpen, metric, series, index}. */
  rows() {
    const rows = [];
    for (const child of this.#root.shown) {
      this.#add(child, 0, rows);
    }
    return rows;
  }

  #add(start, depth, rows) {
    let node = start;
    let label = node.label;
    let {shown} = node;
    while (!node.metric && shown.length === 1) {
      [node] = shown;
      ({shown} = node);
      label += `.${node.label}`;
    }
    const {metric} = node;
    if (metric && metric.instances === undefined) {
      if (node.row?.label !== label || node.row.depth !== depth) {
        node.row = {key: node.path, label, depth, metric, series: seriesOf(metric)};
      }
      rows.push(node.row);
      return;
    }
    const row = {key: node.path, label, depth, metric, size: node.size, isOpen: this.#opens(node, shown)};
    rows.push(row);
    if (row.isOpen && metric) {
      this.#addInstances(metric, depth + 1, rows);
    } else if (row.isOpen) {
      shown.forEach(child => this.#add(child, depth + 1, rows));
    }
  }

  #opens(node, shown) {
    const isMany = !node.metric && node.size > FEW;
    const byDefault = node.metric && this.wordsFor(node.metric).length > 0 ? this.#found.get(node.metric.name) <= FEW_INSTANCES
      : this.#text.trim() && !node.metric ? true
      : this.#isFewMetrics ? !node.metric || node.metric.instances <= FEW_INSTANCES
      : !node.metric && !node.path.includes('.') && (!isMany || shown.length <= FEW);
    return this.#isOpen.get(node.path) ?? byDefault;
  }

  #addInstances(metric, depth, rows) {
    const words = this.wordsFor(metric);
    const known = this.#known(metric, words);
    const total = known?.total ?? (words.length > 0 ? this.#found.get(metric.name) : metric.instances);
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

  /** Returns what is known of the instances that have some words. */
  #known({pmid}, words) {
    const known = this.#instances.get(pmid);
    return known?.words === words.join(' ') ? known : undefined;
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
        node.shown.forEach(visit);
      } else if (!isOpen) {
        this.#isOpen.set(node.path, false);
      }
    };
    this.#root.shown.forEach(visit);
  }

  /**
   * Sets instances of a metric that have some words, from an index on: a document of /api/v1. If there are
   * others than before, what was known of the rest is forgotten.
   *
   * @return whether anything is new
   */
  setInstances(metric, words, offset, {total, instances}) {
    const known = this.#known(metric, words);
    const before = instances.map((_, index) => known?.names.get(offset + index));
    const isNew = before.some(one => !one);
    const isOther = known?.total !== total || before.some((one, index) =>
      one && (one.name !== instances[index].name || one.instance !== instances[index].instance));
    const names = isOther ? new Map() : known.names;
    instances.forEach((instance, index) => names.set(offset + index, instance));
    this.#instances.set(metric.pmid, {words: words.join(' '), total, names});
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
