// The applications, which are the files of the directories: which are served, what is wrong with the others, and what
// moves most in each.

import {get} from './api.js';
import {byId, el, setAttribute, setChildren, setText} from './dom.js';
import {clockTime, count, date, formatReading, printable} from './format.js';
import {hasRate, rowOf} from './line.js';
import {facetButton} from './search.js';
import {drawSparkline, sparkline} from './sparkline.js';

const INTERVAL = 5000;
const PAGE = 200; // files
const LIVELY = 5; // series of a file
const MAX_NAMES = 4000; // characters of the names of files in a request
const RECENT = 15 * 60; // seconds since the start of an application that was started again

const HEALTH = {
  served: 'Served',
  partly: 'Partly served',
  refused: 'Not served',
  ignored: 'Left out'
};

/** What is shown of a file. */
class Card {
  #shown = '';
  #rows = new Map(); // elements by key
  #about = el('div');
  #list = el('ul.lively');
  #chart;
  rows = []; // its liveliest series: {metric, key, series, instance, index}
  isOnScreen = false;

  /** @param {function} chart called with a row, to chart it */
  constructor(chart) {
    this.#chart = chart;
    this.element = el('li.file', {}, this.#about, this.#list);
  }

  show(file, name, now) {
    this.file = file;
    const restarted = restart(file, now);
    const shown = JSON.stringify([file, name, restarted]);
    if (shown !== this.#shown) { // a text that is being selected stays
      this.#shown = shown;
      this.#about.replaceChildren(...describe(file, name, restarted));
    }
  }

  setRows(rows) {
    this.rows = rows;
    const before = this.#rows;
    this.#rows = new Map(rows.map(row => [row.key, before.get(row.key) ?? this.#element(row)]));
    setChildren(this.#list, [...this.#rows.values()]);
  }

  #element(row) {
    const name = row.key.startsWith(this.#prefix) ? row.key.slice(this.#prefix.length) : row.key;
    const button = el('button', {
      type: 'button',
      title: `Chart ${row.key}`,
      click: () => this.#chart(this.rows.find(one => one.key === row.key))
    }, el('bdi.name', {}, printable(name)), sparkline(), el('span.number'));
    return el('li', {}, button);
  }

  /** What the names of its metrics most often begin with. */
  get #prefix() {
    return `mmv.${this.file.file}.`;
  }

  /** Shows new values. */
  update(live) {
    for (const {key, metric, series} of this.rows) {
      const [, line, number] = this.#rows.get(key).firstChild.children;
      const {points, rate, value} = live.of(series);
      const isRate = hasRate(metric, false);
      drawSparkline(line, points, isRate, live.time);
      setText(number, formatReading(metric, isRate, rate, value));
      setAttribute(number, 'title', value);
    }
  }
}

export class Overview {
  #list = el('ul.files');
  #more = el('button', {type: 'button', hidden: true, click: () => this.#showMore()}, 'Show more');
  #empty = el('div.empty', {hidden: true});
  #isUnhealthyOnly = false;
  #limit = PAGE;
  #timer = 0;
  #cards = new Map(); // by directory and name
  #seen = new IntersectionObserver(entries => this.#see(entries));
  #live;
  #actions;

  /**
   * @param {Live} live has the values
   * @param {object} actions chart(row); metric(name), which returns a metric; seen(rows), called with the rows
   *     whose values are shown
   */
  constructor(live, actions) {
    this.#live = live;
    this.#actions = actions;
    for (const input of document.querySelectorAll('[name="health"]')) {
      input.addEventListener('change', () => this.#choose(input.value === 'unhealthy'));
    }
    byId('overview').append(this.#empty, this.#list, this.#more);
  }

  /** Begins to show the files, or ends it. */
  setShown(isShown) {
    clearInterval(this.#timer);
    if (isShown) {
      this.refresh();
      this.#timer = setInterval(() => document.hidden || this.refresh(), INTERVAL);
    } else {
      this.#actions.seen([]);
    }
  }

  #choose(isUnhealthyOnly) {
    this.#isUnhealthyOnly = isUnhealthyOnly;
    this.#limit = PAGE;
    this.refresh();
  }

  #showMore() {
    this.#limit += PAGE;
    this.refresh();
  }

  async refresh() {
    const isUnhealthyOnly = this.#isUnhealthyOnly;
    const files = [];
    let total = 0;
    try {
      const about = await get('about');
      for (let offset = 0; offset !== undefined && offset < this.#limit;) {
        const filter = isUnhealthyOnly ? {health: 'unhealthy'} : {};
        const document = await get('files', {...filter, offset, limit: PAGE});
        files.push(...document.files.filter(file => file.state !== 'hidden')); // such as the numbers of an application
        offset = document.next;
        total = document.total;
      }
      if (isUnhealthyOnly === this.#isUnhealthyOnly) {
        this.#show(about, files, total);
        await this.#findLively();
      }
    } catch {
      // the state of the connection says so
    }
  }

  #show(about, files, total) {
    const {served, partly, refused, ignored} = about.files;
    const parts = [[served, 'served'], [partly, 'partly served'], [refused, 'not served'], [ignored, 'left out'],
      [about.history?.leftOut ?? 0, 'values of which the server has no room for a history']];
    setText(byId('file-counts'), parts.filter(([number]) => number > 0)
      .map(([number, what]) => `${number.toLocaleString('en-US')} ${what}`).join(' · '));
    const bad = about.directories.filter(directory => directory.faults.length > 0).map(directory =>
      ({directory: directory.path, file: '', health: 'refused', faults: directory.faults}));
    const hasOne = about.directories.length === 1;
    const all = [...bad, ...files];
    const cards = new Map();
    for (const file of all) {
      const key = `${file.directory}/${file.file}`;
      const card = this.#cards.get(key) ?? new Card(row => this.#actions.chart(row));
      card.show(file, !file.file ? file.directory : hasOne ? file.file : key, this.#live.time);
      cards.set(key, card);
      this.#seen.observe(card.element);
    }
    this.#cards = cards;
    setChildren(this.#list, [...cards.values()].map(card => card.element));
    this.#more.hidden = total <= this.#limit;
    this.#empty.hidden = all.length > 0;
    const directories = about.directories.map(one => one.path).join(' or ');
    this.#empty.replaceChildren(...this.#isUnhealthyOnly
      ? [el('p', {}, 'No file has faults.')]
      : [el('p', {}, 'There are no files yet.'),
        el('p.muted', {}, `A file that an application writes to ${directories} appears here.`)]);
  }

  #see(entries) {
    for (const {target, isIntersecting} of entries) {
      const card = [...this.#cards.values()].find(one => one.element === target);
      if (card) {
        card.isOnScreen = isIntersecting;
      }
    }
    this.#findLively().catch(() => {}); // the state of the connection says so
  }

  /** Looks for the series of the files on screen that change most. */
  async #findLively() {
    const cards = [...this.#cards.values()].filter(card => card.isOnScreen && card.file.served > 0);
    const names = new Set();
    let size = 0;
    for (const {file: {file}} of cards) {
      size += encodeURIComponent(file).length;
      if (size <= MAX_NAMES) {
        names.add(file);
      }
    }
    if (names.size > 0 && this.#live.keepsHistory) {
      const document = await get('top', {limit: LIVELY, file: [...names]});
      for (const card of cards) {
        card.setRows(document.top
          .filter(({file, directory}) => file === card.file.file && directory === card.file.directory)
          .map(one => rowOf(one, this.#actions.metric(one.metric))).filter(row => row)
          .sort((one, other) => one.key < other.key ? -1 : 1)); // which change most may change each time
      }
    }
    this.#actions.seen(cards.flatMap(card => card.rows));
    this.update();
  }

  /** Shows new values. */
  update() {
    this.#cards.forEach(card => card.isOnScreen && card.update(this.#live));
  }
}

function describe(file, name, restarted) {
  const facts = [];
  const isServed = file.health === 'served' || file.health === 'partly';
  if (isServed) {
    facts.push(facetButton('file', file.file, file.served === file.metrics ? count(file.metrics, 'metric')
      : `${file.served} of ${count(file.metrics, 'metric')}`));
  }
  if (file.pid) {
    facts.push(`process ${file.pid}`);
  }
  if (file.format !== undefined) {
    facts.push(`format ${file.format}`);
  }
  if (isServed && file.started !== undefined) {
    facts.push(`started ${date(file.started)}`);
  } else if (file.modified !== undefined) {
    facts.push(`written ${date(file.modified)}`);
  }
  return entry(name, file.health, file.file ? label(file) : 'Can’t be read', facts, file.faults, restarted);
}

/** Says that an application was started again in the last minutes. */
function restart({health, started, restarted}, now) {
  const isRecent = started !== undefined && now - started < RECENT;
  return health !== 'ignored' && restarted && isRecent ? `Started again at ${clockTime(started)}` : '';
}

function label({health, state}) {
  return health === 'served' || health === 'partly' ? HEALTH[health] : `${HEALTH[health]}: ${state}`;
}

function entry(name, health, state, facts, faults, restarted) {
  return [
    el('div.head', {},
      el('h3', {}, printable(name)),
      el(`span.badge.${health}`, {}, state),
      restarted ? el('span.badge.restarted', {}, restarted) : ''),
    el('p.muted.facts', {}, ...facts.map(fact => el('span', {}, fact))),
    faults.length > 0 ? el('ul.faults', {}, ...faults.map(describeFault)) : ''
  ];
}

function describeFault(fault) {
  const place = [
    fault.section && (fault.entry === undefined ? fault.section : `${fault.section} entry ${fault.entry}`),
    fault.offset !== undefined && `at offset ${fault.offset}`
  ].filter(part => part).join(' ');
  const isHarmless = fault.severity === 'hint' || fault.severity === 'info';
  return el(`li.${fault.severity}`, {},
    el('p.problem', {}, fault.severity === 'hint' ? el('span.tag', {}, 'Hint') : '', fault.problem,
      fault.more > 0 ? el('span.muted', {}, ` and ${fault.more} more like it`) : ''),
    el('dl', {}, ...[
      ['Where', place],
      ['Lost', isHarmless ? '' : fault.lost],
      ['To do', fault.toDo],
      ['Since', fault.first && since(fault)],
      ['Code', fault.code]
    ].filter(([, text]) => text).flatMap(([term, text]) => [el('dt', {}, term), el('dd', {}, text)])));
}

function since({first, last, count: times}) {
  return times > 1 ? `${date(first)}, ${count(times, 'time')}, last ${date(last)}` : date(first);
}
