// What is in force on the server, and the buttons that change it.

import { button, byId, el, plain } from './dom.js';
import { ask } from './server.js';
import { Snapshots } from './snapshots.js';

// common are the failures that have a button above the requests.
const common = [
  ['429', 'Too many requests', { behavior: '429' }],
  ['503', 'Unavailable', { behavior: '503' }],
  ['Lost answer', 'The request, a POST if no method is selected, is processed, and the connection breaks before the answer', { behavior: 'reset_after', method: 'POST' }],
  ['Slow', 'The answer comes 5 seconds late', { behavior: 'delay=5s' }],
  ['Lag', 'Reads show the state of 10 seconds ago', { behavior: 'lag=10s' }],
];

const often = [['next request', 1], ['next 5 requests', 5], ['all requests', 0]];
const methods = ['any method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const groups = {
  failures: ['Failures', 'A request meets the first one, after all delays.'],
  limits: ['Limits', 'How many requests are too many.'],
  choices: ['Choices', 'What the server does where the documentation is silent.'],
  values: ['Values', 'The service stores something other than what was sent.'],
  traffic: ['Traffic', 'What a data plane is assumed to do. Changes no response.'],
};

export class Behavior {
  // changed is called when a control has changed the server, and failed with an error.
  constructor({ changed, failed }) {
    Object.assign(this, { changed, failed });
    this.rules = [];
    this.often = select('How many requests', often.map(([text]) => text));
    this.method = select('Method', methods);
    this.route = select('Route', ['any route']);
    byId('inject').append(
      el('span', { class: 'label' }, 'Inject'),
      ...common.map(([text, title, rule]) => button(text, () => this.inject(rule), { title, class: 'inject' })),
      el('span', { class: 'for' }, 'for'), this.often, this.method, this.route,
      button('Clear', () => this.send('behavior', []), { class: 'clear' }),
    );
    this.inForce = el('div');
    this.name = el('input', { 'aria-label': 'Behavior', placeholder: 'such as delay=200ms', autocomplete: 'off', spellcheck: 'false' });
    this.refused = el('p', { class: 'error', role: 'alert' });
    this.lists = Object.fromEntries(Object.keys(groups).map((name) => [name, el('ul', { class: 'known' })]));
    this.snapshots = new Snapshots({ changed, failed });
    this.time = el('p', { class: 'rule' });
    byId('behavior').append(
      card('In force', 'What differs from the default server, and how many requests it has met.', [this.inForce, this.form()],
        [button('Clear', () => this.send('behavior', []), { class: 'clear' })], 'wide'),
      card('Start again', 'Clear the log and the counters, and restore the behavior of the start, or the objects as well.', [], [
        button('Reset…', () => byId('reset-dialog').showModal(), { class: 'danger' }),
      ]),
      card('Snapshots', 'All objects under a name; with -data, they outlive the server. To restore one deletes all that came later.', this.snapshots.content),
      card('Clock', 'The time of the server, which created_at, renewals and default validity periods follow. It goes only forward.', this.time, [
        button('Advance a day', () => this.send('clock', { advance: '1d' })),
      ]),
      ...Object.entries(groups).map(([name, [title, hint]]) => card(title, hint, this.lists[name], [], 'wide')),
    );
    byId('reset-dialog').addEventListener('close', () => {
      if (byId('reset-dialog').returnValue === 'reset') this.send('reset', { keep_objects: !byId('reset-objects').checked });
    });
  }

  // tell shows the time of the server.
  async tell() {
    const { now, frozen } = await ask('clock').catch(() => ({ now: '' }));
    this.time.textContent = plain(now).slice(0, 19).replace('T', ' ') + (frozen ? ', frozen' : '');
  }

  // form returns the field for a behavior with a value.
  form() {
    const form = el('form', {}, el('label', {}, 'Behavior', this.name), this.refused,
      el('div', { class: 'actions' }, el('button', { class: 'apply' }, 'Add')));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      this.refused.textContent = '';
      try {
        await ask('behavior?add=true', { method: 'POST', body: [this.name.value.trim()] });
        this.name.value = '';
        this.changed();
      } catch (error) {
        this.refused.textContent = plain(error.message);
      }
    });
    return form;
  }

  inject(rule) {
    const [, count] = often[this.often.selectedIndex];
    const added = { ...rule };
    if (count > 0) added.count = count;
    if (this.method.selectedIndex > 0) added.method = this.method.value;
    if (this.route.selectedIndex > 0) added.route = this.route.value;
    return this.send('behavior?add=true', [added]);
  }

  // toggle switches a behavior for all requests. One with a value needs the field.
  toggle({ name, value }) {
    if (this.isOn(name)) return this.keep((rule) => nameOf(rule) !== name);
    if (!value || value.startsWith('[')) return this.send('behavior?add=true', [name]);
    this.name.value = `${name}=`;
    return this.name.focus();
  }

  isOn(name) {
    return this.rules.some(({ rule, done }) => nameOf(rule) === name && !done);
  }

  // keep removes the other rules.
  keep(wanted) {
    return this.send('behavior', this.rules.filter(({ rule, done }) => wanted(rule) && !done).map(({ rule }) => rule));
  }

  async send(path, body) {
    try {
      await ask(path, { method: 'POST', body });
      this.changed();
      this.tell();
    } catch (error) {
      this.failed(error);
    }
  }

  // setRoutes sets the routes that a rule can be for.
  setRoutes(routes) {
    if (this.route.options.length === routes.length + 1) return;
    this.route.replaceChildren(...['any route', ...[...routes].sort()].map((route) => el('option', {}, route)));
  }

  draw(rules) {
    const text = JSON.stringify(rules);
    if (text === this.drawn) return;
    [this.drawn, this.rules] = [text, rules];
    const active = rules.filter((rule) => !rule.done).length;
    byId('behavior-count').textContent = active || '';
    byId('behavior-count').title = active === 1 ? '1 rule is in force' : `${active} rules are in force`;
    for (const clear of document.querySelectorAll('.clear')) clear.disabled = rules.length === 0;
    this.inForce.replaceChildren(...this.drawRules());
    this.press();
  }

  drawRules() {
    if (this.rules.length === 0) return [el('p', { class: 'none' }, 'Nothing: the server has its default behavior.')];
    return [
      el('ul', { class: 'rules' }, this.rules.map(({ rule, hits, matched, done }) =>
        el('li', { class: done ? 'spent' : '' },
          el('span', { class: 'tag warn' }, rule.behavior), el('span', { class: 'rule' }, plain(describe(rule))),
          el('span', { class: 'hint' }, `${hits} of ${matched} matching requests${done ? ' · done' : ''}`),
          button('Remove', () => this.keep((other) => other !== rule), { 'aria-label': `Remove ${rule.behavior}` })))),
    ];
  }

  // press shows which buttons are on.
  press() {
    for (const made of document.querySelectorAll('#behavior button.tag')) made.setAttribute('aria-pressed', this.isOn(made.dataset.name));
  }

  // learn asks the server for all behaviors and for the snapshots.
  async learn() {
    this.snapshots.draw();
    this.tell();
    try {
      const { known } = await ask('behavior');
      for (const [group, list] of Object.entries(this.lists)) {
        list.replaceChildren(...known.filter((one) => one.group === group).map((one) => el('li', {},
          button(one.name + (one.value ?? ''), () => this.toggle(one), { class: 'tag', 'data-name': one.name }), el('span', {}, one.says))));
      }
      this.press();
    } catch (error) {
      this.failed(error);
    }
  }
}

function nameOf(rule) {
  return rule.behavior.split('=')[0];
}

function select(name, options) {
  return el('select', { 'aria-label': name }, options.map((option) => el('option', {}, option)));
}

function card(title, hint, content, actions = [], width = '') {
  const foot = el('div', { class: 'actions' }, actions);
  return el('article', { class: `card ${width}` }, el('h2', {}, title), el('p', { class: 'hint' }, hint), content, foot);
}

// describe returns the conditions of a rule as a text.
function describe({ behavior, method, route, ...rest }) {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return [`${method ?? 'any method'} on ${route ?? 'any route'}`, ...more].join(', ');
}
