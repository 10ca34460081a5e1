// The pane under the table: one finding, file or rule with everything known of it.

const OUTSIDE = /^(java|javax|jdk|sun|com\.sun|org\.junit|junit|org\.opentest4j|org\.hamcrest)\./;

class Detail {
  /** `closed(byUser)` after the pane has gone, `step(n)` to go n rows on. */
  constructor(pane, closed, step) {
    this.pane = pane;
    this.closed = closed;
    this.step = step;
    this.row = null;
  }

  get isOpen() {
    return !this.pane.hidden;
  }

  show(row, focus) {
    this.row = row;
    this.pane.hidden = false;
    const active = document.activeElement;
    const label = this.pane.contains(active) && active.getAttribute("aria-label");
    const body = el("div", { class: "detail-body" });
    this.pane.replaceChildren(this.head(row), body);
    if (row.type === "finding" || row.type === "fixture") {
      const graph = this.graphPart(row.f, body);
      body.append(this.factsPart(...findingParts(row)));
      graph();
    } else if (row.type === "test") body.append(this.factsPart(...testParts(row)));
    else if (row.type === "file") body.append(this.factsPart(...fileParts(row)));
    else body.append(this.factsPart(...ruleParts(row)));
    // What had the focus in the pane has gone; its counterpart takes it.
    const again = label && [...this.pane.querySelectorAll("button")].find((b) => b.getAttribute("aria-label") === label);
    if (again) again.focus();
    else if (focus) this.pane.querySelector("h2").focus();
  }

  close(byUser) {
    this.pane.hidden = true;
    this.pane.replaceChildren();
    this.row = null;
    this.graph = null;
    this.closed(byUser);
  }

  head(row) {
    const button = (text, label, action) => el("button", { type: "button", class: "plain", "aria-label": label, title: label, onclick: action }, text);
    const tall = this.pane.classList.contains("tall");
    const size = button(tall ? "Smaller" : "Larger", tall ? "Make the pane smaller" : "Make the pane larger", () => {
      this.pane.classList.toggle("tall");
      this.show(this.row, false);
      this.pane.querySelector(".size").focus();
    });
    size.classList.add("size");
    const [title, sub] = titles(row);
    return el("div", { class: "detail-head" },
      el("div", { class: "titles" }, el("h2", { id: "detail-title", tabindex: -1 }, ...title), el("p", { class: "sub" }, ...sub)),
      el("div", { class: "buttons" },
        button("↑", "Previous row", () => this.step(-1)), button("↓", "Next row", () => this.step(1)), size,
        button("Close", "Close (Escape)", () => this.close(true))));
  }

  /** The graph's part of the pane; it is drawn once the pane has its size. */
  graphPart(f, body) {
    const box = el("div", { class: "graph-box" });
    const note = el("p", { class: "graph-note mono muted" }, "Click a node, or press Enter on it, to open or close it; arrow keys move.");
    const told = (node) => {
      note.classList.remove("muted");
      note.replaceChildren(node.text);
    };
    const button = (text, label, action) => el("button", { type: "button", class: "plain", "aria-label": label, title: label, onclick: () => action(this.graph) }, text);
    const bar = el("div", { class: "graph-bar", role: "group", "aria-label": "Graph" },
      el("h3", null, "State before and after"),
      button("Expand all", "Show every node", (g) => g.expandAll()),
      button("Reset", "Show only the reference path to the difference", (g) => g.reset()),
      button("−", "Zoom out", (g) => g.scale(0.8)), button("+", "Zoom in", (g) => g.scale(1.25)), button("Fit", "Fit the graph into the pane", (g) => g.scale(0)));
    body.append(el("div", { class: "graph-part" }, bar, box, note, legend()));
    return () => {
      this.graph = new GraphView(box, f, told);
    };
  }

  factsPart(...sections) {
    return el("div", { class: "facts-part", tabindex: 0, role: "region", "aria-label": "Facts and stack" }, ...sections.filter((s) => s));
  }
}

/** A heading that names the thing, and a line that says whose it is. */
function titles(row) {
  const { f } = row;
  if (row.type === "test") return [[shown(row.owner.name)], ["test " + (row.at + 1).toLocaleString("en") + " of the run, " + words(row.owner.outcome)]];
  if (row.type === "rule") return [[shown(row.rule.id)], ["ignore rule"]];
  if (row.type === "file") return [[shown(f.path)], [words(f.change) + " by " + ownerText(row)]];
  return [[shown(f.root), el("span", { class: "path" }, short(shown(f.path), 400))], [words(f.kind) + " by " + ownerText(row)]];
}

function ownerText(row) {
  const fixture = row.type === "fixture" || row.by === "fixture";
  return fixture ? "the fixture of " + shown(row.owner.name) : shown(row.owner.name);
}

function values(...pairs) {
  const list = el("dl", { class: "values" });
  for (const [name, value] of pairs) if (value !== null && value !== undefined && value !== "") list.append(el("dt", null, name), el("dd", null, value));
  return list;
}

function findingParts(row) {
  const { f } = row;
  const long = (text, side) => el("pre", { class: side, tabindex: text.length > 600 ? 0 : null }, shown(text));
  const difference = values(["Before", long(f.before, "before")], ["After", long(f.after, "after")]);
  const facts = values(
    ["Impact", f.impact ? impactText(f.impact) : null],
    ["Kind", kindCell(f.kind)],
    ["Label", words(f.label)],
    ["Origin", words(f.origin)],
    ["First use", f.first_touch ? "yes: the class was initialised during the test" : null],
    ["Visible", f.observable ? "through the public API" : "no: the public API does not show it (internal)"],
    ["Restores", f.restores ? "the place is as it was before " + shown(f.restores) + ": a cleaner, not a polluter" : null],
    ["Restored by", f.restored_by ? shown(f.restored_by) : null],
    ["Folded", f.folded ? words(f.folded) + ": not counted" : null],
    ["Also", f.also ? f.also.map((p) => shown(p.root + p.path)).join(", ") : null],
    ["Ignored by", f.ignored_by ? shown(f.ignored_by) : null],
    ["Outcome", row.owner.outcome ? words(row.owner.outcome) : null],
  );
  return [section("Difference", difference), stackPart(f.stack), section("Facts", facts), repeatPart(row)];
}

/** A test: why it did not pass, what it printed and what it left behind. */
function testParts(row) {
  const { owner } = row;
  const pre = (text) => el("pre", { class: "command", tabindex: 0 }, text.replace(/\t/g, "    ").split("\n").map(shown).join("\n"));
  const parts = [];
  const trace = owner.trace === undefined || owner.trace === null ? "" : DATA.traces[owner.trace];
  if (owner.message || trace) parts.push(section(words(owner.outcome), owner.message ? el("p", null, shown(owner.message)) : null, trace ? pre(trace) : null));
  if (owner.link) parts.push(linkPart(owner.link));
  else if (owner.alone) parts.push(section("Alone", el("p", null, "Run alone, it " + (owner.alone === "passed" ? "passes" : "fails") + ".")));
  const own = findings.filter((r) => r.f.by === row.at && !r.f.ignored_by);
  const items = own.slice(0, 100).map((r) => el("li", null, kindCell(r.f.kind), " ",
    el("button", { type: "button", class: "plain", onclick: () => open(r, false) }, short(shown(r.f.root + r.f.path), 200)), r.f.restores ? " restores what " + shown(r.f.restores) + " changed" : counted(r.f) ? "" : " (not counted)"));
  parts.push(section("Changes of the shared state", items.length === 0 ? el("p", { class: "muted" }, DATA.captured ? "None." : "Not compared.") : el("ul", { class: "plain-list" }, ...items)));
  if (owner.access) parts.push(...accessParts(owner.access));
  for (const t of owner.threads || []) parts.push(section("Left running", el("p", { class: "mono" }, shown(t))));
  if (owner.out) parts.push(section("Standard output", pre(owner.out)));
  if (owner.err) parts.push(section("Standard error", pre(owner.err)));
  parts.push(repeatPart(row));
  return parts;
}

/** Why a test failed that passes alone. */
function linkPart(link) {
  const names = link.tests.map((name) => el("li", null, testLink(name)));
  const places = (link.state || []).map((p) => el("li", { class: "mono" }, short(shown(p.root + p.path), 200), p.before || p.after ? ": " + short(shown(p.before), 120) + " → " + short(shown(p.after), 120) : ""));
  return section("Passes alone, fails after", el("ul", { class: "plain-list" }, ...names),
    places.length > 0 ? el("h3", null, "It reads") : null, places.length > 0 ? el("ul", { class: "plain-list" }, ...places) : null,
    el("pre", { class: "command", tabindex: 0 }, shown(link.reproduce)));
}

/** A button that opens a test of the run. */
function testLink(name) {
  const at = DATA.tests.findIndex((t) => t.name === name);
  if (at < 0) return shown(name);
  return el("button", { type: "button", class: "plain", onclick: () => open(tests.find((t) => t.at === at), false) }, short(shown(name), 200));
}

/** What a test reads that others change, and what else it depends on. */
function accessParts(access) {
  const list = (lines) => el("ul", { class: "plain-list" }, ...lines.slice(0, 100).map((line) => el("li", { class: "mono" }, short(shown(line), 300))),
    lines.length > 100 ? el("li", { class: "muted" }, plural(lines.length - 100, "more place") + ": poldet.json lists them.") : null);
  const parts = [section("Reads", access.reads.length > 0 ? list(access.reads) : el("p", { class: "muted" }, "Nothing that another test changes."))];
  if (access.written.length > 0) parts.push(section("Writes", list(access.written)));
  if (access.first_use.length > 0) parts.push(section("First use of classes", list(access.first_use)));
  if (access.uses.length > 0) parts.push(section("Uses", el("p", null, access.uses.join(", "))));
  return parts;
}

function impactText(impact) {
  const some = (names) => names.slice(0, 5).map(shown).join(", ") + (names.length > 5 ? " and " + (names.length - 5).toLocaleString("en") + " more" : "");
  if (impact.rank === "harmful") return "harmful: " + some(impact.victims || []) + " fail after it";
  if (impact.rank === "observed") return "observed: " + some(impact.observers || []) + " behave differently after it";
  if (impact.rank === "read") return "read by " + plural(impact.readers, "test") + "; of " + plural(impact.tried, "test") + " run after it, none behaves differently";
  return "unread: no test reads it";
}

function fileParts(row) {
  const { f } = row;
  const facts = values(["Path", el("span", { class: "mono" }, shown(f.path))], ["Change", kindCell(f.change)], ["By", ownerText(row)], ["Impact", f.impact ? impactText(f.impact) : null]);
  return [section("File", facts), stackPart(f.stack)];
}

function ruleParts({ rule, listed }) {
  return [section("Rule", values(
    ["Pattern", rule.pattern ? el("span", { class: "mono" }, shown(rule.pattern)) : null],
    ["Reason", rule.reason ? shown(rule.reason) : null],
    ["Hidden in tests", String(rule.tests)],
    ["Hidden in fixtures", String(rule.fixtures)],
    ["Listed", listed > 0 ? plural(listed, "finding") : "none: run with --show-ignored to list what it hides"],
  ))];
}

function section(title, ...content) {
  return el("section", null, el("h3", null, title), ...content);
}

/** The write's stack, innermost first; the first frame outside of the JDK and JUnit stands out. */
function stackPart(index) {
  const frames = DATA.stacks[index].map((i) => DATA.frames[i]);
  if (frames.length === 0) return section("Written at", el("p", { class: "muted" }, "No stack is known of this write."));
  const own = frames.findIndex(([type]) => !OUTSIDE.test(type));
  const list = el("ol", { class: "stack" }, ...frames.map(([type, method, file, line], i) => {
    const place = placeText(file, line);
    return el("li", { class: OUTSIDE.test(type) ? "outside" : i === own ? "first" : null },
      shown(type + "." + method), el("span", { class: "place" }, shown(place)));
  }));
  return section("Written at", list, own < 0 ? null : excerptPart(DATA.stacks[index][own], frames[own][3]));
}

/** The lines of source around a frame, with the one that writes set off. */
function excerptPart(frame, line) {
  const excerpt = (DATA.excerpts || {})[frame];
  if (!excerpt) return null;
  const lines = excerpt.lines.map((text, i) => {
    const number = excerpt.first + i;
    return el("div", { class: number === line ? "source-line hit" : "source-line" }, el("span", { class: "line-number" }, String(number)), el("code", null, shown(text)));
  });
  return el("figure", { class: "source" }, el("figcaption", { class: "muted" }, shown(excerpt.path)), ...lines);
}

/** The command that shows the finding again. */
function repeatPart(row) {
  if ((row.type !== "finding" && row.type !== "test") || !DATA.command) return null;
  const quoted = (name) => (/^[A-Za-z0-9_./:=,+@%-]+$/.test(name) ? name : "'" + name.replace(/'/g, "'\\''") + "'");
  const names = [...(row.owner.after || []), row.owner.name];
  return section("Reproduce", el("pre", { class: "command" }, shown(DATA.command + names.map((n) => " --test " + quoted(n)).join(""))));
}

function kindCell(kind) {
  return el("span", { class: "kind k-" + kind }, el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind] || ""), words(kind));
}
