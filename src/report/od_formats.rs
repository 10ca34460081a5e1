//! What `poldet od` found, in the forms of other tools: SARIF 2.1.0, Surefire's XML with `flakyFailure`, and the text of a pull
//! request to the IDoFT data set.

use crate::report::junit_xml::{SCHEMA, cdata, escape};
use crate::report::nio::{cell, read_at};
use crate::report::pollution::{frame_text, user_frame};
use crate::report::sarif::{location, whole_log};
use crate::report::source::Sources;
use poldet_records::{OdDocument, OdTest, OdVerdict, SearchPlace};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Rule ids of SARIF with what they mean.
const RULES: [(&str, &str); 3] = [
    ("victim", "A test passes alone and fails after another."),
    ("brittle", "A test fails alone and passes after another."),
    ("nod", "The outcome of a test depends on the seed."),
];

/// The SARIF log: one result for each test and cause, at the line that reads the state, with the line that wrote it.
pub fn sarif(document: &OdDocument, sources: &Sources) -> Value {
    let mut results = Vec::new();
    for test in &document.tests {
        match test.verdict {
            OdVerdict::Victim => {
                for polluter in &test.polluters {
                    let what = format!("passes alone and fails after {}", polluter.tests.join(", "));
                    results.push(result(
                        test,
                        "victim",
                        &what,
                        &polluter.tests,
                        &polluter.state,
                        sources,
                    ));
                }
            }
            OdVerdict::Brittle => {
                for setter in &test.state_setters {
                    let what = format!("fails alone and passes after {}", setter.tests.join(", "));
                    results.push(result(
                        test,
                        "brittle",
                        &what,
                        &setter.tests,
                        &setter.state,
                        sources,
                    ));
                }
            }
            OdVerdict::Nod => {
                let what = "has another outcome with another seed";
                results.push(result(test, "nod", what, &[], &[], sources));
            }
            _ => {}
        }
    }
    whole_log(&document.head.poldet, &RULES, results)
}

fn result(
    test: &OdTest,
    rule: &str,
    what: &str,
    others: &[String],
    state: &[SearchPlace],
    sources: &Sources,
) -> Value {
    let mut hasher = blake3::Hasher::new();
    hasher.update(test.name().as_bytes());
    for other in others {
        hasher.update(&[0]).update(other.as_bytes());
    }
    let roots: Vec<String> = state.iter().map(|p| format!("{}{}", p.root, p.path)).collect();
    let because = match roots.is_empty() {
        true => String::new(),
        false => format!(" (it reads {})", roots.join(", ")),
    };
    let mut result = json!({
        "ruleId": rule,
        "level": "warning",
        "message": { "text": format!("{} {what}{because}. Reproduce: {}", test.name(), test.reproduce) },
        "partialFingerprints": { "poldetTests/v1": hasher.finalize().to_hex()[..32].to_owned() },
    });
    let reads: Vec<Value> = state
        .iter()
        .filter_map(|p| read_at(&p.read_at))
        .map(|f| location(f, sources))
        .collect();
    let writes: Vec<Value> = state
        .iter()
        .filter_map(|p| user_frame(&p.written_at))
        .map(|f| location(f, sources))
        .collect();
    let own = match reads.first().or(writes.first()) {
        Some(first) => vec![first.clone()],
        None => vec![json!({
            "logicalLocations": [{ "fullyQualifiedName": test.name(), "kind": "function" }],
        })],
    };
    result["locations"] = Value::Array(own);
    if !writes.is_empty() {
        let flow: Vec<Value> = writes
            .iter()
            .chain(&reads)
            .map(|l| json!({ "location": l }))
            .collect();
        result["relatedLocations"] = Value::Array(writes);
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow }] }]);
    }
    result
}

/// `TEST-*.xml`, one file for each class. A test that passed in one order and failed in another has passed, with a
/// `flakyFailure` or `flakyError` that says how it failed.
pub fn xml(dir: &Path, document: &OdDocument) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let mut classes: BTreeMap<&str, Vec<&OdTest>> = BTreeMap::new();
    for test in &document.tests {
        classes.entry(&test.class).or_default().push(test);
    }
    for (class, tests) in classes {
        let file = class.replace(['/', '\\'], "_");
        std::fs::write(dir.join(format!("TEST-{file}.xml")), suite(class, &tests))?;
    }
    Ok(())
}

fn suite(class: &str, tests: &[&OdTest]) -> String {
    let count = |tags: &[&str]| tests.iter().filter(|t| tags.contains(&tag(t))).count();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuite {SCHEMA} name=\"{}\" time=\"0.000\" tests=\"{}\" errors=\"{}\" skipped=\"{}\" failures=\"{}\" flakes=\"{}\">",
        escape(class),
        tests.len(),
        count(&["error"]),
        count(&["skipped"]),
        count(&["failure"]),
        count(&["flakyFailure", "flakyError"]),
    );
    out.push_str("  <properties/>\n");
    for test in tests {
        case(&mut out, test);
    }
    out.push_str("</testsuite>\n");
    out
}

/// The class of the exception that a test ended in.
fn exception(test: &OdTest) -> &str {
    let first = test.stack.first().map_or("", String::as_str);
    first.split([':', ' ', '\n']).next().unwrap_or_default()
}

fn is_assertion(test: &OdTest) -> bool {
    let class = exception(test).rsplit('.').next().unwrap_or_default();
    matches!(
        class,
        "AssertionError" | "AssertionFailedError" | "ComparisonFailure" | "MultipleFailuresError"
    )
}

/// The element that says how a test ended; empty if it passes.
fn tag(test: &OdTest) -> &'static str {
    match (test.verdict, is_assertion(test)) {
        (OdVerdict::Independent, _) => "",
        (OdVerdict::Skipped, _) => "skipped",
        (OdVerdict::Victim | OdVerdict::Brittle | OdVerdict::Nod, true) => "flakyFailure",
        (OdVerdict::Victim | OdVerdict::Brittle | OdVerdict::Nod, false) => "flakyError",
        (OdVerdict::Failing, true) => "failure",
        _ => "error",
    }
}

fn case(out: &mut String, test: &OdTest) {
    let number = test.invocation.map(|n| format!("[{n}]")).unwrap_or_default();
    let method = test.method.as_deref().unwrap_or_default();
    let _ = write!(
        out,
        "  <testcase name=\"{}{number}\" classname=\"{}\" time=\"0.000\"",
        escape(method),
        escape(&test.class)
    );
    let tag = tag(test);
    if tag.is_empty() {
        out.push_str("/>\n");
        return;
    }
    let _ = write!(out, ">\n    <{tag}");
    if let Some(message) = test.message.as_deref().filter(|m| !m.is_empty()) {
        let _ = write!(out, " message=\"{}\"", escape(message));
    }
    if tag == "skipped" {
        out.push_str("/>\n  </testcase>\n");
        return;
    }
    let kind = match exception(test) {
        "" => test.verdict.text(),
        class => class,
    };
    let _ = write!(out, " type=\"{}\"", escape(kind));
    let stack = format!("{}\n", test.stack.join("\n"));
    if tag.starts_with("flaky") {
        let _ = writeln!(
            out,
            ">\n      <stackTrace>{}</stackTrace>\n      <system-out>{}</system-out>\n    </{tag}>\n  </testcase>",
            cdata(&stack),
            cdata(&told(test))
        );
    } else {
        let _ = writeln!(out, ">{}</{tag}>\n  </testcase>", cdata(&stack));
    }
}

/// Which orders decide, in a few lines.
fn told(test: &OdTest) -> String {
    let mut text = String::new();
    for polluter in &test.polluters {
        let _ = writeln!(text, "passes alone, fails after {}", polluter.tests.join(", "));
        places(&mut text, &polluter.state);
    }
    for setter in &test.state_setters {
        let _ = writeln!(text, "fails alone, passes after {}", setter.tests.join(", "));
        places(&mut text, &setter.state);
    }
    if test.verdict == OdVerdict::Nod {
        text.push_str("the outcome depends on the seed\n");
    }
    let _ = writeln!(text, "{}", test.reproduce);
    text
}

fn places(text: &mut String, state: &[SearchPlace]) {
    for place in state {
        let _ = writeln!(
            text,
            "    {}{}: {} → {}",
            place.root, place.path, place.before, place.after
        );
        if let Some(frame) = user_frame(&place.written_at) {
            let _ = writeln!(text, "        written at {}", frame_text(frame));
        }
        if let Some(frame) = read_at(&place.read_at) {
            let _ = writeln!(text, "        read at {}", frame_text(frame));
        }
    }
}

/// The text of a pull request to IDoFT: what was run, the rows, and for each test the orders and the state.
pub fn pull_request(document: &OdDocument) -> String {
    let found: Vec<&OdTest> = document
        .tests
        .iter()
        .filter(|t| t.verdict.is_od() || t.verdict == OdVerdict::Nod)
        .collect();
    let tests = if found.len() == 1 { "test" } else { "tests" };
    let mut text = format!("# Add {} flaky {tests}\n\n", found.len());
    let _ = writeln!(
        text,
        "Found with poldet {} on JDK {}, seed {}. Fill in the project's URL, the commit and the module in the rows.\n",
        document.head.poldet, document.head.jdk, document.head.seed
    );
    let _ = writeln!(text, "```csv\n{}```\n", crate::report::od::idoft(document));
    for test in &found {
        let _ = writeln!(text, "## {}\n", test.name().replace('#', "."));
        let _ = writeln!(text, "- Category: {}", category(test));
        let order = |order: &[String]| {
            let dotted: Vec<String> = order
                .iter()
                .map(|t| format!("`{}`", t.replace('#', ".")))
                .collect();
            dotted.join(", ")
        };
        if !test.passing_order.is_empty() {
            let _ = writeln!(text, "- Passes in the order {}", order(&test.passing_order));
        }
        if !test.failing_order.is_empty() {
            let _ = writeln!(text, "- Fails in the order {}", order(&test.failing_order));
        }
        let _ = writeln!(text, "\n```\n{}```\n", told(test));
    }
    let pairs: Vec<Value> = found
        .iter()
        .flat_map(|t| {
            let one = t.polluters.iter().filter(|p| p.tests.len() == 1);
            one.map(|p| json!({ "dependentTest": t.name().replace('#', "."), "polluter": p.tests[0].replace('#', ".") }))
        })
        .collect();
    if !pairs.is_empty() {
        let _ = writeln!(text, "```json\n{}\n```", Value::Array(pairs));
    }
    text
}

fn category(test: &OdTest) -> &'static str {
    match test.verdict {
        OdVerdict::Victim => "OD-Vic",
        OdVerdict::Brittle => "OD-Brit",
        _ => "NOD",
    }
}

/// Rows of IDoFT's `odr-tests.csv`: each pair of a test and one that decides its outcome, and of a test and a cleaner.
pub fn relations(document: &OdDocument) -> String {
    let mut text = String::from(
        "Project URL,SHA Detected,Module Path,OD-test,Relevant-test(if it is VP/BSS),Relevant-test(if it is VPC),OD-test-type\n",
    );
    let dotted = |name: &str| cell(&name.replace('#', "."));
    for test in &document.tests {
        let own = dotted(&test.name());
        for polluter in &test.polluters {
            let _ = writeln!(text, ",,,{own},{},,victim", dotted(&polluter.tests.join(" ")));
            for cleaner in &polluter.cleaners {
                let _ = writeln!(
                    text,
                    ",,,{own},{},{},victim",
                    dotted(&polluter.tests.join(" ")),
                    dotted(&cleaner.join(" "))
                );
            }
        }
        for setter in &test.state_setters {
            let _ = writeln!(text, ",,,{own},{},,brittle", dotted(&setter.tests.join(" ")));
        }
    }
    text
}
