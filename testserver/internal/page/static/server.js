// The control endpoints of the server. The key is kept for this tab only, and is sent
// in a header, so that no other site can use it.

const storageName = 'tunnel-testserver-key';

// Refused is the answer of a server that does not accept the key or the request.
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  // isKey reports whether another key may be accepted.
  get isKey() {
    return this.status === 401 || this.status === 403;
  }
}

// takeKeyFromAddress moves a key from the fragment of the address to the storage of
// this tab, so that it is neither visible nor part of a bookmark.
export function takeKeyFromAddress() {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return;
  setKey(key);
  history.replaceState(null, '', `${location.pathname}#requests`);
}

export function setKey(key) {
  sessionStorage.setItem(storageName, key);
}

export function hasKey() {
  return Boolean(sessionStorage.getItem(storageName));
}

// ask sends a request to a control endpoint, and returns the JSON of its answer.
export async function ask(path, { method = 'GET', body } = {}) {
  const key = sessionStorage.getItem(storageName) ?? '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Refused(401, 'a key has only printable ASCII characters');
  const headers = { Authorization: `Bearer ${key}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(path, {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: 'omit', cache: 'no-store', redirect: 'error',
  });
  const text = await answer.text();
  const value = text === '' ? null : JSON.parse(text);
  if (!answer.ok) throw new Refused(answer.status, value?.msg ?? answer.statusText);
  return value;
}
