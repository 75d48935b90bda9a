// The values of a series over time. A series is what the server is asked for, a PMID, perhaps with an
// instance, and a hash of the rest: its name and kind, after a space. So a value is never shown under a
// name or with units that are not its own: '70.12.3:5_1c0d9e2b mmv.shop.paid[card] u64 counter count'.

import {isText, isWhole} from './format.js';

const SHORTEST = 0.5; // seconds between two points: a rate over less jumps
const OF_RATE = 5; // seconds of the rate that is shown in lists, at least: as those by which the server sorts
export const GAP = 6; // seconds without a point, after which a line ends: a slow answer is no gap

/** Returns what values of a metric must have in common to be one line of a chart. */
export function kindOf({type, semantics, units}) {
  return `${type} ${semantics} ${units}`;
}

/** Returns the series of a metric without instances, or of an instance of a metric. */
export function seriesOf(metric, instance) {
  const [number, name] = instance ? [`:${instance.instance}`, `[${instance.name}]`] : ['', ''];
  const meant = `${metric.name}${name} ${kindOf(metric)}`;
  return `${metric.pmid}${number}_${hash(meant)} ${meant}`;
}

/** Returns the hash that the server compares: FNV-1a. */
function hash(text) {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 16777619);
  }
  return (bits >>> 0).toString(16).padStart(8, '0');
}

/** Returns what the server is asked for. */
export function idOf(series) {
  return series.split(' ', 1)[0];
}

/** What is known of a series. */
export class Series {
  value = null; // the last text of /api/v1
  isKnown = false; // whether the value is that of the server, which may be null
  clock = -Infinity; // when the last value was read, by the clock of the process
  missing = null; // the clock after which points may be missing that the server has kept
  step = Infinity; // milliseconds between points that are wanted of the past, at most; Infinity: none are
  // {time, text, number, rate} each, the last three null in a gap; isRestart: the application was restarted
  // before; isEnd: the metric was gone, then or just before; isGap: only so that no line is drawn
  points = [];

  /**
   * Returns the rate per second that a counter has now, or null: over some seconds, as far as there is no gap. A counter
   * may count every other second.
   */
  get rate() {
    const {points} = this;
    const last = points.length - 1;
    let first = last;
    while (first > 0 && points[first].rate !== null && points[last].time - points[first].time < OF_RATE) {
      first--;
    }
    return first === last ? null
      : difference(points[first].text, points[last].text) / (points[last].time - points[first].time);
  }

  /**
   * Adds values of some times, which may be before, between and after those that are known. A value
   * that is closer to another one than the shortest time adds nothing.
   *
   * @param {object} metric of which the values are
   * @param {Array} samples {time, text, isEnd} each, in the order of their times
   */
  add(metric, samples) {
    if (samples.length === 0) {
      return;
    }
    const from = this.points.findLastIndex(point => point.time < samples[0].time && !point.isGap) + 1;
    const later = this.points.splice(from).filter(point => !point.isGap);
    const merged = later.length === 0 ? samples : [...later, ...samples].sort((one, other) => one.time - other.time);
    merged.forEach(sample => this.#push(metric, sample));
  }

  #push(metric, {time, text, isEnd = false}) {
    const last = this.points.at(-1);
    if (last && time - last.time < SHORTEST && (last.text === null) === (text === null)) {
      last.isEnd ||= isEnd;
      return;
    }
    if (last && last.text !== null && time - last.time > GAP) {
      this.points.push(gapAfter(last, {isGap: true}));
    }
    const number = text === null || isText(metric) ? null : Number(text);
    const point = {time, text, number: Number.isFinite(number) ? number : null, rate: null, isEnd};
    const before = text === null ? -1 : this.points.findLastIndex(one => one.text !== null);
    if (before >= 0) {
      const increase = metric.semantics === 'counter' ? difference(this.points[before].text, text) : NaN;
      if (increase >= 0 && before === this.points.length - 1) {
        point.rate = increase / (time - last.time);
      }
      point.isRestart = increase < 0 || isEnd || this.points.slice(before + 1).some(one => one.isEnd);
      if (increase < 0) {
        this.points.push({...gapAfter(last, {isGap: true}), time: (last.time + time) / 2});
      }
    }
    this.points.push(point);
  }

  /**
   * Ends the line: the next value begins another one.
   *
   * @param {boolean} isEnd whether the metric is gone, so that its application was restarted if it returns
   */
  interrupt(isEnd) {
    const last = this.points.at(-1);
    if (last && last.text !== null) {
      this.points.push(gapAfter(last, {isEnd}));
    } else if (last) {
      last.isEnd ||= isEnd;
    }
  }

  /** Sets the time between points that are wanted of the past. */
  setStep(step) {
    if (step < this.step) {
      this.missing = -Infinity;
    }
    this.step = step;
    if (!this.isKept) {
      this.trim();
    }
  }

  /** Returns whether points are kept, because a line of them is shown. */
  get isKept() {
    return this.step < Infinity;
  }

  /** Forgets points before a time; all but the last two if none are kept. */
  trim(time) {
    const count = this.isKept ? this.points.findIndex(point => point.time >= time) : this.points.length - 2;
    if (count > 0) {
      this.points.splice(0, count);
    }
  }
}

function gapAfter({time}, kind) {
  return {time: time + SHORTEST, text: null, number: null, rate: null, ...kind};
}

function difference(before, now) {
  return isWhole(before) && isWhole(now) ? Number(BigInt(now) - BigInt(before)) : now - before;
}
