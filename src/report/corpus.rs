//! A corpus of suites: one page and one table over all of them.

use crate::report::html::page::STYLE;
use crate::report::nio_page::{MORE, escaped};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a job found. Numbers that its command does not give are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub project: String,
    pub suite: String,
    pub command: String,
    pub exit: i32,
    pub tests: Option<u64>,
    pub failing: Option<u64>,
    pub polluters: Option<u64>,
    pub nio: Option<u64>,
    pub victims: Option<u64>,
    pub brittles: Option<u64>,
    pub nod: Option<u64>,
    pub od_mutants: Option<u64>,
    pub undecided: Option<u64>,
    /// One line about a suite that could not be run.
    pub problem: String,
    /// Files with more: what they are, and where.
    pub links: Vec<(String, String)>,
}

const COLUMNS: [&str; 14] = [
    "project",
    "suite",
    "command",
    "exit",
    "tests",
    "failing",
    "polluters",
    "nio",
    "victims",
    "brittles",
    "nod",
    "od_mutants",
    "undecided",
    "problem",
];

impl Row {
    /// From the document of a command.
    pub fn of(suite: &str, command: &str, exit: i32, document: &Value) -> Row {
        let summary = &document["summary"];
        let number = |key: &str| summary[key].as_u64();
        let sum = |keys: &[&str]| {
            let found: Vec<u64> = keys.iter().filter_map(|k| number(k)).collect();
            (!found.is_empty()).then(|| found.iter().sum())
        };
        let of_mutants = |key: &str| document["metrics"][key].as_u64();
        Row {
            project: suite.into(),
            suite: suite.into(),
            command: command.into(),
            exit,
            tests: number("tests").or_else(|| of_mutants("stable_tests")),
            failing: sum(&["failed", "error", "failing", "fails_alone"]),
            // od counts those of victims, which are among them.
            polluters: number("polluters").filter(|_| command == "run"),
            nio: number("nio"),
            victims: number("victims").or_else(|| of_mutants("victims")),
            brittles: number("brittles").or_else(|| of_mutants("brittles")),
            nod: number("nod").or_else(|| number("nondeterministic")),
            od_mutants: of_mutants("od_mutants"),
            undecided: sum(&["unsupported", "timed_out", "crashed"]),
            problem: String::new(),
            links: Vec::new(),
        }
    }

    fn numbers(&self) -> [Option<u64>; 9] {
        [
            self.tests,
            self.failing,
            self.polluters,
            self.nio,
            self.victims,
            self.brittles,
            self.nod,
            self.od_mutants,
            self.undecided,
        ]
    }

    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.project.clone(), self.suite.clone()];
        cells.extend([self.command.clone(), self.exit.to_string()]);
        let text = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
        cells.extend(self.numbers().map(text));
        cells.push(self.problem.clone());
        cells
    }
}

/// One row a job.
pub fn csv(rows: &[Row]) -> String {
    let mut out = COLUMNS.join(",");
    out.push('\n');
    for row in rows {
        let cells: Vec<String> = row.cells().iter().map(|c| quoted(c)).collect();
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// Sums of what commands gave: a number that none of them gives is not there.
fn sums<'r>(rows: impl IntoIterator<Item = &'r Row>) -> [Option<u64>; 9] {
    let mut sums = [None; 9];
    for row in rows {
        for (sum, number) in sums.iter_mut().zip(row.numbers()) {
            if let Some(number) = number {
                *sum = Some(sum.unwrap_or(0) + number);
            }
        }
    }
    sums
}

/// The sums, and what has no result.
pub fn text(rows: &[Row], missing: &[String]) -> String {
    const SHOWN: usize = 20;
    let [_, _, polluters, nio, victims, brittles, nod, mutants, _] = sums(rows);
    let counted: Vec<String> = [
        (polluters, "polluters"),
        (nio, "NIO tests"),
        (victims, "victims"),
        (brittles, "brittles"),
        (nod, "NOD tests"),
        (mutants, "order-dependent mutants"),
    ]
    .iter()
    .filter_map(|(number, what)| number.map(|n| format!("{n} {what}")))
    .collect();
    let colon = if counted.is_empty() { "" } else { ": " };
    let mut out = format!("{} results{colon}{}\n", rows.len(), counted.join(", "));
    if !missing.is_empty() {
        out.push_str(&format!("{} without a result:\n", missing.len()));
        for line in missing.iter().take(SHOWN) {
            out.push_str(&format!("  {line}\n"));
        }
        if missing.len() > SHOWN {
            out.push_str(&format!("  and {} more\n", missing.len() - SHOWN));
        }
    }
    out
}

/// The page: no script, nothing but a browser needed.
pub fn page(poldet: &str, rows: &[Row], missing: &[String]) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n");
    out.push_str(&format!(
        "<title>Corpus</title>\n<style>\n{STYLE}\n{MORE}\n</style>\n</head>\n<body>\n<main>\n"
    ));
    out.push_str(&format!(
        "<h1>Corpus</h1>\n<p>{}</p>\n<p>poldet {}</p>\n",
        escaped(text(rows, &[]).trim_end()),
        escaped(poldet)
    ));
    out.push_str(&by_project(rows));
    out.push_str("<table>\n<thead><tr>");
    for name in COLUMNS {
        out.push_str(&format!("<th>{}</th>", name.replace('_', " ")));
    }
    out.push_str("<th>more</th></tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row.cells() {
            out.push_str(&format!("<td>{}</td>", escaped(&cell)));
        }
        out.push_str("<td>");
        for (what, file) in &row.links {
            out.push_str(&format!("<a href=\"{}\">{what}</a> ", escaped(file)));
        }
        out.push_str("</td></tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
    if !missing.is_empty() {
        out.push_str(&format!("<h2>{} without a result</h2>\n<ul>\n", missing.len()));
        for line in missing {
            out.push_str(&format!("<li>{}</li>\n", escaped(line)));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// The sums of each project, where one has several suites. Tests are not among them: every command counts the same ones.
fn by_project(rows: &[Row]) -> String {
    let mut projects: Vec<(&str, Vec<&Row>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let at = *places.entry(&row.project).or_insert(projects.len());
        if at == projects.len() {
            projects.push((&row.project, Vec::new()));
        }
        projects[at].1.push(row);
    }
    let suites = |rows: &[&Row]| {
        let suites: BTreeSet<&str> = rows.iter().map(|r| r.suite.as_str()).collect();
        suites.len()
    };
    if !projects.iter().any(|(_, rows)| suites(rows) > 1) {
        return String::new();
    }
    let mut out = String::from("<h2>Projects</h2>\n<table>\n<thead><tr>");
    for name in [
        "project",
        "suites",
        "polluters",
        "nio",
        "victims",
        "brittles",
        "nod",
        "od mutants",
    ] {
        out.push_str(&format!("<th>{name}</th>"));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (name, rows) in &projects {
        let [_, _, polluters, nio, victims, brittles, nod, mutants, _] = sums(rows.iter().copied());
        out.push_str(&format!(
            "<tr><td>{}</td><td>{}</td>",
            escaped(name),
            suites(rows)
        ));
        for number in [polluters, nio, victims, brittles, nod, mutants] {
            let text = number.map_or_else(String::new, |n| n.to_string());
            out.push_str(&format!("<td>{text}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n<h2>Suites</h2>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_commands() {
        let run = serde_json::json!({"summary": {"tests": 5, "failed": 1, "error": 1, "polluters": 2, "crashed": 0}});
        let od = serde_json::json!({"summary": {"tests": 5, "victims": 3, "brittles": 0, "nod": 1}});
        let mut rows = [Row::of("a,b", "run", 0, &run), Row::of("c<d", "od", 4, &od)];
        let csv = csv(&rows);
        assert!(csv.contains("\"a,b\",\"a,b\",run,0,5,2,2,,,,,,0,\n"), "{csv}");
        assert!(csv.contains("c<d,c<d,od,4,5,,,,3,0,1,,,\n"), "{csv}");
        let page = page("0", &rows, &["run x: it has not run".into()]);
        assert!(
            page.contains("c&lt;d") && page.contains("1 without a result"),
            "{page}"
        );
        assert!(!page.contains("Projects"), "{page}");
        rows.iter_mut().for_each(|r| r.project = "one".into());
        let grouped = super::page("0", &rows, &[]);
        assert!(
            grouped.contains("<tr><td>one</td><td>2</td><td>2</td><td></td><td>3</td>"),
            "{grouped}"
        );
        let text = text(&rows, &["run x: it has not run".into()]);
        assert!(
            text.starts_with("2 results: 2 polluters, 3 victims, 0 brittles, 1 NOD tests"),
            "{text}"
        );
    }
}
