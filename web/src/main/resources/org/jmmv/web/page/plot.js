// Draws the lines of a chart with uPlot, which index.html loads.

import {el} from './dom.js';
import {formatTicks, isText, printable} from './format.js';

const {uPlot} = globalThis;
const BAND = 20; // pixels, the height of a text
const PADDING = 8;
const RIGHT = 24; // for the half of a time
const TIME_AXIS = 24;
const GAP = 6; // pixels between numbers and the axis
const FONT = '11px system-ui, sans-serif';
const COLOURS = 8; // of texts

/** The dashes of lines. With their colours alone, some people could not tell them apart. */
export const DASHES = [[], [8, 3], [2, 3], [10, 3, 2, 3], [5, 7], [14, 4], [7, 2, 2, 2, 2, 2], [2, 8]];

// Steps of an axis: of numbers, and of bytes, whose units are powers of 1024: half a Mbyte is 512 Kbyte.
const STEPS = Array.from({length: 324}, (_, i) => [1, 2, 5].map(step => Number(`${step}e${i - 16}`))).flat();
const BYTE_STEPS = [...STEPS.filter(step => step < 1), ...Array.from({length: 100}, (_, i) => 2 ** i)];

const colours = new Map(); // of the canvas by those of the style sheet

/** Returns a colour of the style sheet as the canvas takes it. */
export function colour(value) {
  const known = colours.get(value);
  if (known) {
    return known;
  }
  const probe = el('span.probe', {hidden: true});
  probe.style.color = value;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  colours.set(value, resolved);
  return resolved;
}

export class Plot {
  #place;
  #timeline;
  #listener;
  #plot = null;
  #lines = []; // with an axis
  #texts = []; // lines whose values are texts
  #axes = []; // quantities
  #options = {};
  #scale = []; // of each axis if it is logarithmic: where it begins to be
  #units = [];

  /**
   * @param {Element} place gets the canvas
   * @param {Timeline} timeline the times to show
   * @param {object} listener points(line); pointed(), called when the cursor has moved; axes(units), after drawing
   */
  constructor(place, timeline, listener) {
    this.#place = place;
    this.#timeline = timeline;
    this.#listener = listener;
    new ResizeObserver(() => this.#resize()).observe(place);
  }

  /**
   * Draws other lines, or in another way.
   *
   * @param {Array} lines {metric, colour, dash, axis, isHidden, isRate} each; axis is an index of axes
   * @param {Array} axes quantities
   * @param {object} options isLog, isStacked
   */
  set(lines, axes, options) {
    this.#texts = lines.filter(line => isText(line.metric) && !line.isHidden);
    this.#lines = lines.filter(line => !isText(line.metric) && line.axis < axes.length);
    this.#axes = axes;
    this.#options = options;
    this.#plot?.destroy();
    this.#plot = null;
    colours.clear(); // there may be others now
    const hasAxes = axes.length > 0;
    this.#place.style.height = hasAxes ? '' : `${PADDING + this.#texts.length * BAND + TIME_AXIS + 4}px`;
    if (lines.length > 0 && this.#place.clientWidth > 0) {
      this.#create();
    }
  }

  #create() {
    const {isLog, isStacked} = this.#options;
    const grid = {stroke: colour('var(--grid)'), width: 1};
    const axis = {stroke: colour('var(--muted)'), grid, ticks: {show: false}, font: FONT};
    const scales = Object.fromEntries(this.#axes.map((_, index) => [`y${index}`, {
      distr: isLog ? 4 : 1,
      range: (_, low, high) => range(low, high, isLog)
    }]));
    this.#scale = this.#axes.map(() => 1);
    this.#units = [];
    const visible = this.#lines.map((line, index) => ({line, index: index + 1})).filter(({line}) => !line.isHidden);
    this.#plot = new uPlot({
      width: Math.max(100, this.#place.clientWidth),
      height: Math.max(40, this.#place.clientHeight),
      padding: [PADDING + this.#texts.length * BAND, this.#axes.length > 1 ? 0 : RIGHT, 0, 0],
      legend: {show: false},
      focus: {alpha: 0.2},
      cursor: {
        y: false,
        drag: {x: true, y: false, setScale: false, dist: 4},
        sync: {key: 'charts', scales: ['x', null], filters: {pub: type => type === 'mousemove'}},
        bind: {dblclick: () => () => { this.#timeline.zoomOut(); }}
      },
      scales: {x: {range: () => this.#timeline.range}, ...scales},
      axes: [
        {...axis, size: TIME_AXIS, space: 70, values: [
          [60, '{HH}:{mm}', null, null, null, null, null, null, 1],
          [1, '{HH}:{mm}:{ss}', null, null, null, null, null, null, 1]
        ]},
        ...this.#axes.map((quantity, index) => ({
          ...axis,
          scale: `y${index}`,
          side: index === 0 ? 3 : 1,
          grid: {...grid, show: index === 0},
          size: (plot, texts) => widest(plot, texts) + GAP + 4,
          gap: GAP,
          space: isLog ? 20 : 32,
          incrs: quantity.names.length > 1 ? BYTE_STEPS : STEPS,
          ...isLog ? {splits: (_, __, low, high) => decades(low, high, this.#scale[index]), filter: (_, splits) => splits} : {},
          values: (_, ticks) => {
            const {texts, units} = formatTicks(quantity, ticks);
            this.#units[index] = units;
            return texts;
          }
        })),
        ...this.#axes.length === 0 ? [{show: false}] : []
      ],
      series: [{}, ...this.#lines.map(line => {
        const bottom = isStacked && visible.find(one => one.line.axis === line.axis)?.line === line;
        return {
          scale: `y${line.axis}`,
          show: !line.isHidden,
          stroke: colour(`var(${line.colour})`),
          width: 1.75,
          dash: line.dash,
          fill: bottom ? fill(line) : undefined,
          points: {show: false},
          spanGaps: false
        };
      })],
      bands: isStacked ? visible.flatMap(({line, index}, position) => {
        const below = visible.slice(0, position).findLast(one => one.line.axis === line.axis);
        return below ? [{series: [index, below.index], fill: fill(line)}] : [];
      }) : [],
      hooks: {
        setCursor: [() => this.#listener.pointed()],
        setSelect: [plot => this.#select(plot)],
        draw: [plot => this.#drawMarks(plot)]
      }
    }, this.#data(), this.#place);
    this.#plot.over.addEventListener('pointermove', () => { this.#timeline.cursor = null; });
    this.#listener.axes(this.#units);
  }

  #select(plot) {
    const {left, width} = plot.select;
    if (width > 0) {
      plot.setSelect({left: 0, width: 0, height: 0}, false);
      this.#timeline.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
    }
  }

  /** Returns the points that are shown, and one before and after them. */
  #data() {
    const [from, to] = this.#timeline.range;
    const shown = this.#lines.map(line => visible(this.#listener.points(line), from, to));
    const texts = this.#texts.map(line => visible(this.#listener.points(line), from, to));
    const times = [...new Set([...shown, ...texts].flat().map(({time}) => time))].sort((one, other) => one - other);
    if (times.length === 0) {
      times.push(to); // for the axis
    }
    const {isLog, isStacked} = this.#options;
    const sums = this.#axes.map(() => times.map(() => 0)); // of the lines below
    const numbers = this.#lines.map((line, index) => {
      const {factor} = this.#axes[line.axis];
      const ofTimes = new Map(shown[index].map(point => [point.time, numberOf(line, point, factor)]));
      let last = null;
      return times.map((time, position) => {
        const number = ofTimes.get(time); // undefined, which is no gap, at a time of other lines
        if (!isStacked || line.isHidden) {
          return number;
        }
        last = number === undefined ? last : number;
        sums[line.axis][position] += last ?? 0;
        return last === null ? null : sums[line.axis][position];
      });
    });
    if (isLog) {
      this.#axes.forEach((_, axis) => {
        const sizes = numbers.filter((_, index) => this.#lines[index].axis === axis).flat()
          .map(Math.abs).filter(size => size > 0);
        this.#scale[axis] = sizes.length ? 10 ** Math.floor(Math.log10(sizes.reduce((one, other) => Math.min(one, other)))) : 1;
      });
    }
    return [times, ...numbers];
  }

  /** Shows new values, or other times. */
  update() {
    if (!this.#plot) {
      return;
    }
    const data = this.#data();
    this.#axes.forEach((_, index) => {
      const scale = this.#plot.scales[`y${index}`];
      if (scale.asinh !== this.#scale[index]) {
        scale.asinh = this.#scale[index];
        scale.min = null; // so that uPlot computes it anew
      }
    });
    this.#plot.batch(() => this.#plot.setData(data)); // at once: the cursor and the units need the new scales
    this.#listener.axes(this.#units);
    this.showCursor();
  }

  /** Moves the cursor to where the timeline has it, if it was moved with the keyboard. */
  showCursor() {
    const time = this.#timeline.cursor;
    if (this.#plot && time !== null) {
      this.#plot.setCursor({left: this.#plot.valToPos(time, 'x'), top: 0}, false, false);
      this.#listener.pointed();
    }
  }

  /** Hides the cursor. */
  hideCursor() {
    this.#plot?.setCursor({left: -10, top: -10}, false);
  }

  /** Returns the time under the cursor, or undefined. */
  get cursor() {
    const index = this.#plot?.cursor.idx ?? null;
    return index === null || this.#plot.cursor.left < 0 ? undefined : this.#plot.data[0][index];
  }

  /** Returns all times that are drawn. */
  get times() {
    const [from, to] = this.#timeline.range;
    return (this.#plot?.data[0] ?? []).filter(time => time >= from && time <= to);
  }

  get canvas() {
    return this.#plot?.ctx.canvas;
  }

  /** Brings out a line; null: none. */
  highlight(line) {
    const index = this.#lines.indexOf(line);
    this.#plot?.setSeries(index < 0 ? null : index + 1, {focus: true});
  }

  #resize() {
    const {clientWidth: width, clientHeight: height} = this.#place;
    if (width > 0 && !this.#plot && this.#lines.length + this.#texts.length > 0) {
      this.#create(); // it was not shown
    } else if (width > 0 && height > 0 && (width !== this.#plot?.width || height !== this.#plot?.height)) {
      this.#plot?.setSize({width, height});
    }
  }

  #drawMarks(plot) {
    const {ctx} = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(plot.bbox.left, 0, plot.bbox.width, ctx.canvas.height);
    ctx.clip();
    const {range: shown} = this.#timeline;
    this.#texts.forEach((line, index) => drawTexts(plot, this.#listener.points(line), index, shown));
    const lines = [...this.#lines, ...this.#texts].filter(line => !line.isHidden);
    drawRestarts(plot, lines.flatMap(line => this.#listener.points(line)), shown);
    ctx.restore();
  }
}

function visible(points, from, to) {
  const first = points.findIndex(({time}) => time >= from);
  const after = points.findIndex(({time}) => time > to);
  return first < 0 ? points.slice(-1) : points.slice(Math.max(0, first - 1), after < 0 ? undefined : after + 1);
}

function numberOf({isRate}, {rate, number}, factor) {
  const value = isRate ? rate : number;
  return value === null ? null : value * factor;
}

/** Draws vertical lines where applications were restarted. */
function drawRestarts(plot, points, [from, to]) {
  const {ctx, bbox} = plot;
  const times = new Set(points.filter(({isRestart}) => isRestart).map(({time}) => time));
  ctx.strokeStyle = ctx.fillStyle = colour('var(--warn)');
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash([3 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
  for (const time of times) {
    if (time >= from && time <= to) {
      const x = Math.round(plot.valToPos(time, 'x', true)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(x, 0);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.beginPath();
      const size = 4 * uPlot.pxRatio;
      ctx.moveTo(x - size, 0);
      ctx.lineTo(x + size, 0);
      ctx.lineTo(x, 1.5 * size);
      ctx.fill();
    }
  }
}

/** Draws a band for each text that a line had, with the text. */
function drawTexts(plot, points, row, [from, to]) {
  const {ctx} = plot;
  const ratio = uPlot.pxRatio;
  const top = (PADDING / 2 + row * BAND) * ratio;
  const height = (BAND - 3) * ratio;
  const known = new Map(); // numbers of colours by text
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'start';
  for (let index = 0; index < points.length;) {
    const {text, time} = points[index];
    let next = index + 1;
    while (next < points.length && points[next].text === text) {
      next++;
    }
    const end = points[next]?.time ?? points[next - 1].time;
    if (text !== null) {
      known.set(text, known.get(text) ?? known.size % COLOURS + 1);
      const left = plot.valToPos(Math.max(time, from), 'x', true);
      const right = plot.valToPos(Math.min(end, to), 'x', true);
      if (right > left) {
        const name = `--line-${known.get(text)}`;
        ctx.fillStyle = colour(`color-mix(in srgb, var(${name}) 22%, transparent)`);
        ctx.fillRect(left, top, right - left, height);
        ctx.fillStyle = colour(`var(${name})`);
        ctx.fillRect(left, top, 2 * ratio, height);
        ctx.save();
        ctx.beginPath();
        ctx.rect(left, top, right - left, height);
        ctx.clip();
        ctx.fillStyle = colour('var(--text)');
        ctx.fillText(printable(text).slice(0, 200).replaceAll('\n', ' '), left + 6 * ratio, top + height / 2);
        ctx.restore();
      }
    }
    index = next;
  }
}

function fill(line) {
  return colour(`color-mix(in srgb, var(${line.colour}) 30%, transparent)`);
}

/** Returns where an axis begins and ends: at 0, unless there are negative numbers. */
function range(low, high, isLog) {
  if (low === null || high === null) {
    return [0, 1];
  }
  const room = isLog ? 0 : (Math.max(high, 0) - Math.min(low, 0)) * 0.05 || 1;
  const end = number => Math.max(-Number.MAX_VALUE / 2, Math.min(Number.MAX_VALUE / 2, number)); // of a range that is finite
  const last = isLog ? high * 1.3 || 1 : high + room;
  return [low < 0 ? end(isLog ? low * 1.3 : low - room) : 0, high > 0 || low === 0 ? end(last) : 0];
}

/** Returns the ticks of a logarithmic axis: 0 and powers of ten, from a first one on. */
function decades(low, high, first) {
  const ticks = [0];
  for (let size = first; size <= Math.max(high, -low) && size > 0; size *= 10) {
    if (size <= high) {
      ticks.push(size);
    }
    if (-size >= low) {
      ticks.unshift(-size);
    }
  }
  const step = Math.ceil(ticks.length / 6);
  const zero = ticks.indexOf(0);
  return ticks.filter((_, index) => (index - zero) % step === 0);
}

/** Returns the width of the widest of some texts, in pixels of CSS. */
function widest(plot, texts) {
  plot.ctx.font = FONT;
  return Math.max(8, ...(texts ?? []).map(text => plot.ctx.measureText(text).width));
}
