// The time that all charts show, and where their cursor is.

const SHORTEST = 60; // seconds: a chart that has just begun is not wider
const SMALLEST = 2; // seconds of a zoom
const MINUTE = 60;

const WINDOWS = [1, 5, 15]; // minutes
export const DEFAULT_WINDOW = 5;

export class Timeline {
  #changed;
  #zoom = null;
  #paused = null; // the range that is shown while it stands still
  #first = Infinity;
  #now = Date.now() / 1000;
  window = DEFAULT_WINDOW;
  cursor = null; // the time that was chosen with the keyboard

  /** @param {function} changed called when other times are shown */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Sets the times of the first and of the last point of all charts. */
  setPoints(first, now) {
    this.#first = first;
    this.#now = now;
  }

  /** Returns the first and the last time that are shown, in seconds. */
  get range() {
    return this.#zoom ?? this.#paused ?? this.#live();
  }

  #live() {
    const from = Math.max(this.#now - this.window * MINUTE, Math.min(this.#first, this.#now - SHORTEST));
    return [from, this.#now];
  }

  /** Returns whether later values are not shown. */
  get isStill() {
    return this.#zoom !== null || this.#paused !== null;
  }

  get isPaused() {
    return this.#paused !== null;
  }

  get isZoomed() {
    return this.#zoom !== null;
  }

  /** Shows the last minutes. */
  setWindow(minutes) {
    this.window = WINDOWS.includes(minutes) ? minutes : DEFAULT_WINDOW;
    if (this.#paused) {
      this.#paused = [this.#paused[1] - this.window * MINUTE, this.#paused[1]];
    }
    this.zoomOut();
  }

  /** Shows a part of what is shown. */
  zoom(from, to) {
    if (to - from >= SMALLEST) {
      this.#zoom = [from, to];
      this.#changed();
    }
  }

  /** Shows the whole window again. */
  zoomOut() {
    this.#zoom = null;
    this.#changed();
  }

  /** Has what is shown stand still, or go on. */
  pause(isPaused) {
    this.#paused = isPaused ? this.#live() : null;
    this.#changed();
  }
}
