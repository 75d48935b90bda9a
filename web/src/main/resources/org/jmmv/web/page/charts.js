// Charts of the metrics that the user has chosen, with a line for each instance.

import uPlot from './uplot-1.6.30/uPlot.esm.js';
import {get} from './api.js';
import {byId, el, setText} from './dom.js';
import {count, formatRate, formatTick, formatValue, printable} from './format.js';

const MAX_CHARTS = 8;
const MAX_LINES = 8; // of a chart: as many colours can be told apart
const HEIGHT = 150;
const SHORTEST = 60; // seconds

/** Returns a colour of the style sheet as the canvas takes it. */
function colour(name) {
  const probe = el('span', {hidden: true});
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/** A chart of a metric: of some of its instances, or of its only value. */
class Chart {
  #live;
  #plot = null;
  #place = el('div.plot');
  #lines = []; // {id, name, value}

  constructor(metric, live, remove) {
    this.metric = metric;
    this.#live = live;
    this.list = el('ul.legend');
    this.note = el('p.muted');
    this.details = el('dl.details');
    this.element = el('article.card', {},
      el('div.head', {},
        el('h3', {title: metric.name}, metric.name),
        el('button.close', {type: 'button', 'aria-label': `Remove the chart of ${metric.name}`, click: remove}, '×')),
      el('p.help', {}, printable(metric.help)),
      this.#place,
      this.list,
      this.note,
      el('details', {toggle: event => event.target.open && this.#describe()},
        el('summary', {}, 'Details'), this.details));
    new ResizeObserver(() => this.#resize()).observe(this.#place);
  }

  /** Returns the series of the lines. */
  get series() {
    return this.#lines.map(line => line.id);
  }

  /** Sets the instances: {id, name} each. */
  setLines(lines, total) {
    this.#lines = lines.map((line, index) => ({
      ...line,
      colour: `--line-${index % MAX_LINES + 1}`,
      value: el('span.number')
    }));
    this.list.replaceChildren(...this.#lines.map(line => {
      const mark = el('span.mark', {'aria-hidden': 'true'});
      mark.style.background = `var(${line.colour})`;
      return el('li', {}, mark, el('span.name', {title: line.name}, printable(line.name)), line.value);
    }));
    setText(this.note, total > lines.length
      ? `${lines.length} of ${count(total, 'instance')}: choose others in the list` : '');
    this.redraw();
  }

  /** Draws the chart anew, for other lines or colours. */
  redraw() {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.metric.type !== 'string' && this.#lines.length > 0) {
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
        {...axis, size: 46, gap: 6, space: 32, values: (_, ticks) => ticks.map(tick => formatTick(tick * this.#factor))}
      ],
      series: [{}, ...this.#lines.map(line => ({
        stroke: colour(line.colour), width: 1.75, points: {show: false}, spanGaps: false
      }))],
      hooks: {setCursor: [() => this.#legend()]}
    }, this.#data(), this.#place);
  }

  get #factor() {
    return this.metric.rate?.factor ?? 1;
  }

  #data() {
    const times = [...new Set(this.#lines.flatMap(line =>
      this.#live.of(line.id).points?.map(([time]) => time) ?? []))].sort((one, other) => one - other);
    if (times.length === 0) {
      times.push(Date.now() / 1000); // for the axis
    }
    return [times, ...this.#lines.map(line => {
      const points = new Map(this.#live.of(line.id).points ?? []);
      return times.map(time => points.get(time) ?? null);
    })];
  }

  /** Shows new values. */
  update() {
    this.#plot?.setData(this.#data());
    this.#legend();
  }

  /** Shows the values under the cursor, or else the last ones. */
  #legend() {
    const index = this.#plot?.cursor.idx;
    this.#lines.forEach((line, place) => {
      const known = this.#live.of(line.id);
      const under = index === null || index === undefined ? undefined : this.#plot.data[place + 1][index];
      const {rate} = this.metric;
      const text = rate ? formatRate(rate, under === undefined ? known.rate : under)
        : `${under === undefined ? formatValue(this.metric, known.value) : under ?? ''} ${this.metric.units}`;
      setText(line.value, text.trim());
    });
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
  return [low < 0 ? low - room : 0, high > 0 ? high + room : 0];
}

export class Charts {
  #charts = new Map(); // by metric name
  #chosen = new Map(); // instances that the user has chosen: [{id, name}], by metric name
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
      const line = {id: row.series, name: row.label, key: row.key};
      const before = this.#chosen.get(name) ?? [];
      const rest = before.filter(one => one.id !== line.id);
      const after = rest.length < before.length ? rest : [...before, line].slice(-MAX_LINES);
      if (after.length === 0) {
        this.#remove(name);
        return;
      }
      this.#chosen.set(name, after);
      this.#add(metric).setLines(after, 0);
    } else if (row.index === undefined && this.#charts.has(name)) {
      this.#remove(name);
      return;
    } else if (row.index === undefined) {
      const chart = this.#add(metric);
      if (metric.instances === undefined) {
        chart.setLines([{id: metric.pmid, name: metric.units || 'value', key: name}], 1);
      } else {
        const first = await get('instances', {pmid: metric.pmid, limit: MAX_LINES});
        const lines = first.instances.map((one, index) =>
          ({id: `${metric.pmid}:${one.instance}`, name: one.name, key: `${name}[${index}]`}));
        this.#chosen.set(name, lines);
        chart.setLines(lines, first.total);
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
    this.#chosen.delete(name);
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
    const colours = new Map();
    for (const [name, chart] of this.#charts) {
      colours.set(name, 'var(--line-1)');
      this.#chosen.get(name)?.forEach((line, index) => colours.set(line.key, `var(--line-${index + 1})`));
    }
    this.#live.setCharted([...this.#charts.values()].flatMap(chart => chart.series));
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

  /** Removes charts of metrics that are gone. */
  retain(isKnown) {
    [...this.#charts.keys()].filter(name => !isKnown(name)).forEach(name => this.#remove(name));
  }
}
