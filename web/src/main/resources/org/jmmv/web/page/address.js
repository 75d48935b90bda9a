// What the address says: the view, the search, and the charts with their lines. So a page is the same
// after a reload, and one can send its address to a colleague:
//
//   #charts?line=mmv.shop.orders.paid&as=log,stacked&line=mmv.shop.cpu&with=mmv.shop.requests[/books]&window=15
//
// A line begins a chart, and the lines after `with` are in the same one. Without an instance, a line stands
// for the first instances of its metric. `order` is that of the list, if it is not by name.

/**
 * Returns {view, search, order, charts, window} of the address; only the view if it has nothing else. A chart is
 * {keys, modes}.
 */
export function readAddress() {
  const [view, query] = location.hash.slice(1).split('?', 2);
  if (query === undefined) {
    return {view};
  }
  const charts = [];
  const parameters = new URLSearchParams(query);
  for (const [name, value] of parameters) {
    if (name === 'line') {
      charts.push({keys: [value], modes: []});
    } else if (name === 'with') {
      charts.at(-1)?.keys.push(value);
    } else if (name === 'as' && charts.length > 0) {
      charts.at(-1).modes = value.split(',');
    }
  }
  const [search, order, window] = ['search', 'order', 'window'].map(name => parameters.get(name) ?? '');
  return {view, search, order, charts, window: Number(window)};
}

/** Returns the part of an address after '#'. What is empty or undefined is left out. */
export function addressOf({view, charts, ...others}) {
  const parameters = new URLSearchParams();
  for (const {keys, modes} of charts) {
    keys.forEach((key, index) => parameters.append(index === 0 ? 'line' : 'with', key));
    if (modes.length > 0) {
      parameters.append('as', modes.join());
    }
  }
  for (const name of ['window', 'search', 'order']) {
    if (others[name]) {
      parameters.append(name, others[name]);
    }
  }
  // these characters are allowed here, and the names of instances often have them
  const query = String(parameters).replace(/%(5B|5D|2F|3A|2C)/g, decodeURIComponent);
  return `#${view}${query && `?${query}`}`;
}

/** Sets the address, without an entry in the history of the browser for each letter of a search. */
export function writeAddress(state) {
  const hash = addressOf(state);
  if (hash !== location.hash) {
    history.replaceState(null, '', hash);
  }
}
