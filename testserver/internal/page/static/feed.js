// The feed asks the server what is new, as long as somebody looks at the page.

import { isPressed } from './dom.js';
import { ask, Refused } from './server.js';

const interval = 250; // milliseconds between two questions
const retry = 2000; // after a failure

// Feed calls onActivity with each answer, and onObjects with what changed in the
// account. onState gets the state of the connection.
export class Feed {
  constructor({ onActivity, onObjects, onState, onRefused }) {
    Object.assign(this, { onActivity, onObjects, onState, onRefused });
    this.forget();
    document.addEventListener('visibilitychange', () => this.wake());
  }

  forget() {
    this.server = null;
    this.last = 0; // number of the newest request that is known
    this.version = 0; // of the objects that are known
  }

  start() {
    if (this.running) return;
    this.running = true;
    this.next();
  }

  stop() {
    this.running = false;
    clearTimeout(this.timer);
  }

  // wake asks at once, for example after the page has changed something.
  wake() {
    if (!this.running || this.asking) return;
    clearTimeout(this.timer);
    this.next();
  }

  async next() {
    if (!this.running || this.asking || document.hidden) return;
    this.asking = true;
    let wait = interval;
    try {
      await this.askOnce();
      this.onState('live');
    } catch (error) {
      if (error instanceof Refused && error.isKey) {
        this.stop();
        this.onRefused(error);
      } else {
        wait = retry;
        this.onState('lost', error instanceof Refused ? error.message : '');
      }
    } finally {
      this.asking = false;
    }
    if (this.running) this.timer = setTimeout(() => this.next(), wait);
  }

  // askOnce drops an answer that comes while a button is pressed: the next one has it too.
  async askOnce() {
    let activity = await ask(`activity?after=${this.last}`);
    const restarted = activity.server !== this.server;
    if (restarted && this.server !== null) {
      this.forget(); // the numbers of another server
      activity = await ask('activity');
    }
    if (isPressed()) return;
    this.server = activity.server;
    this.last = activity.last;
    this.onActivity(activity, restarted);
    if (activity.objects !== this.version) {
      const changes = await ask(`objects?after=${this.version}`);
      if (isPressed()) return;
      this.version = changes.version;
      this.onObjects(changes, restarted);
    }
  }
}
