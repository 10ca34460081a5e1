//! One JSON document; its form is in docs/json.md.

use crate::run::results::{Record, Results, Summary};
use poldet_junit_shim::event::Printed;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    poldet: &'static str,
    suite: &'a str,
    jdk: &'a str,
    seed: u64,
    junit: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    tests: Vec<Test<'a>>,
    class_output: Vec<ClassOutput<'a>>,
    summary: Summary,
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
}

impl<'a> Test<'a> {
    fn new(record: &'a Record) -> Test<'a> {
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
        }
    }
}

/// The document, with a newline at its end.
pub fn document(results: &Results) -> String {
    let document = Document {
        schema: 1,
        poldet: env!("CARGO_PKG_VERSION"),
        suite: &results.suite,
        jdk: &results.jdk,
        seed: results.seed,
        junit: results.junit,
        interrupted: results.interrupted,
        tests: results.records.iter().map(Test::new).collect(),
        class_output: results.class_output.iter().map(ClassOutput::new).collect(),
        summary: results.summary(),
    };
    // Strings and numbers only: this cannot fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}
