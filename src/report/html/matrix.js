// The run at a glance: tests in the order they ran, across; fields, down. A mark is what a test did to a field, the strip below
// it the field's value over the run, and ticks on the axis are tests that did not pass.

const ROW_HEIGHT = 30;
const AXIS_HEIGHT = 30;
const MOST_FIELDS = 200;
const BAD = new Set(["failed", "error", "timed out", "crashed", "unsupported"]);

/** Fields with what was done to them, in the order of interest. */
const matrixFields = (() => {
  const shows = (r) => !r.f.ignored_by && !r.f.folded && (r.f.observable || DATA.strict);
  const sums = summedUp(findings.filter(shows), (r) => r.f.root);
  return [...sums].map(([root, rows]) => {
    const events = rows.slice().sort((a, b) => a.f.by - b.f.by || a.at - b.at);
    const values = new Map();
    const value = (text) => {
      if (!values.has(text)) values.set(text, values.size);
      return values.get(text);
    };
    // The value of the first path that changed stands for the field.
    const path = events[0].f.path;
    const strip = [[0, value(events[0].f.before)]];
    for (const e of events) if (e.f.path === path) strip.push([e.f.by, value(e.f.after)]);
    return { root, events, strip, path, values: [...values.keys()] };
  });
})();

const markOf = (f) => (f.restores ? "restored" : f.kind === "added" ? "added" : f.kind === "removed" ? "removed" : "changed");

class Matrix {
  /** `open(row)` shows a finding, `openTest(index)` a test. */
  constructor(box, open, openTest) {
    this.box = box;
    this.open = open;
    this.openTest = openTest;
    this.field = 0;
    this.event = 0;
    new ResizeObserver(() => this.root && this.root.isConnected && this.draw()).observe(box);
  }

  show() {
    const fields = matrixFields.slice(0, MOST_FIELDS);
    this.fields = fields;
    this.note = el("p", { class: "matrix-note", role: "status" });
    const total = DATA.tests.length;
    if (fields.length === 0 || total === 0) {
      const text = !DATA.captured ? "The shared state was not compared." : total === 0 ? "No tests ran." : "No test changed the shared state.";
      this.root = el("div", { class: "matrix" }, this.axisPart(), el("p", { class: "empty" }, text));
      this.box.replaceChildren(this.root);
      this.draw();
      return;
    }
    this.canvases = [];
    const rows = fields.map((field, i) => {
      const canvas = el("canvas", { class: "matrix-cells", role: "img", "aria-label": this.told(field), onclick: (e) => this.clicked(i, e), onmousemove: (e) => this.hover(i, e) });
      this.canvases.push(canvas);
      const label = el("button", { type: "button", class: "matrix-field", "data-field": i, tabindex: i === 0 ? 0 : -1, title: shown(field.root) + "\n" + this.told(field), onclick: () => this.choose(i, 0) }, splitName(field.root, 2, true));
      return el("div", { class: "matrix-row" }, label, canvas);
    });
    const more = matrixFields.length - fields.length;
    this.root = el("div", { class: "matrix", onkeydown: (e) => this.key(e) }, this.axisPart(), el("div", { class: "matrix-rows" }, ...rows),
      more > 0 ? el("p", { class: "muted matrix-more" }, plural(more, "more field") + " in the table of fields") : null, this.note, this.legend());
    this.box.replaceChildren(this.root);
    this.draw();
  }

  axisPart() {
    this.axis = el("canvas", { class: "matrix-cells", role: "img", "aria-label": this.axisText(), onclick: (e) => this.axisClicked(e) });
    return el("div", { class: "matrix-row matrix-axis" }, el("span", { class: "matrix-field muted" }, plural(DATA.tests.length, "test") + ", in run order"), this.axis);
  }

  axisText() {
    const bad = DATA.tests.filter((t) => BAD.has(t.outcome)).length;
    return plural(DATA.tests.length, "test") + " in run order, " + bad.toLocaleString("en") + " of them did not pass";
  }

  told(field) {
    const counts = summedUp(field.events, (e) => markOf(e.f));
    return [...counts].map(([mark, list]) => mark + " by " + plural(new Set(list.map((e) => e.f.by)).size, "test")).join(", ");
  }

  legend() {
    const item = (mark, text) => el("li", null, el("span", { class: "matrix-key m-" + mark }), text);
    return el("ul", { class: "legend" }, item("added", "added"), item("changed", "changed"), item("removed", "removed"), item("restored", "restored"), item("bad", "test did not pass"), el("li", null, "strip: the value of the field; grey is the first one"));
  }

  draw() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.colours = { added: colour("--added"), changed: colour("--changed"), removed: colour("--removed"), restored: colour("--accent"), line: colour("--line"), muted: colour("--muted"), text: colour("--text") };
    this.paint(this.axis, AXIS_HEIGHT, (g, width) => this.paintAxis(g, width));
    (this.canvases || []).forEach((canvas, i) => this.paint(canvas, ROW_HEIGHT, (g, width) => this.paintField(g, width, i)));
  }

  paint(canvas, height, work) {
    const width = canvas.clientWidth;
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    g.clearRect(0, 0, width, height);
    work(g, width);
  }

  /** Where a test stands: its left edge and its width; many tests share a pixel in a long run. */
  x(index, width) {
    const step = Math.min(22, width / DATA.tests.length);
    return [index * step, Math.max(step, 1)];
  }

  at(x, width) {
    const step = Math.min(22, width / DATA.tests.length);
    return Math.max(0, Math.min(DATA.tests.length - 1, Math.floor(x / step)));
  }

  paintAxis(g, width) {
    const last = this.x(DATA.tests.length - 1, width);
    g.fillStyle = this.colours.line;
    g.fillRect(0, AXIS_HEIGHT - 1, last[0] + last[1], 1);
    DATA.tests.forEach((test, i) => {
      if (!BAD.has(test.outcome)) return;
      const [x, w] = this.x(i, width);
      g.fillStyle = this.colours.removed;
      g.fillRect(x, 14, Math.max(Math.min(w - 1, 4), 1), AXIS_HEIGHT - 15);
    });
    g.fillStyle = this.colours.muted;
    g.font = "10px system-ui, sans-serif";
    const step = Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, DATA.tests.length / 3))));
    for (let i = step; i <= DATA.tests.length; i += step) {
      const [x] = this.x(i - 1, width);
      if (x + 24 < width) g.fillText(i.toLocaleString("en"), x, 10);
      if (i / step > 12) break;
    }
  }

  paintField(g, width, index) {
    const field = this.fields[index];
    const end = this.x(DATA.tests.length - 1, width);
    // The strip: each value has a colour of its own, the first one none.
    field.strip.forEach(([from, value], i) => {
      const start = i === 0 ? 0 : this.x(from, width)[0];
      const stop = i + 1 < field.strip.length ? this.x(field.strip[i + 1][0], width)[0] : end[0] + end[1];
      g.fillStyle = value === 0 ? this.colours.line : `hsl(${(value * 67 + 20) % 360} 55% 55%)`;
      g.fillRect(start, ROW_HEIGHT - 9, Math.max(stop - start, 1), 5);
    });
    for (const e of field.events) {
      const [x, w] = this.x(e.f.by, width);
      const mark = markOf(e.f);
      g.fillStyle = this.colours[mark];
      const size = Math.max(Math.min(w - 1, 14), 2);
      if (mark === "restored") {
        g.fillRect(x, 10, size, 4);
      } else if (mark === "removed") {
        g.fillRect(x, 11, size, 7);
      } else {
        g.fillRect(x, 4, size, 14);
      }
      if (size >= 10) {
        g.fillStyle = "#fff";
        g.font = "bold 11px system-ui, sans-serif";
        const sign = { added: "+", changed: "≠" }[mark];
        if (sign) g.fillText(sign, x + size / 2 - 3, 15);
      }
    }
    if (index === this.field && this.root.contains(document.activeElement)) {
      const e = field.events[this.event];
      if (!e) return;
      const [x, w] = this.x(e.f.by, width);
      g.strokeStyle = this.colours.text;
      g.lineWidth = 1.5;
      g.strokeRect(Math.max(x - 1.5, 0.75), 1.5, Math.max(w, 4) + 2, ROW_HEIGHT - 4);
    }
  }

  /** The event of a field nearest to a test. */
  near(index, test) {
    const { events } = this.fields[index];
    let best = 0;
    events.forEach((e, i) => {
      if (Math.abs(e.f.by - test) < Math.abs(events[best].f.by - test)) best = i;
    });
    return best;
  }

  tell(index, event) {
    const e = this.fields[index].events[event];
    if (!e) return;
    const what = e.f.restores ? "restores what " + shown(e.f.restores) + " changed" : words(e.f.kind);
    const value = e.f.kind === "removed" ? e.f.before : e.f.after;
    this.note.replaceChildren(`#${e.f.by + 1} ${shown(e.owner.name)} (${words(e.owner.outcome)}): ${what} ${shown(e.f.root + e.f.path)}: ${short(shown(value), 120)}`);
  }

  hover(index, event) {
    const canvas = this.canvases[index];
    const box = canvas.getBoundingClientRect();
    this.tell(index, this.near(index, this.at(event.clientX - box.left, canvas.clientWidth)));
  }

  clicked(index, event) {
    const canvas = this.canvases[index];
    const box = canvas.getBoundingClientRect();
    this.choose(index, this.near(index, this.at(event.clientX - box.left, canvas.clientWidth)));
    this.open(this.fields[this.field].events[this.event]);
  }

  axisClicked(event) {
    const box = this.axis.getBoundingClientRect();
    const at = this.at(event.clientX - box.left, this.axis.clientWidth);
    const bad = DATA.tests.map((t, i) => i).filter((i) => BAD.has(DATA.tests[i].outcome));
    const nearest = bad.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
    this.openTest(nearest === undefined ? at : nearest);
  }

  choose(index, event) {
    this.field = index;
    this.event = event;
    const buttons = this.root.querySelectorAll("button.matrix-field");
    buttons.forEach((b, i) => { b.tabIndex = i === index ? 0 : -1; });
    buttons[index].focus();
    this.tell(index, event);
    this.draw();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.fields.length) return;
    const { events } = this.fields[this.field];
    const last = this.fields.length - 1;
    const to = {
      ArrowUp: [Math.max(0, this.field - 1), 0], ArrowDown: [Math.min(last, this.field + 1), 0],
      ArrowLeft: [this.field, Math.max(0, this.event - 1)], ArrowRight: [this.field, Math.min(events.length - 1, this.event + 1)],
      Home: [this.field, 0], End: [this.field, events.length - 1],
    }[event.key];
    if (to) this.choose(...to);
    else if (event.key === "Enter") this.open(events[this.event]);
    else return;
    event.preventDefault();
  }
}
