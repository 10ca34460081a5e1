//! What `poldet od` found as a page of its own: the graph of polluters, cleaners and victims with places on the edges, a matrix
//! for larger suites, and a section for each test. Everything is a link, so that everything is reached by keyboard.

use crate::report::html::page::STYLE;
use crate::report::nio::read_at;
use crate::report::nio_page::{MORE, escaped};
use crate::report::pollution::{frame_text, user_frame};
use poldet_records::{OdDocument, OdTest, OdVerdict, SearchPlace};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Nodes up to which the graph is drawn.
const DRAWN: usize = 60;
/// The graph's measures.
const BOX: (i32, i32) = (300, 26);
const GAP: i32 = 14;
/// Of polluters, cleaners and victims; cleaners stand to the right of the victims, so that nothing lies on the edges.
const COLUMNS: [i32; 3] = [8, 1040, 640];
/// Letters that fit into a box.
const LETTERS: usize = 42;

const STYLE_OF_OD: &str = "html,body{height:auto;overflow:visible}body{display:block}main{display:block;overflow:visible;max-width:80rem;margin:0 auto}svg{width:100%;height:auto;display:block;margin:1rem 0}\
    svg rect{fill:var(--raised);stroke:var(--line)}svg a:hover rect{stroke:var(--accent)}svg a:focus{outline:none}svg a:focus rect{stroke:var(--accent);stroke-width:3}\
    svg text{fill:var(--text);font:12px var(--sans)}svg .edge{fill:none;stroke:var(--removed);stroke-width:1.5}svg .set{stroke:var(--added)}svg .clean{stroke:var(--accent);stroke-dasharray:4 4;stroke-width:1}\
    svg .place{font:11px var(--mono);fill:var(--muted);paint-order:stroke;stroke:var(--bg);stroke-width:4px}svg .column{font-weight:600}\
    .matrix{overflow:auto;max-height:80vh}.matrix th[scope=row]{position:sticky;left:0;background:var(--bg);white-space:nowrap}\
    .matrix thead th{position:sticky;top:0;background:var(--bg);z-index:1}.matrix td{text-align:center}.matrix td a{display:block;text-decoration:none}\
    .p{color:var(--removed)}.s{color:var(--added)}a{color:var(--accent)}";

/// Moves between the cells of the matrix by arrow keys.
const SCRIPT: &str = "document.addEventListener('keydown',e=>{const c=document.activeElement&&document.activeElement.closest('.matrix td, .matrix th');\
    if(!c)return;const d={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}[e.key];if(!d)return;\
    let r=c.parentElement,i=c.cellIndex;for(;;){if(d[0]){const t=c.closest('table');const n=t.rows[r.rowIndex+d[0]];if(!n)return;r=n}else i+=d[1];\
    const t=r.cells[i];if(!t)return;const a=t.querySelector('a');if(a){a.focus();e.preventDefault();return}}});";

/// One thing that decides the outcome of a test.
struct Edge<'d> {
    test: usize,
    /// The number among the test's causes.
    cause: usize,
    source: usize,
    state: &'d [SearchPlace],
    cleaners: Vec<usize>,
}

/// Everything that the graph and the matrix show.
struct Net<'d> {
    tests: Vec<&'d OdTest>,
    sources: Vec<String>,
    cleaners: Vec<String>,
    edges: Vec<Edge<'d>>,
}

impl<'d> Net<'d> {
    fn new(document: &'d OdDocument) -> Net<'d> {
        let mut net = Net {
            tests: document.tests.iter().filter(|t| t.verdict.is_od()).collect(),
            sources: Vec::new(),
            cleaners: Vec::new(),
            edges: Vec::new(),
        };
        let (mut sources, mut cleaners) = (BTreeMap::new(), BTreeMap::new());
        for (test, of) in net.tests.iter().enumerate() {
            let polluters = of.polluters.iter().map(|p| (&p.tests, &p.state, &p.cleaners[..]));
            let setters = of.state_setters.iter().map(|s| (&s.tests, &s.state, &[][..]));
            for (cause, (tests, state, by)) in polluters.chain(setters).enumerate() {
                let source = number(&mut net.sources, &mut sources, tests.join(" + "));
                let by = by
                    .iter()
                    .map(|c| number(&mut net.cleaners, &mut cleaners, c.join(" + ")));
                let cleaners = by.collect();
                net.edges.push(Edge {
                    test,
                    cause,
                    source,
                    state,
                    cleaners,
                });
            }
        }
        net
    }

    fn is_small(&self) -> bool {
        self.tests.len() + self.sources.len() + self.cleaners.len() <= DRAWN
    }
}

fn number(list: &mut Vec<String>, known: &mut BTreeMap<String, usize>, name: String) -> usize {
    *known.entry(name.clone()).or_insert_with(|| {
        list.push(name);
        list.len() - 1
    })
}

/// The whole page.
pub fn page(document: &OdDocument) -> String {
    let suite = escaped(&document.head.suite);
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'\">\n");
    let _ = writeln!(out, "<title>Order-dependent tests of {suite}</title>");
    let _ = writeln!(
        out,
        "<style>\n{STYLE}\n{MORE}\n{STYLE_OF_OD}\n</style>\n</head>\n<body>\n<main>\n<h1>Order-dependent tests of {suite}</h1>"
    );
    head(&mut out, document);
    let net = Net::new(document);
    if !net.tests.is_empty() {
        if net.is_small() {
            graph(&mut out, &net);
        } else {
            matrix(&mut out, &net);
        }
    }
    for (number, test) in net.tests.iter().enumerate() {
        article(&mut out, number, test);
    }
    others(&mut out, document);
    certificate(&mut out, document);
    let _ = writeln!(out, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>");
    out
}

fn head(out: &mut String, document: &OdDocument) {
    let sums = &document.summary;
    let _ = writeln!(
        out,
        "<p>{} of {} tests are order-dependent: {} victims, {} brittles. {} independent, {} failing in every order, {} NOD.</p>",
        sums.victims + sums.brittles,
        sums.tests,
        sums.victims,
        sums.brittles,
        sums.independent,
        sums.failing,
        sums.nod
    );
    let _ = writeln!(
        out,
        "<p>poldet {}, JDK {}, seed {}</p>",
        escaped(&document.head.poldet),
        escaped(&document.head.jdk),
        document.head.seed
    );
    if document.head.interrupted {
        out.push_str("<p>Interrupted.</p>\n");
    }
    if !document.without_verdict.is_empty() {
        out.push_str("<p>Without a verdict:</p>\n<ul>\n");
        for test in &document.without_verdict {
            let _ = writeln!(out, "<li>{}</li>", escaped(&test.test));
        }
        out.push_str("</ul>\n");
    }
    if !document.not_run.is_empty() {
        let left: Vec<String> = document
            .not_run
            .iter()
            .map(|(what, n)| format!("{n} {what}"))
            .collect();
        let _ = writeln!(out, "<p>Not run: {}.</p>", escaped(&left.join(", ")));
    }
}

/// `Class#method` without the package, cut at its beginning.
fn short(name: &str) -> String {
    let parts: Vec<&str> = name
        .split(" + ")
        .map(|part| {
            let head = part.split('#').next().unwrap_or(part);
            let from = head.rfind('.').map_or(0, |at| at + 1);
            &part[from..]
        })
        .collect();
    let text = parts.join(" + ");
    let count = text.chars().count();
    match count > LETTERS {
        true => format!("…{}", text.chars().skip(count - LETTERS + 1).collect::<String>()),
        false => text,
    }
}

fn place_text(state: &[SearchPlace]) -> String {
    let first = state.first().map(|p| {
        let root = match p.root.strip_prefix("file:") {
            Some(file) => file.to_owned(),
            None => {
                let mut parts = p.root.rsplit('.');
                let (field, class) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                format!("{class}.{field}")
            }
        };
        format!("{root}{}", p.path)
    });
    let text = match (first, state.len()) {
        (None, _) => String::new(),
        (Some(text), 1) => text,
        (Some(text), n) => format!("{text} and {} more", n - 1),
    };
    match text.chars().count() > LETTERS {
        true => text.chars().take(LETTERS - 1).chain(['…']).collect(),
        false => text,
    }
}

fn y(row: usize, rows: usize, most: usize) -> i32 {
    let step = BOX.1 + GAP;
    let free = (most - rows) as i32 * step / 2;
    40 + free + row as i32 * step
}

fn graph(out: &mut String, net: &Net<'_>) {
    let columns = [net.sources.len(), net.cleaners.len(), net.tests.len()];
    let most = columns.into_iter().max().unwrap_or(1);
    let last = if net.cleaners.is_empty() {
        COLUMNS[2]
    } else {
        COLUMNS[1]
    };
    let (width, height) = (last + BOX.0 + 8, 48 + most as i32 * (BOX.1 + GAP));
    let at = |column: usize, row: usize| (COLUMNS[column], y(row, columns[column], most));
    let _ = writeln!(
        out,
        "<h2>Graph</h2>\n<svg viewBox=\"0 0 {width} {height}\" role=\"group\" aria-label=\"Polluters, cleaners and victims\">"
    );
    for (column, title) in ["Polluters and state-setters", "Cleaners", "Victims and brittles"]
        .iter()
        .enumerate()
    {
        if columns[column] > 0 {
            let _ = writeln!(
                out,
                "<text class=\"column\" x=\"{}\" y=\"18\">{title}</text>",
                COLUMNS[column]
            );
        }
    }
    let mut labels = String::new();
    let mut of_source = vec![0; net.sources.len()];
    for edge in &net.edges {
        let ((x1, y1), (x2, y2)) = (at(0, edge.source), at(2, edge.test));
        let (x1, y1, y2) = (x1 + BOX.0, y1 + BOX.1 / 2, y2 + BOX.1 / 2);
        let class = match net.tests[edge.test].verdict {
            OdVerdict::Brittle => "edge set",
            _ => "edge",
        };
        let (mid1, mid2) = (x1 + 120, x2 - 120);
        let _ = writeln!(
            out,
            "<path class=\"{class}\" d=\"M{x1} {y1} C{mid1} {y1} {mid2} {y2} {x2} {y2}\"/>"
        );
        // Labels of edges from one node stand at different points of their curves.
        let t = [0.5, 0.62, 0.74][of_source[edge.source] % 3];
        of_source[edge.source] += 1;
        let along = |a: i32, b: i32, c: i32, d: i32| {
            let s = 1.0 - t;
            let (a, b, c, d) = (f64::from(a), f64::from(b), f64::from(c), f64::from(d));
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        let (x, y) = (along(x1, mid1, mid2, x2), along(y1, y1, y2, y2));
        let text = place_text(edge.state);
        if !text.is_empty() {
            let _ = writeln!(
                labels,
                "<text class=\"place\" text-anchor=\"middle\" x=\"{x:.0}\" y=\"{:.0}\">{}</text>",
                y - 3.0,
                escaped(&text)
            );
        }
        for cleaner in &edge.cleaners {
            let (cx, cy) = at(1, *cleaner);
            let (from, cy) = (x2 + BOX.0, cy + BOX.1 / 2);
            let middle = (from + cx) / 2;
            let _ = writeln!(
                out,
                "<path class=\"edge clean\" d=\"M{cx} {cy} C{middle} {cy} {middle} {y2} {from} {y2}\"/>"
            );
        }
    }
    out.push_str(&labels);
    for (row, source) in net.sources.iter().enumerate() {
        let first = net.edges.iter().find(|e| e.source == row);
        let target = first.map_or_else(String::new, |e| format!("t{}-{}", e.test, e.cause));
        node(out, at(0, row), source, &target);
    }
    for (row, cleaner) in net.cleaners.iter().enumerate() {
        let first = net.edges.iter().find(|e| e.cleaners.contains(&row));
        let target = first.map_or_else(String::new, |e| format!("t{}-{}", e.test, e.cause));
        node(out, at(1, row), cleaner, &target);
    }
    for (row, test) in net.tests.iter().enumerate() {
        node(out, at(2, row), &test.name(), &format!("t{row}"));
    }
    out.push_str("</svg>\n<p>Red: fails after; green: passes after; dashed: run between, makes it pass. On the edges: the state that matters.</p>\n");
}

fn node(out: &mut String, (x, y): (i32, i32), name: &str, target: &str) {
    let _ = writeln!(
        out,
        "<a href=\"#{target}\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"4\"/><text x=\"{}\" y=\"{}\">{}</text></a>",
        escaped(name),
        BOX.0,
        BOX.1,
        x + 8,
        y + 17,
        escaped(&short(name))
    );
}

/// Tests against what decides their outcome; a cell leads to the details.
fn matrix(out: &mut String, net: &Net<'_>) {
    out.push_str("<h2>Matrix</h2>\n<p>P: fails after the test of the column (a number says how many tests clean); S: passes after it. Arrow keys move, Enter opens.</p>\n");
    out.push_str("<div class=\"matrix\" tabindex=\"0\" role=\"region\" aria-label=\"Matrix\">\n<table>\n<thead>\n<tr><th></th>");
    for (i, source) in net.sources.iter().enumerate() {
        let _ = write!(
            out,
            "<th scope=\"col\" title=\"{}\"><abbr>{}</abbr></th>",
            attribute(source),
            i + 1
        );
    }
    out.push_str("</tr>\n</thead>\n<tbody>\n");
    let mut cells: BTreeMap<(usize, usize), &Edge<'_>> = BTreeMap::new();
    for edge in &net.edges {
        cells.insert((edge.test, edge.source), edge);
    }
    for (row, test) in net.tests.iter().enumerate() {
        let own = test.name();
        let _ = write!(
            out,
            "<tr><th scope=\"row\"><a href=\"#t{row}\" title=\"{}\">{}</a></th>",
            attribute(&own),
            escaped(&short(&own))
        );
        for column in 0..net.sources.len() {
            let Some(edge) = cells.get(&(row, column)) else {
                out.push_str("<td></td>");
                continue;
            };
            let (letter, class) = match test.verdict {
                OdVerdict::Brittle => ("S", "s"),
                _ => ("P", "p"),
            };
            let cleaners = match edge.cleaners.len() {
                0 => String::new(),
                n => n.to_string(),
            };
            let title = format!(
                "{} after {}: {}",
                own,
                net.sources[column],
                place_text(edge.state)
            );
            let _ = write!(
                out,
                "<td><a class=\"{class}\" href=\"#t{row}-{}\" title=\"{}\">{letter}{cleaners}</a></td>",
                edge.cause,
                attribute(&title)
            );
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n<details><summary>Columns</summary>\n<ol>\n");
    for source in &net.sources {
        let _ = writeln!(out, "<li><code>{}</code></li>", escaped(source));
    }
    out.push_str("</ol>\n</details>\n");
}

/// Text of an attribute.
fn attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}

fn article(out: &mut String, number: usize, test: &OdTest) {
    let _ = writeln!(
        out,
        "<article id=\"t{number}\" tabindex=\"-1\">\n<h2>{}</h2>\n<p>{}</p>",
        escaped(&test.name()),
        test.verdict.text()
    );
    let failed = test.message.as_deref().filter(|m| !m.is_empty());
    if let Some(message) = failed.or(test.stack.first().map(String::as_str)) {
        let _ = writeln!(
            out,
            "<p><code>{}</code></p>\n<details><summary>stack trace</summary><pre>{}</pre></details>",
            escaped(message),
            escaped(&test.stack.join("\n"))
        );
    }
    let mut cause = 0;
    out.push_str("<dl>\n");
    for polluter in &test.polluters {
        let who = polluter.tests.join(", ");
        let _ = writeln!(
            out,
            "<dt id=\"t{number}-{cause}\" tabindex=\"-1\">passes alone, fails after <code>{}</code></dt>",
            escaped(&who)
        );
        places(out, &polluter.state);
        if !polluter.cleaners.is_empty() {
            let names: Vec<String> = polluter
                .cleaners
                .iter()
                .map(|c| format!("<code>{}</code>", escaped(&c.join(", "))))
                .collect();
            let _ = writeln!(out, "<dd>cleaned by {}</dd>", names.join(", "));
        }
        cause += 1;
    }
    for setter in &test.state_setters {
        let _ = writeln!(
            out,
            "<dt id=\"t{number}-{cause}\" tabindex=\"-1\">fails alone, passes after <code>{}</code></dt>",
            escaped(&setter.tests.join(", "))
        );
        places(out, &setter.state);
        cause += 1;
    }
    let _ = writeln!(
        out,
        "<dt>Reproduce</dt><dd><code>{}</code></dd>\n</dl>\n</article>",
        escaped(&test.reproduce)
    );
}

fn places(out: &mut String, state: &[SearchPlace]) {
    for place in state {
        let mut lines = format!("{}{}: {} → {}", place.root, place.path, place.before, place.after);
        if let Some(frame) = user_frame(&place.written_at) {
            let _ = write!(lines, "\n    written at {}", frame_text(frame));
        }
        if let Some(frame) = read_at(&place.read_at) {
            let _ = write!(lines, "\n    read at {}", frame_text(frame));
        }
        let _ = writeln!(out, "<dd><pre>{}</pre></dd>", escaped(&lines));
    }
}

/// Tests whose outcome is the same in every order but is no pass, and those that depend on the seed.
fn others(out: &mut String, document: &OdDocument) {
    let quiet = |v: OdVerdict| v.is_od() || matches!(v, OdVerdict::Independent | OdVerdict::Skipped);
    let tests: Vec<&OdTest> = document.tests.iter().filter(|t| !quiet(t.verdict)).collect();
    if tests.is_empty() {
        return;
    }
    out.push_str("<h2>Other verdicts</h2>\n<table>\n<tr><th>test</th><th>verdict</th><th></th></tr>\n");
    for test in tests {
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
            escaped(&test.name()),
            test.verdict.text(),
            escaped(test.message.as_deref().unwrap_or_default())
        );
    }
    out.push_str("</table>\n");
}

fn certificate(out: &mut String, document: &OdDocument) {
    let certificate = &document.certificate;
    if certificate.pairs_possible == 0 && certificate.proved_tests == 0 {
        return;
    }
    let _ = writeln!(
        out,
        "<h2>Certificate</h2>\n<p>{} tests have provably one outcome in every order. Of {} pairs, {} cannot interfere; {} runs of pairs decided the others, of which {} are like one that ran.</p>\n<ul>",
        certificate.proved_tests,
        certificate.pairs_possible,
        certificate.pairs_excluded,
        certificate.pairs_run,
        certificate.pairs_alike
    );
    for assumption in &certificate.assumptions {
        let _ = writeln!(
            out,
            "<li>{} ({} tests)</li>",
            escaped(&assumption.what),
            assumption.count
        );
    }
    out.push_str("</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_what_tells_them_apart() {
        assert_eq!(short("a.b.CTest#m[2]"), "CTest#m[2]");
        assert_eq!(short("a.B#x + c.D#y"), "B#x + D#y");
        let long = format!("a.B#{}", "m".repeat(80));
        assert_eq!(short(&long).chars().count(), LETTERS);
        assert_eq!(
            place_text(&[SearchPlace::of_root("a.b.Config.mode".into())]),
            "Config.mode"
        );
        assert_eq!(
            place_text(&[SearchPlace::of_root("file:/tmp/x".into())]),
            "/tmp/x"
        );
    }
}
