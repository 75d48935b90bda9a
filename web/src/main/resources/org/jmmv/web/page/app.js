// The page: its views, and what they share.

import {addressOf, readAddress, writeAddress} from './address.js';
import {allMetrics, get, hasSameNames} from './api.js';
import {Charts} from './charts.js';
import {byId, copyText, setAttribute, setText} from './dom.js';
import {count} from './format.js';
import {showLanding, showPrometheus} from './guide.js';
import {rowOf} from './line.js';
import {Live} from './live.js';
import {notify, undo} from './notice.js';
import {Overview} from './overview.js';
import {Rows} from './rows.js';
import {withFacet} from './search.js';
import {Tree} from './tree.js';

const VIEWS = ['overview', 'metrics', 'charts', 'prometheus'];
const EXPLORER = ['metrics', 'charts']; // views of one section: the style sheet shows more or less of it
const REFRESH_INTERVAL = 5000;
const RELOAD_DELAY = 500; // while files come and go
const INSTANCES = 200; // that are asked for at once
const TOP = 200; // values in another order than that of names
const MAX_TOP = 1000; // of a document
const SEARCH_DELAY = 150; // milliseconds after a letter: the server is not asked for each one

const STATES = {
  live: ['Live', ''],
  paused: ['Paused', ''],
  lost: ['No connection', 'The server does not answer; the last values are shown']
};

let view = VIEWS[0];
let isAddressRead = false;
const tree = new Tree();
const live = new Live(showState);
const rows = new Rows(byId('grid'), live, {toggle, chart, remove: row => charts.removeRow(row), seen});
const charts = new Charts(live, {changed: showCharted, link});
const overview = new Overview(live, {chart: chartAlone, metric: name => tree.byName.get(name), seen: seenInOverview});
let shownNames = {}; // their epoch and version
let shownLanding = '';
let showNames = null; // of the view of Prometheus, once that has its texts
let isLoading = false;

// ---------------------------------------------------------------- metrics

async function load() {
  if (isLoading) {
    return;
  }
  isLoading = true;
  try {
    const [{metrics, names}, about] = await Promise.all([allMetrics(), get('about')]);
    live.setNames(names);
    live.keepsHistory = about.history !== undefined;
    byId('order').hidden = !live.keepsHistory;
    asked = '';
    tree.forgetInstances();
    tree.setMetrics(metrics);
    showTree();
    findInstances();
    readNames();
    showAbout(about);
    await charts.setMetrics(metrics);
    shownNames = names;
  } catch {
    showState('lost');
  } finally {
    setTimeout(() => { isLoading = false; }, RELOAD_DELAY);
  }
}

/** Shows the metrics as a tree, or the series that are first in another order. */
function showTree() {
  const isTree = order() === '';
  byId('fold').hidden = !isTree;
  byId('unfold').hidden = !isTree;
  if (!isTree) {
    showTop().catch(() => showState('lost'));
    return;
  }
  const all = tree.metrics.length;
  const found = tree.shown.length;
  setText(byId('found'), found === all ? count(all, 'metric') : `${found.toLocaleString('en-US')} of ${count(all, 'metric')}`);
  rows.show(tree.rows());
}

function order() {
  return byId('order').hidden ? '' : byId('order').value; // the server keeps no history by which it could order
}

async function showTop() {
  const by = order();
  const {words, shown, hasFacets} = tree;
  const files = new Set(shown.map(({file}) => file));
  const {top} = shown.length === 0 ? {top: []} : await get('top', { // or there may be too many words
    by, limit: hasFacets ? MAX_TOP : TOP, word: words, ...hasFacets && files.size === 1 && shown[0].file ? {file: shown[0].file} : {}
  });
  if (by === order() && shown === tree.shown) {
    const found = top.map(one => rowOf(one, tree.byName.get(one.metric)))
      .filter(row => row && (!hasFacets || hasFacets(row.metric)));
    setText(byId('found'), found.length >= TOP ? `the first ${TOP}` : count(found.length, 'value'));
    rows.show(found.slice(0, TOP));
  }
}

let searchTimer = 0;

function search(text) {
  byId('search').value = text;
  tree.search(text);
  showTree();
  keepAddress();
  clearTimeout(searchTimer);
  searchTimer = setTimeout(findInstances, SEARCH_DELAY);
}

/** Asks which metrics have the words in their instances or labels, of which this page knows few. */
async function findInstances() {
  const {words} = tree;
  if (words.length === 0) {
    return;
  }
  try {
    const document = await get('search', {word: words});
    if (words.join() === tree.words.join() && live.isOfNames(document) && tree.setFound(document)) {
      showTree();
    }
  } catch {
    // too many words, or no connection: names and help texts are searched nevertheless
  }
}

/** What shows a facet of metrics shows only these when it is clicked. */
document.addEventListener('click', event => {
  const {only} = event.target.closest('[data-only]')?.dataset ?? {};
  if (only) {
    if (view !== 'metrics') {
      history.pushState(null, '', '#metrics');
      view = 'metrics';
      showView();
    }
    search(withFacet(byId('search').value, only));
  }
});

function toggle(row, isOpen) {
  tree.toggle(row, isOpen);
  showTree();
}

function chart(row, isAdded) {
  charts.select(row, isAdded).catch(() => {}); // the metric is gone, or the connection, of which the status tells
}

/** Charts a row of another view, and shows the chart. Back leads to that view. */
function chartAlone(row) {
  history.pushState(null, '', '#charts');
  view = 'charts';
  showView();
  chart(row, false);
}

function showCharted(colours) {
  rows.mark(colours);
  keepAddress();
}

/** Copies the address of some charts. */
async function link(specs) {
  const address = new URL(addressOf({view: 'charts', charts: specs, window: charts.window}), location).href;
  notify(await copyText(address) ? 'The link was copied.' : address);
}

let onScreen = []; // rows of the list
let inOverview = []; // rows of cards
let asked = ''; // the instances that are being asked for

/** Asks for the values of what is on screen, and for the names of instances that are. */
function seen(shown) {
  onScreen = shown;
  showValues();
  const unnamed = shown.find(row => row.index !== undefined && !row.instance);
  if (unnamed) {
    loadInstances(unnamed.metric, unnamed.index);
  }
}

function seenInOverview(shown) {
  inOverview = shown;
  showValues();
}

function showValues() {
  live.setVisible([...onScreen.filter(row => row.series), ...inOverview]);
}

/** Asks for the names of an instance and of those after it. */
async function loadInstances(metric, index) {
  const words = tree.wordsFor(metric);
  const key = `${metric.pmid} ${index} ${words}`;
  if (key === asked) {
    return;
  }
  asked = key;
  try {
    const document = await get('instances', {pmid: metric.pmid, word: words, offset: index, limit: INSTANCES});
    if (live.isCurrent(document) && tree.setInstances(metric, words, index, document)) {
      showTree();
    }
  } catch {
    // the metric is gone, or the connection: they are asked for again
  } finally {
    asked = '';
  }
}

/** Asks again for the names of instances on screen: there may be others by now. */
async function refreshInstances() {
  const first = new Map(); // by metric
  for (const row of onScreen) {
    if (row.metric && (row.isOpen || row.index !== undefined) && !first.has(row.metric)) {
      first.set(row.metric, row.index ?? 0);
    }
  }
  for (const [metric, index] of first) {
    await loadInstances(metric, index);
  }
}

// ---------------------------------------------------------------- state

function showState(state) {
  const status = byId('status');
  const [text, title] = STATES[state];
  status.dataset.state = state;
  setText(status, text);
  setAttribute(status, 'title', title || null);
  rows.update();
  overview.update();
  charts.update();
  if (live.latest && !hasSameNames(live.latest, shownNames) && state !== 'lost') {
    load();
  }
}

async function refresh() {
  try {
    showAbout(await get('about'));
    await charts.findMissing();
    if (order() === '') {
      await refreshInstances();
    } else {
      await showTop();
    }
  } catch {
    showState('lost');
  }
}

function showAbout(about) {
  const unhealthy = about.files.partly + about.files.refused;
  const badge = byId('overview-count');
  setText(badge, unhealthy ? `${unhealthy.toLocaleString('en-US')} unhealthy`
    : (about.files.served || '').toLocaleString('en-US'));
  badge.classList.toggle('bad', unhealthy > 0);
  const [first, ...others] = about.directories;
  const where = byId('where');
  setText(where, `${first.path}${others.length ? ` and ${count(others.length, 'other directory', 'other directories')}` : ''}`);
  setAttribute(where, 'title', about.directories.map(one => one.path).join('\n'));
  document.title = `jmmv on ${about.host}`;
  const isEmpty = charts.isEmpty && !tree.metrics.some(metric => !/^[^.]*\.control\./.test(metric.name));
  setText(byId('metric-count'), isEmpty ? '' : tree.metrics.length.toLocaleString('en-US'));
  byId('landing').hidden = !isEmpty || view === 'prometheus';
  byId('explorer').hidden = isEmpty;
  const landing = JSON.stringify(about);
  if (isEmpty && landing !== shownLanding) { // a text that is being selected stays
    shownLanding = landing;
    showLanding(about);
  }
  if (!showNames) {
    showNames = showPrometheus(about);
    showView();
  }
}

setInterval(() => document.hidden || refresh(), REFRESH_INTERVAL);

// ---------------------------------------------------------------- views

/** Shows what the address says, which may also be a place within the view. */
function followAddress() {
  const address = readAddress();
  view = address.view === '' ? VIEWS[0] : VIEWS.find(name => name === address.view) ?? view;
  if (address.charts) {
    byId('order').value = address.order;
    search(address.search);
    charts.choose(address.charts, address.window).catch(() => showState('lost'));
  }
  isAddressRead = true;
  showView();
}

function keepAddress() {
  if (isAddressRead) { // or else it would be lost
    writeAddress({view, search: byId('search').value, order: order(), charts: charts.specs(), window: charts.window});
  }
}

function showView() {
  for (const name of VIEWS) {
    const link = document.querySelector(`nav a[href="#${name}"]`);
    setAttribute(link, 'aria-current', name === view ? 'page' : null);
  }
  byId('view-metrics').hidden = !EXPLORER.includes(view);
  byId('view-overview').hidden = view !== 'overview';
  byId('view-prometheus').hidden = view !== 'prometheus';
  byId('explorer').dataset.view = view;
  setText(byId('metrics-title'), view === 'charts' ? 'Charts' : 'Metrics');
  byId('landing').hidden = byId('explorer').hidden === false || view === 'prometheus';
  overview.setShown(view === 'overview');
  readNames();
  keepAddress();
}

/** Reads the names in Prometheus, if they are shown. */
function readNames() {
  if (view === 'prometheus') {
    showNames?.().catch(() => showState('lost'));
  }
}

addEventListener('hashchange', followAddress);

byId('search').addEventListener('input', event => search(event.target.value));

byId('search').addEventListener('keydown', event => {
  if (event.key === 'ArrowDown' || event.key === 'Enter') {
    event.preventDefault();
    rows.focus();
  }
});

byId('order').addEventListener('change', () => {
  byId('grid').scrollTop = 0;
  showTree();
  keepAddress();
});

byId('show-keys').addEventListener('click', () => byId('keys').showModal());

byId('fold').addEventListener('click', () => {
  tree.toggleAll(false);
  showTree();
});

byId('unfold').addEventListener('click', () => {
  tree.toggleAll(true);
  showTree();
});

addEventListener('keydown', event => {
  const isTyping = event.target.matches('input:not([type="radio"]), select, textarea');
  if (isTyping || byId('keys').open) {
    return;
  }
  if (event.key === '/' && EXPLORER.includes(view) && !byId('explorer').hidden) {
    event.preventDefault();
    if (view === 'charts') {
      view = 'metrics';
      showView();
    }
    byId('search').focus();
  } else if (event.key === '?') {
    byId('keys').showModal();
  } else if (event.key === 'z' && (event.ctrlKey || event.metaKey) && undo()) {
    event.preventDefault();
  }
});

// ---------------------------------------------------------------- colours

const theme = byId('theme');
theme.value = document.documentElement.dataset.theme ?? '';
theme.addEventListener('change', () => {
  if (theme.value) {
    document.documentElement.dataset.theme = theme.value;
  } else {
    delete document.documentElement.dataset.theme;
  }
  try {
    localStorage.setItem('jmmv-theme', theme.value);
  } catch {
    // storage is switched off: the choice ends with the page
  }
  charts.redraw();
});

followAddress();
await load();
live.start();
