// A chart with its legend, its choices, and what else is known of its metrics.

import {describe} from './describe.js';
import {el, setAttribute, setText, svg} from './dom.js';
import {chartCsv, chartJson, chartPicture, save, tableOf} from './export.js';
import {clockTime, count, formatReading, printable, quantityOf} from './format.js';
import {hasRate, quantitiesOf, shortNames} from './line.js';
import {DASHES, Plot} from './plot.js';
import {partsOf} from './ratio.js';
import {kindOf} from './series.js';

export const MAX_LINES = 8; // of a chart: as many can be told apart
const MAX_AXES = 2;
const FAST = 10; // points that the cursor moves at once
const NEAR = 1.5; // seconds between a time and the point that is shown for it

const MODES = [
  ['raw', 'Raw', 'Values of counters instead of their rates'],
  ['log', 'Log', 'Logarithmic axis'],
  ['stacked', 'Stacked', 'Each line upon the one before']
];

const MODE_NAMES = MODES.map(([name]) => name);

export class Chart {
  #live;
  #timeline;
  #actions;
  #plot;
  #place;
  #modes = new Set();
  #toggles;
  #total = 0; // instances of the metric of which all lines are
  place = 0; // among the charts
  lines = [];
  whole = new Set(); // names of metrics of which the first instances were chosen, not single ones

  /**
   * @param {object} actions remove(chart), removeLine(chart, line), changed(), pointed(), aim(chart), divide(chart),
   *     notify(text), link(chart)
   */
  constructor(live, timeline, actions) {
    this.#live = live;
    this.#timeline = timeline;
    this.#actions = actions;
    this.title = el('h3');
    this.help = el('p.help');
    this.time = el('span.time');
    this.units = [el('span'), el('span')];
    this.list = el('ul.legend');
    this.note = el('p.muted.note', {role: 'status'});
    this.details = el('div');
    this.table = el('div.table', {tabindex: '0', role: 'region', 'aria-label': 'Values'});
    this.#toggles = MODES.map(([name, label, title]) => el('button', {
      type: 'button', title, 'aria-pressed': 'false', click: () => this.#toggle(name)
    }, label));
    this.aimed = el('button', {
      type: 'button',
      title: 'What is selected in the list is added to this chart. Shift and a click or Enter add to the last one',
      'aria-pressed': 'false',
      click: () => this.#actions.aim(this)
    }, 'Add here');
    this.divide = el('button', {
      type: 'button', title: 'Divide by another metric', click: () => this.#actions.divide(this)
    }, '÷ …');
    this.close = el('button.close', {type: 'button', click: () => this.#actions.remove(this)}, '×');
    // a slider, whose value is the time under the cursor, so that screen readers read what is there
    this.#place = el('div.plot', {tabindex: '0', role: 'slider', keydown: event => this.#key(event)});
    this.element = el('article.card', {keydown: event => this.#delete(event)},
      el('div.head', {}, this.title, this.close),
      this.help,
      el('div.tools', {}, ...this.#toggles, this.aimed, this.divide, this.time),
      el('div.axes', {}, ...this.units),
      this.#place,
      this.list,
      this.note,
      el('div.more', {},
        el('details', {toggle: event => event.target.open && this.#describe()},
          el('summary', {}, 'Details'), this.details),
        el('details', {toggle: event => event.target.open && this.#tabulate()},
          el('summary', {}, 'Table'), this.table),
        el('details', {}, el('summary', {}, 'Export'), this.#exports())));
    this.#plot = new Plot(this.#place, timeline, {
      points: line => this.#points(line),
      pointed: () => this.#legend(),
      axes: units => this.units.forEach((element, index) => setText(element, printable(units[index] ?? '')))
    });
  }

  #exports() {
    const button = (label, action) => el('button', {type: 'button', click: action}, label);
    const name = ending => `${this.lines[0]?.metric.name ?? 'chart'}.${ending}`;
    return el('div.tools', {},
      button('CSV', () => save(name('csv'), 'text/csv', chartCsv(this.shown()))),
      button('JSON', () => save(name('json'), 'application/json', chartJson(this.shown()))),
      button('PNG', async () => save(name('png'), 'image/png', await chartPicture(this.shown(), this.#plot.canvas))),
      button('Copy link', () => this.#actions.link(this)));
  }

  /** Returns what is shown, for an export: {title, range, units, lines}; a line has {line, quantity, points}. */
  shown() {
    const [from, to] = this.#timeline.range;
    return {
      title: this.name,
      range: [from, to],
      units: this.units.map(element => element.textContent), // of the axes
      lines: this.lines.filter(line => !line.isHidden).map(line => ({
        line,
        quantity: quantityOf(line.metric, line.isRate),
        points: this.#points(line).filter(({time}) => time >= from && time <= to)
      }))
    };
  }

  /** Returns the names of the metrics. */
  get metrics() {
    return [...new Set(this.lines.map(({metric}) => metric.name))];
  }

  /** Returns the name of the chart. */
  get name() {
    return this.metrics.join(', ');
  }

  get modes() {
    return [...this.#modes];
  }

  set modes(modes) {
    this.#modes = new Set(MODE_NAMES.filter(name => modes.includes(name)));
  }

  #isOn(mode) {
    return this.#modes.has(mode);
  }

  #points(line) {
    return this.#live.read(line).points;
  }

  #toggle(mode) {
    const isRaw = mode === 'raw' ? !this.#isOn('raw') : this.#isOn('raw');
    if (quantitiesOf(this.lines, isRaw).length > MAX_AXES) {
      this.#actions.notify('The lines would have more than two units, and a chart has two axes.');
      return;
    }
    if (!this.#modes.delete(mode)) {
      this.#modes.add(mode);
    }
    this.redraw();
    this.#actions.changed();
  }

  /**
   * Adds lines. Returns why it is not possible, or null.
   *
   * @param {number} total how many instances there are, if some of all were chosen; or else 0
   */
  add(lines, total) {
    const known = new Set(this.lines.map(({key}) => key));
    const added = lines.filter(({key}) => !known.has(key));
    const all = [...this.lines, ...added];
    if (all.length > MAX_LINES) {
      return `A chart has up to ${MAX_LINES} lines. Remove one with the × beside its value first.`;
    }
    const units = quantitiesOf(all, this.#isOn('raw')).map(quantity => quantity.units || 'no unit');
    if (units.length > MAX_AXES) {
      return `A chart has two axes, here ${units[0]} and ${units[1]}: ${units[2]} needs a chart of its own.`;
    }
    const used = new Set(this.lines.map(({place}) => place));
    for (const line of added) {
      line.place = [...DASHES.keys()].find(place => !used.has(place)); // which colour and dash
      used.add(line.place);
    }
    this.lines = all;
    this.#total = this.metrics.length === 1 ? total : 0;
    this.redraw();
    return null;
  }

  /** Adds the first instances that a metric has now, if they are new. They have the room of lines that were not found. */
  renew(lines, total) {
    const added = lines.filter(({key}) => !this.lines.some(line => line.key === key));
    const excess = this.lines.length + added.length - MAX_LINES;
    const gone = this.lines.filter(line => line.isMissing).slice(0, Math.max(0, excess));
    this.lines = this.lines.filter(line => !gone.includes(line));
    this.add(added.slice(0, MAX_LINES - this.lines.length), total);
  }

  /** Puts the lines, with their colours and dashes, in the order of keys, which are theirs or those of their metrics. */
  arrange(keys) {
    const rank = ({key, metric}) => keys.indexOf(keys.includes(key) ? key : metric.name);
    this.lines.sort((one, other) => rank(one) - rank(other)).forEach((line, place) => { line.place = place; });
    this.redraw();
  }

  /** Removes some of the lines. */
  removeLines(lines) {
    this.lines = this.lines.filter(line => !lines.includes(line));
    this.whole = new Set([...this.whole].filter(name => !lines.some(({metric}) => metric.name === name)));
    this.redraw();
  }

  /** Puts lines back to where they were, unless others were added since. Returns whether it was possible. */
  putBack(lines, before) {
    if (this.lines.some(line => !before.lines.includes(line))) {
      return this.add(lines, 0) === null;
    }
    this.lines = before.lines.filter(line => lines.includes(line) || this.lines.includes(line));
    this.whole = before.whole;
    this.redraw();
    return true;
  }

  /**
   * Goes on with lines of a metric that were found: those of an application that was started anew may
   * have other numbers. Lines that were not found stay as they are.
   *
   * @param {object|undefined} metric the metric as it is now
   * @param {Array|null} found its lines; null if nobody knows, because the connection was lost
   */
  follow(name, metric, found) {
    const lines = this.lines.filter(line => line.metric.name === name);
    let isOther = false;
    for (const line of lines.filter(one => !one.isServed)) {
      const now = found?.find(one => one.series === line.series) ?? found?.find(one => one.name === line.name);
      if (now) {
        const isSameKind = kindOf(now.metric) === kindOf(line.metric); // or else the line begins anew
        isOther ||= !isSameKind || now.metric.pmid !== line.metric.pmid;
        if (isSameKind) {
          partsOf(line).forEach(({series}, index) => this.#live.move(series, partsOf(now)[index].series));
        }
        const {isHidden} = line;
        Object.assign(line, now, {isHidden});
      } else {
        line.isMissing = true;
        if (found) {
          partsOf(line).forEach(({series}) => this.#live.end(series));
        }
      }
    }
    for (const line of lines) {
      line.ended = metric ? null : line.ended ?? this.#live.time;
    }
    if (isOther) {
      this.details.parentElement.open = false; // they may be those of another metric
      this.redraw();
    }
    this.element.classList.toggle('ended', this.lines.every(({ended}) => ended !== null));
    this.update();
  }

  #showNote() {
    const notes = [];
    const ended = new Map(this.lines.filter(line => line.ended !== null).map(line => [line.metric.name, line.ended]));
    for (const [name, time] of ended) {
      notes.push(`${this.metrics.length > 1 ? `${name}: ended` : 'Ended'} at ${clockTime(time)}; goes on if the metric returns`);
    }
    const restart = Math.max(...this.lines.flatMap(line => this.#points(line).filter(({isRestart}) => isRestart))
      .map(({time}) => time));
    if (restart > this.#timeline.range[0] && restart <= this.#timeline.range[1]) {
      notes.push(`Restarted at ${clockTime(restart)}`);
    }
    if (this.lines.some(line => line.axis === MAX_AXES)) {
      notes.push('A line with a third unit is not drawn');
    }
    if (this.#total > this.lines.length) {
      notes.push(`${this.lines.length} of ${count(this.#total, 'instance')}: choose others in the list`);
    }
    setText(this.note, notes.join('. '));
  }

  /** Draws the chart and its legend anew, for other lines, units or colours. */
  redraw() {
    const isRaw = this.#isOn('raw');
    const quantities = quantitiesOf(this.lines, isRaw);
    const names = shortNames(this.lines);
    const metrics = this.metrics;
    setText(this.title, printable(this.name));
    setAttribute(this.title, 'title', metrics.join('\n'));
    setAttribute(this.element, 'aria-label', `Chart of ${this.name}`);
    setText(this.help, metrics.length > 1 ? '' : printable(this.lines[0]?.metric.help ?? ''));
    setAttribute(this.close, 'aria-label', `Remove the chart of ${this.name}`);
    setAttribute(this.#place, 'aria-label', `Cursor of the chart of ${this.name}`);
    const isCounter = this.lines.some(({metric}) => hasRate(metric, false));
    this.#toggles.forEach((toggle, index) => {
      setAttribute(toggle, 'aria-pressed', String(this.#isOn(MODE_NAMES[index])));
      toggle.hidden = quantities.length === 0 || (index === 0 && !isCounter);
    });
    this.divide.hidden = quantities.length === 0 || metrics.length > 1 || this.lines[0].parts !== undefined;
    this.lines.forEach((line, index) => {
      line.isRate = hasRate(line.metric, isRaw);
      line.axis = quantities.findIndex(({units}) => units === quantityOf(line.metric, line.isRate).units);
      line.colour = `--line-${line.place + 1}`;
      line.dash = DASHES[line.place];
      line.label = names[index];
      line.value = el('span.number');
    });
    this.list.replaceChildren(...this.lines.map(line => this.#entry(line)));
    this.#plot.set(this.lines, quantities.slice(0, MAX_AXES), {
      isLog: this.#isOn('log'), isStacked: this.#isOn('stacked')
    });
    this.update();
  }

  #entry(line) {
    const mark = svg('svg', {class: 'mark', width: 24, height: 10, 'aria-hidden': 'true'},
      svg('line', {x1: 0, y1: 5, x2: 24, y2: 5, 'stroke-width': 2.5, 'stroke-dasharray': line.dash.join(' ')}));
    mark.style.stroke = `var(${line.colour})`;
    const bring = isOut => this.#plot.highlight(isOut && !line.isHidden ? line : null);
    const toggle = el('button.line', {
      type: 'button',
      title: `${line.key}: show or hide it`,
      'aria-pressed': String(!line.isHidden),
      click: () => {
        line.isHidden = !line.isHidden;
        this.redraw();
        [...this.list.children][this.lines.indexOf(line)].querySelector('.line').focus();
      },
      focus: () => bring(true),
      blur: () => bring(false)
    }, mark, el('bdi.name', {}, printable(line.label)));
    return el('li', {mouseenter: () => bring(true), mouseleave: () => bring(false), 'data-key': line.key}, toggle, line.value,
      el('button.remove', {
        type: 'button',
        'aria-label': `Remove ${line.key}`,
        hidden: this.lines.length === 1,
        click: () => this.#actions.removeLine(this, line)
      }, '×'));
  }

  /** Shows new values, or other times. */
  update() {
    this.#plot.update();
    this.#legend();
    this.#showNote();
  }

  /** Moves the cursor to where the keyboard has moved it. */
  showCursor() {
    if (this.#timeline.cursor === null) {
      this.#plot.hideCursor();
      this.#legend();
    } else {
      this.#plot.showCursor();
    }
  }

  /** Shows the values under the cursor, or else the last ones that are shown. */
  #legend() {
    const cursor = this.#timeline.cursor ?? this.#plot.cursor;
    const [from, to] = this.#timeline.range;
    const time = cursor ?? (this.#timeline.isStill ? to : undefined);
    setText(this.time, time === undefined ? '' : clockTime(time));
    const texts = this.lines.map(line => {
      const {value, points} = this.#live.read(line);
      const point = time === undefined ? {text: value, rate: points.at(-1)?.rate ?? null} : pointAt(points, time);
      const isMissing = time === undefined && line.isMissing;
      const shown = isMissing ? 'no value' : formatReading(line.metric, line.isRate, point.rate, point.text);
      setText(line.value, shown);
      setAttribute(line.value, 'title', isMissing || point.text === null ? null
        : line.isRate ? `${point.rate === null ? '' : `${point.rate} ${line.metric.units} per second; `}value ${point.text}` : point.text);
      return `${line.label} ${shown}`;
    });
    setAttribute(this.#place, 'aria-valuemin', Math.round(from));
    setAttribute(this.#place, 'aria-valuemax', Math.round(to));
    setAttribute(this.#place, 'aria-valuenow', Math.round(this.#timeline.cursor ?? to));
    // with the keyboard only: a screen reader would read each new value
    setAttribute(this.#place, 'aria-valuetext', this.#timeline.cursor === null ? 'now'
      : `${clockTime(this.#timeline.cursor)}: ${texts.join(', ')}`);
  }

  #key(event) {
    const {times} = this.#plot;
    const {cursor, range: [from, to]} = this.#timeline;
    const at = cursor === null ? -1 : times.findLastIndex(time => time <= cursor);
    const step = event.shiftKey ? FAST : 1;
    const move = index => {
      this.#timeline.cursor = times[Math.max(0, Math.min(index, times.length - 1))] ?? null;
      this.#actions.pointed();
    };
    const middle = cursor ?? (from + to) / 2;
    const keys = {
      ArrowLeft: () => move((at < 0 ? times.length : at) - step),
      ArrowRight: () => move(at < 0 ? times.length - 1 : at + step),
      Home: () => move(0),
      End: () => move(times.length - 1),
      '+': () => this.#timeline.zoom(Math.max(from, middle - (to - from) / 4), Math.min(to, middle + (to - from) / 4)),
      '-': () => this.#timeline.zoomOut(),
      ' ': () => this.#timeline.pause(!this.#timeline.isPaused),
      Escape: () => {
        if (cursor === null) {
          this.#timeline.zoomOut();
        }
        this.#timeline.cursor = null;
        this.#actions.pointed();
      }
    };
    const action = keys[event.key];
    if (action && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      action();
    }
  }

  #delete(event) {
    if (event.key === 'Delete') {
      event.preventDefault();
      const key = event.target.closest('li')?.dataset.key;
      const line = this.lines.find(one => one.key === key);
      if (line && this.lines.length > 1) {
        this.#actions.removeLine(this, line);
      } else {
        this.#actions.remove(this);
      }
    }
  }

  async #describe() {
    try {
      this.details.replaceChildren(...await describe(this.lines));
    } catch {
      this.details.replaceChildren('They are not known now: the metric is gone, or the connection.');
    }
  }

  /** Writes the table, which stays as it is until it is opened again: it may be copied. */
  #tabulate() {
    this.table.replaceChildren(tableOf(this.shown()));
  }
}

/** Returns the point at a time, or shortly before it. */
function pointAt(points, time) {
  const point = points.findLast(one => one.time <= time + NEAR / 100);
  return point && time - point.time < NEAR ? point : {text: null, rate: null};
}
