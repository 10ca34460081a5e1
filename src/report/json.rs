//! One JSON document; its form is in docs/json.md.

use crate::run::results::{Record, Results, Summary};
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
    summary: Summary,
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
        summary: results.summary(),
    };
    // Strings and numbers only: this cannot fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}
