// How requests are written.

import { short } from './dom.js';

const wide = 44; // characters that fit into a line on a phone

// shortPath leaves out the middle of each long id, and most of it in a long path, so that
// the end of the path is visible.
export function shortPath(path) {
  const shortened = (shorten) => path.split('/').map((part) => (part.length > 22 && /[0-9A-Z]/.test(part) ? shorten(part) : part)).join('/');
  const readable = shortened(short);
  return readable.length <= wide ? readable : shortened((id) => `…${id.slice(-4)}`);
}

// address returns the URL of a path of the API.
export function address(path) {
  return location.origin + location.pathname.replace(/_testserver\/.*$/, '').replace(/\/$/, '') + path;
}

// curl returns the command that repeats a request. body is what the server keeps of it,
// without secrets.
export function curl({ method, path, query = {} }, body) {
  const parameters = new URLSearchParams(Object.entries(query).flatMap(([name, values]) => values.map((value) => [name, value]))).toString();
  const headers = ['-H', '"Authorization: Bearer $TUNNEL_API_KEY"', '-H', quoted('Service-Version: 2')];
  const sent = body ? ['-H', quoted('Content-Type: application/json'), '-d', quoted(JSON.stringify(body))] : [];
  return ['curl', '-X', method, ...headers, ...sent, quoted(address(path) + (parameters && `?${parameters}`))].join(' ');
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// tone returns the class for a status.
export function tone(request) {
  if (request.status === 0 || request.status >= 500) return 'bad';
  return request.status >= 400 ? 'refused' : 'good';
}

export function statusText(request) {
  return request.status === 0 ? 'reset' : String(request.status);
}

export function clock(time) {
  const at = new Date(time);
  return `${at.toLocaleTimeString('en', { hour12: false })}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

export function milliseconds(duration) {
  if (duration < 1) return `${duration.toFixed(2)} ms`;
  if (duration < 10) return `${duration.toFixed(1)} ms`;
  return duration < 10_000 ? `${Math.round(duration)} ms` : `${(duration / 1000).toFixed(1)} s`;
}
