// The view of the requests: a live list of runs with a filter.

import { byId, containsAll, copied, el, foreign, plain, short, words } from './dom.js';
import { address, clock, curl, milliseconds, shortPath, statusText, tone } from './format.js';
import { List } from './list.js';
import { Run, rows, Runs } from './runs.js';

const kept = 10_000; // requests, as many as the server keeps

export class Requests {
  // open is called with the request that a user chooses.
  constructor(open) {
    this.all = []; // oldest first
    this.shown = []; // those that match the filter
    this.waiting = []; // arrived while the list is paused
    this.filter = [];
    this.first = 0; // number of the oldest request on the server
    this.runs = new Runs();
    this.list = new List(byId('request-list'), {
      row: (item) => (item instanceof Run ? item.row() : row(item)),
      key: (item) => (item instanceof Run ? `run ${item.number}` : item.number), state: (item) => item.state,
      open: (item) => (item instanceof Run ? this.toggle(item) : open(item)),
    });
    byId('request-filter').addEventListener('input', (event) => this.refilter(event.target.value));
    byId('pause').addEventListener('click', () => this.pause(!this.paused));
    this.draw();
  }

  forget() {
    Object.assign(this, { all: [], shown: [], waiting: [], first: 0, runs: new Runs() });
    this.draw();
  }

  toggle(run) {
    run.closed = !run.closed;
    this.draw();
  }

  add(activity) {
    this.first = activity.first;
    const before = this.all.length;
    this.all = this.trim(this.all);
    if (activity.requests.length === 0 && this.all.length === before) return; // nothing new
    if (this.all.length === 0) this.runs = new Runs(); // also after a reset
    if (this.paused) {
      this.waiting = this.waiting.concat(activity.requests).slice(-kept);
    } else {
      this.append(activity.requests);
    }
    this.draw();
  }

  append(requests) {
    for (const request of requests) {
      const { method, path, failure, owner, user_agent: agent, note } = request;
      const failed = request.status >= 400 && 'failed';
      request.text = [method, path, statusText(request), failed || '', failure, owner, agent, note].join(' ').toLowerCase();
      this.runs.add(request);
    }
    const matching = requests.filter((request) => this.matches(request));
    this.all = this.trim(this.all.concat(requests));
    this.shown = this.trim(this.shown.concat(matching));
  }

  // A filter hides no note: it says what the requests above it met.
  matches(request) {
    return Boolean(request.note) || containsAll(request.text, this.filter);
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
    this.shown = this.all.filter((request) => this.matches(request));
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
    const items = rows(shown);
    this.list.show(items.length, (i) => items[i], true);
    const count = (requests) => requests.filter((request) => !request.note).length.toLocaleString('en');
    const total = count(this.all);
    const waiting = this.waiting.length > 0 ? ` · ${this.waiting.length.toLocaleString('en')} waiting` : '';
    byId('request-summary').textContent =
      (this.filter.length > 0 ? `${count(shown)} of ${total}` : `${total} requests`) + waiting;
    const empty = byId('no-requests');
    empty.hidden = shown.length > 0;
    if (this.all.length > 0) empty.textContent = 'No request matches the filter.';
    else if (!empty.firstElementChild) empty.replaceChildren(el('p', {}, 'No requests yet. They appear here as they arrive. Try it in a shell:'), copied(firstSteps()));
  }
}

function row(request) {
  if (request.note) {
    return el(
      'div', { class: 'note' }, el('span', { class: 'time' }, clock(request.time)),
      el('span', {}, 'From here: ', foreign(request.note, { title: plain(request.note) })),
    );
  }
  return el(
    'div', { class: `row request-row ${tone(request)}` },
    el('span', { class: 'time' }, clock(request.time)),
    el('span', { class: `method ${request.method.toLowerCase()}` }, plain(request.method)),
    el('span', { class: 'path', title: plain(request.path) }, foreign(shortPath(request.path))),
    el('span', { class: 'code' }, statusText(request)),
    el('span', { class: 'duration' }, milliseconds(request.duration_ms)),
    el('span', { class: 'failure' }, request.failure ? el('span', { class: 'tag warn' }, request.failure) : null),
    el('span', { class: 'who', title: request.owner ?? 'unknown key' }, request.owner ? short(request.owner) : 'unknown key'),
  );
}

function firstSteps() {
  return `export TUNNEL_BASE_URL=${address('')} TUNNEL_API_KEY=...\n${curl({ method: 'GET', path: '/ssh_credentials' })}`;
}
