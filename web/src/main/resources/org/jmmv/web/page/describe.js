// What is known of the metrics of a chart, and what to ask other tools for them.

import {get, getLong, hasSameNames} from './api.js';
import {copyButton, el} from './dom.js';
import {printable} from './format.js';
import {hasRate} from './line.js';
import {facetButton} from './search.js';

let prometheus = null; // the names that Prometheus sees: they may be megabytes

/** Returns the name of a metric in Prometheus with its type, or undefined if it has none. */
async function familyOf(metric, known) {
  if (!prometheus || !hasSameNames(prometheus, known)) {
    prometheus = await getLong('prometheus');
  }
  return prometheus.families.find(family => family.metric === metric.name);
}

/** Returns elements that describe the metrics of some lines. */
export async function describe(lines) {
  const byName = Map.groupBy(lines, ({metric}) => metric.name);
  const names = await get('metrics', {limit: 1}); // for their epoch and version
  return Promise.all([...byName.values()].map(async ofMetric => {
    const [{metric}] = ofMetric;
    if (metric.over) {
      return details([], questionsOfRatio(metric, ofMetric, await Promise.all(metric.over.map(one => familyOf(one, names)))));
    }
    const [known, family] = await Promise.all([
      get('metric', {pmid: metric.pmid}), familyOf(metric, names)]);
    const labels = Object.entries(known.labels).map(([name, json]) => `${name}=${json}`).join('\n');
    const facts = [
      ['Description', known.text],
      ['File', known.file && facetButton('file', known.file)],
      ['Units', known.units ? facetButton('unit', known.units) : 'none'],
      ['Type', el('span', {}, facetButton('type', known.type), ' ', facetButton('type', known.semantics))],
      ['PMID', known.pmid],
      ['Labels', labels]
    ].filter(([, text]) => text);
    return details(facts, questions(metric, ofMetric, family));
  }));
}

function details(facts, texts) {
  return el('dl.details', {},
    ...facts.flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text instanceof Node ? text : printable(text))]),
    ...texts.flatMap(([name, text]) => [
      el('dt', {}, name),
      el('dd.question', {}, el('code', {}, printable(text)), copyButton(text, `Copy: ${name}`))]));
}

function questionsOfRatio({over}, lines, families) {
  const expression = over.map(metric => hasRate(metric, false) ? `rate(${metric.name})` : metric.name).join(' / ');
  return [
    ['Expression', expression],
    ...families.every(one => one) ? [['PromQL', families.map((family, index) =>
      promQl(family, instancesOf(over[index], lines))).join(' / ')]] : []
  ];
}

function instancesOf(metric, lines) {
  return metric.instances === undefined ? [] : lines.map(({name}) => name);
}

/** Returns what to copy: [what it is, text] each. */
function questions(metric, lines, family) {
  const instances = instancesOf(metric, lines);
  const host = /^(localhost|127\..*|\[::1\])$/.test(location.hostname) ? '' : ` -h ${location.hostname}`;
  const only = instances.length > 0 ? ` -i ${shell(instances.map(name => name.includes(',') ? `'${name}'` : name).join(','))}` : '';
  const address = new URL('pmapi/fetch', location);
  address.hash = '';
  address.search = new URLSearchParams({names: metric.name});
  return [
    ['Name', metric.name],
    ...family ? [['In Prometheus', family.name], ['PromQL', promQl(family, instances)]] : [],
    ['pmrep', `pmrep${host} -t 1${only} ${metric.name}`],
    ['curl', `curl -s ${shell(address.href)}`]
  ];
}

function promQl({name, type}, instances) {
  const quote = text => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  const pattern = text => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const selector = instances.length === 0 ? '' : instances.length === 1 ? `{instname=${quote(instances[0])}}`
    : `{instname=~${quote(instances.map(pattern).join('|'))}}`;
  return type === 'counter' ? `rate(${name}${selector}[5m])` : `${name}${selector}`;
}

/** Returns a text as a word of a shell. */
function shell(text) {
  return /^[\w./:,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
