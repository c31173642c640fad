// The view of the objects: how many of each kind, and a list with a filter.

import { byId, button, containsAll, el, foreign, plain, short, words } from './dom.js';
import { List } from './list.js';
import { idOf, parentOf } from './model.js';

const choices = [
  ['recent', 'New or changed', (model, object) => model.marks.has(object.key)],
  ['unused', 'Unused', (model, object) => model.unused(object)],
  ['missing', 'Missing reference', (model, object) => model.missing(object).length > 0],
];

export class Objects {
  constructor(model, open) {
    this.model = model;
    this.kind = null; // path of the only kind to show
    this.only = null; // name of the only choice to show
    this.filter = [];
    this.list = new List(byId('object-list'), {
      row: (object) => this.row(object), key: (object) => object.key, state: (object) => `${object.version} ${this.state(object)}`, open,
    });
    byId('object-filter').addEventListener('input', (event) => {
      this.filter = words(event.target.value);
      this.draw();
    });
    for (const [name, text] of choices) {
      byId('object-toggles').append(button(text, () => this.toggle(name), { 'data-only': name, 'aria-pressed': 'false' }));
    }
  }

  toggle(name) {
    this.only = this.only === name ? null : name;
    this.draw();
  }

  choose(kind) {
    this.kind = this.kind === kind ? null : kind;
    this.draw();
  }

  draw() {
    this.drawKinds();
    const only = choices.find(([name]) => name === this.only)?.[2] ?? (() => true);
    const found = this.model.all(
      (object) => (this.kind === null || object.kind === this.kind) && only(this.model, object) && containsAll(object.text, this.filter),
    );
    this.list.show(found.length, (i) => found[i]);
    for (const toggle of byId('object-toggles').children) toggle.setAttribute('aria-pressed', toggle.dataset.only === this.only);
    const all = this.model.objects.size.toLocaleString('en');
    const removed = this.model.removed > 0 ? ` · ${this.model.removed.toLocaleString('en')} deleted since you opened the page` : '';
    byId('object-summary').textContent =
      (found.length < this.model.objects.size ? `${found.length.toLocaleString('en')} of ${all}` : `${all} objects`) + removed;
    const empty = byId('no-objects');
    empty.hidden = found.length > 0;
    empty.textContent = this.model.objects.size > 0 ? 'No object matches.' : 'The account is empty. Create an object with the API.';
  }

  drawKinds() {
    const chips = [];
    for (const [path, count] of this.model.counts()) {
      if (count.all === 0 && path !== this.kind) continue;
      chips.push({ path, noun: this.model.kinds.get(path).noun, ...count });
    }
    const text = JSON.stringify([chips, this.kind]);
    if (text === this.drawnKinds) return; // keeps the focus where it is
    this.drawnKinds = text;
    const focused = document.activeElement?.dataset.kind;
    byId('kinds').replaceChildren(
      ...chips.map((chip) =>
        button(
          [
            el('span', {}, chip.noun), el('b', {}, chip.all.toLocaleString('en')),
            chip.new > 0 ? el('span', { class: 'tag new' }, `+${chip.new}`) : null,
            chip.changed > 0 ? el('span', { class: 'tag changed' }, `${chip.changed} changed`) : null,
          ],
          () => this.choose(chip.path),
          { class: 'chip', 'data-kind': chip.path, 'aria-pressed': String(chip.path === this.kind) },
        ),
      ),
    );
    if (focused) byId('kinds').querySelector(`[data-kind="${CSS.escape(focused)}"]`)?.focus();
  }

  state(object) {
    const { model } = this;
    const missing = model.missing(object).length > 0;
    return [model.marks.get(object.key), model.unused(object) && 'unused', missing && 'missing'].filter(Boolean).join(' ');
  }

  row(object) {
    const missing = this.model.missing(object);
    const related = [parentOf(object), ...object.refers].filter(Boolean);
    return el(
      'div', { class: 'row object-row' },
      el('span', { class: 'noun' }, object.noun),
      foreign(object.label || '–', { class: 'name', title: plain(object.label ?? '') }),
      foreign(short(idOf(object.key)), { class: 'id', title: plain(object.key) }),
      el('span', { class: 'links' }, related.map((key) => link(this.model, key, missing.includes(key)))),
      el(
        'span', { class: 'state' },
        object.modules.map((module) => el('span', { class: 'tag' }, module)),
        this.state(object).split(' ').filter(Boolean).map((state) => el('span', { class: `tag ${state}` }, state)),
      ),
    );
  }
}

// link returns a link to an object, or its id if the server does not have it.
export function link(model, key, missing = false, view = 'objects') {
  const object = model.objects.get(key);
  const id = short(idOf(key));
  if (object) {
    return el('a', { href: address(view, key), title: `${object.noun} ${plain(key)}` }, foreign(object.label || id));
  }
  return el('span', { class: missing ? 'tag missing' : 'outside', title: plain(key) }, missing ? 'missing: ' : '', foreign(id));
}

// address returns the fragment of the address that shows an object in a view.
export function address(view, key) {
  return `#${view}/${encodeURIComponent(key)}`;
}
