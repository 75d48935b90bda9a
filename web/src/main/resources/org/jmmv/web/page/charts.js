// Charts of the metrics that the user has chosen, with a line for each instance.

import uPlot from './uplot-1.6.30/uPlot.esm.js';
import {get} from './api.js';
import {byId, el, setAttribute, setText} from './dom.js';
import {count, formatRate, formatTick, formatValue, printable} from './format.js';
import {kindOf, seriesOf} from './live.js';

const MAX_CHARTS = 8;
const MAX_LINES = 8; // of a chart: as many colours can be told apart
const HEIGHT = 150;
const SHORTEST = 60; // seconds

// Steps of an axis: of numbers, and of bytes, whose units are powers of 1024.
const STEPS = Array.from({length: 324}, (_, i) => [1, 2, 5].map(step => Number(`${step}e${i - 16}`))).flat();
const BYTE_STEPS = Array.from({length: 10}, (_, i) => STEPS.filter(step => step < 1000 && (i === 0 || step >= 1))
  .map(step => step * 1024 ** i)).flat();

/** Returns a colour of the style sheet as the canvas takes it. */
function colour(name) {
  const probe = el('span', {hidden: true});
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/** Returns a line of a chart: for an instance of a metric, or for the only value. */
function lineOf(metric, instance) {
  return {
    metric,
    series: seriesOf(metric, instance),
    name: instance?.name ?? '',
    key: instance ? `${metric.name}[${instance.name}]` : metric.name, // of its row
    isServed: true, // whether its values are asked for
    isMissing: false // whether it was looked for in vain
  };
}

/** A chart of a metric: of some of its instances, or of its only value. */
class Chart {
  #live;
  #plot = null;
  #place = el('div.plot');
  #total = 0; // instances
  #ended = null; // when the metric was found to be gone
  lines = [];

  constructor(metric, live, remove) {
    this.metric = metric;
    this.#live = live;
    this.list = el('ul.legend');
    this.note = el('p.muted', {role: 'status'});
    this.help = el('p.help', {}, printable(metric.help));
    this.details = el('dl.details');
    this.element = el('article.card', {},
      el('div.head', {},
        el('h3', {title: metric.name}, metric.name),
        el('button.close', {type: 'button', 'aria-label': `Remove the chart of ${metric.name}`, click: remove}, '×')),
      this.help,
      this.#place,
      this.list,
      this.note,
      el('details', {toggle: event => event.target.open && this.#describe()},
        el('summary', {}, 'Details'), this.details));
    new ResizeObserver(() => this.#resize()).observe(this.#place);
  }

  /** Sets the lines of instances, of which there are `total`. */
  setLines(lines, total) {
    this.#total = total;
    this.lines = lines.map((line, index) => ({
      ...line,
      colour: `--line-${index % MAX_LINES + 1}`,
      value: el('span.number')
    }));
    this.#showNote();
    this.redraw();
  }

  /**
   * Goes on with lines that were found: those of an application that was started anew may have
   * other numbers. Lines that were not found stay as they are.
   *
   * @param {object|undefined} metric the metric as it is now
   */
  follow(metric, found) {
    for (const line of this.lines.filter(one => !one.isServed)) {
      const now = found.find(one => one.series === line.series) ?? found.find(one => one.name === line.name);
      if (now) {
        if (kindOf(now.metric) === kindOf(line.metric)) { // or else the line begins anew
          this.#live.move(line.series, now.series);
        }
        Object.assign(line, now);
      } else {
        line.isMissing = true;
        this.#live.of(line.series).interrupt();
      }
    }
    this.#ended = metric ? null : this.#ended ?? new Date();
    this.element.classList.toggle('ended', !metric);
    this.#showNote();
    if (metric?.pmid !== this.metric.pmid) {
      this.details.parentElement.open = false; // they may be those of another metric
    }
    const isOther = metric && kindOf(metric) !== kindOf(this.metric);
    this.metric = metric ?? this.metric;
    setText(this.help, printable(this.metric.help));
    if (isOther) {
      this.redraw();
    }
  }

  #showNote() {
    setText(this.note, this.#ended ? `Ended at ${this.#ended.toLocaleTimeString('en-GB')}; goes on if the metric returns`
      : this.#total > this.lines.length
        ? `${this.lines.length} of ${count(this.#total, 'instance')}: choose others in the list` : '');
  }

  /** Draws the chart and its legend anew, for other lines, units or colours. */
  redraw() {
    this.list.replaceChildren(...this.lines.map(line => {
      const mark = el('span.mark', {'aria-hidden': 'true'});
      mark.style.background = `var(${line.colour})`;
      const name = line.name || this.metric.units || 'value';
      return el('li', {}, mark, el('bdi.name', {title: name}, printable(name)), line.value);
    }));
    this.#plot?.destroy();
    this.#plot = null;
    if (this.metric.type !== 'string' && this.lines.length > 0) {
      this.#create();
    }
    this.update();
  }

  #create() {
    const grid = {stroke: colour('--grid'), width: 1};
    const axis = {stroke: colour('--muted'), grid, ticks: {show: false}, font: '11px system-ui, sans-serif'};
    this.#plot = new uPlot({
      width: Math.max(100, this.#place.clientWidth),
      height: HEIGHT,
      padding: [8, 12, 0, 0],
      legend: {show: false},
      cursor: {y: false, drag: {x: false, y: false}},
      scales: {
        x: {range: (_, from, to) => [Math.min(from, to - SHORTEST), to]},
        y: {range: (_, low, high) => range(low, high)}
      },
      axes: [
        {...axis, size: 24, space: 70, values: [
          [60, '{HH}:{mm}', null, null, null, null, null, null, 1],
          [1, '{HH}:{mm}:{ss}', null, null, null, null, null, null, 1]
        ]},
        {...axis, size: 46, gap: 6, space: 32, incrs: this.metric.rate?.larger ? BYTE_STEPS : STEPS,
          values: (_, ticks) => ticks.map(tick => formatTick(this.metric, tick))}
      ],
      series: [{}, ...this.lines.map(line => ({
        stroke: colour(line.colour), width: 1.75, points: {show: false}, spanGaps: false
      }))],
      hooks: {setCursor: [() => this.#legend()]}
    }, this.#data(), this.#place);
  }

  #data() {
    const points = this.lines.map(line => this.#live.of(line.series).points ?? []);
    const times = [...new Set(points.flat().map(({time}) => time))].sort((one, other) => one - other);
    if (times.length === 0) {
      times.push(Date.now() / 1000); // for the axis
    }
    return [times, ...points.map(line => {
      const numbers = new Map(line.map(({time, number}) => [time, number]));
      return times.map(time => numbers.get(time)); // undefined, which is no gap, at a time of other lines
    })];
  }

  /** Shows new values. */
  update() {
    this.#plot?.setData(this.#data());
    this.#legend();
  }

  /** Shows the values under the cursor, or else the last ones. */
  #legend() {
    const time = this.#plot?.data[0][this.#plot.cursor.idx];
    const {rate, units} = this.metric;
    for (const line of this.lines) {
      const {value, rate: perSecond, points} = this.#live.of(line.series);
      const {number, text} = time === undefined ? {number: perSecond, text: value}
        : points?.find(point => point.time === time) ?? {number: null, text: null};
      const isMissing = time === undefined && line.isMissing;
      const shown = rate ? formatRate(rate, number) : text === null ? '' : `${formatValue(this.metric, text)} ${units}`;
      setText(line.value, isMissing ? 'no value' : shown.trim());
      setAttribute(line.value, 'title', rate || isMissing ? null : text);
    }
  }

  #resize() {
    const width = this.#place.clientWidth;
    if (this.#plot && width > 0 && width !== this.#plot.width) {
      this.#plot.setSize({width, height: HEIGHT});
    }
  }

  async #describe() {
    const known = await get('metric', {pmid: this.metric.pmid});
    const labels = Object.entries(known?.labels ?? {}).map(([name, json]) => `${name}=${json}`).join('\n');
    const facts = [
      ['Description', known?.text],
      ['Units', known?.units || 'none'],
      ['Type', `${known?.type}, ${known?.semantics}`],
      ['PMID', known?.pmid],
      ['Labels', labels]
    ];
    this.details.replaceChildren(...facts.filter(([, text]) => text)
      .flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, printable(text))]));
  }
}

/** Returns where an axis begins and ends: at 0, unless there are negative numbers. */
function range(low, high) {
  if (low === null || high === null) {
    return [0, 1];
  }
  const room = (Math.max(high, 0) - Math.min(low, 0)) * 0.05 || 1;
  const end = number => Math.max(-Number.MAX_VALUE / 2, Math.min(Number.MAX_VALUE / 2, number)); // of a range that is finite
  return [low < 0 ? end(low - room) : 0, high > 0 || low === 0 ? end(high + room) : 0];
}

export class Charts {
  #charts = new Map(); // by metric name
  #served = new Map(); // metrics by name
  #awaited = []; // keys of lines that were chosen, and not found yet
  #place = byId('charts');
  #live;
  #changed;

  /** @param {function(Map)} changed called with the colours of charted rows by their keys */
  constructor(live, changed) {
    this.#live = live;
    this.#changed = changed;
    this.#show();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
  }

  /** Adds or removes the chart of a row: of a metric, or of one of its instances. */
  async toggle(row) {
    const {metric} = row;
    const name = metric.name;
    if (row.index !== undefined && row.instance) {
      const before = this.#charts.get(name)?.lines ?? [];
      const rest = before.filter(one => one.series !== row.series);
      const after = rest.length < before.length ? rest
        : [...before, lineOf(metric, row.instance)].slice(-MAX_LINES);
      if (after.length === 0) {
        this.#remove(name);
        return;
      }
      this.#add(metric).setLines(after, 0);
    } else if (row.index === undefined && this.#charts.has(name)) {
      this.#remove(name);
      return;
    } else if (row.index === undefined) {
      if (metric.instances === undefined) {
        this.#add(metric).setLines([lineOf(metric)], 1);
      } else {
        const first = await get('instances', {pmid: metric.pmid, limit: MAX_LINES});
        if (!this.#live.isCurrent(first)) {
          return; // the list has other metrics by now
        }
        this.#add(metric).setLines(first.instances.map(one => lineOf(metric, one)), first.total);
      }
    }
    this.#show();
  }

  #add(metric) {
    let chart = this.#charts.get(metric.name);
    if (!chart) {
      chart = new Chart(metric, this.#live, () => this.#remove(metric.name));
      this.#charts.set(metric.name, chart);
      while (this.#charts.size > MAX_CHARTS) {
        this.#remove(this.#charts.keys().next().value);
      }
    }
    return chart;
  }

  #remove(name) {
    const charts = [...this.#charts.keys()];
    const next = charts[charts.indexOf(name) + 1] ?? charts[charts.indexOf(name) - 1];
    const hadFocus = this.#charts.get(name)?.element.contains(document.activeElement);
    this.#charts.delete(name);
    this.#show();
    if (hadFocus) {
      (this.#charts.get(next)?.element.querySelector('.close') ?? byId('grid')).focus();
    }
  }

  #show() {
    const empty = el('div.empty', {}, el('p', {}, 'Nothing is charted.'),
      el('p.muted', {}, 'Choose a metric in the list to see how it changes, one line for each instance.'));
    const cards = [...this.#charts.values()].map(chart => chart.element);
    this.#place.replaceChildren(...(cards.length ? cards : [empty]));
    this.#place.classList.toggle('none', cards.length === 0);
    this.#publish();
  }

  /** Has the lines read, and the rows marked. */
  #publish() {
    const colours = new Map();
    for (const [name, chart] of this.#charts) {
      colours.set(name, 'var(--line-1)');
      chart.lines.forEach((line, index) => colours.set(line.key, `var(--line-${index + 1})`));
    }
    this.#live.setCharted([...this.#charts.values()].flatMap(chart => chart.lines));
    this.#changed(colours);
    this.#charts.forEach(chart => chart.update());
  }

  /** Shows new values. */
  update() {
    this.#charts.forEach(chart => chart.update());
  }

  /** Draws all charts in other colours. */
  redraw() {
    this.#charts.forEach(chart => chart.redraw());
  }

  /** Returns whether nothing is charted. */
  get isEmpty() {
    return this.#charts.size === 0;
  }

  /** Returns the keys of all lines, for {@link choose}. */
  keys() {
    return [...[...this.#charts.values()].flatMap(chart => chart.lines.map(line => line.key)), ...this.#awaited];
  }

  /** Shows the lines of some keys instead of others, as soon as there are such metrics and instances. */
  async choose(keys) {
    if (keys.join('\n') === this.keys().join('\n')) {
      return; // what is drawn stays
    }
    this.#charts.clear();
    this.#awaited = keys.slice(0, MAX_CHARTS * MAX_LINES);
    await this.#addAwaited();
  }

  async #addAwaited() {
    const byName = Map.groupBy(this.#awaited, key => key.split('[', 1)[0]); // names have no bracket
    for (const [name, keys] of byName) {
      const metric = this.#served.get(name);
      const lines = metric ? await this.#find(metric, keys.map(key => key.slice(name.length + 1, -1))) : [];
      const found = lines.filter(line => keys.includes(line.key) && this.#awaited.includes(line.key));
      if (found.length > 0) {
        this.#awaited = this.#awaited.filter(key => !found.some(line => line.key === key));
        const chart = this.#add(metric);
        chart.setLines([...chart.lines, ...found].slice(-MAX_LINES), 0);
      }
    }
    this.#show();
  }

  /** Sets the metrics that are served now. A chart stays when its metric ends, and goes on when it returns. */
  async setMetrics(metrics) {
    this.#served = new Map(metrics.map(metric => [metric.name, metric]));
    const charts = [...this.#charts.values()];
    charts.flatMap(chart => chart.lines).forEach(line => { line.isServed = false; }); // until it is found
    this.#publish();
    await this.#follow(charts);
    await this.#addAwaited();
  }

  /** Looks again for instances that had no value, and so were not found. */
  async findMissing() {
    await this.#addAwaited();
    await this.#follow([...this.#charts.values()].filter(chart =>
      this.#served.has(chart.metric.name) && chart.lines.some(line => line.isMissing)));
  }

  async #follow(charts) {
    await Promise.all(charts.map(async chart => {
      const metric = this.#served.get(chart.metric.name);
      chart.follow(metric, metric ? await this.#find(metric, chart.lines.map(line => line.name)) : []);
      this.#publish();
    }));
  }

  /** Returns the lines of a metric that have one of some names now. */
  async #find(metric, names) {
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
      return []; // the metric is gone, or the connection: they are looked for again
    }
    return documents.every(document => this.#live.isCurrent(document)) ? found : [];
  }
}
