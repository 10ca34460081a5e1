"use strict";
// What the page knows: the embedded document, its findings as rows, and the words for them.
// Every text of the document reaches the page as a text node, never as markup.

const DATA = JSON.parse(document.getElementById("data").textContent);

/** An element with attributes, listeners (`onclick: f`) and children; texts become text nodes. */
function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

// Characters that would not show, or would turn the text around them: controls, zero width, directions.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text in one line, with unseen characters written as Java would escape them. */
function shown(text) {
  return String(text).replace(UNSEEN, (c) => {
    if (c === "\n") return "\\n";
    if (c === "\t") return "\\t";
    if (c === "\r") return "\\r";
    return "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
  });
}

function short(text, length) {
  // Cutting by code points keeps pairs together; only the first few need to be looked at.
  if (text.length <= length) return text;
  return Array.from(text.slice(0, length * 2)).slice(0, length - 1).join("") + "…";
}

const KINDS = ["changed", "added", "removed", "replaced", "resized", "created"];
const SIGNS = { changed: "≠", added: "+", removed: "−", replaced: "⇄", resized: "↕", created: "+" };
const LABELS = ["state", "collection-grew", "configuration", "counter", "random", "lazy-initialisation", "cache-or-pool"];
const ORIGINS = ["suite", "library", "jdk"];

function rank(list, value) {
  const at = list.indexOf(value);
  return at < 0 ? list.length : at;
}

function words(value) {
  return value === "jdk" ? "JDK" : value.replace(/[-_]/g, " ");
}

function plural(n, word) {
  return n.toLocaleString("en") + " " + word + (n === 1 ? "" : "s");
}

/** `pkg.` and the rest of a test's, root's or class's name, so that the package can be cut first. */
function split(name, parts) {
  const hash = name.indexOf("#");
  const head = hash < 0 ? name : name.slice(0, hash);
  if (!/^[\p{L}\p{N}_$.]+$/u.test(head)) return ["", name];
  let at = head.length;
  for (let i = 0; i < (hash < 0 ? parts : 1) && at > 0; i++) at = head.lastIndexOf(".", at - 1);
  return [name.slice(0, at + 1), name.slice(at + 1)];
}

/** A name for a cell: in a narrow one only the first letters of its package. */
function splitName(name, parts, narrow) {
  const [whole, own] = split(shown(name), parts);
  const pkg = narrow ? whole.replace(/([^.])[^.]*\./gu, "$1.") : whole;
  // Then the class gives way: methods of one class must be told apart.
  const hash = own.indexOf("#");
  const type = hash > 0 ? el("span", { class: "type" }, own.slice(0, hash)) : null;
  return el("span", { class: "name-split" }, el("span", { class: "pkg" }, pkg), type, el("span", { class: "own" }, short(type ? own.slice(hash) : own, 200)));
}

// Stacks are shared between findings, so their texts are too.
const stackTexts = new Map();

function frameText([type, method, file, line]) {
  return type + "." + method + placeText(file, line);
}

function placeText(file, line) {
  if (!file) return "";
  return " (" + file + (line === null ? "" : ":" + line) + ")";
}

function stackText(index) {
  let text = stackTexts.get(index);
  if (text === undefined) {
    text = DATA.stacks[index].map((f) => frameText(DATA.frames[f])).join("\n").toLowerCase();
    stackTexts.set(index, text);
  }
  return text;
}

/** A row of a table: what it is, what it is found by, and its place in the ranking. */
function findingRow(f, at, owners, type) {
  const owner = owners[f.by];
  return {
    type, f, owner, at,
    text: [owner.name, f.root, f.path, f.kind, f.label, words(f.label), f.before, f.after, f.origin, f.ignored_by || ""].join("\n").toLowerCase(),
    rank: [f.ignored_by ? 1 : 0, f.observable ? 0 : 1, rank(ORIGINS, f.origin), rank(LABELS, f.label), at],
  };
}

function fileRow(f, at, owner, by) {
  return { type: "file", f, owner, by, at, text: [owner.name, f.path, f.change, by].join("\n").toLowerCase(), rank: [at] };
}

function byRank(a, b) {
  for (let i = 0; i < a.rank.length; i++) if (a.rank[i] !== b.rank[i]) return a.rank[i] - b.rank[i];
  return 0;
}

/** Rows summed up by a key, in order of first appearance. */
function summedUp(rows, key) {
  const sums = new Map();
  for (const row of rows) {
    const k = key(row);
    if (!sums.has(k)) sums.set(k, []);
    sums.get(k).push(row);
  }
  return sums;
}

const counted = (f) => !f.ignored_by && !f.restores && !f.folded && (f.observable || DATA.strict);

/** What class fixtures did and did not undo themselves. */
const leftBy = (f, fixture) => fixture.polluter && f.restored_by !== fixture.name;

const findings = DATA.findings.map((f, i) => findingRow(f, i, DATA.tests, "finding")).sort(byRank);
const fixtures = DATA.fixture_findings.map((f, i) => findingRow(f, i, DATA.fixtures, "fixture")).filter((r) => leftBy(r.f, r.owner)).sort(byRank);
const files = DATA.files.map((f, i) => fileRow(f, i, DATA.tests[f.by], "test"))
  .concat(DATA.fixture_files.map((f, i) => fileRow(f, DATA.files.length + i, DATA.fixtures[f.by], "fixture")).filter((r) => leftBy(r.f, r.owner)))
  .filter((r) => !r.f.restores);

const tests = (() => {
  const rows = DATA.tests.map((test, at) => ({
    type: "test", owner: test, at, findings: 0, counted: 0, files: 0, text: (test.name + "\n" + test.outcome).toLowerCase(),
  }));
  for (const { f } of findings) {
    rows[f.by].findings++;
    if (counted(f)) rows[f.by].counted++;
  }
  for (const f of DATA.files) rows[f.by].files++;
  for (const row of rows) row.rank = [row.owner.polluter ? 0 : 1, row.at];
  return rows.sort(byRank);
})();

const roots = [...summedUp(findings, (r) => r.f.root)].map(([root, rows], at) => ({
  type: "root", root, at, origin: rows[0].f.origin, findings: rows.length,
  tests: new Set(rows.map((r) => r.f.by)).size,
  kinds: [...new Set(rows.map((r) => r.f.kind))].sort((a, b) => rank(KINDS, a) - rank(KINDS, b)).join(", "),
  labels: [...new Set(rows.map((r) => words(r.f.label)))].join(", "),
  text: (root + "\n" + rows[0].f.origin).toLowerCase(), rank: [at],
}));

const rules = DATA.rules.map((rule, at) => ({
  type: "rule", rule, at, text: Object.values(rule).join("\n").toLowerCase(), rank: [-rule.tests, -rule.fixtures, at],
  listed: findings.filter((r) => r.f.ignored_by === rule.id).length + fixtures.filter((r) => r.f.ignored_by === rule.id).length,
})).sort(byRank);

/** Whether a row holds every word searched for. */
function holds(row, terms) {
  return terms.every((t) => row.text.includes(t) || (row.f && row.f.stack !== undefined && stackText(row.f.stack).includes(t)));
}
