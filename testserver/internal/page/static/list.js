// A list of any length that only has elements for what is visible.

import { el } from './dom.js';

const spare = 4; // rows above and below the visible ones

// List shows items in a scrollable element. row returns the element of an item, key its
// identity, state what the element depends on besides, and open is called for a click or
// the Enter key.
export class List {
  constructor(root, { row, key, state, open }) {
    Object.assign(this, { root, row, key, state, open });
    this.count = 0;
    this.made = 0; // rows, for their ids
    this.item = () => null;
    this.rows = new Map(); // by key
    this.active = null; // key of the item that the keyboard has chosen
    this.space = el('div', { class: 'space' });
    root.append(this.space);
    root.tabIndex = 0;
    root.setAttribute('role', 'listbox');
    root.addEventListener('scroll', () => this.draw(), { passive: true });
    root.addEventListener('keydown', (event) => this.press(event));
    root.addEventListener('click', (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(root);
  }

  // show shows count items. With stay, whoever has scrolled down keeps seeing the same
  // items, also if there are new ones above.
  show(count, item, stay = false) {
    const height = this.rowHeight();
    const top = stay && this.root.scrollTop > 0 ? Math.floor(this.root.scrollTop / height) : this.count;
    const key = top < this.count ? this.key(this.item(top)) : null;
    this.count = count;
    this.item = item;
    this.space.style.height = `${count * height}px`;
    const now = key === null ? -1 : this.indexOf(key);
    if (now >= 0 && now !== top) this.root.scrollTop += (now - top) * height;
    this.draw();
  }

  indexOf(key) {
    for (let i = 0; i < this.count; i++) if (this.key(this.item(i)) === key) return i;
    return -1;
  }

  rowHeight() {
    return parseFloat(getComputedStyle(this.root).getPropertyValue('--row')) || 32;
  }

  draw() {
    if (this.root.clientHeight === 0) return; // not visible
    const height = this.rowHeight();
    if (height !== this.drawnHeight) {
      this.drawnHeight = height;
      this.space.style.height = `${this.count * height}px`;
    }
    const first = Math.max(0, Math.floor(this.root.scrollTop / height) - spare);
    const end = Math.min(this.count, Math.ceil((this.root.scrollTop + this.root.clientHeight) / height) + spare);
    const kept = new Map();
    for (let i = first; i < end; i++) {
      const item = this.item(i);
      const key = this.key(item);
      const state = String(this.state(item));
      let element = this.rows.get(key);
      if (element?.dataset.state !== state) {
        element?.remove();
        element = this.row(item);
        element.dataset.state = state;
        element.setAttribute('role', 'option');
        element.id = `${this.root.id}-${this.made++}`;
        this.space.append(element);
      }
      element.style.transform = `translateY(${i * height}px)`;
      element.setAttribute('aria-setsize', this.count);
      element.setAttribute('aria-posinset', i + 1);
      element.dataset.index = i;
      this.mark(element, key === this.active);
      kept.set(key, element);
    }
    for (const [key, element] of this.rows) if (!kept.has(key)) element.remove();
    this.rows = kept;
  }

  mark(element, active) {
    element.classList.toggle('active', active);
    element.setAttribute('aria-selected', active);
    if (active) this.root.setAttribute('aria-activedescendant', element.id);
  }

  // choose makes an item the active one.
  choose(key) {
    this.active = key;
    for (const [k, element] of this.rows) this.mark(element, k === key);
  }

  click(event) {
    const row = event.target.closest('[role=option]');
    if (!row || event.target.closest('a')) return;
    this.openAt(Number(row.dataset.index));
  }

  openAt(i) {
    const item = this.item(i);
    if (!item) return;
    this.choose(this.key(item));
    this.open(item);
  }

  press(event) {
    const page = Math.max(1, Math.floor(this.root.clientHeight / this.rowHeight()) - 1);
    const now = this.activeIndex();
    const moves = { ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + page, PageUp: now - page, Home: 0, End: this.count - 1 };
    if (event.target !== this.root || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' && now >= 0) {
      this.openAt(now);
    } else if (event.key in moves && this.count > 0) {
      this.moveTo(Math.min(this.count - 1, Math.max(0, moves[event.key])));
    } else {
      return;
    }
    event.preventDefault();
  }

  activeIndex() {
    const drawn = this.rows.get(this.active);
    if (drawn) return Number(drawn.dataset.index);
    return this.indexOf(this.active);
  }

  moveTo(i) {
    const height = this.rowHeight();
    const { scrollTop, clientHeight } = this.root;
    if (i * height < scrollTop) this.root.scrollTop = i * height;
    if ((i + 1) * height > scrollTop + clientHeight) this.root.scrollTop = (i + 1) * height - clientHeight;
    this.active = this.key(this.item(i));
    this.draw();
  }
}
