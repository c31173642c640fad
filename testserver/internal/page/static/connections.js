// What flows: the connections to edges and the deliveries of events, while the view is visible.

import { byId, el, foreign, plain } from './dom.js';
import { clock, milliseconds } from './format.js';
import { idOf } from './model.js';
import { address } from './objects.js';
import { ask } from './server.js';

const pause = 1000; // milliseconds between two questions
const most = 200; // rows

export class Connections {
  constructor(model, failed) {
    Object.assign(this, { model, failed });
    this.root = byId('connections');
  }

  // show asks the server again and again while the view is visible.
  show(visible) {
    if (visible === this.visible) return;
    this.visible = visible;
    if (visible) this.ask();
  }

  async ask() {
    while (this.visible) {
      try {
        this.draw(await ask('connections'));
      } catch (error) {
        this.failed(error);
      }
      await new Promise((resolve) => { setTimeout(resolve, pause); });
    }
  }

  draw(state) {
    const text = JSON.stringify(state);
    if (text === this.drawn) return; // and keep what is open and focused
    this.drawn = text;
    const { traffic, ssh, addresses, connections, deliveries, unreachable } = state;
    const places = [
      traffic && `HTTPS and TLS edges: ${traffic}`, ssh && `SSH gateway: ${ssh}`,
      ...Object.entries(addresses ?? {}).sort().map(([hostport, at]) => `${hostport}: ${at}`),
      ...Object.entries(unreachable ?? {}).map(([target, n]) => `events for ${target}: ${n}`),
    ].filter(Boolean);
    const keys = new Map([...this.model.objects.keys()].map((key) => [idOf(key), key]));
    const object = (id) => (keys.has(id) ? el('a', { href: address('map', keys.get(id)) }, foreign(this.model.objects.get(keys.get(id)).label || id)) : foreign(id));
    this.root.replaceChildren(
      el('ul', { class: 'hint' }, places.length > 0 ? places.map((place) => el('li', {}, foreign(place)))
        : el('li', {}, 'No traffic flows. Start the server with -traffic, -ssh or -events.')),
      table('Connections, newest first', ['Time', 'Request', 'Answer', 'What decides', 'Tunnel', 'Duration'], connections, (c) => [
        clock(c.time), foreign(c.request), foreign(c.answer),
        el('ol', {}, (c.stops ?? []).map(({ id, says }) => el('li', {}, object(id), ` ${plain(says)}`))),
        c.tunnel ? object(c.tunnel) : '', c.open ? 'open' : milliseconds(c.duration_ms),
      ]),
      table('Deliveries of events, newest first', ['Time', 'Event', 'To', 'Body', 'Answer', 'Attempts'], deliveries, (d) => [
        clock(d.time), foreign(d.event_type), foreign(d.callback_url),
        el('details', {}, el('summary', {}, foreign(d.body.event_id)), el('pre', {}, plain(JSON.stringify(d.body, null, 2), '\n'))),
        foreign(d.answer ?? ''), String(d.attempts),
      ]),
    );
  }
}

// table returns a table of the newest entries. It is empty if there are none.
function table(title, names, entries, cells) {
  if (!entries?.length) return el('p', {});
  return el('table', { class: 'flow', 'aria-label': title }, el('caption', {}, title),
    el('thead', {}, el('tr', {}, names.map((name) => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, entries.slice(-most).reverse().map((entry) => el('tr', {}, cells(entry).map((cell) => el('td', {}, cell))))));
}
