// A small line of what a series was in the last minutes, for lists and cards.

import {svg} from './dom.js';

const WIDTH = 120;
const HEIGHT = 20;
const EDGE = 1.5; // of the drawing, for half of the line's width
const SECONDS = 15 * 60;

/** Creates an element without a line. The text beside it says what the value is. */
export function sparkline() {
  return svg('svg', {class: 'spark', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    svg('path', {d: ''}));
}

/**
 * Draws points of the last 15 minutes.
 *
 * @param {Array} points as those of a series
 * @param {boolean} isRate whether their rates are drawn
 * @param {number} now the time at the right edge, in seconds
 */
export function drawSparkline(element, points, isRate, now) {
  const path = pathOf(points, point => isRate ? point.rate : point.number, now);
  if (element.firstChild.getAttribute('d') !== path) {
    element.firstChild.setAttribute('d', path);
  }
}

function pathOf(points, numberOf, now) {
  const columns = []; // the last point of each, {x, y}; y is null in a gap
  let low = Infinity;
  let high = -Infinity;
  for (const point of points) {
    const x = Math.round(WIDTH * (1 - (now - point.time) / SECONDS));
    const y = numberOf(point);
    if (x < 0) {
      continue;
    }
    if (y !== null) {
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
    if (columns.at(-1)?.x === x && y !== null) {
      columns.at(-1).y = y;
    } else {
      columns.push({x, y});
    }
  }
  const scale = high > low ? (HEIGHT - 2 * EDGE) / (high - low) : 0;
  let isDrawing = false;
  return columns.map(({x, y}) => {
    const command = y === null ? '' : isDrawing ? 'L' : 'M';
    isDrawing = y !== null;
    return command && `${command}${x} ${(scale ? HEIGHT - EDGE - (y - low) * scale : HEIGHT / 2).toFixed(1)}`;
  }).join('');
}
