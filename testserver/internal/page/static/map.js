// The map: a drawing of the objects and how they lead to each other.

import { byId, containsAll, el, isPressed, plain, short, svg, words } from './dom.js';
import { Gaps } from './gaps.js';
import { arrange, choose, size } from './layout.js';
import { idOf } from './model.js';
import { address } from './objects.js';

const limit = 300; // objects in the drawing
const pause = 400; // milliseconds between two drawings
const margin = 16;

// fonts are those of the style sheet, to measure texts.
const family = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const fonts = { name: `600 13px ${family}`, title: `650 12px ${family}`, id: '11px system-ui, sans-serif' };
const pen = document.createElement('canvas').getContext('2d');

export class AccountMap {
  constructor(model) {
    this.model = model;
    this.filter = [];
    this.followed = []; // keys of the objects that decide about a request
    this.zoom = null; // null fits the width
    this.canvas = byId('canvas');
    byId('map-filter').addEventListener('input', (event) => {
      this.filter = words(event.target.value);
      this.drawNow();
    });
    byId('zoom-in').addEventListener('click', () => this.scale(1.25));
    byId('zoom-out').addEventListener('click', () => this.scale(0.8));
    byId('zoom-fit').addEventListener('click', () => {
      this.zoom = null;
      this.resize();
    });
    for (const [name, text] of [['new', 'new or changed'], ['unused', 'unused'], ['missing', 'missing'], ['part', 'part of another object']]) {
      byId('legend').append(el('span', { class: `key ${name}` }, text));
    }
    const point = (event) => this.highlight(event.target.closest('a')?.dataset.key);
    for (const name of ['pointerover', 'focusin']) this.canvas.addEventListener(name, point);
    for (const name of ['pointerleave', 'focusout']) this.canvas.addEventListener(name, () => this.highlight());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  // draw draws what has changed, soon, but not too often, and not while a button is pressed.
  draw() {
    if (this.timer || byId('map').hidden || this.version === this.model.version) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      if (!isPressed()) this.drawNow();
      else this.draw();
    }, isPressed() ? pause : Math.max(0, (this.drawn ?? 0) + pause - performance.now()));
  }

  drawNow() {
    clearTimeout(this.timer);
    this.timer = null;
    this.drawn = performance.now();
    const { model } = this;
    this.version = model.version;
    const chosen = choose(model, (object) => containsAll(object.text, this.filter), limit);
    const plan = arrange(model, chosen);
    const gaps = new Gaps([...plan.nodes.values()]);
    const counts = model.counts();
    this.lines = plan.lines;
    const headings = plan.titles.map((title) => ({ ...title, text: heading(title, counts.get(title.path).all) }));
    this.width = Math.max(plan.width, ...headings.map(({ x, text }) => x + measure(text, fonts.title))) + 2 * margin;
    this.height = plan.height + 2 * margin;
    const focused = this.canvas.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.drawing = svg(
      'svg', { viewBox: `${-margin} ${-margin} ${this.width} ${this.height}`, role: 'group', 'aria-label': 'Objects and their references' },
      headings.map(({ x, y, text }) => svg('text', { x, y, class: 'title' }, text)),
      plan.lines.map((line) => drawLine(line, plan.nodes, gaps)),
      [...plan.nodes.values()].map((node) => this.drawNode(node)),
    );
    this.canvas.replaceChildren(this.drawing);
    this.resize();
    this.highlight(plan.nodes.has(this.highlighted) ? this.highlighted : undefined);
    if (focused) this.canvas.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    const all = model.objects.size;
    byId('map-summary').textContent = chosen.size < all
      ? `${chosen.size} of ${all.toLocaleString('en')} objects${chosen.size >= limit ? '. Filter to see others.' : ''}` : `${all} objects`;
    const empty = byId('no-map');
    empty.hidden = chosen.size > 0;
    empty.textContent = all > 0 ? 'No object matches the filter.' : 'The account is empty. Create an object with the API.';
  }

  drawNode(node) {
    const { model } = this;
    const { object } = node;
    const state = node.missing ? 'missing' : [model.marks.get(node.key), model.unused(object) && 'unused'].filter(Boolean).join(' ');
    const name = node.missing ? 'does not exist' : object.label || short(idOf(node.key));
    const noun = model.kinds.get(node.kind).noun;
    const modules = object?.modules ?? [];
    const below = modules.length > 0 ? modules.join(' · ') : node.missing || object.label ? short(idOf(node.key)) : '';
    const room = size.width - 24;
    const made = svg(
      'a', { href: address('map', node.key), class: `node ${state}`, transform: `translate(${node.x} ${node.y})`,
        'aria-label': plain([noun, name, idOf(node.key), ...modules, state].join(', ')) },
      svg('rect', { width: size.width, height: size.height, rx: 8 }),
      svg('text', { x: 12, y: below || state.includes('unused') ? 19 : 28, class: 'name' }, named(plain(name), room)),
      svg('text', { x: 12, y: 36, class: 'id' }, fit(plain(below), state.includes('unused') ? room - 48 : room, fonts.id)),
      state.includes('unused') ? svg('text', { x: size.width - 12, y: 36, class: 'flag' }, 'unused') : null,
      svg('title', {}, plain([noun, ...name.split(', '), idOf(node.key)].join('\n'), '\n')),
    );
    made.dataset.key = node.key;
    return made;
  }

  // follow shows the objects that decide about a request.
  follow(keys) {
    this.followed = keys;
    this.highlight(this.highlighted);
  }

  // highlight shows what one object is connected to, or what decides about a request, or
  // everything alike.
  highlight(key) {
    this.highlighted = key;
    if (!this.drawing) return;
    const near = new Set(key === undefined ? this.followed : [key]);
    const leads = ({ from, to }) => (key === undefined ? near.has(from) && near.has(to) : from === key || to === key);
    const lines = this.lines.filter(leads);
    if (key !== undefined) for (const { from, to } of lines) near.add(from).add(to);
    this.drawing.classList.toggle('some', near.size > 0);
    for (const node of this.drawing.querySelectorAll('.node')) node.classList.toggle('near', near.has(node.dataset.key));
    for (const line of this.drawing.querySelectorAll('.line')) line.classList.toggle('near', leads(line.dataset));
  }

  scale(by) {
    this.zoom = Math.min(2, Math.max(0.3, (this.zoom ?? this.fitting()) * by));
    this.resize();
  }

  fitting() {
    return Math.min(1.15, Math.max(0.7, (this.canvas.clientWidth - 2) / this.width));
  }

  resize() {
    if (!this.drawing) return;
    const zoom = this.zoom ?? this.fitting();
    this.drawing.setAttribute('width', Math.floor(this.width * zoom));
    this.drawing.setAttribute('height', Math.floor(this.height * zoom));
  }
}

// heading returns the title of a group. It counts all objects, also those that are not drawn.
function heading({ noun, count }, all) {
  const total = all.toLocaleString('en');
  return `${noun} · ${count < all ? `${count} of ${total}` : total}`;
}

function drawLine(line, nodes, gaps) {
  const from = nodes.get(line.from);
  const to = nodes.get(line.to);
  const a = { x: from.x + size.width, y: from.y + size.height / 2 };
  const b = { x: to.x, y: to.y + size.height / 2 };
  let path = `M${a.x} ${a.y}`;
  let last = a;
  for (const through of gaps.between(a, b)) {
    path += `${curve(last, through)}H${through.x + size.width}`;
    last = { x: through.x + size.width, y: through.y };
  }
  if (to.x <= from.x) { // within a column
    b.x = to.x + size.width;
    path += `C${a.x + 40} ${a.y} ${b.x + 40} ${b.y} ${b.x} ${b.y}`;
  } else {
    path += curve(last, b);
  }
  const made = svg('g', { class: ['line', line.holds && 'holds', to.missing && 'missing'].filter(Boolean).join(' ') },
    svg('path', { d: path }), svg('circle', { cx: b.x, cy: b.y, r: 3 }));
  Object.assign(made.dataset, { from: line.from, to: line.to });
  return made;
}

// curve returns the part of a path that leads from one column to the next.
function curve(a, b) {
  return `C${a.x + size.gapX / 2} ${a.y} ${b.x - size.gapX / 2} ${b.y} ${b.x} ${b.y}`;
}

// named returns as much of a name as fits. Of a list, such as the hostports of an edge,
// it shows the first ones and how many more there are.
function named(name, width) {
  const parts = name.split(', ');
  for (let shown = parts.length; shown > 0; shown--) {
    const text = parts.slice(0, shown).join(', ') + (shown < parts.length ? ` +${parts.length - shown}` : '');
    if (measure(text, fonts.name) <= width) return text;
  }
  const more = parts.length > 1 ? ` +${parts.length - 1}` : '';
  return fit(parts[0], width, fonts.name, more) + more;
}

function measure(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

// fit returns a text that fits into a width in a font, together with what follows it. It
// leaves out the middle: the end of a host and port tells them apart.
function fit(text, width, font, more = '') {
  if (measure(text + more, font) <= width) return text;
  const all = [...text];
  for (let kept = all.length - 1; kept > 1; kept--) {
    const end = Math.floor(kept / 3);
    const cut = `${all.slice(0, kept - end).join('')}…${all.slice(all.length - end).join('')}`;
    if (measure(cut + more, font) <= width) return cut;
  }
  return '…';
}
