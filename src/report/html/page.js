// The page as a whole: summary, tabs, filters, and how table and pane work together.

const $ = (id) => document.getElementById(id);

const nameCell = (get, parts, narrow) => (row) => splitName(get(row), parts, narrow);
const yesNo = (get) => (row) => (get(row) ? "yes" : el("span", { class: "muted" }, "no"));
const mono = (get) => (row) => el("span", { class: "mono" }, short(shown(get(row)), 300));

function findingColumns(owner) {
  const columns = [
    { id: "test", title: owner, width: "26%", value: (r) => r.owner.name, cell: nameCell((r) => r.owner.name, 1, true) },
    { id: "root", title: "Field", width: "20%", value: (r) => r.f.root, cell: nameCell((r) => r.f.root, 2, true) },
    { id: "path", title: "Path", width: "11%", value: (r) => r.f.path, cell: mono((r) => r.f.path) },
    { id: "kind", title: "Kind", width: "98px", value: (r) => rank(KINDS, r.f.kind), cell: (r) => kindCell(r.f.kind) },
    { id: "label", title: "Label", width: "138px", value: (r) => rank(LABELS, r.f.label), cell: (r) => (r.f.observable ? words(r.f.label) : el("span", { class: "muted", title: "The public API does not show it" }, words(r.f.label) + ", internal")) },
    { id: "before", title: "Before", width: "13%", value: (r) => r.f.before, cell: mono((r) => r.f.before) },
    { id: "after", title: "After", width: "13%", value: (r) => r.f.after, cell: mono((r) => r.f.after) },
    { id: "origin", title: "Origin", width: "66px", value: (r) => rank(ORIGINS, r.f.origin), cell: (r) => words(r.f.origin) },
  ];
  for (const c of columns) if (["test", "root", "path", "before", "after"].includes(c.id)) c.title_of = c.value;
  if (findings.concat(fixtures).some((r) => r.f.ignored_by)) {
    columns.push({ id: "rule", title: "Ignored by", width: "110px", value: (r) => r.f.ignored_by || "", title_of: (r) => r.f.ignored_by || "" });
  }
  return columns;
}

const number = (title, width, get) => ({ id: title, title, width, number: true, class: "number", value: get, cell: (r) => get(r).toLocaleString("en") });

const TABS = [
  { id: "run", title: "Run", rows: matrixFields.map((f, at) => ({ type: "matrix", at, root: f.root, text: f.root.toLowerCase(), rank: [at] })), columns: [], none: "" },
  { id: "findings", title: "Findings", rows: findings, columns: findingColumns("Test"), none: "No test changed the shared state." },
  {
    id: "tests", title: "Tests", rows: tests, none: "No tests ran.", columns: [
      { id: "order", title: "#", width: "64px", number: true, class: "number", value: (r) => r.at, cell: (r) => (r.at + 1).toLocaleString("en") },
      { id: "test", title: "Test", width: "50%", value: (r) => r.owner.name, cell: nameCell((r) => r.owner.name, 1), title_of: (r) => r.owner.name },
      { id: "outcome", title: "Outcome", width: "14%", value: (r) => r.owner.outcome, cell: (r) => el("span", { class: "o-" + (BAD.has(r.owner.outcome) ? "bad" : r.owner.outcome) }, words(r.owner.outcome)) },
      { id: "polluter", title: "Polluter", width: "10%", value: (r) => (r.owner.polluter ? 0 : 1), cell: yesNo((r) => r.owner.polluter) },
      number("Counted", "7%", (r) => r.counted), number("Findings", "7%", (r) => r.findings), number("Files", "6%", (r) => r.files),
    ],
  },
  {
    id: "roots", title: "Fields", rows: roots, none: "No test changed the shared state.", columns: [
      { id: "root", title: "Field", width: "46%", value: (r) => r.root, cell: nameCell((r) => r.root, 2), title_of: (r) => r.root },
      { id: "origin", title: "Origin", width: "8%", value: (r) => rank(ORIGINS, r.origin), cell: (r) => words(r.origin) },
      { id: "kinds", title: "Kinds", width: "14%", value: (r) => r.kinds },
      { id: "labels", title: "Labels", width: "18%", value: (r) => r.labels },
      number("Tests", "7%", (r) => r.tests), number("Findings", "7%", (r) => r.findings),
    ],
  },
  {
    id: "files", title: "Files", rows: files, none: "No test left files behind.", columns: [
      { id: "path", title: "Path", width: "38%", value: (r) => r.f.path, cell: mono((r) => r.f.path), title_of: (r) => r.f.path },
      { id: "change", title: "Change", width: "96px", value: (r) => r.f.change, cell: (r) => kindCell(r.f.change) },
      { id: "test", title: "Test", width: "28%", value: (r) => r.owner.name, cell: nameCell((r) => r.owner.name, 1), title_of: (r) => r.owner.name },
      { id: "by", title: "By", width: "70px", value: (r) => r.by },
      { id: "at", title: "Written at", width: "30%", value: writtenAt, cell: mono(writtenAt), title_of: writtenAt },
    ],
  },
  { id: "fixtures", title: "Fixtures", rows: fixtures, columns: findingColumns("Class"), none: "No class fixture changed the shared state." },
  {
    id: "rules", title: "Ignore rules", rows: rules, none: "No rule hid anything.", columns: [
      { id: "rule", title: "Rule", width: "26%", value: (r) => r.rule.id, title_of: (r) => r.rule.id },
      { id: "reason", title: "Reason", width: "46%", value: (r) => r.rule.reason || "", title_of: (r) => r.rule.reason || "" },
      number("Hidden in tests", "10%", (r) => r.rule.tests), number("Hidden in fixtures", "11%", (r) => r.rule.fixtures), number("Listed", "7%", (r) => r.listed),
    ],
  },
];

/** The first frame that is neither the JDK's nor JUnit's. */
function writtenAt(row) {
  const frames = DATA.stacks[row.f.stack].map((i) => DATA.frames[i]);
  const frame = frames.find(([type]) => !OUTSIDE.test(type)) || frames[0];
  return frame ? frameText(frame) : "";
}

// Values to hide, by what they are values of; internal findings are listed on demand.
const hidden = { kind: new Set(), label: new Set(), origin: new Set(), rule: new Set(), shows: new Set(DATA.strict ? [] : ["internal"]) };
const valueOf = {
  kind: (f) => f.kind,
  label: (f) => f.label,
  origin: (f) => f.origin,
  shows: (f) => (f.observable ? "observable" : "internal"),
  rule: (f) => f.ignored_by || "",
};
const ORDER = { kind: KINDS, label: LABELS, origin: ORIGINS, shows: ["observable", "internal"], rule: [] };
const LEGENDS = { kind: "Kind", label: "Label", origin: "Origin", shows: "Visible", rule: "Ignored by" };

let tab = TABS[0];
let scope = null; // { name, value, test(row) }: one test or root

const table = new Table($("rows"), open, moved);
const matrix = new Matrix($("rows"), (row) => open(row, false), (at) => open(tests.find((t) => t.at === at), false));
const detail = new Detail($("detail"), closed, (by) => (table.table ? table.goTo(table.current + by, false) : nextPolluter(by)));

function summary() {
  const name = DATA.suite.split(/[/:]/).filter((p) => p).pop() || DATA.suite;
  const others = DATA.suite.split(":").length - 1;
  document.title = "poldet · " + shown(name);
  $("suite").replaceChildren(shown(name) + (others > 0 ? ` and ${others} more` : ""));
  $("suite").title = shown(DATA.suite);
  const facts = [["JDK", DATA.jdk], ["seed", DATA.seed], ["JUnit", DATA.junit], ["poldet", DATA.poldet]];
  $("facts").replaceChildren(...facts.flatMap(([k, v], i) => [(i ? " · " : "") + k + " ", el("b", null, shown(v))]));
  const s = DATA.summary;
  const sums = findings.filter((r) => counted(r.f));
  const origins = ORIGINS.map((o) => [sums.filter((r) => r.f.origin === o).length, words(o)]).filter(([n]) => n > 0);
  const internal = findings.filter((r) => !r.f.observable && !r.f.ignored_by).length;
  const hid = DATA.rules.reduce((n, r) => n + r.tests + r.fixtures, 0);
  const outcomes = ["passed", "failed", "error", "skipped", "unsupported", "timed_out", "crashed"].filter((o) => s[o] > 0);
  figure("Polluters", DATA.polluters, "of " + plural(s.tests, "test"));
  figure("Findings", sums.length, origins.map(([n, o]) => n.toLocaleString("en") + " " + o).join(" · "));
  if (internal > 0) figure("Internal", internal, DATA.strict ? "counted (--strict)" : "not counted");
  figure("Files", files.length);
  figure("In fixtures", fixtures.filter((r) => counted(r.f)).length, "");
  const restoring = new Set(findings.filter((r) => r.f.restores).map((r) => r.f.by)).size;
  if (restoring > 0) figure("Cleaners", restoring, "restore what others changed");
  const folded = findings.filter((r) => r.f.folded).length;
  if (folded > 0) figure("Folded", folded, "not counted");
  figure("Hidden by rules", hid, "by " + plural(DATA.rules.filter((r) => r.tests + r.fixtures > 0).length, "rule"));
  figure("Outcomes", s.passed, outcomes.map((o) => (o === "passed" ? "passed" : s[o].toLocaleString("en") + " " + words(o))).join(" · "));
  const notices = [];
  if (!DATA.captured) notices.push("The shared state was not compared in this run: there are outcomes only.");
  if (DATA.interrupted) notices.push("The run was interrupted: the rest did not run.");
  for (const what of DATA.faults) notices.push("Internal error: " + shown(what) + ".");
  if (DATA.internal) notices.push("poldet could not go on: " + shown(DATA.internal));
  $("notice").hidden = notices.length === 0;
  $("notice").replaceChildren(notices.join(" "));
}

/** Failures that were put down to an assumption, and what they need. */
function sanitised() {
  const rows = DATA.sanitised || [];
  $("sanitised").hidden = rows.length === 0;
  if (rows.length === 0) return;
  const frame = (i) => { const [type, method, file, line] = DATA.frames[i]; return `at ${type}.${method}(${file || "Unknown Source"}${line ? ":" + line : ""})`; };
  const items = rows.map((row) => el("li", null, el("b", null, shown(row.name)), ": " + shown(row.reason),
    el("pre", null, DATA.stacks[row.stack].map((i) => shown(frame(i))).join("\n"))));
  const needs = (DATA.resources || []).map((r) => el("li", null, el("b", null, shown(r.resource)), ` (${shown(r.assumption)}): ` + shown(r.tests.join(", "))));
  $("sanitised").replaceChildren(el("summary", null, plural(rows.length, "failing test") + " skipped by --sanitise"), el("ul", null, ...items),
    ...(needs.length ? [el("p", null, "Resources that these tests need:"), el("ul", null, ...needs)] : []));
}

function figure(name, value, more) {
  $("figures").append(el("div", null, el("dt", null, name), el("dd", null, value.toLocaleString("en"), more ? el("small", null, " " + more) : null)));
}

/** What a tab counts is what the summary counts; cleaners' and internal findings are rows as well. */
function countOf(t) {
  return t.id === "findings" || t.id === "fixtures" ? t.rows.filter((r) => counted(r.f)).length : t.rows.length;
}

function tabs() {
  const buttons = TABS.map((t) => el("button", {
    type: "button", role: "tab", id: "tab-" + t.id, "aria-controls": "rows", onclick: () => choose(t),
  }, t.title, el("span", { class: "count" }, countOf(t).toLocaleString("en"))));
  $("tabs").replaceChildren(...buttons);
  $("tabs").addEventListener("keydown", (event) => {
    const at = TABS.indexOf(tab);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined || !TABS[to]) return;
    event.preventDefault();
    choose(TABS[to]);
    $("tab-" + tab.id).focus();
  });
}

function choose(next) {
  tab = next;
  for (const t of TABS) {
    $("tab-" + t.id).setAttribute("aria-selected", String(t === tab));
    $("tab-" + t.id).tabIndex = t === tab ? 0 : -1;
  }
  $("rows").setAttribute("aria-labelledby", "tab-" + tab.id);
  if (detail.isOpen) detail.close(false);
  filters();
  if (tab.id === "run") {
    table.table = null;
    matrix.show();
    $("status").replaceChildren(plural(matrixFields.length, "field"));
    return;
  }
  table.setColumns(tab.columns, tab.title);
  list();
}

/** The filters of this tab: one box for each value that occurs. */
function filters() {
  const groups = [];
  if (scope && tab.id === "findings") {
    groups.push(el("button", { type: "button", class: "plain scope", "aria-label": "Drop the restriction to " + shown(scope.value), onclick: () => setScope(null) }, "✕ " + scope.name + " " + shown(scope.value)));
  }
  if (tab.id === "findings" || tab.id === "fixtures") {
    for (const key of Object.keys(hidden)) {
      const sums = summedUp(tab.rows, (r) => valueOf[key](r.f));
      sums.delete("");
      // A choice of one is none, except that it may be hidden.
      if (sums.size > 1 || [...sums.keys()].some((v) => hidden[key].has(v)) || (key === "rule" && sums.size > 0)) groups.push(filterGroup(key, sums));
    }
    groups.push(el("button", { type: "button", class: "plain", id: "reset", onclick: resetFilters }, "Show all"));
    // Only a narrow page shows it, and hides the filters until it is pressed.
    const open = $("filters").classList.contains("open");
    groups.unshift(el("button", { type: "button", class: "plain filter-toggle", "aria-expanded": String(open), onclick: (e) => e.target.setAttribute("aria-expanded", String($("filters").classList.toggle("open"))) }, "Filters"));
  }
  $("filters").replaceChildren(...groups);
}

function filterGroup(key, sums) {
  const values = [...sums.keys()].sort((a, b) => rank(ORDER[key], a) - rank(ORDER[key], b) || (a < b ? -1 : 1));
  const boxes = values.map((value) => {
    const box = el("input", { type: "checkbox", "data-filter": key, value });
    box.checked = !hidden[key].has(value);
    box.addEventListener("change", () => {
      if (box.checked) hidden[key].delete(value);
      else hidden[key].add(value);
      list();
    });
    return el("label", { class: "chip" }, box, el("span", { class: "name" }, key === "rule" ? shown(value) : words(value)), el("span", { class: "count" }, sums.get(value).length.toLocaleString("en")));
  });
  return el("fieldset", null, el("legend", null, LEGENDS[key]), ...boxes);
}

function resetFilters() {
  for (const key of Object.keys(hidden)) hidden[key].clear();
  $("query").value = "";
  scope = null;
  filters();
  list();
  if ($("reset")) $("reset").focus();
}

function setScope(next) {
  scope = next;
  filters();
  list();
  if (!next) $("query").focus();
}

/** Lists the rows that pass search and filters. */
function list() {
  if (tab.id === "run") {
    // What is searched for is listed, not drawn.
    if ($("query").value) choose(TABS.find((t) => t.id === "findings"));
    return;
  }
  const terms = $("query").value.toLowerCase().split(/\s+/).filter((t) => t);
  const filtered = tab.id === "findings" || tab.id === "fixtures";
  const keys = Object.keys(hidden).filter((k) => hidden[k].size > 0);
  const passes = (row) =>
    (!filtered || keys.every((k) => !hidden[k].has(valueOf[k](row.f)))) &&
    (!scope || tab.id !== "findings" || scope.test(row)) && holds(row, terms);
  const rows = tab.rows.filter(passes);
  table.setRows(rows, () => nothing(tab.rows.length));
  if (detail.isOpen && !rows.includes(detail.row)) detail.close(false);
  const all = tab.rows.length;
  $("status").replaceChildren(rows.length === all ? plural(all, "row") : `${rows.length.toLocaleString("en")} of ${plural(all, "row")}`);
}

function nothing(all) {
  if (all === 0) return el("p", null, DATA.captured || tab.id === "tests" ? tab.none : "The shared state was not compared.");
  return el("div", null, el("p", null, `${plural(all, "row")} hidden by search and filters.`),
    el("button", { type: "button", class: "plain", onclick: resetFilters }, "Show all"));
}

/** A row was chosen: a field leads to its findings, the rest opens. */
function open(row, byKeyboard) {
  if (row.type === "root") {
    restrict({ name: "field", value: row.root, test: (r) => r.f.root === row.root }, byKeyboard);
    return;
  }
  detail.show(row, byKeyboard);
  if (table.table) {
    table.setOpened(row);
    table.reveal();
  }
  mark(row);
}

/** The findings of one test or field. */
function restrict(to, byKeyboard) {
  scope = to;
  choose(TABS.find((t) => t.id === "findings"));
  if (byKeyboard) table.focusCurrent();
}

/** The next finding of a polluter, or the one before. */
function nextPolluter(step) {
  const all = findings.filter((r) => counted(r.f));
  if (all.length === 0) return;
  const order = all.slice().sort((a, b) => a.f.by - b.f.by || a.at - b.at);
  const at = order.indexOf(detail.row);
  const to = at < 0 ? (step > 0 ? 0 : order.length - 1) : (at + step + order.length) % order.length;
  open(order[to], false);
}

/** The keys, in a pane of their own. */
function help() {
  if (document.querySelector("dialog.help")) return;
  const keys = [["/", "search"], ["arrow keys", "move in a table, a graph or the run"], ["Enter", "open"], ["Escape", "close, clear the search"], ["n, p", "next and previous finding of a polluter"], ["?", "this list"]];
  const list = el("dl", { class: "values" });
  for (const [key, what] of keys) list.append(el("dt", null, el("kbd", null, key)), el("dd", null, what));
  const dialog = el("dialog", { class: "help", "aria-label": "Keys" }, el("h2", null, "Keys"), list, el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, "Close"));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

let pending = false;

/** The open pane follows the current row, once a frame. */
function moved() {
  if (!detail.isOpen || pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    const row = table.rows[table.current];
    if (!detail.isOpen || !row) return;
    detail.show(row, false);
    table.setOpened(row);
    mark(row);
  });
}

/** A finding's address within the page, to be kept or sent. */
function mark(row) {
  if (row) history.replaceState(null, "", "#" + row.type + "-" + row.at);
  else history.replaceState(null, "", location.pathname + location.search);
}

function closed(byUser) {
  mark(null);
  if (!table.table) {
    const field = byUser && matrix.root.querySelector("button.matrix-field[tabindex='0']");
    if (field) field.focus();
    return;
  }
  table.setOpened(null);
  if (byUser) table.focusCurrent();
}

/** Addresses within the page: `#roots` is a table, `#finding-12` a finding. */
function openAddress() {
  const named = TABS.find((t) => "#" + t.id === location.hash);
  if (named) {
    choose(named);
    return;
  }
  const [type, at] = location.hash.slice(1).split("-");
  const from = TABS.find((t) => t.rows.some((r) => r.type === type && r.at === Number(at)));
  if (!from || !["finding", "fixture", "file", "rule", "test"].includes(type)) return;
  const row = from.rows.find((r) => r.at === Number(at));
  if (row.f && row.f.observable === false) hidden.shows.delete("internal");
  choose(from);
  table.current = table.rows.indexOf(row);
  table.goTo(table.current, false);
  open(row, false);
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const typing = event.target.closest("input[type=search]");
  if (event.key === "Escape" && document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    if (typing && $("query").value !== "") {
      $("query").value = "";
      list();
    } else if (detail.isOpen) detail.close(true);
    event.preventDefault();
  } else if (typing || document.querySelector("dialog[open]")) {
    if (event.key === "ArrowDown" && table.table) {
      table.goTo(table.current, true);
      event.preventDefault();
    }
  } else if (event.key === "?") {
    help();
    event.preventDefault();
  } else if (event.key === "n" || event.key === "p") {
    nextPolluter(event.key === "n" ? 1 : -1);
    event.preventDefault();
  } else if (event.key === "/") {
    $("query").focus();
    event.preventDefault();
  }
});
$("query").addEventListener("input", list);

summary();
sanitised();
tabs();
choose(tab);
openAddress();
