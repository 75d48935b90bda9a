// The rows of a tree on the screen. Only those that can be seen are elements.

import {el, setAttribute, setText} from './dom.js';
import {count, formatRate, formatValue, printable} from './format.js';
import {hasRate} from './line.js';
import {facet} from './search.js';
import {drawSparkline, sparkline} from './sparkline.js';

const SPARE = 4; // rows drawn above and below
const DEEPEST = 12; // deeper rows are not indented further
const LONG = 14; // characters of a number, for which the column may be too narrow

export class Rows {
  #grid;
  #body;
  #live;
  #actions;
  #rows = [];
  #elements = new Map(); // rows that are drawn, by index
  #active = 0;
  #colours = new Map(); // of charted series and metrics, by key of a row
  #size = 0;

  /**
   * @param {Element} grid gets the rows
   * @param {Live} live has the values
   * @param {object} actions toggle(row, isOpen), chart(row, isAdded), remove(row), seen(rows)
   */
  constructor(grid, live, actions) {
    this.#grid = grid;
    this.#live = live;
    this.#actions = actions;
    this.#body = el('div.rows', {role: 'rowgroup'});
    const titles = ['Name', 'Value', 'Rate', '15 min', 'Units', 'Help'].map(title =>
      el(`div.${title === '15 min' ? 'minutes' : title.toLowerCase()}`, {role: 'columnheader'}, title));
    grid.append(
      el('div.titles', {role: 'rowgroup'}, el('div.row', {role: 'row', 'aria-rowindex': 1}, ...titles)),
      this.#body);
    grid.addEventListener('scroll', () => this.#draw(), {passive: true});
    grid.addEventListener('keydown', event => this.#key(event));
    this.#body.addEventListener('click', event => this.#click(event));
    this.#body.addEventListener('mousedown', event => event.shiftKey && event.preventDefault()); // or it selects text
    new ResizeObserver(() => this.#measure()).observe(grid);
  }

  /** Shows other rows. The active one stays if it is among them. */
  show(rows) {
    const key = this.#rows[this.#active]?.key;
    this.#rows = rows;
    const index = key === undefined ? -1 : rows.findIndex(row => row.key === key);
    this.#active = index >= 0 ? index : Math.max(0, Math.min(this.#active, rows.length - 1));
    for (const [at, element] of this.#elements) {
      if (at < rows.length) {
        this.#fill(element, at); // which is quicker than another element
      } else {
        element.remove();
        this.#elements.delete(at);
      }
    }
    this.#measure();
  }

  /** Marks rows as charted: colours by their keys. */
  mark(colours) {
    this.#colours = colours;
    this.#elements.forEach((element, index) => this.#fill(element, index));
  }

  /** Shows new values. */
  update() {
    this.#elements.forEach((element, index) => this.#fillValues(element, this.#rows[index]));
  }

  /** Selects the first row, for the keys. */
  focus() {
    this.#grid.focus();
  }

  #measure() {
    this.#size = Number.parseFloat(getComputedStyle(this.#grid).getPropertyValue('--row'));
    this.#body.style.height = `${this.#rows.length * this.#size}px`;
    setAttribute(this.#grid, 'aria-rowcount', this.#rows.length + 1);
    this.#elements.forEach((element, index) => this.#place(element, index));
    this.#draw();
  }

  #place(element, index) {
    element.style.transform = `translateY(${index * this.#size}px)`;
  }

  /** Returns the indexes of the first row on screen, and after the last. */
  #range() {
    const top = this.#grid.scrollTop;
    const from = Math.floor(top / this.#size);
    const to = Math.ceil((top + this.#grid.clientHeight) / this.#size);
    return [Math.max(0, Math.min(from, this.#rows.length)), Math.min(to, this.#rows.length)];
  }

  #draw() {
    if (this.#grid.clientHeight === 0) {
      this.#actions.seen([]); // not shown
      return;
    }
    const [from, to] = this.#range();
    const first = Math.max(0, from - SPARE);
    const last = Math.min(this.#rows.length, to + SPARE);
    for (const [index, element] of this.#elements) {
      if ((index < first || index >= last) && index !== this.#active) {
        element.remove();
        this.#elements.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      this.#element(index);
    }
    if (this.#rows.length > 0) {
      this.#element(this.#active); // what the grid names as active must exist
    }
    this.#activate();
    this.#actions.seen(this.#rows.slice(from, to));
  }

  #element(index) {
    let element = this.#elements.get(index);
    if (!element) {
      element = el('div.row', {role: 'row', id: `row-${index}`},
        el('div.name', {role: 'gridcell'}, el('span.sign', {'aria-hidden': 'true'}), el('span.frame', {}, el('bdi.label'))),
        el('div.value', {role: 'gridcell'}),
        el('div.rate', {role: 'gridcell'}),
        el('div.minutes', {role: 'gridcell'}),
        el('div.units', {role: 'gridcell'}),
        el('div.help', {role: 'gridcell'}));
      this.#elements.set(index, element);
      this.#fill(element, index);
      this.#place(element, index);
      const after = [...this.#body.children].find(other => Number(other.dataset.index) > index);
      this.#body.insertBefore(element, after ?? null); // in reading order
    }
    return element;
  }

  #fill(element, index) {
    const row = this.#rows[index];
    const [name, , , , units, help] = element.children;
    element.dataset.index = index;
    setAttribute(element, 'aria-rowindex', index + 2);
    setAttribute(element, 'aria-level', row.depth + 1);
    setAttribute(element, 'aria-expanded', row.isOpen === undefined ? null : row.isOpen);
    const colour = this.#colours.get(row.key);
    setAttribute(element, 'aria-selected', row.metric ? colour !== undefined : null);
    element.classList.toggle('part', !row.metric);
    element.classList.toggle('instance', row.index !== undefined && row.depth > 0);
    element.classList.toggle('text', row.metric?.type === 'string' && row.isOpen === undefined);
    element.style.setProperty('--depth', Math.min(row.depth, DEEPEST));
    name.firstChild.dataset.sign = row.isOpen === undefined ? '' : row.isOpen ? '▾' : '▸';
    name.firstChild.style.color = colour ?? '';
    name.firstChild.classList.toggle('dot', colour !== undefined && row.isOpen === undefined);
    setText(name.lastChild.firstChild, printable(row.label));
    setAttribute(name, 'title', row.index === undefined ? row.metric?.name ?? row.key : row.label);
    const isValue = row.metric && row.isOpen === undefined;
    setText(units, isValue ? row.metric.units : '');
    setAttribute(units, 'data-only', isValue && row.metric.units ? facet('unit', row.metric.units) : null);
    const text = row.metric && row.index === undefined ? row.metric.help : '';
    setText(help, printable(text));
    setAttribute(help, 'title', text || null);
    this.#fillValues(element, row);
  }

  #fillValues(element, row) {
    const [, value, rate, minutes] = element.children;
    if (!row.series) {
      const size = !row.metric ? count(row.size, 'metric')
        : row.index === undefined ? count(row.metric.instances, 'instance') : '';
      setText(value, row.isOpen ? '' : size);
      value.className = 'value muted';
      setText(rate, '');
      [value, rate].forEach(cell => cell.removeAttribute('title'));
      element.classList.remove('long');
      minutes.replaceChildren();
      return;
    }
    const known = this.#live.of(row.series);
    const isText = row.metric.type === 'string';
    const isMissing = known.value === null && known.isKnown;
    setText(value, isMissing ? 'no value' : formatValue(row.metric, known.value));
    value.className = isMissing ? 'value muted' : 'value';
    setAttribute(value, 'title', known.value || null);
    element.classList.toggle('long', !isText && value.textContent.length > LONG);
    setText(rate, row.metric.rate ? formatRate(row.metric, known.rate) : '');
    setAttribute(rate, 'title', known.rate === null ? null : `${known.rate} ${row.metric.units} per second`);
    if (isText) {
      minutes.replaceChildren();
    } else {
      if (!minutes.firstChild) {
        minutes.append(sparkline());
      }
      drawSparkline(minutes.firstChild, known.points, hasRate(row.metric, false), this.#live.time);
    }
  }

  #activate() {
    for (const [index, element] of this.#elements) {
      element.classList.toggle('active', index === this.#active);
    }
    setAttribute(this.#grid, 'aria-activedescendant', this.#rows.length ? `row-${this.#active}` : null);
  }

  #move(index) {
    this.#active = Math.max(0, Math.min(index, this.#rows.length - 1));
    const head = this.#body.offsetTop;
    const top = this.#active * this.#size;
    const room = this.#grid.clientHeight - head;
    if (top < this.#grid.scrollTop) {
      this.#grid.scrollTop = top;
    } else if (top + this.#size > this.#grid.scrollTop + room) {
      this.#grid.scrollTop = top + this.#size - room;
    }
    this.#draw();
  }

  #parent(index) {
    const {depth} = this.#rows[index];
    let above = index - 1;
    while (above > 0 && this.#rows[above].depth >= depth) {
      above--;
    }
    return Math.max(0, above);
  }

  #key(event) {
    const row = this.#rows[this.#active];
    if (!row || event.target !== this.#grid || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const page = Math.max(1, Math.floor(this.#grid.clientHeight / this.#size) - 2);
    const moves = {
      ArrowDown: () => this.#move(this.#active + 1),
      ArrowUp: () => this.#move(this.#active - 1),
      PageDown: () => this.#move(this.#active + page),
      PageUp: () => this.#move(this.#active - page),
      Home: () => this.#move(0),
      End: () => this.#move(this.#rows.length - 1),
      ArrowRight: () => row.isOpen === false ? this.#actions.toggle(row, true)
        : row.isOpen && this.#move(this.#active + 1),
      ArrowLeft: () => row.isOpen ? this.#actions.toggle(row, false)
        : row.depth > 0 && this.#move(this.#parent(this.#active)),
      Enter: () => this.#act(row, event.shiftKey),
      ' ': () => this.#act(row, event.shiftKey),
      Delete: () => row.metric && this.#actions.remove(row)
    };
    const move = moves[event.key];
    if (move) {
      event.preventDefault();
      move();
    }
  }

  #act(row, isAdded) {
    if (row.metric) {
      this.#actions.chart(row, isAdded);
    } else {
      this.#actions.toggle(row, !row.isOpen);
    }
  }

  #click(event) {
    const element = event.target.closest('.row');
    const row = element && this.#rows[element.dataset.index];
    if (!row || !getSelection().isCollapsed || event.target.dataset.only) {
      return; // the user selects a text, or other metrics
    }
    this.#active = Number(element.dataset.index);
    this.#activate();
    if (row.isOpen !== undefined && event.target.closest('.sign')) {
      this.#actions.toggle(row, !row.isOpen);
    } else {
      this.#act(row, event.shiftKey);
    }
  }
}
