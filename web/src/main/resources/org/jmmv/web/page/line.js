// A line of a chart: an instance of a metric, or its only value.

import {isText, quantityOf} from './format.js';
import {seriesOf} from './series.js';

/** Returns a line, without its place in a chart. */
export function lineOf(metric, instance) {
  return {
    metric,
    series: seriesOf(metric, instance),
    name: instance?.name ?? '',
    key: keyOf(metric.name, instance?.name), // of its row
    isServed: true, // whether its values are asked for
    isMissing: false, // whether it was looked for in vain
    isHidden: false,
    ended: null // when its metric was found to be gone
  };
}

/**
 * Returns an element of /api/v1/top as a row of the list; null if there is no such metric.
 *
 * @param {?object} metric the metric with its name
 */
export function rowOf({metric: name, instance: number, name: instanceName}, metric) {
  if (!metric) {
    return null;
  }
  const instance = number === undefined ? undefined : {instance: number, name: instanceName};
  const key = keyOf(name, instanceName);
  return {
    key,
    label: key,
    depth: 0,
    metric,
    instance,
    index: instance && 0, // it is an instance, and not all of them
    series: seriesOf(metric, instance)
  };
}

/** Returns what the address calls a line, and a row of the list. */
export function keyOf(metric, instance) {
  return instance === undefined ? metric : `${metric}[${instance}]`;
}

/** Returns the name of the metric of a key: it has no bracket. */
export function metricOf(key) {
  return key.split('[', 1)[0];
}

/** Returns the name of the instance of a key; null: those of the metric. */
export function instanceOf(key) {
  const name = metricOf(key);
  return key === name ? null : key.slice(name.length + 1, -1);
}

/** Returns whether a chart shows the rate of a metric. */
export function hasRate(metric, isRaw) {
  return metric.semantics === 'counter' && metric.rate !== undefined && !isText(metric) && !isRaw;
}

/** Returns the quantities of lines, each once: those of the axes that they need. */
export function quantitiesOf(lines, isRaw) {
  const quantities = new Map();
  for (const {metric} of lines) {
    if (!isText(metric)) {
      const quantity = quantityOf(metric, hasRate(metric, isRaw));
      quantities.set(quantity.units, quantities.get(quantity.units) ?? quantity);
    }
  }
  return [...quantities.values()];
}

/** Returns the names of lines without what all names of metrics begin with. */
export function shortNames(lines) {
  const parts = [...new Set(lines.map(({metric}) => metric.name))].map(name => name.split('.'));
  let same = 0;
  while (parts.length > 1 && parts.every(one => one.length > same + 1 && one[same] === parts[0][same])) {
    same++;
  }
  return lines.map(line => parts.length === 1 ? line.name || 'value'
    : keyOf(line.metric.name.split('.').slice(same).join('.'), line.name || undefined));
}
