// Values of the series that are on screen, each second, and those that the server has kept of the
// series in charts. A frame of values is a history of one moment, so both get into a line the same way.

import {get, hasSameNames} from './api.js';
import {quotient} from './ratio.js';
import {Series, idOf} from './series.js';

const INTERVAL = 1000; // milliseconds
const DELAY = 120; // so that scrolling does not ask for each row
const COARSE = 5000; // milliseconds between values for a small line
const MAX_SERIES = 200; // which fit into the line of a request, 8 KiB
const HOLE = 2.5 * INTERVAL; // without a value, after which the server is asked whether it has some
const JUMP = 6 * INTERVAL; // of the time against the clock, if it was set or the host slept
const PATIENCE = 15000; // milliseconds for a history
const RETRY = 5000; // milliseconds after a history that has failed
const KEPT = 15 * 60 + 30; // seconds of a line

/**
 * Returns series as parts, of which each fits into a request: a map of what the server is asked for by what
 * it calls that. A PMID may have several names, which a request may not.
 */
function requests(series) {
  const parts = [new Map()];
  for (const id of new Set([...series].map(idOf))) {
    const number = id.split('_', 1)[0];
    const part = parts.find(one => one.size < MAX_SERIES && !one.has(number)) ?? parts[parts.push(new Map()) - 1];
    part.set(number, id);
  }
  return parts.map(part => [...part.values()]);
}

export class Live {
  #series = new Map();
  #visible = [];
  #charted = [];
  #wanted = new Map(); // metrics by series
  #names = {}; // the epoch and version of the names that are shown
  #origin = NaN; // the time at which the clock of the process was 0
  #originSince = -Infinity; // the clock from which on that is so
  #timer = 0;
  #delay = 0;
  #asking = null; // aborts the requests for what is wanted; null: there are none
  #filling = null; // aborts the request for a history; null: there is none
  #fillAfter = 0; // the time of this page
  #heldFrom = Infinity; // the time from which on points stay
  #listener;
  keepsHistory = false; // whether the server does
  latest = null; // the last frame since then
  time = Date.now() / 1000; // that of the last frame

  /** @param {function} listener called with 'live', 'lost' or 'paused', and after new values */
  constructor(listener) {
    this.#listener = listener;
    document.addEventListener('visibilitychange', () => this.#restart());
    addEventListener('pagehide', () => this.#stop());
    addEventListener('pageshow', event => event.persisted && this.#restart());
  }

  /** Returns what is known of a series. */
  of(id) {
    let one = this.#series.get(id);
    if (!one) {
      one = new Series();
      this.#series.set(id, one);
    }
    return one;
  }

  /** Returns what is known of a line, which may be a ratio: {value, rate, points}. */
  read({metric, series, parts}) {
    return parts ? quotient(metric, parts, parts.map(part => this.of(part.series))) : this.of(series);
  }

  /** Asks for values from now on, also if no series is wanted: they tell when names have changed. */
  start() {
    this.#update();
  }

  /** Sets the rows that are on screen: {series, metric} each. */
  setVisible(rows) {
    this.#visible = rows;
    this.#keep();
  }

  /** Sets the lines of charts: {series, metric, isServed} each. */
  setCharted(lines) {
    this.#charted = lines;
    this.#keep();
  }

  /** Keeps the values of what is shown. */
  #keep() {
    const steps = new Map([...this.#visible.map(({series}) => [series, COARSE]),
      ...this.#charted.map(({series}) => [series, 0])]);
    steps.forEach((_, series) => this.of(series));
    this.#series.forEach((one, series) => one.setStep(steps.get(series) ?? Infinity));
    this.#update();
  }

  /** Keeps the points since a time, as long as they are looked at; Infinity: the usual ones. */
  hold(time) {
    this.#heldFrom = time;
  }

  /** Gives what is known of a series to another one, which is the same under another number. */
  move(from, to) {
    const one = this.#series.get(from);
    if (one && from !== to) { // or another chart has moved it
      this.#series.delete(from);
      this.#series.set(to, one);
    }
  }

  /** Ends the line of a series that is not found: of a metric that is gone, if the process is the same. */
  end(series) {
    const one = this.of(series);
    one.interrupt(one.clock > -Infinity);
  }

  /** Sets the epoch and version of the names that are shown from now on. */
  setNames(names) {
    this.#stop(); // what was asked for may be called something else now
    if (names.epoch !== this.#names.epoch) {
      this.#origin = NaN; // another process has another clock, and has kept other values
      this.#originSince = -Infinity;
      this.#fillAfter = 0;
      for (const one of this.#series.values()) {
        one.clock = -Infinity;
        one.missing = -Infinity;
      }
    }
    for (const [series, one] of this.#series) {
      if (!one.isKept && !this.#wanted.has(series)) {
        this.#series.delete(series);
      }
    }
    this.#names = names;
    this.latest = null;
  }

  /** Returns whether a document is of the names that are shown, or of later ones of the same process. */
  isCurrent(document) {
    return document.epoch === this.#names.epoch && document.version >= this.#names.version;
  }

  /** Returns whether a document is of the names that are shown. */
  isOfNames(document) {
    return hasSameNames(document, this.#names);
  }

  /** Returns the lines of charts whose values are asked for. */
  get #served() {
    return this.#charted.filter(line => line.isServed);
  }

  #update() {
    const all = new Map([...this.#served, ...this.#visible].map(({series, metric}) => [series, metric]));
    const isSame = [...all.keys()].join() === [...this.#wanted.keys()].join();
    if (isSame && (this.#asking || this.#delay)) {
      return;
    }
    this.#wanted = all;
    clearTimeout(this.#delay);
    this.#delay = setTimeout(() => this.#restart(), DELAY);
  }

  #stop() {
    this.#asking?.abort();
    this.#asking = null;
    this.#filling?.abort();
    this.#filling = null;
    this.#pause();
  }

  #pause() {
    clearTimeout(this.#delay);
    clearTimeout(this.#timer);
    this.#delay = 0;
  }

  #restart() {
    if (document.hidden) {
      this.#stop();
      this.#listener('paused');
    } else {
      this.#asking?.abort(); // but not the history, which others may want as well
      this.#pause();
      this.#asking = new AbortController();
      this.#poll();
    }
  }

  async #poll() {
    const asking = this.#asking;
    const wanted = this.#wanted;
    const next = performance.now() + INTERVAL;
    let state = 'live';
    try {
      const parts = requests(wanted.keys());
      const frames = await Promise.all(parts.map(series => get('values', {series}, asking.signal)));
      if (asking === this.#asking) { // or else others are wanted since
        frames.forEach((frame, index) => this.#takeFrame(wanted, parts[index], frame));
        this.#fill();
      }
    } catch {
      state = 'lost';
    }
    if (asking === this.#asking) {
      this.#timer = setTimeout(() => this.#poll(), next - performance.now());
      this.#listener(state);
    }
  }

  #takeFrame(wanted, ids, frame) {
    this.latest = frame;
    if (frame.epoch !== this.#names.epoch) {
      return; // of another process, with another clock; the listener loads the names
    }
    this.#setOrigin(frame);
    this.time = this.#time(frame.clock);
    for (const series of wanted.keys()) {
      const one = this.of(series);
      if (frame.clock - one.clock > HOLE && one.clock > -Infinity) {
        one.missing ??= one.clock;
      }
    }
    const isOfNames = this.isOfNames(frame); // or else no value may mean another number
    const values = frame.values.map(value => value === null && !isOfNames ? null : [value]);
    this.#take(wanted, ids, {...frame, clocks: [frame.clock], values});
  }

  /** Adds the values of a history of some series: for each of its clocks one, or null. */
  #take(wanted, ids, history) {
    const last = history.clocks.length - 1;
    for (const [series, metric] of wanted) {
      const one = this.of(series);
      const position = ids.indexOf(idOf(series));
      const texts = history.values[position];
      if (!texts) {
        continue; // nothing was kept, or it has another number
      }
      if (last >= 0 && history.clocks[last] > one.clock) {
        one.value = texts[last] ?? null;
        one.clock = history.clocks[last];
        one.isKnown = true;
      }
      const returns = history.returns?.[position];
      const samples = history.clocks.map((clock, index) =>
        ({clock, time: this.#time(clock), text: texts[index] ?? null, isEnd: returns?.includes(index)}));
      one.add(metric, samples.filter(({clock}) => clock >= this.#originSince));
      one.trim(Math.min(this.#heldFrom, this.time - KEPT));
    }
  }

  /** Returns lines of which points are missing: metrics by series. */
  #incomplete(lines) {
    return new Map(lines.filter(({series}) => this.of(series).missing !== null).map(({series, metric}) => [series, metric]));
  }

  /** Asks for what the server has kept where points are missing: first for charts, then for the list. */
  async #fill() {
    const ofCharts = this.#incomplete(this.#served);
    const wanted = ofCharts.size > 0 ? ofCharts : this.#incomplete(this.#visible);
    if (wanted.size === 0 || !this.keepsHistory || this.#filling || performance.now() < this.#fillAfter) {
      return;
    }
    const [ids] = requests(wanted.keys()); // the others follow
    const since = Math.min(...[...wanted.keys()].map(series => this.of(series).missing));
    const step = ofCharts.size > 0 ? 0 : COARSE;
    const filling = new AbortController();
    this.#filling = filling;
    try {
      const history = await get('history',
        {series: ids, ...since > -Infinity ? {since} : {}, step}, filling.signal, PATIENCE);
      if (filling !== this.#filling) {
        return;
      }
      const isOfNames = this.isOfNames(history);
      if (history.epoch === this.#names.epoch && this.#isOfOrigin(history)) {
        this.#take(wanted, ids, history);
        for (const series of wanted.keys()) {
          const index = ids.indexOf(idOf(series));
          const one = this.of(series);
          if (index >= 0 && step <= one.step && (isOfNames || history.values[index])) { // or a chart needs more by now
            one.missing = null;
          }
        }
        this.#listener('live');
      }
      if (!isOfNames) {
        this.#fillAfter = performance.now() + RETRY;
      }
    } catch {
      if (filling === this.#filling) {
        this.#fillAfter = performance.now() + RETRY;
      }
    } finally {
      if (filling === this.#filling) {
        this.#filling = null;
      }
    }
  }

  /**
   * Sets when the clock of the process was 0. Times go on by this clock, so that they never go back;
   * but it stands still while its host sleeps, and the time may be set: then lines have a gap, and
   * end where the time is now.
   */
  #setOrigin(frame) {
    if (!this.#isOfOrigin(frame)) {
      if (!Number.isNaN(this.#origin)) {
        this.#originSince = frame.clock; // what was read before had another time
      }
      this.#origin = frame.time - frame.clock;
      for (const one of this.#series.values()) {
        one.points = one.points.filter(point => point.time * 1000 < frame.time);
        one.interrupt(false);
      }
    }
  }

  #isOfOrigin({time, clock}) {
    return Math.abs(time - clock - this.#origin) < JUMP;
  }

  /** Returns the time of a clock in seconds. */
  #time(clock) {
    return (this.#origin + clock) / 1000;
  }
}
