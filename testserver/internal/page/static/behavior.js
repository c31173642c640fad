// What is in force on the server, and the buttons that change it.

import { button, byId, el, plain } from './dom.js';
import { ask } from './server.js';

// common are the faults that have a button. The README lists all others.
const common = [
  ['429', 'Too many requests', { fault: '429' }],
  ['503', 'Unavailable', { fault: '503' }],
  ['Lost answer', 'The request is processed, and the connection breaks before the answer', { fault: 'reset_after' }],
  ['Slow', 'The answer comes 5 seconds late', { fault: 'slow', delay: '5s' }],
  ['Lag', 'Reads show the state of 10 seconds ago', { fault: 'lag', delay: '10s' }],
];

const often = [['next request', 1], ['next 5 requests', 5], ['all requests', 0]];
const methods = ['any method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export class Behavior {
  // changed is called when a button has changed the server, and failed with an error.
  constructor({ changed, failed }) {
    Object.assign(this, { changed, failed });
    this.often = select('How many requests', often.map(([text]) => text));
    this.method = select('Method', methods);
    this.route = select('Route', ['any route']);
    byId('inject').append(
      el('span', { class: 'label' }, 'Inject'),
      ...common.map(([text, title, rule]) => button(text, () => this.inject(rule), { title, class: 'inject' })),
      el('span', { class: 'for' }, 'for'), this.often, this.method, this.route,
      button('Clear faults', () => this.clear(), { class: 'clear' }),
    );
    byId('reset-dialog').addEventListener('close', () => {
      if (byId('reset-dialog').returnValue === 'reset') this.send('reset', { keep_objects: !byId('reset-objects').checked });
    });
  }

  inject(rule) {
    const [, count] = often[this.often.selectedIndex];
    const added = { ...rule };
    if (count > 0) added.count = count;
    if (this.method.selectedIndex > 0) added.method = this.method.value;
    if (this.route.selectedIndex > 0) added.route = this.route.value;
    return this.send('faults?add=true', [added]);
  }

  clear() {
    return this.send('faults', []);
  }

  async send(path, body) {
    try {
      await ask(path, { method: 'POST', body });
      this.changed();
    } catch (error) {
      this.failed(error);
    }
  }

  // setRoutes sets the routes that a fault can be for.
  setRoutes(routes) {
    if (this.route.options.length === routes.length + 1) return;
    this.route.replaceChildren(...['any route', ...[...routes].sort()].map((route) => el('option', {}, route)));
  }

  draw(inForce) {
    const text = JSON.stringify(inForce);
    if (text === this.drawn) return;
    this.drawn = text;
    const active = inForce.faults.filter((fault) => !fault.done);
    byId('behavior-count').textContent = active.length || '';
    byId('inject').querySelector('.clear').disabled = inForce.faults.length === 0;
    const had = byId('behavior').contains(document.activeElement) && document.activeElement.textContent;
    byId('behavior').replaceChildren(
      card('Faults', 'Requests that match a rule get the fault.', faults(inForce.faults), [
        button('Clear faults', () => this.clear(), { disabled: inForce.faults.length === 0 }),
      ]),
      card('Limits', 'How fast clients may be, and what they may do.', limits(inForce)),
      card('Quirks', 'Choices of the server where the documentation is silent.', tags(inForce.quirks)),
      card('Normalization', 'Changes to values in responses.', tags(inForce.normal_rules)),
      card('Start again', 'Clear the log, the counters and the faults, or restore the objects of the start.', [], [
        button('Reset…', () => byId('reset-dialog').showModal(), { class: 'danger' }),
      ]),
    );
    if (had) [...byId('behavior').querySelectorAll('button')].find((made) => made.textContent === had)?.focus();
  }
}

function select(name, options) {
  return el('select', { 'aria-label': name }, options.map((option) => el('option', {}, option)));
}

function card(title, hint, content, actions = []) {
  const foot = el('div', { class: 'actions' }, actions);
  return el('article', { class: 'card' }, el('h2', {}, title), el('p', { class: 'hint' }, hint), content, foot);
}

function tags(names) {
  if (names.length === 0) return [el('p', { class: 'none' }, 'None')];
  return [el('p', { class: 'tags' }, names.map((name) => el('span', { class: 'tag' }, name)))];
}

function faults(rules) {
  if (rules.length === 0) return [el('p', { class: 'none' }, 'None. Inject one with the buttons above the requests.')];
  return [
    el('ul', { class: 'rules' }, rules.map((fault) =>
      el('li', { class: fault.done ? 'spent' : '' },
        el('span', { class: 'tag warn' }, fault.rule.fault), el('span', { class: 'rule' }, plain(describe(fault.rule))),
        el('span', { class: 'hint' }, `${fault.hits} of ${fault.matched} matching requests${fault.done ? ' · done' : ''}`)))),
  ];
}

// describe returns the conditions of a rule as a text.
function describe({ fault, method, route, ...rest }) {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return [`${method ?? 'any method'} on ${route ?? 'any route'}`, ...more].join(', ');
}

function limits(inForce) {
  const facts = [
    ['Rate', inForce.rate_limit ?? 'unlimited'],
    ['Concurrent requests', inForce.max_concurrent ?? 'unlimited'],
    ['Minimum latency', inForce.latency ?? 'none'],
    ['Hostports', inForce.require_reserved ? 'only reserved domains and addresses' : 'any'],
  ];
  return [el('dl', {}, facts.map(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))]))];
}
