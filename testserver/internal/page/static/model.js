// What the account holds, as the server last said, and what follows from it: who uses
// an object, what refers to something missing, and what has changed since the page was
// opened. Nothing here knows a kind by name.

export class Model {
  constructor() {
    this.version = 0; // how often it has changed
    this.forget();
  }

  forget() {
    this.version++;
    this.kinds = new Map(); // by path
    this.objects = new Map(); // by key
    this.users = new Map(); // keys of the objects that refer to an id
    this.children = new Map(); // keys of the objects in a parent
    this.marks = new Map(); // 'new' or 'changed', by key
    this.removed = 0;
    this.routes = [];
    this.complete = false;
  }

  // apply applies what the server says has changed.
  apply(changes) {
    this.version++;
    const mark = this.complete;
    this.complete = true;
    this.routes = changes.routes;
    this.kinds = new Map(changes.kinds.map((kind) => [kind.path, kind]));
    const gone = new Set(changes.removed);
    if (changes.whole) {
      const still = new Set(changes.objects.map((object) => object.key));
      for (const key of this.objects.keys()) if (!still.has(key)) gone.add(key);
    }
    for (const key of gone) this.remove(key);
    for (const object of changes.objects) this.put(object, mark);
  }

  put(object, mark) {
    const old = this.objects.get(object.key);
    if (mark && !old) this.marks.set(object.key, 'new');
    if (mark && old && old.version !== object.version && this.marks.get(object.key) !== 'new') this.marks.set(object.key, 'changed');
    if (old) this.unlink(old);
    object.refers ??= [];
    object.modules ??= [];
    object.noun = this.kinds.get(object.kind)?.noun ?? object.kind;
    object.text = `${object.noun} ${object.label ?? ''} ${object.key}`.toLowerCase();
    this.objects.set(object.key, object);
    for (const id of object.refers) add(this.users, id, object.key);
    if (parentOf(object)) add(this.children, parentOf(object), object.key);
  }

  remove(key) {
    const old = this.objects.get(key);
    if (!old) return;
    this.unlink(old);
    this.objects.delete(key);
    this.marks.delete(key);
    this.removed++;
  }

  unlink(object) {
    for (const id of object.refers) take(this.users, id, object.key);
    if (parentOf(object)) take(this.children, parentOf(object), object.key);
  }

  // missing returns the ids that an object refers to and that do not exist, although
  // the server has their kind.
  missing(object) {
    return object.refers.filter((id) => !this.objects.has(id) && this.kindOfID(id));
  }

  // kindOfID returns the kind of an id by its prefix, also if there is no such object.
  kindOfID(id) {
    for (const kind of this.kinds.values()) if (kind.prefix && id.startsWith(kind.prefix)) return kind;
    return null;
  }

  // unused reports whether nothing uses an object that is there to be used.
  unused(object) {
    return this.isForUse(object.kind) && !this.users.has(object.key);
  }

  isForUse(path) {
    for (const kind of this.kinds.values()) if (kind.refers?.includes(path)) return true;
    return false;
  }

  // all returns the objects that accept returns true for, kind by kind.
  all(accept) {
    const groups = new Map([...this.kinds.keys()].map((path) => [path, []]));
    for (const object of this.objects.values()) if (accept(object)) groups.get(object.kind)?.push(object);
    return [...groups.values()].flat();
  }

  // counts returns, by path of the kind, how many objects there are, and how many of
  // them are new or changed.
  counts() {
    const counts = new Map([...this.kinds.keys()].map((path) => [path, { all: 0, new: 0, changed: 0 }]));
    for (const object of this.objects.values()) {
      const count = counts.get(object.kind);
      count.all++;
      const mark = this.marks.get(object.key);
      if (mark) count[mark]++;
    }
    return counts;
  }
}

// idOf returns the id or name of an object without its parent.
export function idOf(key) {
  return key.slice(key.lastIndexOf('/') + 1);
}

// parentOf returns the key of the parent of an object, or an empty text.
export function parentOf(object) {
  return object.key.slice(0, Math.max(0, object.key.lastIndexOf('/')));
}

// pathOf returns the path of an object in the API.
export function pathOf(object) {
  let path = object.kind;
  for (const part of object.key.split('/').slice(0, -1)) path = path.replace(/\{[^}]*\}/, () => encodeURIComponent(part));
  return `${path}/${encodeURIComponent(idOf(object.key))}`;
}

function add(index, name, key) {
  if (!index.has(name)) index.set(name, new Set());
  index.get(name).add(key);
}

function take(index, name, key) {
  index.get(name)?.delete(key);
  if (index.get(name)?.size === 0) index.delete(name);
}
