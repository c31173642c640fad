// What is in force on the server, and the buttons that change it.

import { button, byId, el, plain } from './dom.js';
import { ask } from './server.js';
import { Snapshots } from './snapshots.js';

// common are the faults that have a button. docs/reference.md lists all others.
const common = [
  ['429', 'Too many requests', { fault: '429' }],
  ['503', 'Unavailable', { fault: '503' }],
  ['Lost answer', 'The request, a POST if no method is selected, is processed, and the connection breaks before the answer', { fault: 'reset_after', method: 'POST' }],
  ['Slow', 'The answer comes 5 seconds late', { fault: 'slow', delay: '5s' }],
  ['Lag', 'Reads show the state of 10 seconds ago', { fault: 'lag', delay: '10s' }],
];

const often = [['next request', 1], ['next 5 requests', 5], ['all requests', 0]];
const methods = ['any method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export class Behavior {
  // changed is called when a control has changed the server, and failed with an error.
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
    this.faults = el('div');
    this.hostports = el('dd');
    this.latency = field('Minimum latency', 'such as 200ms');
    this.rate = field('Rate', 'such as 120/60s');
    this.concurrent = field('Concurrent requests', 'such as 5', { inputmode: 'numeric' });
    this.refused = el('p', { class: 'error', role: 'alert' });
    this.quirks = new Switches((names) => this.send('behavior', { quirks: names }));
    this.rules = new Switches((names) => this.send('behavior', { normal_rules: names }));
    this.snapshots = new Snapshots({ changed, failed });
    byId('behavior').append(
      card('Faults', 'Requests that match a rule get the fault.', this.faults, [button('Clear faults', () => this.clear(), { class: 'clear' })], 'wide'),
      this.limits(),
      card('Start again', 'Clear the log and the counters, and restore the behavior of the start, or the objects as well.', [], [
        button('Reset…', () => byId('reset-dialog').showModal(), { class: 'danger' }),
      ]),
      card('Snapshots', 'All objects under a name, until the server ends. To restore one deletes all that came later.', this.snapshots.content),
      card('Quirks', ['Choices of the server where the documentation is silent. A click switches one, for every response. ', explained('quirks')], this.quirks.list, [this.quirks.off], 'wide'),
      card('Normalization', ['Changes to values in responses. A click switches one. ', explained('normalization')], this.rules.list, [this.rules.off], 'wide'),
    );
    byId('reset-dialog').addEventListener('close', () => {
      if (byId('reset-dialog').returnValue === 'reset') this.send('reset', { keep_objects: !byId('reset-objects').checked });
    });
  }

  // limits returns the card with the fields for latency and limits.
  limits() {
    const labels = [this.latency, this.rate, this.concurrent].map((input) => el('label', {}, input.getAttribute('aria-label'), input));
    const form = el('form', {}, labels, el('dl', {}, el('dt', {}, 'Hostports'), this.hostports), this.refused,
      el('div', { class: 'actions' }, el('button', { class: 'apply' }, 'Apply')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.apply();
    });
    return card('Limits', 'How fast the server and its clients may be. Empty means no limit.', form);
  }

  async apply() {
    this.refused.textContent = '';
    const [latency, rate, concurrent] = [this.latency, this.rate, this.concurrent].map((input) => input.value.trim());
    const number = Number(concurrent); // the server says what is wrong with another text
    const limits = { latency: latency || '0s', rate_limit: rate, max_concurrent: Number.isInteger(number) ? number : concurrent };
    try {
      await ask('behavior', { method: 'POST', body: limits });
      this.changed();
    } catch (error) {
      this.refused.textContent = plain(error.message);
    }
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
    const active = inForce.faults.filter((fault) => !fault.done).length;
    byId('behavior-count').textContent = active || '';
    byId('behavior-count').title = active === 1 ? '1 fault rule is in force' : `${active} fault rules are in force`;
    for (const clear of document.querySelectorAll('.clear')) clear.disabled = inForce.faults.length === 0;
    this.faults.replaceChildren(...faults(inForce.faults));
    this.hostports.textContent = inForce.require_reserved ? 'only reserved domains and addresses' : 'any';
    this.quirks.draw(inForce.quirks);
    this.rules.draw(inForce.normal_rules);
    const limits = [inForce.latency ?? '', inForce.rate_limit ?? '', String(inForce.max_concurrent ?? '')];
    if (String(limits) === this.drawnLimits) return; // keeps what somebody writes
    this.drawnLimits = String(limits);
    [this.latency.value, this.rate.value, this.concurrent.value] = limits;
  }

  // learn asks the server for the names of all quirks and rules, and for the snapshots.
  async learn() {
    this.snapshots.draw();
    try {
      const { known } = await ask('behavior');
      this.quirks.learn(known.quirks);
      this.rules.learn(known.normal_rules);
    } catch (error) {
      this.failed(error);
    }
  }
}

// Switches is a button for each name, which is pressed if the name is in force. send is
// called with the names that shall be in force.
class Switches {
  constructor(send) {
    this.send = send;
    this.on = [];
    this.list = el('p', { class: 'tags' });
    this.off = button('Switch all off', () => this.send([]), { disabled: true });
  }

  learn(names) {
    this.list.replaceChildren(...names.map((name) => button(name, () => this.toggle(name), { class: 'tag' })));
    this.draw(this.on);
  }

  toggle(name) {
    this.send(this.on.includes(name) ? this.on.filter((other) => other !== name) : [...this.on, name]);
  }

  draw(on) {
    this.on = on;
    this.off.disabled = on.length === 0;
    for (const made of this.list.children) made.setAttribute('aria-pressed', on.includes(made.textContent));
  }
}

function field(name, hint, attributes = {}) {
  return el('input', { 'aria-label': name, placeholder: hint, autocomplete: 'off', spellcheck: 'false', ...attributes });
}

function select(name, options) {
  return el('select', { 'aria-label': name }, options.map((option) => el('option', {}, option)));
}

// explained returns a link to what the names of a card mean.
function explained(part) {
  const reference = 'https://github.com/tunnel-service/terraform-provider-tunnel/blob/main/testserver/docs/reference.md';
  return el('a', { href: `${reference}#${part}`, target: '_blank', rel: 'noreferrer' }, 'What each name means');
}

function card(title, hint, content, actions = [], width = '') {
  const foot = el('div', { class: 'actions' }, actions);
  return el('article', { class: `card ${width}` }, el('h2', {}, title), el('p', { class: 'hint' }, hint), content, foot);
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
