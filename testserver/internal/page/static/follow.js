// A request above the map: what a data plane would answer, and the objects that decide.

import { byId, el, foreign, plain } from './dom.js';
import { idOf } from './model.js';
import { address } from './objects.js';
import { ask } from './server.js';

const pause = 250; // milliseconds after the last key

export class Follow {
  constructor(model, map) {
    Object.assign(this, { model, map });
    this.field = byId('follow');
    this.field.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.draw(), pause);
    });
  }

  // draw asks what the server decides now, and shows it.
  async draw() {
    const request = this.field.value.trim();
    const turn = this.turn = {}; // an older answer does not replace a newer one
    let found = { stops: [] };
    let text = '';
    if (request) {
      try {
        found = await ask(`traffic?request=${encodeURIComponent(request)}`);
        text = found.certificate ? `${found.answer}, certificate ${found.certificate}` : found.answer;
      } catch (error) {
        text = error.message;
      }
    }
    if (turn !== this.turn) return;
    const keys = new Map([...this.model.objects.keys()].map((key) => [idOf(key), key]));
    byId('followed').replaceChildren(...(request ? [
      el('strong', { class: found.served ? 'served' : 'refused' }, plain(text)),
      el('ol', {}, found.stops.map(({ id, says }) => {
        const key = keys.get(id);
        const name = this.model.objects.get(key)?.label || id;
        return el('li', {}, key ? el('a', { href: address('map', key) }, foreign(name)) : foreign(id), ` ${plain(says)}`);
      })),
    ] : []));
    this.map.follow(found.stops.map(({ id }) => keys.get(id)).filter(Boolean));
  }
}
