// Numbers and times as people read them. Rates have the same form as in jmmv top.

const PREFIXES = ['K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
const STEP = 1024; // of bytes
const WIDTH = 9; // of a rate: up to 999,999.9

const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const tenths = new Intl.NumberFormat('en-US', {minimumFractionDigits: 1, maximumFractionDigits: 1});
const significant = new Intl.NumberFormat('en-US',
  {maximumSignificantDigits: 5, maximumFractionDigits: 0, roundingPriority: 'morePrecision'});

/**
 * Returns a text of a file without characters that are invisible or change the direction of what
 * follows. They could make a name look like another one.
 */
export function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, c => '\n\u200c\u200d'.includes(c) ? c : '\ufffd');
}

/**
 * Returns a value of /api/v1, which is a text or null, for a metric. Integers have all their digits,
 * and other numbers five significant ones, or all before the point.
 */
export function formatValue(metric, value) {
  if (value === null || value === undefined) {
    return '';
  }
  if (metric.type === 'string' || metric.type === 'unknown') {
    return printable(value);
  }
  const isFloat = metric.type === 'float' || metric.type === 'double';
  if (!isFloat && isWhole(value)) {
    return whole.format(BigInt(value));
  }
  const number = Number(value);
  if (!Number.isFinite(number)) {
    return value;
  }
  const size = Math.abs(number);
  return number === 0 || (size >= 1e-4 && size < 1e15) ? significant.format(number)
    : number.toExponential(4).replace(/\.?0+e/, 'e');
}

/** Returns whether a value is a text of digits. */
export function isWhole(value) {
  return /^-?\d+$/.test(value);
}

/**
 * Returns a rate with its units: of bytes with the largest unit that is not larger than the rate.
 *
 * @param {object} units those of /api/v1: factor, units, larger
 * @param {?number} perSecond the counter's increase in one second
 */
export function formatRate(units, perSecond) {
  if (perSecond === null || perSecond === undefined) {
    return '';
  }
  const names = [units.units, ...(units.larger ?? [])];
  let rate = perSecond * units.factor;
  let index = 0;
  while (rate >= STEP && index < names.length - 1) {
    rate /= STEP;
    index++;
  }
  return `${shorten(rate, WIDTH)} ${names[index]}`;
}

/** Returns a number with one digit after the point, in thousands, millions and so on if it is long. */
function shorten(number, width) {
  let text = tenths.format(number);
  for (let i = 0, scaled = number; text.length > width && i < PREFIXES.length; i++) {
    scaled /= 1000;
    text = tenths.format(scaled) + PREFIXES[i];
  }
  return text.length > width ? number.toExponential(1) : text;
}

/** Returns a value or a rate of a metric for the axis of its chart, without units. */
export function formatTick({rate}, value) {
  const number = value * (rate?.factor ?? 1);
  const size = Math.abs(number);
  const step = rate?.larger ? STEP : 1000;
  if (size >= 10 * step) {
    let scaled = number;
    let index = -1;
    while (Math.abs(scaled) >= step && index < PREFIXES.length - 1) {
      scaled /= step;
      index++;
    }
    return `${Number(scaled.toPrecision(4))}${PREFIXES[index]}`;
  }
  return size !== 0 && size < 0.001 ? number.toExponential(0) : String(Number(number.toPrecision(6)));
}

/** Returns a count of things, for example "1,204 metrics". */
export function count(number, one, several = `${one}s`) {
  return `${whole.format(number)} ${number === 1 ? one : several}`;
}

/** Returns a time in seconds since the epoch as a text. */
export function date(seconds) {
  return new Date(seconds * 1000).toLocaleString();
}
