// Where the objects of the map stand. Columns follow from how the kinds refer to each
// other: from left to right, each kind stands before those that it leads to.

import { parentOf } from './model.js';

export const size = { width: 200, height: 46, gapX: 80, gapY: 12, title: 26, band: 34 };

// choose returns the objects to draw, at most limit: first those with a problem or a
// change, each with everything that it is connected to.
export function choose(model, accept, limit) {
  const rank = (object) => {
    if (model.missing(object).length > 0) return 0;
    if (model.marks.has(object.key)) return 1;
    return neighbors(model, object).length > 0 ? 2 : 3;
  };
  const wanted = model.all(accept).map((object) => [rank(object), object]).sort((a, b) => a[0] - b[0]);
  const chosen = new Map();
  for (const [, object] of wanted) {
    const waiting = [object];
    while (waiting.length > 0 && chosen.size < limit) {
      const next = waiting.pop();
      if (chosen.has(next.key)) continue;
      chosen.set(next.key, next);
      waiting.push(...neighbors(model, next));
    }
    if (chosen.size >= limit) break;
  }
  return chosen;
}

function neighbors(model, object) {
  const keys = [parentOf(object), ...object.refers, ...(model.users.get(object.key) ?? []), ...(model.children.get(object.key) ?? [])];
  return keys.map((key) => model.objects.get(key)).filter(Boolean);
}

// leads returns, by path, the kinds to which a kind leads: what it refers to, what it
// holds, and what it serves.
function leads(kinds) {
  const lead = new Map([...kinds.keys()].map((path) => [path, new Set()]));
  for (const kind of kinds.values()) {
    lead.get(kind.parent)?.add(kind.path);
    for (const path of kind.refers ?? []) {
      if (path === kind.path || !kinds.has(path)) continue;
      if (kinds.get(path).serves) lead.get(path).add(kind.path);
      else lead.get(kind.path).add(path);
    }
  }
  return lead;
}

// columns returns the column of each kind: one after all kinds that lead to it.
function columns(lead) {
  const column = new Map([...lead.keys()].map((path) => [path, 0]));
  for (let round = 0; round < lead.size; round++) {
    for (const [from, targets] of lead) for (const to of targets) column.set(to, Math.max(column.get(to), column.get(from) + 1));
  }
  return column;
}

// bands returns groups of kinds that have to do with each other, the largest first.
function bands(lead) {
  const band = new Map([...lead.keys()].map((path) => [path, path]));
  const root = (path) => (band.get(path) === path ? path : root(band.get(path)));
  for (const [from, targets] of lead) for (const to of targets) band.set(root(from), root(to));
  const groups = new Map();
  for (const path of lead.keys()) groups.set(root(path), [...(groups.get(root(path)) ?? []), path]);
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

// arrange returns the nodes with their places, the lines between them, a title for each
// group, and the size of the drawing.
export function arrange(model, chosen) {
  const nodes = new Map();
  const lines = [];
  for (const object of chosen.values()) nodes.set(object.key, { key: object.key, kind: object.kind, object });
  for (const object of chosen.values()) {
    for (const id of model.missing(object)) nodes.set(id, { key: id, kind: model.kindOfID(id).path, missing: true });
    const parent = parentOf(object);
    if (nodes.has(parent)) lines.push({ from: parent, to: object.key, holds: true });
    for (const id of object.refers) {
      if (!nodes.has(id)) continue;
      lines.push(model.kinds.get(nodes.get(id).kind)?.serves ? { from: id, to: object.key } : { from: object.key, to: id });
    }
  }
  const present = new Map([...model.kinds].filter(([path]) => [...nodes.values()].some((node) => node.kind === path)));
  const lead = leads(present);
  const column = columns(lead);
  const titles = [];
  let width = 0;
  let row = { top: 0, bottom: 0, right: 0 }; // small bands stand beside each other
  for (const band of bands(lead)) {
    const of = (path) => [...nodes.values()].filter((node) => node.kind === path);
    const groups = band.map((path) => ({ path, column: column.get(path), nodes: of(path) }));
    const first = Math.min(...groups.map((group) => group.column));
    const wide = (Math.max(...groups.map((group) => group.column)) - first + 1) * (size.width + size.gapX);
    if (row.right > 0 && row.right + wide - size.gapX > width) row = { top: row.bottom + size.band, bottom: 0, right: 0 };
    untangle(groups, lines, nodes);
    const busy = (group) => lines.filter(({ from, to }) => group.nodes.some(({ key }) => key === from || key === to)).length;
    groups.sort((a, b) => busy(b) - busy(a)); // what is used stands above what is not
    const ends = [];
    for (const group of groups) {
      const x = row.right + (group.column - first) * (size.width + size.gapX);
      let y = ends[group.column] ?? row.top;
      titles.push({ x, y: y + 14, path: group.path, noun: present.get(group.path).noun, count: group.nodes.filter((node) => !node.missing).length });
      y += size.title;
      for (const node of group.nodes) {
        Object.assign(node, { x, y });
        y += size.height + size.gapY;
      }
      ends[group.column] = y + 10;
      width = Math.max(width, x + size.width);
    }
    row.bottom = Math.max(row.bottom, ...ends.filter((end) => end !== undefined));
    row.right += wide;
  }
  return { nodes, lines, titles, width, height: row.bottom };
}

// untangle sorts the nodes of each group by where their neighbors stand, so that few
// lines cross.
function untangle(groups, lines, nodes) {
  const around = new Map([...nodes.keys()].map((key) => [key, []]));
  for (const { from, to } of lines) {
    around.get(from).push(to);
    around.get(to).push(from);
  }
  const rank = new Map();
  for (const group of groups) group.nodes.forEach((node, i) => rank.set(node.key, i));
  const sorted = [...groups].sort((a, b) => a.column - b.column);
  for (const order of [sorted, [...sorted].reverse(), sorted]) {
    for (const group of order) {
      const mean = new Map(group.nodes.map((node) => {
        const ranks = around.get(node.key).map((key) => rank.get(key)).filter((r) => r !== undefined);
        return [node.key, ranks.length > 0 ? ranks.reduce((a, b) => a + b, 0) / ranks.length : Infinity];
      }));
      group.nodes.sort((a, b) => mean.get(a.key) - mean.get(b.key) || 0);
      group.nodes.forEach((node, i) => rank.set(node.key, i));
    }
  }
}
