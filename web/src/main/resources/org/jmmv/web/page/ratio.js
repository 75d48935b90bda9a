// Ratios: a metric divided by another one, such as the mean time of requests. The numbers are those of both series, so
// a ratio has the same past as they have. Its name is an expression of PCP: mmv.shop.time/mmv.shop.served

import {el} from './dom.js';
import {isText} from './format.js';
import {hasRate, lineOf} from './line.js';
import {GAP, Series} from './series.js';

const OFFERED = 20; // names in a list

/** Returns a metric with a name, which may be that of a ratio; undefined if one of its metrics is not served. */
export function metricNamed(name, served) {
  const all = name.split('/').map(one => served.get(one));
  const [above, below] = all;
  return all.length === 1 || !above ? above : below && {
    name,
    pmid: `${above.pmid}/${below.pmid}`,
    type: 'double',
    semantics: 'instant',
    units: unitsOf(above, below),
    instances: above.instances,
    help: '',
    over: all
  };
}

/** Returns the units of a ratio, in which counts are numbers, and a rate is one per second. */
function unitsOf(...metrics) {
  const [one, other] = metrics.map(({units}) => units === 'count' ? '' : units);
  const [isRate, isOtherRate] = metrics.map(metric => hasRate(metric, false));
  const units = one === other ? '' : other ? `${one || 1} / ${other}` : one;
  return isRate === isOtherRate ? units : `${units} ${isRate ? '/ ' : ''}sec`.trim();
}

/** Returns the line of a ratio of two lines. They have series of their own, which are read at the same times. */
export function ratioLine(metric, above, below) {
  return {
    ...lineOf(metric, above.metric.instances === undefined ? undefined : {instance: '', name: above.name}),
    parts: [above, below].map(part => ({...part, series: `${part.series} in ${metric.name}`}))
  };
}

/** Returns the lines that are read for a line. */
export function partsOf({parts, ...line}) {
  return parts?.map(part => ({...part, isServed: line.isServed})) ?? [line];
}

/** Returns the series of a ratio. It has no value at a time at which the divisor is 0 or has none. */
export function quotient(metric, parts, [above, below]) {
  const seen = [above, below].map(({points}) => `${points.length} ${points[0]?.time} ${points.at(-1)?.time}`).join();
  if (above.quotient?.seen !== seen) {
    const number = (index, point) => hasRate(parts[index].metric, false) ? point?.rate : point?.number;
    const divisors = new Map(below.points.map(point => [point.time, point]));
    const series = new Series();
    let isRestart = false;
    for (const point of above.points) {
      const divisor = divisors.get(point.time);
      const value = number(0, point) / number(1, divisor);
      isRestart ||= point.isRestart || divisor?.isRestart;
      if (point.text === null) {
        series.add(metric, [point]);
      } else if (number(0, point) !== null && Number.isFinite(value)) {
        series.add(metric, [{time: point.time, text: String(value)}]);
        series.points.at(-1).isRestart ||= isRestart;
        isRestart = false;
      }
    }
    const last = series.points.at(-1);
    series.value = last && above.points.at(-1).time - last.time < GAP ? last.text : null;
    above.quotient = {seen, series};
  }
  return above.quotient.series;
}

/** Returns a form that chooses what a metric is divided by: those with the most similar names come first. */
export function divisorForm(metric, metrics, choose) {
  const shared = ({name}) => [...name].findIndex((letter, index) => letter !== metric.name[index]);
  const offered = metrics.filter(one => one.name !== metric.name && !isText(one)
    && (one.instances === undefined || metric.instances !== undefined))
    .map(one => [shared(one), one]).sort(([one], [other]) => other - one).map(([, one]) => one);
  const list = el('datalist', {id: 'divisors'});
  const input = el('input', {
    type: 'search', list: 'divisors', autocomplete: 'off', spellcheck: 'false', placeholder: 'Divide by …',
    'aria-label': `Divide ${metric.name} by`, input: offer,
    keydown: event => event.key === 'Escape' && form.remove()
  });
  const form = el('form.ratio', {submit: take}, input, list);

  function found() {
    const words = input.value.toLowerCase().split(/\s+/);
    return offered.filter(({name}) => words.every(word => name.toLowerCase().includes(word)));
  }

  function offer({inputType}) {
    list.replaceChildren(...found().slice(0, OFFERED).map(({name}) => el('option', {value: name})));
    if (!inputType || inputType === 'insertReplacementText') { // one of the list was chosen
      take();
    }
  }

  function take(event) {
    event?.preventDefault();
    const one = offered.find(({name}) => name === input.value) ?? found()[0];
    if (one && input.value) {
      form.remove();
      choose(one);
    }
  }

  offer({inputType: 'none'});
  return form;
}
