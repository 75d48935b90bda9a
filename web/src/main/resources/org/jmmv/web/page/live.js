// Values of the series that are on screen, each second. A series is what the server calls it, a
// PMID, perhaps with an instance, and after a space its name and kind: '70.12.3:5 mmv.shop.paid[card]
// u64 counter count'. So a value is never shown under a name or with units that are not its own,
// whatever the server calls the same later.

import {get, hasSameNames} from './api.js';
import {isWhole} from './format.js';

const INTERVAL = 1000; // milliseconds
const DELAY = 120; // so that scrolling does not ask for each row
const MAX_SERIES = 200; // which fit into the line of a request, 8 KiB
const SHORTEST = 500; // time between two values of which there is a rate
const GAP = 6 * INTERVAL; // without a value, after which a line ends: a slow answer is none
const HISTORY = 600; // values of a charted series

/** What is known of a series. */
class Series {
  value = null; // the text of /api/v1
  isKnown = false; // whether the value is that of the server, which may be null
  rate = null; // per second, of a counter
  since = null; // {value, clock}: the value from which the next rate is computed
  clock = -Infinity; // when the value was read
  points = null; // of a charted series: {time, number, text}; a number is null where the line has a gap

  /** Ends the line and the rate: the next value begins others. */
  interrupt() {
    this.since = null;
    this.rate = null;
    const last = this.points?.at(-1);
    if (last && last.number !== null) {
      this.points.push({time: last.time + INTERVAL / 2000, number: null, text: null});
    }
  }
}

/** Returns what values of a metric must have in common to be one line of a chart. */
export function kindOf({type, semantics, units}) {
  return `${type} ${semantics} ${units}`;
}

/** Returns the series of a metric without instances, or of an instance of a metric. */
export function seriesOf(metric, instance) {
  const name = instance ? `:${instance.instance} ${metric.name}[${instance.name}]` : ` ${metric.name}`;
  return `${metric.pmid}${name} ${kindOf(metric)}`;
}

/** Returns what the server calls series, each once: a PMID may have several names. */
function ids(series) {
  return [...new Set([...series].map(idOf))];
}

function idOf(series) {
  return series.split(' ', 1)[0];
}

export class Live {
  #series = new Map();
  #visible = [];
  #charted = [];
  #wanted = new Map(); // metrics by series
  #names = {}; // the epoch and version of the names that are shown
  #isFirst = false; // whether there was no frame since they were set
  #origin = NaN; // the time at which the clock of the process was 0
  #timer = 0;
  #delay = 0;
  #asking = null; // aborts the requests for what is wanted; null: there are none
  #listener;
  latest = null; // the last frame since then

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

  /** Asks for values from now on, also if no series is wanted: they tell when names have changed. */
  start() {
    this.#update();
  }

  /** Sets the rows that are on screen: {series, metric} each. */
  setVisible(rows) {
    this.#visible = rows;
    this.#update();
  }

  /** Sets the lines of charts: {series, metric, isServed} each. Their values are kept. */
  setCharted(lines) {
    this.#charted = lines.filter(line => line.isServed);
    const kept = new Set(lines.map(line => line.series));
    for (const [series, one] of this.#series) {
      one.points = kept.has(series) ? one.points ?? [] : null;
    }
    for (const series of kept) {
      this.of(series).points ??= [];
    }
    this.#update();
  }

  /** Gives what is known of a series to another one, which is the same under another number. */
  move(from, to) {
    const one = this.of(from);
    this.#series.delete(from);
    this.#series.set(to, one);
  }

  /** Sets the epoch and version of the names that are shown from now on. */
  setNames(names) {
    this.#stop(); // what was asked for may be called something else now
    if (names.epoch !== this.#names.epoch) {
      this.#origin = NaN; // another process has another clock
    }
    for (const [series, one] of this.#series) {
      if (!one.points && !this.#wanted.has(series)) {
        this.#series.delete(series);
      }
    }
    this.#names = names;
    this.#isFirst = true;
    this.latest = null;
  }

  /** Returns whether a document is of the names that are shown, or of later ones of the same process. */
  isCurrent(document) {
    return document.epoch === this.#names.epoch && document.version >= this.#names.version;
  }

  #update() {
    const all = new Map([...this.#charted, ...this.#visible].map(({series, metric}) => [series, metric]));
    const wanted = new Map([...all].slice(0, MAX_SERIES));
    const isSame = [...wanted.keys()].join() === [...this.#wanted.keys()].join();
    if (isSame && (this.#asking || this.#delay)) {
      return;
    }
    this.#wanted = wanted;
    clearTimeout(this.#delay);
    this.#delay = setTimeout(() => this.#restart(), DELAY);
  }

  #stop() {
    this.#asking?.abort();
    this.#asking = null;
    clearTimeout(this.#delay);
    clearTimeout(this.#timer);
    this.#delay = 0;
  }

  #restart() {
    this.#stop();
    if (document.hidden) {
      this.#listener('paused');
    } else {
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
      const frame = await get('values', {series: ids(wanted.keys())}, asking.signal);
      if (asking === this.#asking) { // or else others are wanted since
        this.#take(wanted, frame);
      }
    } catch {
      state = 'lost';
    }
    if (asking === this.#asking) {
      this.#timer = setTimeout(() => this.#poll(), next - performance.now());
      this.#listener(state);
    }
  }

  #take(wanted, frame) {
    this.latest = frame;
    // Names that were just loaded may be older than the first frame: files may come and go all the time.
    const isOfNames = this.#isFirst ? this.isCurrent(frame) : hasSameNames(frame, this.#names);
    this.#isFirst = false;
    if (!isOfNames) {
      return; // the listener loads the names
    }
    const values = new Map(ids(wanted.keys()).map((id, index) => [id, frame.values[index] ?? null]));
    const time = this.#time(frame);
    for (const [series, metric] of wanted) {
      const one = this.of(series);
      const value = values.get(idOf(series));
      const isCounter = metric.semantics === 'counter';
      if (frame.clock - one.clock > GAP) {
        one.interrupt();
      }
      if (isCounter) {
        setRate(one, value, frame.clock);
      }
      one.value = value;
      one.clock = frame.clock;
      one.isKnown = true;
      if (one.points) {
        const number = value === null ? null : isCounter ? one.rate : Number(value);
        one.points.push({time, number: Number.isFinite(number) ? number : null, text: value});
        one.points.splice(0, one.points.length - HISTORY);
      }
    }
  }

  /**
   * Returns the time of a frame in seconds. It goes on by the clock of the process, so that it never
   * goes back; but that clock stands still while its host sleeps, and the time may be set: then lines
   * have a gap, and end where the time is now.
   */
  #time(frame) {
    const origin = frame.time - frame.clock;
    if (!(Math.abs(origin - this.#origin) < GAP)) {
      this.#origin = origin;
      for (const one of this.#series.values()) {
        one.interrupt();
        one.points = one.points && one.points.filter(point => point.time * 1000 < frame.time);
      }
    }
    return (this.#origin + frame.clock) / 1000;
  }
}

/** Sets the rate of a counter; null after a decrease, because the application was restarted. */
function setRate(one, value, clock) {
  const before = one.since;
  const passed = before ? clock - before.clock : Infinity;
  if (passed < SHORTEST && value !== null) {
    return; // others are asked for since; the next value gives a better rate
  }
  one.since = value === null ? null : {value, clock};
  const increase = before && value !== null ? difference(before.value, value) : -1;
  one.rate = increase >= 0 ? increase * 1000 / passed : null;
}

function difference(before, now) {
  return isWhole(before) && isWhole(now) ? Number(BigInt(now) - BigInt(before)) : now - before;
}
