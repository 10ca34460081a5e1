// The difference of two states as a graph: roots at the left, every node one layer right of its nearest parent.
// Only a part is shown at first, the way to the differences; nodes open and close.

const SVG = "http://www.w3.org/2000/svg";
const FIRST_NODES = 60; // as many nodes are shown at first
const MOST_NODES = 400; // more are not drawn at once
const STEP = 25; // children that one opening adds
const FONT_WIDTHS = document.createElement("canvas").getContext("2d");

function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes || {})) if (value !== null && value !== undefined) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function textWidth(text, size) {
  FONT_WIDTHS.font = size + "px " + getComputedStyle(document.documentElement).getPropertyValue("--mono");
  return FONT_WIDTHS.measureText(text).width;
}

/** The text cut to a width. */
function fitted(text, size, width) {
  let cut = short(text, 80);
  while (cut.length > 4 && textWidth(cut, size) > width) cut = short(cut.replace(/…$/, ""), cut.length - 2);
  return cut;
}

/** A finding without a graph of its own still has a root, a path and two values. */
function plainGraph(f) {
  const nodes = [{ id: 0, label: f.root, state: "same" }];
  const edges = [];
  const add = (label, state) => {
    nodes.push({ id: nodes.length, label, state });
    edges.push({ from: 0, to: nodes.length - 1, label: f.path, state });
  };
  if (f.kind !== "added") add(f.before, "removed");
  if (f.kind !== "removed") add(f.after, "added");
  return { nodes, edges };
}

class Graph {
  constructor(f) {
    const data = f.graph && f.graph.nodes.length > 0 ? f.graph : plainGraph(f);
    this.nodes = new Map(data.nodes.map((n) => [n.id, { ...n, text: shown(n.label), out: [], into: 0, open: 0 }]));
    for (const e of data.edges) {
      const from = this.nodes.get(e.from);
      const to = this.nodes.get(e.to);
      if (!from || !to) continue;
      from.out.push({ ...e, text: shown(e.label), from, to });
      to.into++;
    }
    this.findRoots();
    this.markWays();
    this.reset();
  }

  /** Nodes nothing leads to; of a cycle that nothing leads to, its first node. */
  findRoots() {
    // A node that stands alone and did not change tells nothing.
    const alone = (n) => n.into === 0 && n.out.length === 0 && n.state === "same";
    for (const node of [...this.nodes.values()].filter(alone)) if (this.nodes.size > 1) this.nodes.delete(node.id);
    this.roots = [...this.nodes.values()].filter((n) => n.into === 0);
    const seen = new Set();
    const visit = (start) => {
      const queue = [start];
      seen.add(start);
      while (queue.length) {
        for (const { to } of queue.pop().out) {
          if (!seen.has(to)) {
            seen.add(to);
            queue.push(to);
          }
        }
      }
    };
    this.roots.forEach(visit);
    for (const node of this.nodes.values()) {
      if (!seen.has(node)) {
        this.roots.push(node);
        visit(node);
      }
    }
  }

  /** Marks what leads to a difference, and puts such children first. */
  markWays() {
    const parents = new Map();
    const queue = [];
    const mark = (node) => {
      if (!node.leads) {
        node.leads = true;
        queue.push(node);
      }
    };
    for (const node of this.nodes.values()) {
      for (const edge of node.out) {
        if (!parents.has(edge.to)) parents.set(edge.to, []);
        parents.get(edge.to).push(node);
      }
    }
    for (const node of this.nodes.values()) {
      if (node.state !== "same") mark(node);
      if (node.out.some((e) => e.state !== "same")) mark(node);
    }
    while (queue.length) (parents.get(queue.pop()) || []).forEach(mark);
    for (const node of this.nodes.values()) {
      const matters = (e) => e.state !== "same" || e.to.leads === true;
      node.out = [...node.out.filter(matters), ...node.out.filter((e) => !matters(e))];
      node.ways = node.out.filter(matters).length;
    }
  }

  /** Opens the ways to the differences; what came or went is opened itself only where there is little to see. */
  reset() {
    const whole = (node) => node.state === "added" || node.state === "removed";
    const ways = (node) => Math.min(node.ways, 12);
    for (const node of this.nodes.values()) node.open = 0;
    if (this.openAll((node) => (whole(node) ? 0 : ways(node)), FIRST_NODES) < 12) this.openAll(ways, 24);
  }

  /** Opens nodes from the roots on, breadth first, while there is room; answers how many are in sight then. */
  openAll(number, most) {
    const seen = new Set(this.roots);
    const queue = [...this.roots];
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i];
      node.open = 0;
      for (const edge of node.out.slice(0, number(node))) {
        if (!seen.has(edge.to)) {
          if (seen.size >= most) return seen.size;
          seen.add(edge.to);
          queue.push(edge.to);
        }
        node.open++;
      }
    }
    return seen.size;
  }

  expand(node) {
    node.open = Math.min(node.out.length, node.open + STEP);
  }

  collapse(node) {
    node.open = 0;
  }

  /** The nodes in sight, layer by layer, and the edges between them. */
  visible() {
    const layer = new Map(this.roots.map((n) => [n, 0]));
    const queue = [...this.roots];
    const edges = [];
    let left = 0;
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i];
      for (const edge of node.out.slice(0, node.open)) {
        if (!layer.has(edge.to)) {
          if (layer.size >= MOST_NODES) {
            left++;
            continue;
          }
          layer.set(edge.to, layer.get(node) + 1);
          queue.push(edge.to);
        }
        edges.push(edge);
      }
    }
    const layers = [];
    for (const node of queue) (layers[layer.get(node)] = layers[layer.get(node)] || []).push(node);
    return { layers, layer, edges, left };
  }
}

/** Places for nodes and edges: few crossings by barycentres, then heights that follow the neighbours. */
function layout(graph) {
  const { layers, layer, edges, left } = graph.visible();
  const ahead = edges.filter((e) => layer.get(e.to) > layer.get(e.from));
  const places = new Map();
  for (const nodes of layers) {
    for (const node of nodes) {
      const label = fitted(node.text, 12, 240);
      const sign = node.state === "same" ? 0 : 14;
      const more = node.out.length > 0 ? 12 + textWidth(moreText(node), 12) : 0;
      places.set(node, { node, label, sign, more, width: Math.ceil(textWidth(label, 12)) + 18 + sign + more, up: [], down: [] });
    }
  }
  for (const edge of ahead) {
    places.get(edge.from).down.push(edge);
    places.get(edge.to).up.push(edge);
  }
  for (const place of places.values()) place.height = Math.max(26, place.up.length * 15 + 6);
  const columns = layers.map((nodes) => nodes.map((n) => places.get(n)));
  order(columns, places);
  stack(columns, places);
  spread(columns, edges, layer);
  const bottom = Math.max(...[...places.values()].map((p) => p.y + p.height));
  const right = Math.max(...[...places.values()].map((p) => p.x + p.width));
  const back = edges.filter((e) => layer.get(e.to) < layer.get(e.from)).length;
  const aside = edges.filter((e) => layer.get(e.to) === layer.get(e.from)).map((e) => edgeWidth(e) + 40);
  return { columns, places, layer, edges, left, floor: bottom, width: right + Math.max(24, ...aside), height: bottom + 20 + back * 16 };
}

function order(columns, places) {
  const sort = (column, neighbours) => {
    column.forEach((p, i) => {
      const at = neighbours(p);
      p.weight = at.length ? at.reduce((a, b) => a + b, 0) / at.length : i;
    });
    column.sort((a, b) => a.weight - b.weight || a.node.id - b.node.id);
    column.forEach((p, i) => (p.index = i));
  };
  columns.forEach((column) => column.forEach((p, i) => (p.index = i)));
  for (let round = 0; round < 4; round++) {
    for (const column of columns.slice(1)) sort(column, (p) => p.up.map((e) => places.get(e.from).index + childShare(p, e, places)));
    for (const column of columns.slice(0, -1).reverse()) sort(column, (p) => p.down.map((e) => places.get(e.to).index));
  }
  for (const column of columns.slice(1)) sort(column, (p) => p.up.map((e) => places.get(e.from).index + childShare(p, e, places)));
}

/** Children of one parent keep the parent's order. */
function childShare(place, edge, places) {
  const siblings = places.get(edge.from).down;
  return siblings.indexOf(edge) / (siblings.length + 1);
}

const GAP = 12;

function stack(columns, places) {
  for (const column of columns) {
    let y = 0;
    for (const p of column) {
      p.y = y;
      y += p.height + GAP;
    }
  }
  const middle = (p) => p.y + p.height / 2;
  const settle = (column, neighbours) => {
    const wanted = column.map((p) => {
      const near = neighbours(p);
      return near.length ? near.reduce((a, b) => a + middle(b), 0) / near.length - p.height / 2 : p.y;
    });
    let floor = -Infinity;
    column.forEach((p, i) => {
      p.y = Math.max(wanted[i], floor);
      floor = p.y + p.height + GAP;
    });
    const off = column.reduce((sum, p, i) => sum + p.y - wanted[i], 0) / column.length;
    column.forEach((p) => (p.y -= off));
  };
  for (let round = 0; round < 4; round++) {
    for (const column of columns.slice(0, -1).reverse()) settle(column, (p) => p.down.map((e) => places.get(e.to)));
    for (const column of columns.slice(1)) settle(column, (p) => p.up.map((e) => places.get(e.from)));
  }
  const top = Math.min(...columns.flat().map((p) => p.y));
  for (const p of columns.flat()) p.y = Math.round(p.y - top + 20);
}

/** Layers from left to right, as far apart as the edges' labels need. */
function spread(columns, edges, layer) {
  let x = 20;
  columns.forEach((column, i) => {
    for (const p of column) p.x = x;
    const ahead = column.flatMap((p) => p.down).map(edgeWidth);
    const aside = edges.filter((e) => layer.get(e.from) === i && layer.get(e.to) === i).map((e) => edgeWidth(e) + 10);
    x += Math.max(...column.map((p) => p.width)) + 52 + Math.max(0, ...ahead) + Math.max(0, ...aside);
  });
}

function edgeWidth(edge) {
  return textWidth(fitted(edge.text, 11, 150), 11);
}

function moreText(node) {
  return node.open < node.out.length ? "+" + (node.out.length - node.open) : "−";
}

/** The drawn graph, with its keys. `note(text)` tells the node that has the focus in full. */
class GraphView {
  constructor(box, f, note) {
    this.box = box;
    this.note = note;
    this.graph = new Graph(f);
    this.zoom = 1;
    this.focus = this.graph.roots[0];
    this.svg = svg("svg", { role: "tree", "aria-label": "State before and after, from the root on" });
    this.svg.addEventListener("keydown", (e) => this.key(e));
    this.svg.addEventListener("click", (e) => this.click(e));
    this.svg.addEventListener("focusin", (e) => this.focused(e));
    box.replaceChildren(this.svg);
    this.draw(false);
    const fit = this.fit();
    if (fit < 1 && fit >= 0.8) this.scale(0);
    this.toDifference();
  }

  /** Brings the first difference into sight. */
  toDifference() {
    const { edges, places } = this.drawn;
    const edge = edges.find((e) => e.state !== "same");
    if (!edge) return;
    const from = places.get(edge.from);
    const to = places.get(edge.to);
    this.box.scrollLeft = (to.x + to.width) * this.zoom + 40 - this.box.clientWidth;
    this.box.scrollTop = (from.y + from.height / 2) * this.zoom - this.box.clientHeight / 2;
  }

  /** Draws anew; the node with the focus stays where it was on the screen. */
  draw(keepFocus) {
    const old = this.drawn && this.drawn.places.get(this.focus);
    this.drawn = layout(this.graph);
    const { places, edges, width, height } = this.drawn;
    if (!places.has(this.focus)) this.focus = this.graph.roots[0];
    this.svg.setAttribute("width", width * this.zoom);
    this.svg.setAttribute("height", height * this.zoom);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const lines = [];
    const labels = [];
    this.lanes = 0;
    for (const edge of edges) this.edge(edge, lines, labels);
    this.elements = new Map();
    for (const place of places.values()) this.elements.set(place.node, this.node(place));
    this.svg.replaceChildren(arrowHeads(), ...lines, ...labels, ...this.elements.values());
    const now = places.get(this.focus);
    if (old && now) {
      this.box.scrollLeft += (now.x - old.x) * this.zoom;
      this.box.scrollTop += (now.y - old.y) * this.zoom;
    }
    if (keepFocus) this.elements.get(this.focus).focus({ preventScroll: true });
  }

  edge(edge, lines, labels) {
    const { places, layer } = this.drawn;
    const from = places.get(edge.from);
    const to = places.get(edge.to);
    const text = fitted(edge.text, 11, 150);
    let path;
    let at;
    if (layer.get(edge.to) > layer.get(edge.from)) {
      const x1 = from.x + from.width;
      const y1 = from.y + from.height / 2;
      const x2 = to.x - 3;
      const y2 = to.y + to.height / 2 + (to.up.indexOf(edge) - (to.up.length - 1) / 2) * 15;
      const bend = Math.min(34, (x2 - x1) / 2);
      const straight = x2 - 8 - textWidth(text, 11);
      path = `M${x1},${y1} C${x1 + bend},${y1} ${Math.min(straight, x1 + bend)},${y2} ${Math.max(x1 + bend, straight)},${y2} L${x2},${y2}`;
      at = { x: x2 - 8, y: y2 - 4, "text-anchor": "end" };
    } else if (layer.get(edge.to) === layer.get(edge.from)) {
      // Within a layer: around the right side.
      const x1 = from.x + from.width;
      const x2 = to.x + to.width + 3;
      const y1 = from.y + from.height / 2 + 5;
      const y2 = to.y + to.height / 2 + (from === to ? -5 : 5);
      const out = Math.max(x1, x2) + 30;
      path = `M${x1},${y1} C${out},${y1} ${out},${y2} ${x2},${y2}`;
      at = { x: out - 4, y: (y1 + y2) / 2 + 4, "text-anchor": "start" };
    } else {
      // Back to an earlier layer: underneath.
      const x1 = from.x + from.width / 2;
      const x2 = to.x + to.width / 2;
      const low = this.drawn.floor + 14 + this.lanes++ * 16;
      path = `M${x1},${from.y + from.height} V${low - 12} Q${x1},${low} ${x1 - 12},${low} H${x2 + 12} Q${x2},${low} ${x2},${low - 12} V${to.y + to.height + 3}`;
      at = { x: x1 - 20, y: low - 4, "text-anchor": "end" };
    }
    const state = "s-" + edge.state;
    lines.push(svg("g", { class: state, "aria-hidden": "true" }, svg("path", { class: "edge", d: path, "marker-end": `url(#tip-${edge.state})` })));
    const label = svg("text", { class: "edge-label", ...at }, text);
    labels.push(svg("g", { class: state, "aria-hidden": "true" }, label));
  }

  node(place) {
    const { node, width, height } = place;
    const opens = node.out.length > 0;
    const group = svg("g", {
      class: `node s-${node.state}` + (opens ? " opens" : ""), transform: `translate(${place.x},${place.y})`,
      role: "treeitem", tabindex: node === this.focus ? 0 : -1, "data-id": node.id,
      "aria-level": this.drawn.layer.get(node) + 1, "aria-label": this.told(node),
      "aria-expanded": opens ? String(node.open > 0) : null,
    });
    const middle = height / 2 + 4;
    const cut = 8;
    const shape = node.state === "changed"
      ? svg("path", { class: "shape", d: `M${cut},0 H${width - cut} L${width},${height / 2} L${width - cut},${height} H${cut} L0,${height / 2} Z` })
      : svg("rect", { class: "shape", width, height, rx: node.state === "same" ? 7 : 1 });
    group.append(svg("rect", { class: "ring", x: -3.5, y: -3.5, width: width + 7, height: height + 7, rx: 8 }), shape);
    if (place.sign) group.append(svg("text", { class: "sign", x: 9, y: middle }, SIGNS[node.state]));
    group.append(svg("text", { class: "node-label", x: 9 + place.sign, y: middle }, place.label));
    if (opens) {
      const x = width - place.more - 3;
      group.append(svg("line", { class: "rule", x1: x, x2: x, y1: 5, y2: height - 5 }));
      group.append(svg("text", { class: "more", x: x + 6, y: middle }, moreText(node)));
    }
    return group;
  }

  /** A node in words. */
  told(node) {
    const state = node.state === "same" ? "unchanged" : node.state;
    const by = [...this.drawn.edges].filter((e) => e.to === node).slice(0, 3).map((e) => e.text).filter((t) => t).join(", ");
    const hidden = node.out.length - node.open;
    return short(node.text, 500) + (by ? ", at " + short(by, 200) : "") + ", " + state + (hidden > 0 ? ", " + hidden + " more" : "");
  }

  nodeOf(event) {
    const group = event.target.closest("g.node");
    return group && this.graph.nodes.get(Number(group.dataset.id));
  }

  focused(event) {
    const node = this.nodeOf(event);
    if (!node) return;
    for (const [other, group] of this.elements) group.setAttribute("tabindex", other === node ? 0 : -1);
    this.focus = node;
    this.note(node);
    // What the mouse presses is in sight, and must not move before the button is let go.
    if (!event.target.matches(":focus-visible")) return;
    const place = this.drawn.places.get(node);
    this.show(place.x * this.zoom, place.width * this.zoom, "scrollLeft", this.box.clientWidth);
    this.show(place.y * this.zoom, place.height * this.zoom, "scrollTop", this.box.clientHeight);
  }

  show(start, length, side, room) {
    // A graph smaller than its room is centred and needs no scrolling.
    if (start - 20 < this.box[side]) this.box[side] = start - 20;
    else if (start + length + 20 > this.box[side] + room) this.box[side] = start + length + 20 - room;
  }

  click(event) {
    const node = this.nodeOf(event);
    if (node) this.toggle(node);
  }

  toggle(node) {
    this.focus = node;
    if (node.out.length > 0) {
      if (node.open < node.out.length) this.graph.expand(node);
      else this.graph.collapse(node);
    }
    this.draw(true);
  }

  key(event) {
    const node = this.nodeOf(event);
    if (!node || event.altKey || event.ctrlKey || event.metaKey) return;
    const done = {
      Enter: () => this.toggle(node),
      " ": () => this.toggle(node),
      ArrowRight: () => (node.open < node.out.length ? this.toggle(node) : this.go(node.out[0] && node.out[0].to)),
      ArrowLeft: () => (node.open > 0 ? this.close(node) : this.go(this.parent(node))),
      ArrowDown: () => this.go(this.beside(node, 1)),
      ArrowUp: () => this.go(this.beside(node, -1)),
      Home: () => this.go(this.graph.roots[0]),
      End: () => this.go(this.drawn.columns[this.drawn.columns.length - 1][0].node),
    }[event.key];
    if (!done) return;
    event.preventDefault();
    done();
  }

  close(node) {
    this.focus = node;
    this.graph.collapse(node);
    this.draw(true);
  }

  parent(node) {
    const edge = this.drawn.edges.find((e) => e.to === node && e.from !== node);
    return edge && edge.from;
  }

  /** The next node up or down in the same layer. */
  beside(node, way) {
    const column = this.drawn.columns[this.drawn.layer.get(node)];
    const next = column[column.findIndex((p) => p.node === node) + way];
    return next && next.node;
  }

  go(node) {
    const group = node && this.elements.get(node);
    if (group) group.focus({ preventScroll: true });
  }

  expandAll() {
    this.graph.openAll((node) => node.out.length, MOST_NODES);
    this.draw(false);
  }

  reset() {
    this.graph.reset();
    this.draw(false);
  }

  scale(by) {
    this.zoom = by === 0 ? this.fit() : Math.max(0.3, Math.min(2.5, this.zoom * by));
    this.draw(false);
  }

  fit() {
    const { width, height } = this.drawn;
    return Math.max(0.3, Math.min(1, this.box.clientWidth / width, this.box.clientHeight / height));
  }
}

function arrowHeads() {
  const tips = ["same", "changed", "added", "removed"].map((state) =>
    svg("marker", { id: "tip-" + state, class: "s-" + state, viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" },
      svg("path", { class: "tip", d: "M0,0 L8,4 L0,8 Z" })));
  return svg("defs", {}, ...tips);
}

/** What shapes and lines mean. */
function legend() {
  const sample = (state) => {
    const shape = state === "changed"
      ? svg("path", { class: "shape", d: "M6,2 H22 L27,8 L22,14 H6 L1,8 Z" })
      : svg("rect", { class: "shape", x: 1, y: 2, width: 26, height: 12, rx: state === "same" ? 5 : 1 });
    const line = svg("path", { class: "edge", d: "M30,8 H52" });
    return svg("svg", { width: 54, height: 16, "aria-hidden": "true" }, svg("g", { class: "s-" + state }, shape, line));
  };
  const item = (state, text) => el("li", null, sample(state), text);
  return el("ul", { class: "legend", "aria-label": "Legend" },
    item("same", "unchanged"), item("changed", "≠ changed"), item("added", "+ only after"), item("removed", "− only before"));
}
