// The view of the requests: a live list with a filter.

import { byId, containsAll, el, foreign, plain, short, words } from './dom.js';
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
    empty.textContent = this.all.length > 0 ? 'No request matches the filter.' : 'No requests yet. They appear here as they arrive.';
  }
}

function row(request) {
  return el(
    'div', { class: `row request-row ${tone(request)}` },
    el('span', { class: 'time' }, clock(request.time)),
    el('span', { class: `method ${request.method.toLowerCase()}` }, plain(request.method)),
    foreign(request.path, { class: 'path', title: plain(request.path) }),
    el('span', { class: 'code' }, statusText(request)),
    el('span', { class: 'duration' }, milliseconds(request.duration_ms)),
    el('span', { class: 'fault' }, request.fault ? el('span', { class: 'tag warn' }, request.fault) : null),
    el('span', { class: 'who', title: request.owner ?? 'unknown key' }, request.owner ? short(request.owner) : 'unknown key'),
  );
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
