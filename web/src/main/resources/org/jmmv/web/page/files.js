// The files of the directories: which are served, and what is wrong with the others.

import {get} from './api.js';
import {byId, el} from './dom.js';
import {count, date, printable} from './format.js';

const INTERVAL = 5000;
const PAGE = 200; // files

const HEALTH = {
  served: 'Served',
  partly: 'Partly served',
  refused: 'Not served',
  ignored: 'Left out'
};

export class Files {
  #list = el('ul.files');
  #more = el('button', {type: 'button', hidden: true, click: () => this.#showMore()}, 'Show more');
  #empty = el('div.empty', {hidden: true});
  #isUnhealthyOnly = false;
  #limit = PAGE;
  #shown = '';
  #timer = 0;
  #about = null;

  constructor() {
    const choices = [['All', false], ['Unhealthy', true]].map(([label, isUnhealthyOnly]) =>
      el('label', {}, el('input', {
        type: 'radio',
        name: 'health',
        checked: !isUnhealthyOnly,
        change: () => this.#choose(isUnhealthyOnly)
      }), el('span', {}, label)));
    this.counts = el('p.muted', {role: 'status'});
    byId('files').append(
      el('div.toolbar', {},
        el('fieldset.choice', {}, el('legend.hidden', {}, 'Which files'), ...choices), this.counts),
      this.#empty, this.#list, this.#more);
  }

  /** Begins to show the files, or ends it. */
  setShown(isShown) {
    clearInterval(this.#timer);
    if (isShown) {
      this.refresh();
      this.#timer = setInterval(() => document.hidden || this.refresh(), INTERVAL);
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
      this.#about = await get('about');
      for (let offset = 0; offset !== undefined && files.length < this.#limit;) {
        const filter = isUnhealthyOnly ? {health: 'unhealthy'} : {};
        const document = await get('files', {...filter, offset, limit: PAGE});
        files.push(...document.files);
        offset = document.next;
        total = document.total;
      }
    } catch {
      return; // the state of the connection says so
    }
    const shown = JSON.stringify([files, total, this.#about.directories, isUnhealthyOnly]);
    if (isUnhealthyOnly === this.#isUnhealthyOnly && shown !== this.#shown) {
      this.#shown = shown;
      this.#show(files, total);
    }
  }

  #show(files, total) {
    const {served, partly, refused, ignored} = this.#about.files;
    const parts = [[served, 'served'], [partly, 'partly served'], [refused, 'not served'], [ignored, 'left out']];
    this.counts.textContent = parts.filter(([number]) => number > 0)
      .map(([number, what]) => `${number.toLocaleString('en-US')} ${what}`).join(' · ');
    const bad = this.#about.directories.filter(directory => directory.faults.length > 0).map(directory =>
      entry(directory.path, 'refused', 'Can’t be read', [], directory.faults));
    const rank = ['refused', 'partly', 'served', 'ignored'];
    files.sort((one, other) => rank.indexOf(one.health) - rank.indexOf(other.health));
    const hasOne = this.#about.directories.length === 1;
    this.#list.replaceChildren(...bad, ...files.map(file =>
      describe(file, hasOne ? file.file : `${file.directory}/${file.file}`)));
    this.#more.hidden = total <= files.length;
    this.#empty.hidden = bad.length + files.length > 0;
    const directories = this.#about.directories.map(one => one.path).join(' or ');
    this.#empty.replaceChildren(...this.#isUnhealthyOnly
      ? [el('p', {}, 'No file has faults.')]
      : [el('p', {}, 'There are no files yet.'),
        el('p.muted', {}, `A file that an application writes to ${directories} appears here.`)]);
  }
}

function describe(file, name) {
  const facts = [];
  if (file.health === 'served' || file.health === 'partly') {
    facts.push(file.served === file.metrics ? count(file.metrics, 'metric')
      : `${file.served} of ${count(file.metrics, 'metric')}`);
  }
  if (file.pid !== undefined) {
    facts.push(file.pid ? `format ${file.format}, process ${file.pid}` : `format ${file.format}`);
  }
  if (file.modified !== undefined) {
    facts.push(`written ${date(file.modified)}`);
  }
  return entry(name, file.health, label(file), facts, file.faults);
}

function label({health, state}) {
  return health === 'served' || health === 'partly' ? HEALTH[health] : `${HEALTH[health]}: ${state}`;
}

function entry(name, health, state, facts, faults) {
  const item = el('li.file', {},
    el('div.head', {},
      el('h3', {}, printable(name)),
      el(`span.badge.${health}`, {}, state)),
    el('p.muted.facts', {}, ...facts.map(fact => el('span', {}, fact))));
  if (faults.length > 0) {
    item.append(el('ul.faults', {}, ...faults.map(describeFault)));
  }
  return item;
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
