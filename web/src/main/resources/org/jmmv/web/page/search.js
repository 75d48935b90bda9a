// What is searched for: words, and facets of metrics: orders "two words" file:shop type:counter unit:ms

import {el} from './dom.js';
import {printable} from './format.js';

const SHORT = {ns: 'nanosec', us: 'microsec', ms: 'millisec', s: 'sec'}; // what people call units of time

const FACETS = {
  file: ({file = ''}) => [file],
  type: ({semantics, type}) => [semantics, type],
  unit: ({units}) => [units]
};

/** Returns the words of a search; what is in quotes is one. */
function split(text) {
  return text.match(/("[^"]*"?|[^\s"])+/g) ?? [];
}

/**
 * Returns {words, hasFacets}: the words without those of facets, and a function that tells whether a metric
 * has the facets, null if there are none. A facet is a whole value if there is such a one, or else the beginning of one.
 */
export function parse(text, metrics) {
  const words = [];
  const tests = [];
  for (const word of split(text.toLowerCase())) {
    const [, name, given] = word.replaceAll('"', '').match(/^(file|type|unit):(.*)$/) ?? [];
    if (!name) {
      words.push(word.replaceAll('"', ''));
    } else if (given) {
      const value = name === 'unit' ? SHORT[given] ?? given : given;
      const all = [...new Set(metrics.flatMap(FACETS[name]))]; // few: metrics share them
      const whole = all.filter(one => one.toLowerCase() === value);
      const wanted = new Set(whole.length > 0 ? whole : all.filter(one => one.toLowerCase().startsWith(value)));
      tests.push(metric => FACETS[name](metric).some(one => wanted.has(one)));
    }
  }
  return {words: [...new Set(words.filter(word => word))], hasFacets: tests.length > 0 ? metric => tests.every(test => test(metric)) : null};
}

/** Returns a search with a facet in the place of others of its name. */
export function withFacet(text, facet) {
  const [name] = facet.split(':', 1);
  return [...split(text).filter(word => !word.toLowerCase().startsWith(`${name}:`)), facet].join(' ');
}

/** Returns a facet: what an element with it as data-only shows when it is clicked. */
export function facet(name, value) {
  return `${name}:${/\s/.test(value) ? `"${value}"` : value}`;
}

/** Returns a button that shows only metrics with a facet. */
export function facetButton(name, value, text = value) {
  return el('button.only', {type: 'button', 'data-only': facet(name, value), title: 'Only these metrics'}, printable(text));
}
