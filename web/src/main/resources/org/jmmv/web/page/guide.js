// What a newcomer reads: what this is, what it watches, and how to scrape it.

import {getLong} from './api.js';
import {copyable, el} from './dom.js';
import {count} from './format.js';

const SHOWN = 200; // names
const METRICS = new URL('metrics', location).pathname;

/** Shows what there is to do while no application writes metrics. */
export function showLanding(place, about) {
  const notServed = about.files.refused + about.files.partly;
  place.replaceChildren(
    el('h2', {}, notServed > 0 ? 'No metrics are served yet' : 'No metrics yet'),
    el('p', {}, 'jmmv shows the metrics that applications keep in MMV files: memory-mapped files into which an'
      + ' application stores its numbers. It reads them where they are; nothing has to be configured here.'),
    notServed > 0 ? el('p.notice', {}, 'There are files of which nothing is served: ',
      el('a', {href: '#overview'}, 'see why'), '.') : '',
    el('h3', {}, about.directories.length === 1 ? 'This directory is watched' : 'These directories are watched'),
    el('ul.plain', {}, ...about.directories.map(describeDirectory)),
    el('h3', {}, 'What to do'),
    el('ol', {},
      el('li', {}, 'Instrument an application with a library that writes MMV files: Parfait (Java), libpcp_mmv (C,'
        + ' C++, Python, Perl), Speed (Go) or Hornet (Rust). It takes some ten lines.'),
      el('li', {}, 'Let it write its file to the directory above. The metrics appear here by themselves.'),
      el('li', {}, 'To see something at once, run ', el('code', {}, './demo'), ' in a checkout of jmmv.')),
    el('h3', {}, 'With Prometheus'),
    el('p', {}, 'The same metrics are at ', el('a', {href: METRICS}, METRICS), '. To scrape them, add this to ',
      el('code', {}, 'prometheus.yml'), ':'),
    scrapeConfig(about));
}

function describeDirectory({path, faults}) {
  const [fault] = faults;
  return el('li', {}, el('code', {}, path), fault
    ? el('p.notice', {}, `${fault.problem}. To do: ${fault.toDo}.`)
    : el('span.muted', {}, ' has no metrics yet'));
}

/** Returns what to add to the settings of Prometheus. */
function scrapeConfig(about) {
  const certificate = about.needsCertificate ? `
      cert_file: client.pem
      key_file: client-key.pem` : '';
  const tls = location.protocol === 'https:' ? `
    scheme: https
    tls_config:
      ca_file: ca.pem # unless this host trusts the issuer of the certificate${certificate}` : '';
  const user = about.hasAuthorization ? `
    basic_auth: {username: USER, password_file: jmmv.password}` : '';
  const path = METRICS === '/metrics' ? '' : `\n    metrics_path: ${METRICS}`;
  return copyable(`scrape_configs:
  - job_name: mmv
    scrape_interval: 15s${tls}${user}${path}
    static_configs:
      - targets: ['${location.host}']
`, 'scrape_configs for prometheus.yml');
}

/** Returns a notice with a line for each of the first items, if there are any. */
function noticeOf(items, text, line) {
  return items.length === 0 ? [] : [el('div.notice', {}, el('p', {}, text),
    el('ul', {}, ...items.slice(0, SHOWN).map(item => el('li', {}, ...line(item)))))];
}

/** Shows how Prometheus scrapes this process. Returns a function that shows the names that it sees now. */
export function showPrometheus(place, about) {
  place.append(
    el('p', {}, 'All metrics are at ', el('a', {href: METRICS}, METRICS), ', as OpenMetrics, Prometheus text or'
      + ' protobuf, whichever the scraper asks for. Add this to ', el('code', {}, 'prometheus.yml'), ':'),
    scrapeConfig(about));
  if (/^(localhost|127\.|\[::1\])/.test(location.host)) {
    place.append(el('p.muted', {}, `${location.host} is an address of this host (${about.host}) alone. A Prometheus on`
      + ' another host needs one that it can reach: see the option --http of jmmv serve.'));
  }
  place.append(
    el('h3', {}, 'Names'),
    el('p', {}, el('a', {href: `${METRICS}?naming=prometheus`}, `${METRICS}?naming=prometheus`), ' has counters that end in ',
      el('code', {}, '_total'), ', and values in seconds, bytes and other base units. ',
      el('a', {href: `${METRICS}?naming=pcp`}, `${METRICS}?naming=pcp`),
      ' has the names and values of pmproxy, so that its dashboards go on. The table has the names that are used now.'));
  const search = el('input', {type: 'search', placeholder: 'Search', 'aria-label': 'Search names', input: () => show()});
  const found = el('p.muted', {role: 'status'});
  const leftOut = el('div');
  const list = el('tbody');
  let names = {families: [], conflicts: [], leftOut: [], unsuited: 0};
  place.append(leftOut, el('div.toolbar', {}, search, found), el('table', {},
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'In Prometheus'), el('th', {scope: 'col'}, 'In PCP'))), list));

  function show() {
    const text = search.value.trim().toLowerCase();
    const matching = names.families.filter(({metric, name}) =>
      name.toLowerCase().includes(text) || metric.toLowerCase().includes(text));
    list.replaceChildren(...matching.slice(0, SHOWN).map(({metric, name, type}) => el('tr', {},
      el('td', {}, el('code', {}, name), ' ', el('span.muted', {}, type)), el('td', {}, el('code', {}, metric)))));
    const more = matching.length > SHOWN ? `, the first ${SHOWN} are shown` : '';
    found.textContent = `${count(matching.length, 'name')}${more}${names.unsuited
      ? `; ${count(names.unsuited, 'metric')} left out, because texts that change are no series` : ''}`;
    leftOut.replaceChildren(
      ...noticeOf(names.conflicts, `${count(names.conflicts.length, 'metric')} left out, because another one has the same`
        + ' name in Prometheus:', ({metric, takenBy}) => [el('code', {}, metric), ' has the name of ', el('code', {}, takenBy)]),
      ...noticeOf(names.leftOut, 'Left out of files with more series than max_series in jmmv.toml permits:',
        ({file, series}) => [el('bdi', {}, file), `: ${series} series`]));
  }

  return async () => {
    names = await getLong('prometheus');
    show();
  };
}
