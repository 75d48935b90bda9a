// Numbers and times as people read them, the same in the list, at axes, in legends and in tables.

const PREFIXES = ['', 'K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
const STEP = 1024; // of bytes
const BYTES = ['byte', ...PREFIXES.slice(1).map(prefix => `${prefix}byte`)];
const LONG = 1e6; // from which on a rate is written in thousands, millions and so on
const LONG_TICK = 1e4;
const SMALL = 1e-4; // numbers below have an exponent
const SMALL_RATE = 1e-3; // or else they would not fit into their column

const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const significant = significantDigits(0);
const steady = significantDigits(4); // of a rate: it does not change its width with each value

function significantDigits(minimum) {
  return new Intl.NumberFormat('en-US', {
    minimumSignificantDigits: minimum || undefined,
    maximumSignificantDigits: minimum || 5,
    maximumFractionDigits: 0,
    roundingPriority: 'morePrecision'
  });
}

/**
 * Returns a text of a file without characters that are invisible or change the direction of what
 * follows. They could make a name look like another one.
 */
export function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, c => '\n\u200c\u200d'.includes(c) ? c : '\ufffd');
}

/** Returns whether the values of a metric are texts. */
export function isText(metric) {
  return metric.type === 'string' || metric.type === 'unknown';
}

/**
 * Returns a value of /api/v1, which is a text or null, for a metric. Integers have all their digits,
 * and other numbers five significant ones, or all before the point.
 */
export function formatValue(metric, value) {
  if (value === null || value === undefined) {
    return '';
  }
  if (isText(metric)) {
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
  return number === 0 || (size >= SMALL && size < 1e15) ? significant.format(number)
    : number.toExponential(4).replace(/\.?0+e/, 'e');
}

/** Returns whether a value is a text of digits. */
export function isWhole(value) {
  return /^-?\d+$/.test(value);
}

/**
 * Returns what numbers of a metric are: {units, factor, names}. Times the factor they are in units,
 * which is the first of the names; each of the others is 1024 times the one before.
 *
 * @param {boolean} isRate whether the numbers are rates: those of a counter may be
 */
export function quantityOf({rate, units}, isRate) {
  if (isRate) {
    return {units: rate.units, factor: rate.factor, names: [rate.units, ...(rate.larger ?? [])]};
  }
  const scale = BYTES.indexOf(units);
  return scale < 0 ? {units, factor: 1, names: [units]} : {units: BYTES[0], factor: STEP ** scale, names: BYTES};
}

/** Returns the largest unit that is not larger than a number, and what it is a multiple of. */
function unitOf({names}, size) {
  let index = 0;
  let divisor = 1;
  while (size >= divisor * STEP && index < names.length - 1) {
    divisor *= STEP;
    index++;
  }
  return {units: names[index], divisor};
}

/** Returns a rate with its units: four significant digits, or all before the point. */
export function formatRate(metric, perSecond) {
  if (perSecond === null || perSecond === undefined) {
    return '';
  }
  const quantity = quantityOf(metric, true);
  const number = perSecond * quantity.factor;
  const {units, divisor} = unitOf(quantity, number);
  return `${shorten(number / divisor)} ${units}`;
}

function shorten(number) {
  const size = Math.abs(number);
  if (size !== 0 && size < SMALL_RATE) {
    return number.toExponential(3);
  }
  const index = size < LONG ? 0 : Math.min(Math.floor(Math.log10(size) / 3), PREFIXES.length - 1);
  const scaled = number / 1000 ** index;
  return number === 0 ? '0' : Math.abs(scaled) >= LONG ? number.toExponential(3) : steady.format(scaled) + PREFIXES[index];
}

/** Returns what a chart shows of a metric at a time, with units: its rate, or its value, which is a text. */
export function formatReading(metric, isRate, rate, value) {
  if (isRate) {
    return formatRate(metric, rate);
  }
  const {factor, names} = quantityOf(metric, false);
  const number = Number(value) * factor;
  if (value !== null && names.length > 1 && Math.abs(number) >= STEP && Number.isFinite(number)) {
    const {units, divisor} = unitOf({names}, Math.abs(number));
    return `${significant.format(number / divisor)} ${units}`;
  }
  return value === null ? '' : `${formatValue(metric, value)} ${isText(metric) ? '' : metric.units}`.trim();
}

/** Returns the numbers of an axis as texts, and the one unit of all: {texts, units}. */
export function formatTicks(quantity, numbers) {
  const size = Math.max(...numbers.map(Math.abs));
  const {units, divisor} = unitOf(quantity, size);
  return {units, texts: numbers.map(number => formatTick(number / divisor, divisor > 1))};
}

function formatTick(number, isScaled) {
  const size = Math.abs(number);
  if (size >= LONG_TICK && !isScaled) {
    const index = Math.min(Math.floor(Math.log10(size) / 3 + 1e-9), PREFIXES.length - 1);
    return `${Number((number / 1000 ** index).toPrecision(5))}${PREFIXES[index]}`;
  }
  const rounded = Number(number.toPrecision(6));
  return size !== 0 && size < SMALL ? rounded.toExponential() : String(rounded);
}

/** Returns a count of things, for example "1,204 metrics". */
export function count(number, one, several = `${one}s`) {
  return `${whole.format(number)} ${number === 1 ? one : several}`;
}

/** Returns a time in seconds since the epoch as a text. */
export function date(seconds) {
  return new Date(seconds * 1000).toLocaleString();
}

/** Returns the time of day of a time in seconds since the epoch. */
export function clockTime(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB');
}
