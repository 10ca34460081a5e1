//! The page itself: a template with the document of a run embedded as JSON. Nothing in here knows where the findings
//! come from.

use crate::report::is_machinery;
use crate::report::pollution::threads_text;
use crate::report::source::{Excerpt, Sources};
use crate::report::victims;
use poldet_records::{FileFinding, Finding, Frame, Link, Pollution, Record, Resource, Rule, Sanitised};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("page.html");
pub const STYLE: &str = include_str!("page.css");
/// In the order they build upon each other.
const SCRIPTS: [&str; 6] = [
    include_str!("model.js"),
    include_str!("table.js"),
    include_str!("graph.js"),
    include_str!("detail.js"),
    include_str!("matrix.js"),
    include_str!("page.js"),
];

/// What is said of the run as a whole.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Head<'a> {
    pub poldet: &'a str,
    pub suite: &'a str,
    pub jdk: &'a str,
    /// As text: JavaScript's numbers end at 53 bits.
    pub seed: String,
    pub junit: &'a str,
    /// What repeats the run, for a shell; empty when that is not known.
    pub command: String,
    pub interrupted: bool,
    pub internal: Option<&'a str>,
    pub faults: &'a [String],
    /// Internal findings count too.
    pub strict: bool,
    /// Whether the shared state was compared.
    pub captured: bool,
}

/// The document of the page, in the form its scripts read.
#[derive(Serialize)]
pub struct Page<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    polluters: usize,
    rules: Vec<RuleCount<'a>>,
    frames: Vec<(&'a str, &'a str, Option<&'a str>, Option<u32>)>,
    /// Lines of source around the frames that matter, where sources are at hand, by the frame.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    excerpts: BTreeMap<usize, Excerpt>,
    /// Stacks as indices of frames; many findings share one.
    stacks: Vec<Vec<usize>>,
    tests: Vec<Test<'a>>,
    /// Stack traces of tests that did not pass; many of them are alike.
    traces: Vec<String>,
    findings: Vec<Row>,
    files: Vec<Row>,
    fixtures: Vec<Fixture<'a>>,
    fixture_findings: Vec<Row>,
    fixture_files: Vec<Row>,
    /// Failures that were put down to an assumption.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sanitised: Vec<SanitisedRow>,
    #[serde(skip_serializing_if = "<[Resource]>::is_empty")]
    resources: &'a [Resource],
    #[serde(skip)]
    sources: Sources,
    #[serde(skip)]
    trace_index: BTreeMap<String, usize>,
    #[serde(skip)]
    frame_index: BTreeMap<&'a Frame, usize>,
    #[serde(skip)]
    stack_index: BTreeMap<Vec<usize>, usize>,
}

#[derive(Serialize)]
struct RuleCount<'a> {
    id: &'a str,
    pattern: &'a str,
    reason: &'a str,
    /// Changed roots it hid.
    tests: u32,
    fixtures: u32,
}

#[derive(Serialize)]
struct Test<'a> {
    name: String,
    outcome: &'a str,
    polluter: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    /// Its stack trace, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<usize>,
    #[serde(skip_serializing_if = "str::is_empty")]
    out: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    err: &'a str,
    /// Tests that must run before it to show its findings again.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    after: &'a [String],
    /// The threads that it left running.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    threads: Vec<String>,
    /// The outcome when it ran alone, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    alone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a Link>,
    /// What it reads that others change, and what else it depends on.
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<Access>,
}

#[derive(Serialize)]
struct Access {
    reads: Vec<String>,
    written: Vec<String>,
    first_use: Vec<String>,
    uses: Vec<&'static str>,
}

#[derive(Serialize)]
struct SanitisedRow {
    name: String,
    reason: String,
    stack: usize,
}

#[derive(Serialize)]
struct Fixture<'a> {
    name: &'a str,
    /// Whether it left anything behind in the end.
    polluter: bool,
}

/// A finding as the document has it, but with the indices of its test or fixture (`by`) and of its stack.
type Row = Map<String, Value>;

impl<'a> Page<'a> {
    pub fn new(head: Head<'a>, rules: &'a [Rule]) -> Page<'a> {
        let count = |rule: &'a Rule| RuleCount {
            id: &rule.id,
            pattern: &rule.pattern,
            reason: &rule.reason,
            tests: 0,
            fixtures: 0,
        };
        Page {
            head,
            polluters: 0,
            rules: rules.iter().map(count).collect(),
            frames: Vec::new(),
            excerpts: BTreeMap::new(),
            sources: Sources::default(),
            stacks: Vec::new(),
            tests: Vec::new(),
            traces: Vec::new(),
            trace_index: BTreeMap::new(),
            findings: Vec::new(),
            files: Vec::new(),
            fixtures: Vec::new(),
            fixture_findings: Vec::new(),
            fixture_files: Vec::new(),
            sanitised: Vec::new(),
            resources: &[],
            frame_index: BTreeMap::new(),
            stack_index: BTreeMap::new(),
        }
    }

    /// From now on shows the source of what writes.
    pub fn with_sources(&mut self, sources: &Sources) {
        self.sources = sources.clone();
    }

    /// A test with all that is known of it.
    pub fn record(&mut self, record: &'a Record) {
        self.test(record.test.text(), record.outcome.text(), record.state.as_ref());
        let trace = record.stack.join("\n");
        let trace = (!trace.is_empty()).then(|| self.trace(trace));
        if let Some(test) = self.tests.last_mut() {
            test.message = record.message.as_deref();
            test.trace = trace;
            test.out = tail(&record.printed.out);
            test.err = tail(&record.printed.err);
            test.alone = record.alone.filter(|o| *o != record.outcome).map(|o| o.text());
            test.link = record.polluted_by.as_ref();
            test.access = record.access.as_ref().map(|access| Access {
                reads: victims::read_lines(access),
                written: access.written.iter().map(ToString::to_string).collect(),
                first_use: access.first_use.clone(),
                uses: victims::uses(access),
            });
        }
    }

    pub fn test(&mut self, name: String, outcome: &'a str, state: Option<&'a Pollution>) {
        let by = self.tests.len();
        let polluter = state.is_some_and(|s| s.polluter);
        self.tests.push(Test {
            name,
            outcome,
            polluter,
            message: None,
            trace: None,
            out: "",
            err: "",
            after: state.map_or(&[][..], |s| &s.after),
            threads: state.map_or_else(Vec::new, |s| s.threads.iter().map(threads_text).collect()),
            alone: None,
            link: None,
            access: None,
        });
        self.polluters += usize::from(polluter);
        let Some(state) = state else {
            return;
        };
        let (rows, files) = self.rows(by, state);
        self.findings.extend(rows);
        self.files.extend(files);
        for (rule, count) in &state.hidden {
            self.rule(rule).tests += count;
        }
    }

    fn trace(&mut self, text: String) -> usize {
        let next = self.traces.len();
        let index = *self.trace_index.entry(text.clone()).or_insert(next);
        if index == next {
            self.traces.push(text);
        }
        index
    }

    pub fn sanitised(&mut self, name: String, why: &'a Sanitised) {
        let stack = self.stack(&why.stack);
        self.sanitised.push(SanitisedRow {
            name,
            reason: why.reason(),
            stack,
        });
    }

    pub fn resources(&mut self, resources: &'a [Resource]) {
        self.resources = resources;
    }

    pub fn fixture(&mut self, class: &'a str, state: &'a Pollution) {
        let by = self.fixtures.len();
        self.fixtures.push(Fixture {
            name: class,
            polluter: state.polluter,
        });
        let (rows, files) = self.rows(by, state);
        self.fixture_findings.extend(rows);
        self.fixture_files.extend(files);
        for (rule, count) in &state.hidden {
            self.rule(rule).fixtures += count;
        }
    }

    fn rows(&mut self, by: usize, state: &'a Pollution) -> (Vec<Row>, Vec<Row>) {
        let findings = state.pollutions.iter();
        let findings = findings
            .map(|f: &Finding| self.row(by, f, &f.written_at))
            .collect();
        let files = state.files.iter().filter(|f| f.ignored_by.is_none());
        let files = files
            .map(|f: &FileFinding| self.row(by, f, &f.written_at))
            .collect();
        (findings, files)
    }

    fn row(&mut self, by: usize, finding: &impl Serialize, stack: &'a [Frame]) -> Row {
        // Strings and numbers only: this cannot fail.
        let mut row = match serde_json::to_value(finding) {
            Ok(Value::Object(row)) => row,
            _ => Row::new(),
        };
        row.remove("written_at");
        row.insert("by".into(), by.into());
        row.insert("stack".into(), self.stack(stack).into());
        row
    }

    fn stack(&mut self, frames: &'a [Frame]) -> usize {
        let mut stack = Vec::with_capacity(frames.len());
        for frame in frames {
            let next = self.frames.len();
            let index = *self.frame_index.entry(frame).or_insert(next);
            if index == next {
                let file = frame.file.as_deref();
                self.frames.push((&frame.class, &frame.method, file, frame.line));
            }
            stack.push(index);
        }
        if let Some(index) = self.stack_index.get(&stack) {
            return *index;
        }
        let own = frames.iter().position(|f| !is_machinery(&f.class));
        if let Some(own) = own
            && let Some(excerpt) = self.sources.around(&frames[own])
        {
            self.excerpts.insert(stack[own], excerpt);
        }
        self.stacks.push(stack.clone());
        self.stack_index.insert(stack, self.stacks.len() - 1);
        self.stacks.len() - 1
    }

    fn rule(&mut self, id: &'a str) -> &mut RuleCount<'a> {
        let at = self.rules.iter().position(|r| r.id == id);
        let at = at.unwrap_or_else(|| {
            self.rules.push(RuleCount {
                id,
                pattern: "",
                reason: "",
                tests: 0,
                fixtures: 0,
            });
            self.rules.len() - 1
        });
        &mut self.rules[at]
    }

    /// The whole page; `summary` has the number of tests by outcome.
    pub fn html(&self, summary: &impl Serialize) -> String {
        #[derive(Serialize)]
        struct Document<'p, 'a, S> {
            #[serde(flatten)]
            page: &'p Page<'a>,
            summary: &'p S,
        }
        // Strings and numbers only: this cannot fail.
        let json = serde_json::to_string(&Document { page: self, summary }).unwrap_or_default();
        fill(&escaped(&json))
    }
}

/// The end of what was printed: it says most.
fn tail(text: &str) -> &str {
    const MOST: usize = 4096;
    let mut from = text.len().saturating_sub(MOST);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// JSON as the text of a script element: nothing in it can end the element or open another. Outside of strings JSON has
/// none of these characters, and within them an escape means the same.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

fn fill(data: &str) -> String {
    let mut out = String::with_capacity(data.len() + 80_000);
    let mut rest = TEMPLATE;
    // One pass over the template, so that nothing looks for marks in what has been put in.
    while let Some((before, after)) = rest.split_once("{{") {
        let (mark, after) = after.split_once("}}").unwrap_or((after, ""));
        out.push_str(before);
        match mark {
            "css" => out.push_str(STYLE),
            "js" => SCRIPTS.iter().for_each(|s| out.push_str(s)),
            _ => out.push_str(data),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
