// Runs: the requests of one client without a long pause between them. What a client was
// asked to do is not known. What is known is whether it has sent anything but reads.

import { el, foreign, plain } from './dom.js';
import { clock, milliseconds, tone } from './format.js';

const pause = 2000; // milliseconds without a request that end a run

export class Run {
  constructor(request) {
    this.number = request.number; // of its first request
    this.agent = request.user_agent ?? '';
    this.begin = this.end = Date.parse(request.time);
    this.methods = new Map(); // how many requests, by method
    this.failed = 0; // without those that found nothing: a client may expect that
    this.absent = 0;
    this.closed = false; // whether its requests are hidden
  }

  add(request) {
    this.end = Math.max(this.end, Date.parse(request.time) + request.duration_ms);
    this.methods.set(request.method, (this.methods.get(request.method) ?? 0) + 1);
    if (request.status === 404) this.absent++;
    else if (tone(request) !== 'good') this.failed++;
  }

  // takes reports whether a request belongs to the run.
  takes(request) {
    return Date.parse(request.time) - this.end < pause;
  }

  get reads() {
    return [...this.methods.keys()].every((method) => method === 'GET' || method === 'HEAD');
  }

  get state() {
    return `${[...this.methods.values()]} ${this.failed} ${this.absent} ${this.closed}`;
  }

  row() {
    const counts = [...this.methods].map(([method, count]) => `${count.toLocaleString('en')} ${plain(method)}`).join(' · ');
    const failed = [[this.failed, 'failed'], [this.absent, 'not found']].filter(([count]) => count > 0)
      .map(([count, text]) => `${count.toLocaleString('en')} ${text}`).join(' · ');
    const kind = this.reads ? 'reads only' : 'changes';
    const agent = this.agent || 'unknown client';
    return el(
      'div', { class: 'run', 'aria-label': plain(['Run', kind, counts, failed, agent, this.closed ? 'collapsed' : ''].filter(Boolean).join(', ')) },
      el('span', { class: 'time' }, `${this.closed ? '▸' : '▾'} ${clock(this.begin)}`),
      el('span', { class: `kind ${this.reads ? '' : 'changes'}`, title: 'Whether anything but GET was sent' }, kind),
      el('span', { class: 'counts' }, counts),
      el('span', { class: 'failed' }, failed),
      el('span', { class: 'duration' }, milliseconds(this.end - this.begin)),
      foreign(agent, { class: 'agent', title: plain(agent) }),
    );
  }
}

// Runs sorts requests into runs as they arrive.
export class Runs {
  constructor() {
    this.open = new Map(); // the newest run of each client
  }

  // add sets the run of a request. A switch of the server begins new runs, so that it
  // stands before all requests that it is in force for.
  add(request) {
    if (request.note) {
      this.open.clear();
      return;
    }
    const agent = request.user_agent ?? '';
    let run = this.open.get(agent);
    if (!run?.takes(request)) this.open.set(agent, run = new Run(request));
    run.add(request);
    request.run = run;
  }
}

// rows returns what a list shows: the newest run first, and in it the newest request.
export function rows(requests) {
  const groups = new Map();
  for (const request of requests) {
    const group = request.run ?? request;
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(request);
  }
  const newest = [...groups].sort(([a], [b]) => b.number - a.number);
  return newest.flatMap(([group, members]) => (group instanceof Run && !group.closed ? [group, ...members.reverse()] : [group]));
}
