// The charts that the user has chosen, and what they have in common.

import {get} from './api.js';
import {Chart, MAX_LINES} from './chart.js';
import {byId, el, setAttribute, setChildren, setText} from './dom.js';
import {clockTime} from './format.js';
import {instanceOf, keyOf, lineOf, metricOf} from './line.js';
import {notify} from './notice.js';
import {divisorForm, metricNamed, partsOf, ratioLine} from './ratio.js';
import {DEFAULT_WINDOW, Timeline} from './timeline.js';

const MAX_CHARTS = 12;
const LONGEST = 3600; // seconds: for so long what stands still is kept
const COLUMNS = 'jmmv-columns';

export class Charts {
  #charts = [];
  #served = new Map(); // metrics by name
  #awaited = []; // {keys, modes, place, chart} each: lines that were chosen, and not found yet
  #selected = Promise.resolve(); // after what was selected last: to find its instances takes a while
  #removed = []; // lines whose points are kept, because they may be put back
  #aimed = null; // the chart to which what is selected is added
  #timeline = new Timeline(() => this.#timeChanged());
  #cards = el('div.cards');
  #live;
  #changed;
  #actions;
  windows = [...document.querySelectorAll('[name="window"]')];
  pauseButton = byId('pause');
  zoomButton = byId('zoom-out');
  columns = byId('columns');

  /**
   * @param {object} listener changed(colours), called with the colours of charted rows by their keys;
   *     link(charts), which copies the address of some charts
   */
  constructor(live, listener) {
    this.#live = live;
    this.#changed = listener.changed;
    this.#actions = {
      remove: chart => this.#remove(chart),
      removeLine: (chart, line) => this.#removeLines(chart, [line], line.key),
      changed: () => this.#publish(),
      pointed: () => this.#charts.forEach(chart => chart.showCursor()),
      aim: chart => this.#aim(chart === this.#aimed ? null : chart),
      divide: chart => this.#divide(chart),
      notify,
      link: chart => listener.link([specOf(chart, [])])
    };
    byId('charts').append(this.#cards);
    this.#watchToolbar();
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => this.redraw());
    }
    this.#show();
  }

  // ---------------------------------------------------------------- what they have in common

  #watchToolbar() {
    this.windows.forEach(input => input.addEventListener('change', () => this.#timeline.setWindow(Number(input.value))));
    this.pauseButton.addEventListener('click', () => this.#timeline.pause(!this.#timeline.isPaused));
    this.zoomButton.addEventListener('click', () => this.#timeline.zoomOut());
    this.columns.addEventListener('change', () => this.#keepColumns());
    try {
      this.columns.value = localStorage.getItem(COLUMNS) ?? '';
    } catch {
      // storage is switched off: there are as many as there is room for
    }
    this.#cards.dataset.columns = this.columns.value;
    this.#showTime();
  }

  #keepColumns() {
    this.#cards.dataset.columns = this.columns.value;
    try {
      localStorage.setItem(COLUMNS, this.columns.value);
    } catch {
      // storage is switched off: the choice ends with the page
    }
  }

  #showTime() {
    const {isPaused, isZoomed, range: [from, to]} = this.#timeline;
    this.windows.forEach(input => { input.checked = Number(input.value) === this.#timeline.window; });
    setAttribute(this.pauseButton, 'aria-pressed', String(isPaused));
    setText(this.pauseButton, isPaused ? 'Resume' : 'Pause');
    this.zoomButton.hidden = !isZoomed;
    setText(byId('still'), isZoomed ? `${clockTime(from)} to ${clockTime(to)}` : isPaused ? `Paused at ${clockTime(to)}` : '');
  }

  #timeChanged() {
    this.#showTime();
    this.update();
    this.#publish();
  }

  /** Returns the window in minutes, or undefined if it is the usual one. */
  get window() {
    return this.#timeline.window === DEFAULT_WINDOW ? undefined : this.#timeline.window;
  }

  /** Shows new values. */
  update() {
    const lines = this.#charts.flatMap(chart => chart.lines);
    const first = lines.map(line => this.#live.read(line).points[0]?.time ?? Infinity);
    this.#timeline.setPoints(Math.min(...first), this.#live.time);
    const {isStill, range} = this.#timeline;
    this.#live.hold(isStill ? Math.max(range[0], this.#live.time - LONGEST) : Infinity);
    this.#charts.forEach(chart => chart.update());
  }

  /** Draws all charts in other colours. */
  redraw() {
    this.#charts.forEach(chart => chart.redraw());
  }

  // ---------------------------------------------------------------- choosing

  /**
   * Charts a row, a metric or one of its instances, or shows where it is charted.
   *
   * @param {boolean} isAdded whether it becomes a line of the last chart
   */
  select(row, isAdded) {
    const selected = this.#selected.then(() => this.#select(row, isAdded));
    this.#selected = selected.catch(() => {}); // the next one does not depend on it
    return selected;
  }

  async #select(row, isAdded) {
    const {metric, key} = row;
    const isWhole = row.index === undefined;
    if (!isWhole && !row.instance) {
      return; // its name is not known yet
    }
    const target = this.#aimed ?? (isAdded ? this.#charts.at(-1) : undefined);
    const there = this.#charts.find(chart => chart.whole.has(key) || chart.lines.some(line => line.key === key));
    if (!target && there) {
      point(there);
      return;
    }
    const {lines, total} = isWhole ? await this.#first(metric) : {lines: [lineOf(metric, row.instance)], total: 0};
    const ofMetric = isWhole ? undefined
      : this.#charts.find(chart => chart.metrics.length === 1 && chart.metrics[0] === metric.name);
    if (lines.length > 0) {
      const chart = this.#charts.includes(target) ? target : ofMetric; // or it was removed in between
      this.#add(chart, lines, total, isWhole && metric.name);
    }
  }

  /** Returns the first lines of a metric, and how many it has. There are none if the list has other metrics by now. */
  async #first(metric) {
    if (metric.over) {
      const {lines, total} = await this.#first(metric.over[0]);
      return {lines: await this.#ratios(metric, lines) ?? [], total};
    }
    if (metric.instances === undefined) {
      return {lines: [lineOf(metric)], total: 1};
    }
    const document = await get('instances', {pmid: metric.pmid, limit: MAX_LINES});
    return this.#live.isCurrent(document)
      ? {lines: document.instances.map(one => lineOf(metric, one)), total: document.total} : {lines: [], total: 0};
  }

  /** Has a metric chosen by which that of a chart is divided, and charts the ratio. */
  #divide(chart) {
    const {divide, lines: [{metric}]} = chart;
    if (divide.nextSibling.matches('form')) {
      divide.nextSibling.remove();
      return;
    }
    divide.after(divisorForm(metric, [...this.#served.values()], async divisor => {
      const name = `${metric.name}/${divisor.name}`;
      const keys = chart.whole.has(metric.name) ? [name] : chart.lines.map(line => keyOf(name, line.name || undefined));
      const spec = {keys, modes: [], place: MAX_CHARTS, chart: undefined};
      this.#awaited.push(spec);
      await this.#addAwaited();
      if (spec.chart) {
        spec.chart.close.focus();
        point(spec.chart);
      } else {
        this.#awaited = this.#awaited.filter(one => one !== spec);
        notify(`${divisor.name} has none of these instances.`);
      }
    }));
    divide.nextSibling.querySelector('input').focus();
  }

  /** Adds lines to a chart, or a chart of them. Returns the chart, or undefined if there is no room. */
  #add(target, lines, total, whole, {modes, place} = {modes: [], place: MAX_CHARTS}) {
    if (!target && this.#isFull()) {
      return undefined;
    }
    const chart = target ?? new Chart(this.#live, this.#timeline, this.#actions);
    if (!target) {
      chart.modes = modes;
      chart.place = place;
    }
    const refusal = chart.add(lines, total);
    if (refusal) {
      notify(refusal);
      return undefined;
    }
    if (whole) {
      chart.whole.add(whole);
    }
    if (!target) {
      const next = this.#charts.findIndex(one => one.place > place);
      this.#charts.splice(next < 0 ? this.#charts.length : next, 0, chart);
    }
    this.#show();
    return chart;
  }

  #isFull() {
    const isFull = this.#charts.length === MAX_CHARTS;
    if (isFull) {
      notify(`There are ${MAX_CHARTS} charts, which is the limit. Remove one first.`);
    }
    return isFull;
  }

  #aim(chart) {
    this.#aimed = chart;
    this.#charts.forEach(one => setAttribute(one.aimed, 'aria-pressed', String(one === chart)));
  }

  // ---------------------------------------------------------------- removing

  /** Removes what a row has charted: lines of a chart, or all of it. */
  removeRow({key}) {
    const isOfRow = line => line.key === key || line.metric.name === key;
    const chart = this.#charts.find(one => one.lines.some(isOfRow));
    if (chart) {
      this.#removeLines(chart, chart.lines.filter(isOfRow), key);
    }
  }

  #remove(chart) {
    const index = this.#charts.indexOf(chart);
    const hadFocus = chart.element.contains(document.activeElement);
    const awaited = this.#awaited.filter(spec => spec.chart === chart);
    this.#charts.splice(index, 1);
    this.#awaited = this.#awaited.filter(spec => spec.chart !== chart);
    if (chart === this.#aimed) {
      this.#aim(null);
    }
    this.#forgettable(`The chart of ${chart.name} was removed.`, chart.lines, () => {
      if (this.#isFull()) {
        return;
      }
      this.#charts.splice(Math.min(index, this.#charts.length), 0, chart);
      this.#awaited.push(...awaited);
      this.#show();
      this.setMetrics([...this.#served.values()]).catch(() => {}); // the lines may have other numbers by now
      chart.close.focus();
    });
    this.#show();
    if (hadFocus) {
      const next = this.#charts[index] ?? this.#charts.at(-1);
      (next?.close ?? byId('grid')).focus();
    }
  }

  #removeLines(chart, lines, name) {
    if (lines.length === chart.lines.length) {
      this.#remove(chart);
      return;
    }
    const before = {lines: chart.lines, whole: chart.whole};
    const hadFocus = chart.list.contains(document.activeElement);
    chart.removeLines(lines);
    this.#forgettable(`${name} was removed.`, lines, () => {
      if (this.#charts.includes(chart) && chart.putBack(lines, before)) {
        this.#show();
        this.setMetrics([...this.#served.values()]).catch(() => {}); // they may have other numbers by now
      }
    });
    this.#show();
    if (hadFocus) {
      (chart.list.querySelector('.line') ?? chart.close).focus();
    }
  }

  /** Says what was removed. Until that is forgotten, points of the lines are kept. */
  #forgettable(text, lines, undo) {
    const forget = () => {
      this.#removed = this.#removed.filter(line => !lines.includes(line));
    };
    notify(text, () => {
      forget();
      undo();
    }, forget);
    this.#removed.push(...lines);
  }

  // ---------------------------------------------------------------- what is shown

  #show() {
    setChildren(this.#cards, this.#charts.map(({element}) => element));
    byId('uncharted').hidden = this.#charts.length > 0;
    byId('charts').classList.toggle('none', this.#charts.length === 0);
    setText(byId('chart-count'), this.#charts.length > 0 ? String(this.#charts.length) : '');
    this.#publish();
    this.update();
  }

  /** Has the lines read, and the rows marked. */
  #publish() {
    const colours = new Map();
    for (const chart of this.#charts) {
      for (const line of chart.lines) {
        colours.set(line.key, `var(${line.colour})`);
        colours.set(line.metric.name, colours.get(line.metric.name) ?? 'var(--line-1)');
      }
    }
    this.#live.setCharted([...this.#charts.flatMap(chart => chart.lines),
      ...this.#removed.map(line => ({...line, isServed: false}))].flatMap(partsOf));
    this.#changed(colours);
  }

  /** Returns whether nothing is charted. */
  get isEmpty() {
    return this.#charts.length === 0;
  }

  /** Returns the charts for the address: {keys, modes} each. */
  specs() {
    return [...this.#charts.map(chart => specOf(chart, this.#awaited)), ...this.#awaited.filter(spec => !spec.chart)]
      .sort((one, other) => one.place - other.place).map(({keys, modes}) => ({keys, modes}));
  }

  /** Shows some charts instead of others, as soon as there are such metrics and instances. */
  async choose(specs, minutes) {
    this.#timeline.setWindow(minutes);
    if (JSON.stringify(specs) === JSON.stringify(this.specs())) {
      return; // what is drawn stays
    }
    this.#charts = [];
    this.#aim(null);
    this.#awaited = specs.slice(0, MAX_CHARTS).map(({keys, modes}, place) =>
      ({keys: keys.slice(0, MAX_LINES), modes, place, chart: undefined}));
    if (specs.length > MAX_CHARTS) {
      notify(`The address has ${specs.length} charts. The first ${MAX_CHARTS} are shown, which is the limit.`);
    }
    await this.#addAwaited();
  }

  async #addAwaited() {
    for (const spec of [...this.#awaited]) {
      const {keys: all, chart} = spec;
      for (const [name, keys] of Map.groupBy(all, metricOf)) {
        const metric = metricNamed(name, this.#served);
        if (!metric) {
          continue;
        }
        const {lines, total} = keys.includes(name) ? await this.#first(metric)
          : {lines: await this.#find(metric, keys.map(instanceOf)) ?? [], total: 0};
        const isWhole = keys.includes(name);
        const found = isWhole ? keys : lines.map(line => line.key);
        if (lines.length > 0 && this.#awaited.includes(spec) && found.every(key => spec.keys.includes(key))) {
          spec.keys = spec.keys.filter(key => !found.includes(key));
          spec.chart = this.#add(spec.chart, lines, total, isWhole && name, spec) ?? spec.chart;
        }
      }
      if (!chart) {
        spec.chart?.arrange(all); // the server has another order
      }
    }
    this.#awaited = this.#awaited.filter(spec => spec.keys.length > 0);
    this.#show();
  }

  /** Sets the metrics that are served now. A chart stays when its metric ends, and goes on when it returns. */
  async setMetrics(metrics) {
    this.#served = new Map(metrics.map(metric => [metric.name, metric]));
    this.#charts.flatMap(chart => chart.lines).forEach(line => { line.isServed = false; }); // until it is found
    this.#publish();
    await this.#follow();
    await this.#addAwaited();
  }

  /** Looks again for instances that had no value, and so were not found. */
  async findMissing() {
    await this.#addAwaited();
    await this.#follow();
  }

  async #follow() {
    await Promise.all(this.#charts.flatMap(chart => chart.metrics.map(async name => {
      const lines = chart.lines.filter(line => line.metric.name === name);
      const metric = metricNamed(name, this.#served);
      if (lines.some(line => !line.isServed)) {
        const found = metric ? await this.#find(metric, lines.map(line => line.name)) : [];
        chart.follow(name, metric, found);
        if (found && metric?.instances !== undefined && chart.whole.has(name)) {
          const first = await this.#first(metric);
          if (first.total > 0) { // or else the names are other ones by now
            chart.renew(first.lines, first.total);
          }
        }
        this.#publish();
      }
    })));
  }

  /** Returns the lines of a ratio of which there are lines of the first metric; null if nobody knows. */
  async #ratios(metric, lines) {
    const [, below] = metric.over;
    const others = await this.#find(below, lines.map(({name}) => name));
    return others && lines.flatMap(line => {
      const other = below.instances === undefined ? others[0] : others.find(({name}) => name === line.name);
      return other ? [ratioLine(metric, line, other)] : [];
    });
  }

  /** Returns the lines of a metric that have one of some names now; null if nobody knows. */
  async #find(metric, names) {
    if (metric.over) {
      const lines = await this.#find(metric.over[0], names);
      return lines && this.#ratios(metric, lines);
    }
    if (metric.instances === undefined) {
      return [lineOf(metric)];
    }
    const found = [];
    const missing = new Set(names);
    const documents = [];
    try {
      for (let offset = 0; offset !== undefined && missing.size > 0;) {
        const document = await get('instances', {pmid: metric.pmid, offset});
        documents.push(document);
        for (const one of document.instances.filter(({name}) => names.includes(name))) {
          found.push(lineOf(metric, one));
          missing.delete(one.name);
        }
        offset = document.next;
      }
    } catch {
      return null; // the metric is gone, or the connection: they are looked for again
    }
    return documents.every(document => this.#live.isCurrent(document)) ? found : null;
  }
}

/** Returns what the address has of a chart. */
function specOf(chart, awaited) {
  const keys = chart.lines.map(line => chart.whole.has(line.metric.name) ? line.metric.name : line.key);
  const missing = awaited.filter(spec => spec.chart === chart).flatMap(spec => spec.keys);
  return {keys: [...new Set([...keys, ...missing])], modes: chart.modes, place: chart.place};
}

/** Shows where a chart is. */
function point({element}) {
  element.scrollIntoView({block: 'nearest'});
  element.classList.add('pointed');
  setTimeout(() => element.classList.remove('pointed'), 1500);
}
