// Values of the series that are on screen, each second: from a stream, or else by polling. A series
// is a PMID, or a PMID and an instance: '70.12.3:5'.

import {get, url} from './api.js';

const INTERVAL = 1000; // milliseconds
const POLLING = 2000;
const PATIENCE = 4000; // for a stream to open: a browser has six connections to a host
const DELAY = 120; // so that scrolling does not open a stream for each row
const MAX_SERIES = 500; // that the server permits
const SHORTEST = 500; // time between two values of which there is a rate
const GAP = 10000; // the longest
const HISTORY = 600; // values of a charted series

/** What is known of a series. */
class Series {
  value = null; // the text of /api/v1
  isKnown = false; // whether the value is that of the server, which may be null
  rate = null; // per second, of a counter
  since = null; // {value, clock}: the value from which the next rate is computed
  points = null; // [seconds, number] of a charted series, or null
}

export class Live {
  #series = new Map();
  #visible = [];
  #charted = new Set();
  #isCounter;
  #wanted = [];
  #source = null;
  #timer = 0;
  #delay = 0;
  #generation = 0; // of the subscription: what comes for an earlier one is ignored
  #listener;
  version = -1;

  /**
   * @param {function} listener called with 'live', 'polling', 'lost' or 'paused', and after new values
   * @param {function(string): boolean} isCounter whether a series is one of a counter
   */
  constructor(listener, isCounter) {
    this.#listener = listener;
    this.#isCounter = isCounter;
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

  /** Sets the series whose rows are on screen. */
  setVisible(ids) {
    this.#visible = ids;
    this.#update();
  }

  /** Sets the series that are charted: their values are kept. */
  setCharted(ids) {
    this.#charted = new Set(ids);
    for (const [id, one] of this.#series) {
      one.points = this.#charted.has(id) ? one.points ?? [] : null;
    }
    for (const id of ids) {
      this.of(id).points ??= [];
    }
    this.#update();
  }

  /** Forgets series that are gone. */
  retain(isKnown) {
    for (const id of this.#series.keys()) {
      if (!isKnown(id)) {
        this.#series.delete(id);
      }
    }
  }

  #update() {
    const wanted = [...new Set([...this.#charted, ...this.#visible])].slice(0, MAX_SERIES);
    if (wanted.join() === this.#wanted.join() && (this.#source || this.#timer || this.#delay)) {
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
    const source = new EventSource(url('stream', {series: wanted, interval: INTERVAL}));
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
      const frame = await get('values', {series: wanted});
      if (generation === this.#generation) {
        this.#take(wanted, frame);
      }
    } catch {
      state = 'lost';
    }
    if (generation === this.#generation) {
      this.#listener(state);
      this.#timer = setTimeout(() => this.#poll(), POLLING);
    }
  }

  #take(wanted, frame) {
    this.version = frame.version;
    wanted.forEach((id, index) => {
      const one = this.of(id);
      const value = frame.values[index] ?? null;
      const isCounter = this.#isCounter(id);
      if (isCounter) {
        setRate(one, value, frame.clock);
      }
      one.value = value;
      one.isKnown = true;
      if (one.points) {
        const number = value === null ? null : isCounter ? one.rate : Number(value);
        one.points.push([frame.time / 1000, Number.isFinite(number) ? number : null]);
        one.points.splice(0, one.points.length - HISTORY);
      }
    });
  }
}

/** Sets the rate of a counter; null after a decrease, because the application was restarted, and after a gap. */
function setRate(one, value, clock) {
  const before = one.since;
  const passed = before ? clock - before.clock : Infinity;
  if (passed < SHORTEST && value !== null) {
    return; // another subscription has begun; the next value gives a better rate
  }
  one.since = value === null ? null : {value, clock};
  const increase = before && value !== null ? difference(before.value, value) : -1;
  one.rate = increase >= 0 && passed <= GAP ? increase * 1000 / passed : null;
}

function difference(before, now) {
  const isWhole = /^-?\d+$/.test(before) && /^-?\d+$/.test(now);
  return isWhole ? Number(BigInt(now) - BigInt(before)) : now - before;
}
