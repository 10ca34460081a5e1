//! One JSON document; its form is in docs/json.md.

use crate::run::results::{Record, Results, Summary};
use crate::run::spec::{Capture, Roots};
use poldet_junit_shim::event::Printed;
use poldet_serializer::finding::{FileFinding, Finding, Pollution};
use poldet_serializer::rules::Rule;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    poldet: &'static str,
    suite: &'a str,
    jdk: &'a str,
    seed: u64,
    junit: &'a str,
    command: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<Looked<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<&'a str>,
    tests: Vec<Test<'a>>,
    class_output: Vec<ClassOutput<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixtures: Option<Vec<Fixture<'a>>>,
    summary: Summary,
}

/// How the shared state was looked at.
#[derive(Serialize)]
struct Looked<'a> {
    strict: bool,
    roots: Roots,
    rules: &'a [Rule],
}

#[derive(Serialize)]
struct Fixture<'a> {
    class: Option<&'a str>,
    #[serde(flatten)]
    state: State<'a>,
}

/// What was done to the shared state.
#[derive(Serialize)]
struct State<'a> {
    polluter: bool,
    pollutions: &'a [Finding],
    files: &'a [FileFinding],
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden_by_rule: Option<&'a BTreeMap<String, u32>>,
}

impl<'a> State<'a> {
    fn new(state: Option<&'a Pollution>, capture: &Capture) -> State<'a> {
        State {
            polluter: state.is_some_and(|s| s.is_polluter(capture.strict)),
            pollutions: state.map_or(&[], |s| &s.pollutions),
            files: state.map_or(&[], |s| &s.files),
            hidden_by_rule: state.map(|s| &s.hidden).filter(|h| !h.is_empty()),
        }
    }
}

#[derive(Serialize)]
struct ClassOutput<'a> {
    class: Option<&'a str>,
    stdout: &'a str,
    stderr: &'a str,
}

impl<'a> ClassOutput<'a> {
    fn new((class, printed): &'a (String, Printed)) -> ClassOutput<'a> {
        ClassOutput {
            class: (!class.is_empty()).then_some(class),
            stdout: &printed.out,
            stderr: &printed.err,
        }
    }
}

#[derive(Serialize)]
struct Test<'a> {
    class: &'a str,
    method: Option<&'a str>,
    parameters: Option<&'a str>,
    invocation: Option<&'a str>,
    display: &'a str,
    id: &'a str,
    outcome: crate::run::results::Outcome,
    exception: Option<&'a str>,
    message: Option<&'a str>,
    stack: &'a [String],
    time_ms: f64,
    instructions: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    stdout: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    stderr: &'a str,
    /// Absent when the shared state was not looked at: nobody should read that as clean.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    state: Option<State<'a>>,
}

impl<'a> Test<'a> {
    fn new(record: &'a Record, capture: &Capture) -> Test<'a> {
        let test = &record.test;
        Test {
            class: &test.class,
            method: test.method.as_deref(),
            parameters: test.parameters.as_deref(),
            invocation: test.invocation.as_deref(),
            display: &test.display,
            id: &test.id,
            outcome: record.outcome,
            exception: record.exception.as_deref(),
            message: record.message.as_deref(),
            stack: &record.stack,
            // Whole microseconds are exact enough and short.
            time_ms: (record.cost.nanos / 1000) as f64 / 1000.0,
            instructions: record.cost.instructions,
            stdout: &record.printed.out,
            stderr: &record.printed.err,
            state: capture
                .enabled
                .then(|| State::new(record.state.as_ref(), capture)),
        }
    }
}

/// The document, with a newline at its end.
pub fn document(results: &Results) -> String {
    let capture = &results.capture;
    let document = Document {
        schema: 1,
        poldet: env!("CARGO_PKG_VERSION"),
        suite: &results.suite,
        jdk: &results.jdk,
        seed: results.seed,
        junit: results.junit,
        command: &results.command,
        capture: capture.enabled.then_some(Looked {
            strict: capture.strict,
            roots: capture.roots,
            rules: &capture.rules,
        }),
        interrupted: results.interrupted,
        faults: results.all_faults(),
        tests: results.records.iter().map(|r| Test::new(r, capture)).collect(),
        class_output: results.class_output.iter().map(ClassOutput::new).collect(),
        fixtures: capture.enabled.then(|| fixtures(results)),
        summary: results.summary(),
    };
    // Strings and numbers only: this cannot fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn fixtures(results: &Results) -> Vec<Fixture<'_>> {
    let all = results.fixtures.iter().filter(|(_, state)| !state.is_empty());
    all.map(|(class, state)| Fixture {
        class: (!class.is_empty()).then_some(class),
        state: State::new(Some(state), &results.capture),
    })
    .collect()
}
