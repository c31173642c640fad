// The view of the requests: a live list with a filter.

import { byId, containsAll, copied, el, foreign, plain, short, words } from './dom.js';
import { List } from './list.js';

const kept = 10_000; // requests, as many as the server keeps

export class Requests {
  // open is called with the request that a user chooses.
  constructor(open) {
    this.all = []; // oldest first
    this.shown = []; // those that match the filter
    this.waiting = []; // arrived while the list is paused
    this.filter = [];
    this.first = 0; // number of the oldest request on the server
    this.list = new List(byId('request-list'), { row, key: (request) => request.number, open });
    byId('request-filter').addEventListener('input', (event) => this.refilter(event.target.value));
    byId('pause').addEventListener('click', () => this.pause(!this.paused));
    this.draw();
  }

  forget() {
    Object.assign(this, { all: [], shown: [], waiting: [], first: 0 });
    this.draw();
  }

  add(activity) {
    this.first = activity.first;
    if (this.paused) {
      this.waiting = this.waiting.concat(activity.requests).slice(-kept);
    } else {
      this.append(activity.requests);
    }
    this.draw();
  }

  append(requests) {
    for (const request of requests) {
      const { method, path, fault = '', owner = '' } = request;
      request.text = [method, path, statusText(request), fault, owner].join(' ').toLowerCase();
    }
    const matching = requests.filter((request) => containsAll(request.text, this.filter));
    this.all = this.trim(this.all.concat(requests));
    this.shown = this.trim(this.shown.concat(matching));
    this.added = (this.added ?? 0) + matching.length;
  }

  // trim leaves out the requests that the server has forgotten, also after a reset.
  trim(requests) {
    const begin = requests.findIndex((request) => request.number >= this.first);
    return begin < 0 ? [] : requests.slice(begin).slice(-kept);
  }

  // find shows the requests that contain a text.
  find(text) {
    byId('request-filter').value = text;
    this.refilter(text);
  }

  refilter(text) {
    this.filter = words(text);
    this.shown = this.all.filter((request) => containsAll(request.text, this.filter));
    this.list.root.scrollTop = 0;
    this.draw();
  }

  pause(paused) {
    this.paused = paused;
    byId('pause').setAttribute('aria-pressed', paused);
    byId('pause').textContent = paused ? 'Resume' : 'Pause';
    if (!paused) {
      this.append(this.waiting);
      this.waiting = [];
    }
    this.draw();
  }

  draw() {
    const { shown } = this;
    this.list.show(shown.length, (i) => shown[shown.length - 1 - i], this.added);
    this.added = 0;
    const total = this.all.length.toLocaleString('en');
    const waiting = this.waiting.length > 0 ? ` · ${this.waiting.length.toLocaleString('en')} waiting` : '';
    byId('request-summary').textContent =
      (this.filter.length > 0 ? `${shown.length.toLocaleString('en')} of ${total}` : `${total} requests`) + waiting;
    const empty = byId('no-requests');
    empty.hidden = shown.length > 0;
    if (this.all.length > 0) empty.textContent = 'No request matches the filter.';
    else if (!empty.firstElementChild) empty.replaceChildren(el('p', {}, 'No requests yet. They appear here as they arrive. Try it in a shell:'), copied(firstSteps()));
  }
}

function row(request) {
  return el(
    'div', { class: `row request-row ${tone(request)}` },
    el('span', { class: 'time' }, clock(request.time)),
    el('span', { class: `method ${request.method.toLowerCase()}` }, plain(request.method)),
    foreign(shortPath(request.path), { class: 'path', title: plain(request.path) }),
    el('span', { class: 'code' }, statusText(request)),
    el('span', { class: 'duration' }, milliseconds(request.duration_ms)),
    el('span', { class: 'fault' }, request.fault ? el('span', { class: 'tag warn' }, request.fault) : null),
    el('span', { class: 'who', title: request.owner ?? 'unknown key' }, request.owner ? short(request.owner) : 'unknown key'),
  );
}

// shortPath leaves out the middle of each long id, so that the end of a path is visible.
function shortPath(path) {
  return path.split('/').map(short).join('/');
}

// address returns the URL of a path of the API.
export function address(path) {
  return location.origin + location.pathname.replace(/_testserver\/.*$/, '').replace(/\/$/, '') + path;
}

function firstSteps() {
  return `export TUNNEL_BASE_URL=${address('')} TUNNEL_API_KEY=...\n${curl({ method: 'GET', path: '/ssh_credentials' })}`;
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
