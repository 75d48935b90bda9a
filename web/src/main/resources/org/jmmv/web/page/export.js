// What a chart shows, as CSV, JSON, a picture and a table.

import {el} from './dom.js';
import {clockTime, formatReading, isText, printable} from './format.js';
import {colour} from './plot.js';

const PICTURE = {padding: 12, row: 18, mark: 28, font: '12px system-ui, sans-serif', title: '600 14px system-ui, sans-serif'};

/** Returns all times of a chart, with the point of each line or undefined: {time, points}. */
function rowsOf({lines}) {
  const rows = new Map();
  lines.forEach(({points}, index) => points.filter(({text}) => text !== null).forEach(point => {
    const row = rows.get(point.time) ?? {time: point.time, points: lines.map(() => undefined)};
    row.points[index] = point;
    rows.set(point.time, row);
  }));
  return [...rows.values()].sort((one, other) => one.time - other.time);
}

function nameOf({line, quantity}) {
  const units = line.isRate ? quantity.units : line.metric.units;
  return units ? `${line.key} (${units})` : line.key;
}

function isoTime(seconds) {
  return new Date(seconds * 1000).toISOString();
}

/** Returns a value with all its digits: a number of JSON would lose some. */
function exact({line, quantity}, point) {
  if (!line.isRate) {
    return point?.text ?? '';
  }
  return point && point.rate !== null ? String(point.rate * quantity.factor) : '';
}

/** Returns the values as CSV (RFC 4180). */
export function chartCsv(shown) {
  const quote = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  // a text that an application writes must not become a formula of a spreadsheet
  const harmless = text => text.replace(/^[=+\-@\t\r]/, "'$&");
  const cell = (one, point) => quote(isText(one.line.metric) ? harmless(exact(one, point)) : exact(one, point));
  const header = ['time', ...shown.lines.map(line => quote(nameOf(line))), 'restarted'];
  const rows = rowsOf(shown).map(({time, points}) => [
    isoTime(time),
    ...shown.lines.map((line, index) => cell(line, points[index])),
    points.some(point => point?.isRestart) ? 'yes' : ''
  ]);
  return [header, ...rows].map(row => `${row.join(',')}\r\n`).join('');
}

/** Returns the values as JSON. Those of the application are texts, because numbers of JSON lose digits. */
export function chartJson({title, range, lines}) {
  return JSON.stringify({
    title,
    from: isoTime(range[0]),
    to: isoTime(range[1]),
    lines: lines.map(({line, quantity, points}) => ({
      metric: line.metric.name,
      instance: line.name || undefined,
      type: line.metric.type,
      semantics: line.metric.semantics,
      units: line.metric.units,
      rateUnits: line.isRate ? quantity.units : undefined,
      points: points.map(point => ({
        time: isoTime(point.time),
        value: point.text,
        rate: !line.isRate ? undefined : point.rate === null ? null : point.rate * quantity.factor,
        restarted: point.isRestart || undefined
      }))
    }))
  }, null, 1);
}

/** Returns the values as a table, the newest first. */
export function tableOf(shown) {
  const rows = rowsOf(shown).reverse();
  return el('table', {},
    el('caption', {}, rows.length === 0 ? 'No values' : `${clockTime(rows.at(-1).time)} to ${clockTime(rows[0].time)}`),
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Time'),
      ...shown.lines.map(({line}) => el('th', {scope: 'col'}, el('bdi', {}, printable(line.label)))))),
    el('tbody', {}, ...rows.map(({time, points}) => el('tr', {},
      el('th', {scope: 'row'}, el('time', {datetime: isoTime(time)}, clockTime(time)), points.some(point => point?.isRestart) ? ' restarted' : ''),
      ...shown.lines.map(({line}, index) => el('td', {},
        points[index] ? formatReading(line.metric, line.isRate, points[index].rate, points[index].text) : ''))))));
}

/** Returns a picture (PNG) of a canvas with the title, the times and the lines of its chart. */
export async function chartPicture({title, range, units, lines}, canvas) {
  const {padding, row, mark, font, title: bold} = PICTURE;
  const ratio = devicePixelRatio;
  const style = getComputedStyle(document.body);
  const top = padding + 3 * row;
  const width = canvas.width / ratio + 2 * padding;
  const picture = el('canvas', {width: width * ratio, height: canvas.height + (top + row * lines.length + 2 * padding) * ratio});
  const context = picture.getContext('2d');
  context.scale(ratio, ratio);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(canvas, padding, top, canvas.width / ratio, canvas.height / ratio);
  context.fillStyle = style.color;
  context.textBaseline = 'middle';
  context.font = bold;
  context.fillText(printable(title), padding, padding + row / 2, width - 2 * padding);
  context.font = font;
  context.fillText(`${new Date(range[0] * 1000).toLocaleDateString()} ${clockTime(range[0])} to ${clockTime(range[1])}`,
    padding, padding + 1.4 * row);
  context.fillText(units[0], padding, top - row / 3);
  context.fillText(units[1], width - padding - context.measureText(units[1]).width, top - row / 3);
  lines.forEach((one, index) => {
    const y = top + canvas.height / ratio + padding + row * (index + 0.5);
    context.strokeStyle = colour(`var(${one.line.colour})`);
    context.lineWidth = 2.5;
    context.setLineDash(one.line.dash);
    context.beginPath();
    context.moveTo(padding, y);
    context.lineTo(padding + mark - 6, y);
    context.stroke();
    context.fillText(printable(one.line.key), padding + mark, y, width - 2 * padding - mark);
  });
  return new Promise(resolve => { picture.toBlob(resolve, 'image/png'); });
}

/** Has the browser save a file. */
export function save(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  el('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000); // when it has been read
}
