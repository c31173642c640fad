// The page: login, the views, and the address that says which one is visible.

import { Behavior } from './behavior.js';
import { Connections } from './connections.js';
import { Details } from './details.js';
import { byId } from './dom.js';
import { Feed } from './feed.js';
import { Follow } from './follow.js';
import { AccountMap } from './map.js';
import { Model } from './model.js';
import { address, Objects } from './objects.js';
import { Requests } from './requests.js';
import { hasKey, setKey, takeKeyFromAddress } from './server.js';

const views = ['requests', 'objects', 'map', 'connections', 'behavior'];
const model = new Model();
const details = new Details(model, closed, (id) => { location.hash = '#requests'; requests.find(id); });
const requests = new Requests((request) => details.showRequest(request));
const objects = new Objects(model, (object) => { location.hash = address('objects', object.key); });
const map = new AccountMap(model);
const follow = new Follow(model, map);
const behavior = new Behavior({ changed: () => feed.wake(), failed: (error) => setStatus('lost', error.message) });
const connections = new Connections(model, (error) => setStatus('lost', error.message));
const feed = new Feed({
  onActivity(activity, restarted) {
    if (restarted) {
      model.forget();
      requests.forget();
    }
    if (restarted) behavior.learn();
    requests.add(activity);
    behavior.draw(activity.rules);
    byId('request-count').textContent = activity.total.toLocaleString('en');
  },
  onObjects(changes) {
    model.apply(changes);
    behavior.setRoutes(model.routes);
    byId('object-count').textContent = model.objects.size.toLocaleString('en');
    drawView();
    follow.draw();
    refreshDetails(changes);
  },
  onState: setStatus,
  onRefused: (error) => login(error.status === 403 ? 'This is not the key of an admin.' : 'This key is not valid.'),
});

// place returns the view and the object in the address.
function place() {
  const [view, ...key] = location.hash.slice(1).split('/');
  return { view: views.includes(view) ? view : 'requests', key: decoded(key.join('/')) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function show() {
  const { view, key } = place();
  for (const name of views) byId(name).hidden = name !== view;
  for (const tab of byId('tabs').children) {
    if (tab.hash === `#${view}`) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
  drawView();
  if (view === 'behavior') behavior.snapshots.draw();
  if (!key) details.close();
  else showKey(view, key);
}

function showKey(view, key) {
  const object = model.objects.get(key);
  if (object) details.showObject(object, view);
  else if (model.complete) details.showMissing(key);
}

function drawView() {
  const { view } = place();
  if (view === 'requests') requests.draw();
  if (view === 'objects') objects.draw();
  if (view === 'map') map.draw();
  connections.show(view === 'connections');
}

// refreshDetails shows the visible object anew if it has changed.
function refreshDetails(changes) {
  const { view, key } = place();
  const changed = changes.removed.includes(key) || changes.objects.some((object) => object.key === key || object.refers.includes(key));
  if (key && changed) showKey(view, key);
}

// closed leads back to the view, and the focus, if the details had it, to where it was.
function closed(focused) {
  const { view, key } = place();
  if (key) location.hash = `#${view}`;
  if (!focused) return;
  const back = { requests: requests.list.root, objects: objects.list.root }[view];
  (back ?? byId('canvas').querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({ preventScroll: true });
}

function setStatus(state, message = '') {
  const status = byId('status');
  const text = state === 'live' ? 'Live' : message || 'No answer from the server. Trying again…';
  if (status.textContent !== text) status.textContent = text;
  status.className = state;
}

function login(message = '') {
  byId('login').hidden = false;
  byId('main').hidden = byId('tabs').hidden = true;
  byId('status').textContent = '';
  byId('login-error').textContent = message;
  byId('key').focus();
}

function open() {
  byId('login').hidden = true;
  byId('main').hidden = byId('tabs').hidden = false;
  feed.start();
  show();
}

byId('login').addEventListener('submit', (event) => {
  event.preventDefault();
  setKey(byId('key').value.trim());
  byId('key').value = '';
  open();
});
addEventListener('hashchange', () => {
  if (new URLSearchParams(location.hash.slice(1)).has('key')) takeKeyFromAddress();
  if (hasKey()) open();
});

// The key / leads to the filter of the view, as on many pages.
addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select, dialog');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const filter = byId(place().view).querySelector('input[type=search]');
  if (!filter) return;
  event.preventDefault();
  filter.focus();
});

takeKeyFromAddress();
if (hasKey()) open();
else login();
