// Values of the series that are on screen, each second: from a stream, or else by polling. A series
// is what the server calls it, a PMID, perhaps with an instance, and after a space its name:
// '70.12.3:5 mmv.shop.paid[card]'. So a value is never shown under a name that is not its own,
// whatever the server calls the same later.

import {get, hasSameNames, url} from './api.js';

const INTERVAL = 1000; // milliseconds
const POLLING = 2000;
const PATIENCE = 4000; // for a stream to open: a browser has six connections to a host
const DELAY = 120; // so that scrolling does not open a stream for each row
const MAX_SERIES = 250; // which fit into the line of a request, 8 KiB
const SHORTEST = 500; // time between two values of which there is a rate
const GAP = 3; // intervals without a value, after which a line ends and a rate begins anew
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

/** Returns the series of a metric without instances, or of an instance of a metric. */
export function seriesOf(metric, instance) {
  return instance ? `${metric.pmid}:${instance.instance} ${metric.name}[${instance.name}]`
    : `${metric.pmid} ${metric.name}`;
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
  #source = null;
  #timer = 0;
  #delay = 0;
  #generation = 0; // of the subscription: what comes for an earlier one is ignored
  #listener;
  latest = null; // the last frame since then

  /** @param {function} listener called with 'live', 'polling', 'lost' or 'paused', and after new values */
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

  /** Opens the stream, also if no series is wanted: it tells when names have changed. */
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
    for (const [series, one] of this.#series) {
      if (names.epoch !== this.#names.epoch) {
        one.interrupt(); // another process has another clock
      }
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
    if (isSame && (this.#source || this.#timer || this.#delay)) {
      return;
    }
    this.#wanted = wanted;
    clearTimeout(this.#delay);
    this.#delay = setTimeout(() => this.#restart(), DELAY);
  }

  #stop() {
    this.#generation++;
    clearTimeout(this.#delay);
    clearTimeout(this.#timer);
    this.#delay = 0;
    this.#timer = 0;
    this.#source?.close();
    this.#source = null;
  }

  #restart() {
    this.#stop();
    if (document.hidden) {
      this.#listener('paused');
    } else if (window.EventSource) {
      this.#stream();
    } else {
      this.#poll();
    }
  }

  #stream() {
    const generation = this.#generation;
    const wanted = this.#wanted;
    const source = new EventSource(url('stream', {series: ids(wanted.keys()), interval: INTERVAL}));
    this.#source = source;
    this.#timer = setTimeout(() => this.#fallBack(), PATIENCE);
    source.onmessage = event => {
      if (generation === this.#generation) {
        clearTimeout(this.#timer);
        this.#take(wanted, JSON.parse(event.data));
        this.#listener('live');
      }
    };
    source.onerror = () => {
      if (generation === this.#generation) {
        this.#listener('lost');
        if (source.readyState === EventSource.CLOSED) {
          this.#fallBack();
        }
      }
    };
  }

  #fallBack() {
    this.#source?.close();
    this.#source = null;
    this.#poll();
  }

  async #poll() {
    const generation = this.#generation;
    const wanted = this.#wanted;
    let state = 'polling';
    try {
      const frame = await get('values', {series: ids(wanted.keys())});
      if (generation === this.#generation) {
        this.#take(wanted, frame);
      }
    } catch {
      state = 'lost';
    }
    if (generation === this.#generation) {
      this.#listener(state);
      this.#timer = setTimeout(() => state === 'lost' ? this.#restart() : this.#poll(), POLLING);
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
    const gap = GAP * (this.#source ? INTERVAL : POLLING);
    for (const [series, metric] of wanted) {
      const one = this.of(series);
      const value = values.get(idOf(series));
      const isCounter = metric.semantics === 'counter';
      if (frame.clock - one.clock > gap) {
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
        one.points.push({time: frame.time / 1000, number: Number.isFinite(number) ? number : null, text: value});
        one.points.splice(0, one.points.length - HISTORY);
      }
    }
  }
}

/** Sets the rate of a counter; null after a decrease, because the application was restarted. */
function setRate(one, value, clock) {
  const before = one.since;
  const passed = before ? clock - before.clock : Infinity;
  if (passed < SHORTEST && value !== null) {
    return; // another subscription has begun; the next value gives a better rate
  }
  one.since = value === null ? null : {value, clock};
  const increase = before && value !== null ? difference(before.value, value) : -1;
  one.rate = increase >= 0 ? increase * 1000 / passed : null;
}

function difference(before, now) {
  const isWhole = /^-?\d+$/.test(before) && /^-?\d+$/.test(now);
  return isWhole ? Number(BigInt(now) - BigInt(before)) : now - before;
}
