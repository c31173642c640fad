// The gaps between the boxes of the map. A line to a column that is not the next one runs
// through them, so that no box hides it.

import { size } from './layout.js';

const lanes = [0, 1.5, -1.5, 3, -3]; // of the lines in one gap, from its middle

export class Gaps {
  constructor(nodes) {
    this.columns = new Map(); // by x: the middles of the gaps and how many lines they have
    for (const node of nodes) {
      const column = this.columns.get(node.x) ?? new Map();
      column.set(node.y - size.gapY / 2, 0);
      column.set(node.y + size.height + size.gapY / 2, 0);
      this.columns.set(node.x, column);
    }
  }

  // between returns where a line between two points enters the columns that it crosses.
  between(a, b) {
    const crossed = [...this.columns.keys()].filter((x) => x >= a.x && x + size.width <= b.x).sort((x, y) => x - y);
    return crossed.map((x) => {
      const wanted = a.y + (b.y - a.y) * (x + size.width / 2 - a.x) / (b.x - a.x);
      const column = this.columns.get(x);
      if (wanted > Math.max(...column.keys())) return { x, y: wanted }; // below all boxes
      const y = [...column.keys()].reduce((best, y) => (Math.abs(y - wanted) < Math.abs(best - wanted) ? y : best));
      column.set(y, column.get(y) + 1);
      return { x, y: y + lanes[column.get(y) % lanes.length] };
    });
  }
}
