// What the address says: the view, the search and the lines of charts. So a page is the same after a reload, and one
// can send its address to a colleague.

/** Returns {view, search, lines} of the address; without the last two if it does not have them. */
export function readAddress() {
  const [view, query] = location.hash.slice(1).split('?', 2);
  if (query === undefined) {
    return {view};
  }
  const parameters = new URLSearchParams(query);
  return {view, search: parameters.get('search') ?? '', lines: parameters.getAll('line')};
}

/** Sets the address, without an entry in the history of the browser for each letter of a search. */
export function writeAddress(view, search, lines) {
  const parameters = new URLSearchParams(lines.map(line => ['line', line]));
  if (search) {
    parameters.set('search', search);
  }
  const hash = `#${view}${parameters.size > 0 ? `?${parameters}` : ''}`;
  if (hash !== location.hash) {
    history.replaceState(null, '', hash);
  }
}
