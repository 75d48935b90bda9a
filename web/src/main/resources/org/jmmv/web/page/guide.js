// What a newcomer reads: what this is, what it watches, and how to scrape it.

import {getLong} from './api.js';
import {byId, copyable, el, setText} from './dom.js';
import {count} from './format.js';

const SHOWN = 200; // names
const METRICS = new URL('metrics', location).pathname;

/** Shows what there is to do while no application writes metrics. */
export function showLanding(about) {
  byId('unserved').hidden = about.files.refused + about.files.partly === 0;
  byId('watched').replaceChildren(...about.directories.map(describeDirectory));
  byId('scrape').replaceChildren(scrapeConfig(about));
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

/** Lists the first of what is left out. */
function list(id, items, line) {
  byId(id).hidden = items.length === 0;
  byId(id).lastElementChild.replaceChildren(...items.slice(0, SHOWN).map(item => el('li', {}, ...line(item))));
}

/** Shows how Prometheus scrapes this process. Returns a function that shows the names that it sees now. */
export function showPrometheus(about) {
  byId('scrape-config').append(scrapeConfig(about));
  byId('local').hidden = !/^(localhost|127\.|\[::1\])/.test(location.host);
  let names = {families: [], conflicts: [], leftOut: [], unsuited: 0};
  byId('name-search').addEventListener('input', show);

  function show() {
    const text = byId('name-search').value.trim().toLowerCase();
    const matching = names.families.filter(({metric, name}) =>
      name.toLowerCase().includes(text) || metric.toLowerCase().includes(text));
    byId('names').replaceChildren(...matching.slice(0, SHOWN).map(({metric, name, type}) => el('tr', {},
      el('td', {}, el('code', {}, name), ' ', el('span.muted', {}, type)), el('td', {}, el('code', {}, metric)))));
    const more = matching.length > SHOWN ? `, the first ${SHOWN} are shown` : '';
    setText(byId('name-count'), `${count(matching.length, 'name')}${more}${names.unsuited
      ? `; ${count(names.unsuited, 'metric')} left out, because texts that change are no series` : ''}`);
    list('conflicts', names.conflicts, ({metric, takenBy}) => [el('code', {}, metric), ' has the name of ', el('code', {}, takenBy)]);
    list('left-out', names.leftOut, ({file, series}) => [el('bdi', {}, file), `: ${series}`]);
  }

  return async () => {
    names = await getLong('prometheus');
    show();
  };
}
