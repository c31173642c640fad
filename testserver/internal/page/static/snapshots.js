// The snapshots of all objects: taken, restored and deleted by name.

import { button, el, plain } from './dom.js';
import { ask } from './server.js';

export class Snapshots {
  // changed is called when a button has changed the server, and failed with an error.
  constructor({ changed, failed }) {
    Object.assign(this, { changed, failed });
    this.name = el('input', { 'aria-label': 'Name of a snapshot', placeholder: 'such as before', autocomplete: 'off', spellcheck: 'false' });
    this.refused = el('p', { class: 'error', role: 'alert' });
    this.list = el('ul', { class: 'snapshots' });
    const form = el('form', {}, el('label', {}, 'Name', this.name), this.refused,
      el('div', { class: 'actions' }, el('button', { class: 'apply' }, 'Take a snapshot')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.take(this.name.value.trim());
    });
    this.content = [form, this.list];
  }

  async take(name) {
    this.refused.textContent = '';
    try {
      await ask(`snapshots/${encodeURIComponent(name)}`, { method: 'POST' });
      this.name.value = '';
    } catch (error) {
      this.refused.textContent = plain(error.message);
    }
    this.draw();
  }

  async send(method, path) {
    try {
      await ask(`snapshots/${path}`, { method });
      this.changed();
    } catch (error) {
      this.failed(error);
    }
    this.draw();
  }

  // draw asks the server for the snapshots, because others can take them too.
  async draw() {
    try {
      const { snapshots } = await ask('snapshots');
      this.list.replaceChildren(...snapshots.map(({ name, created_at: at }) => el('li', {},
        el('span', { class: 'rule' }, name), el('span', { class: 'hint' }, plain(at).slice(0, 16).replace('T', ' ')),
        button('Restore', () => this.send('POST', `${name}/restore`), { 'aria-label': `Restore ${name}` }),
        button('Delete', () => this.send('DELETE', name), { 'aria-label': `Delete ${name}` }))));
    } catch (error) {
      this.failed(error);
    }
  }
}
