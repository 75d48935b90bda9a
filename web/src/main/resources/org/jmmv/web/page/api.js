// The requests of the page. /api/v1/openapi.json describes the documents.

// Beside the page, which a proxy may serve at another path than /. The page's own address may have a user and a
// password, with which fetch fails; location leaves them out.
const ROOT = new URL('api/v1/', location);
const ALL = 100000; // metrics of one document
const PATIENCE = 5000; // milliseconds for a document to come
const LONG_PATIENCE = 60000; // for one that may have megabytes

/** Returns a document of which nobody knows how long it is. */
export function getLong(path, parameters) {
  return get(path, parameters, undefined, LONG_PATIENCE);
}

/** Returns a document, or fails if it does not come in time, or is aborted. */
export async function get(path, parameters = {}, abort = undefined, patience = PATIENCE) {
  const signal = AbortSignal.any([AbortSignal.timeout(patience), ...abort ? [abort] : []]);
  const response = await fetch(url(path, parameters), {cache: 'no-store', signal});
  if (!response.ok) {
    throw new Error(await reason(response));
  }
  return response.json();
}

/** Returns why a request has failed: jmmv writes JSON, and a proxy before it anything. */
async function reason(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).message;
  } catch {
    return text.trim();
  }
}

/** Returns the address of a resource. The value of a parameter may be an array. */
function url(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      query.append(name, one);
    }
  }
  return `${ROOT}${path}?${query}`;
}

/**
 * Returns whether two documents are of the same names. Each process of jmmv counts versions anew,
 * and has an epoch of its own.
 */
export function hasSameNames(one, other) {
  return one.epoch === other.epoch && one.version === other.version;
}

/** Returns all metrics, and the epoch and version of the names. */
export async function allMetrics() {
  const metrics = [];
  let names;
  for (let after = ''; after !== undefined;) {
    const document = await getLong('metrics', {after, limit: ALL});
    metrics.push(...document.metrics);
    names ??= {epoch: document.epoch, version: document.version};
    after = document.next;
  }
  return {metrics, names};
}
