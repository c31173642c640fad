// The panel at the side: one request or one object, with everything that the server
// tells of it.

import { button, byId, copied, el, foreign, plain } from './dom.js';
import { clock, curl, milliseconds, statusText, tone } from './format.js';
import { idOf, parentOf, pathOf } from './model.js';
import { link } from './objects.js';
import { ask } from './server.js';

export class Details {
  // find is called with the id of an object whose requests a user wants to see.
  constructor(model, onClose, find) {
    Object.assign(this, { model, onClose, find });
    this.root = byId('details');
    this.root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
  }

  close() {
    if (this.root.hidden) return;
    const focused = this.root.contains(document.activeElement);
    this.shown = null;
    this.root.hidden = true;
    this.root.replaceChildren();
    this.onClose(focused);
  }

  // show shows a title and parts, and then what load returns.
  async show(name, title, parts, load) {
    const again = this.shown === name; // only newer than what is visible
    this.shown = name;
    const body = el('div', { class: 'loaded', 'aria-live': 'polite' });
    if (again) body.replaceChildren(...(this.root.querySelector('.loaded')?.childNodes ?? []));
    this.root.replaceChildren(
      el('header', {}, title, button('Close', () => this.close(), { class: 'close', 'aria-label': 'Close details' })), ...parts, body,
    );
    this.root.hidden = false;
    if (!again) {
      this.root.scrollTop = 0;
      this.root.focus({ preventScroll: true });
    }
    try {
      const loaded = await load();
      if (this.shown === name) body.replaceChildren(...loaded);
    } catch (error) {
      if (this.shown === name) body.replaceChildren(el('p', { class: 'hint' }, plain(error.message)));
    }
  }

  showRequest(request) {
    const method = el('span', { class: `method ${request.method.toLowerCase()}` }, plain(request.method));
    const title = el('h2', {}, method, ' ', foreign(request.path));
    const facts = list([
      ['From here', request.note && foreign(request.note)],
      ['Status', el('span', { class: `code ${tone(request)}` }, request.status === 0 ? 'connection reset' : statusText(request))],
      ['Failure', request.failure && el('span', { class: 'tag warn' }, request.failure)],
      ['Time', clock(request.time)],
      ['Duration', milliseconds(request.duration_ms)],
      ['Client', request.user_agent && foreign(request.user_agent)],
      ['Who', request.owner ? foreign(request.owner) : 'unknown key'],
      ['Route', foreign(request.route)],
      ['Query', request.query && foreign(new URLSearchParams(flat(request.query)).toString())],
      ['Operation', foreign(request.operation_id)],
      ['Object', this.objectIn(request.path)],
    ]);
    return this.show(`request ${request.number}`, title, [facts], async () => {
      const { requests } = await ask(`requests?number=${request.number}`);
      if (requests.length === 0) return [el('p', { class: 'hint' }, 'The server no longer keeps this request.')];
      const [{ request: sent, response }] = requests;
      const repeat = request.note ? [] : [
        el('h3', {}, 'Repeat it with curl'), copied(curl(request, sent)),
        el('p', { class: 'hint' }, 'The shell needs TUNNEL_API_KEY with a key that the server has printed. Without it, the answer is 401.'),
      ];
      return [...text('Request', sent), ...text('Response', response), ...repeat];
    });
  }

  // objectIn returns a link to the last object in a path, or null if there is none.
  objectIn(path) {
    const parts = path.split('/');
    const found = [...this.model.objects.keys()].filter((key) => key.split('/').every((part) => parts.includes(encodeURIComponent(part))));
    const last = found.sort((a, b) => b.length - a.length)[0];
    return last ? link(this.model, last) : null;
  }

  showObject(object, view) {
    const { model } = this;
    const missing = model.missing(object);
    const item = (key) => el('li', {}, noun(model, key), link(model, key, missing.includes(key), view));
    const links = (keys) => keys.length > 0 && el('ul', {}, keys.map(item));
    const title = el('h2', {}, el('span', { class: 'noun' }, object.noun), foreign(object.label || idOf(object.key)));
    const mark = model.marks.get(object.key);
    const unused = model.unused(object) && el('span', { class: 'tag unused' }, 'unused');
    const shown = object.kind !== '/tunnels'; // only in tunnel group backends
    const load = async () => (shown ? text('As the API returns it', await ask(`objects${pathOf(object)}`)) : []);
    const facts = list([
      ['ID', foreign(idOf(object.key))],
      ['Since you opened the page', mark && el('span', { class: `tag ${mark}` }, mark)],
      ['Modules', object.modules.length > 0 && object.modules.map((module) => el('span', { class: 'tag' }, module))],
      ['Part of', parentOf(object) && links([parentOf(object)])],
      ['Refers to', links(object.refers)],
      ['Contains', links([...(model.children.get(object.key) ?? [])])],
      ['Used by', links([...(model.users.get(object.key) ?? [])]) || unused],
    ]);
    const actions = el(
      'p', { class: 'tools' },
      button('Requests', () => this.find(idOf(object.key))),
      ...(shown ? [
        button('Change…', () => this.edit(object)),
        button('Delete…', () => this.remove(object), { class: 'danger' }),
      ] : []),
    );
    return this.show(`object ${object.key}`, title, [facts, actions], load);
  }

  // edit and remove change an object behind the back of Terraform, so that its next plan
  // shows drift. They skip the rules of the API, as the control endpoint does.
  async edit(object) {
    const body = await ask(`objects${pathOf(object)}`);
    const member = 'description' in body ? 'description' : 'name';
    const field = el('textarea', { rows: 8, spellcheck: 'false', 'aria-label': 'Body of the PATCH, JSON' });
    field.value = JSON.stringify({ [member]: 'changed by hand' }, null, 2);
    this.confirm('Change', object, 'PATCH', () => JSON.parse(field.value), field);
  }

  remove(object) {
    this.confirm('Delete', object, 'DELETE', () => undefined);
  }

  // confirm shows a dialog, and sends what body returns if the user agrees. An error stays
  // in the dialog.
  confirm(verb, object, method, body, ...fields) {
    const error = el('p', { class: 'error', role: 'alert' });
    const dialog = el('dialog', { class: 'by-hand', 'aria-label': `${verb} ${object.noun}` });
    const send = async () => {
      try {
        await ask(`objects${pathOf(object)}`, { method, body: body() });
        dialog.close();
      } catch (failed) {
        error.textContent = plain(failed.message);
      }
    };
    dialog.append(
      el('h2', {}, `${verb} ${object.noun}?`), foreign(object.label || idOf(object.key)),
      el('p', {}, `${verb}s it without the rules of the API. If a state has it, the next plan shows the drift. A module is changed as a whole.`), ...fields, error,
      el('div', { class: 'actions' }, button('Cancel', () => dialog.close()), button(verb, send, { class: 'danger' })),
    );
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  showMissing(key) {
    const kind = this.model.kindOfID(key);
    const users = [...(this.model.users.get(key) ?? [])];
    const title = el('h2', {}, el('span', { class: 'noun' }, kind?.noun ?? 'object'), foreign(key));
    const used = users.length > 0 && el('ul', {}, users.map((user) => el('li', {}, noun(this.model, user), link(this.model, user))));
    return this.show(`missing ${key}`, title, [el('p', {}, 'This object does not exist.'), list([['Used by', used]])], async () => []);
  }
}

function noun(model, key) {
  return el('span', { class: 'noun' }, `${model.objects.get(key)?.noun ?? model.kindOfID(key)?.noun ?? 'outside'} `);
}

// list returns a list of names and values, without those that have no value.
function list(facts) {
  return el('dl', {}, facts.filter(([, value]) => value).map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

function flat(query) {
  return Object.entries(query).flatMap(([name, values]) => values.map((value) => [name, value]));
}

// text returns a title and a JSON value, or a text, in lines.
function text(title, value) {
  const shown = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const empty = value === undefined || value === null;
  return [el('h3', {}, title), empty ? el('p', { class: 'hint' }, 'No body') : el('pre', { tabindex: 0 }, plain(shown, '\n'))];
}
