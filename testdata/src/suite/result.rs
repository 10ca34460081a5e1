//! What a run reported, and how it differs from what the sources expect.

use super::expect::{self, Expectation};
use super::json::{self, Json};
use std::collections::BTreeMap;

/// One outcome, as poldet or the run on HotSpot reported it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    pub class: String,
    pub method: String,
    pub invocation: String,
    pub outcome: String,
    pub display: String,
    pub message: String,
}

impl TestResult {
    pub fn id(&self) -> String {
        expect::id(&self.class, &self.method, &self.invocation)
    }
}

const COUNTS: &[&str] = &[
    "passed",
    "failed",
    "error",
    "skipped",
    "unsupported",
    "timed_out",
    "crashed",
];

/// Reads the document of `poldet run --format json`, holding it to its contract.
pub fn from_json(text: &str) -> Result<Vec<TestResult>, String> {
    let document = json::parse(text)?;
    for field in ["schema", "poldet", "suite", "jdk", "seed"] {
        document
            .get(field)
            .ok_or(format!("the document has no {field:?}"))?;
    }
    let tests = document
        .get("tests")
        .and_then(Json::list)
        .ok_or("the document has no tests")?;
    let results = tests.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    let summary = document.get("summary").ok_or("the document has no summary")?;
    for count in COUNTS {
        let said = summary.get(count).and_then(Json::number);
        let counted = results.iter().filter(|r| r.outcome == *count).count();
        if said != Some(counted as f64) {
            return Err(format!(
                "the summary counts {said:?} {count}, the tests {counted}"
            ));
        }
    }
    let said = summary.get("tests").and_then(Json::number);
    if said != Some(results.len() as f64) {
        return Err(format!(
            "the summary counts {said:?} tests, there are {}",
            results.len()
        ));
    }
    summary
        .get("classes")
        .and_then(Json::number)
        .ok_or("the summary counts no classes")?;
    Ok(results)
}

fn one(test: &Json) -> Result<TestResult, String> {
    let field = |name: &str| test.get(name).ok_or(format!("a test has no {name:?}"));
    let text = |name: &str| Ok::<String, String>(field(name)?.text().unwrap_or_default().to_owned());
    for number in ["time_ms", "instructions"] {
        field(number)?.number().ok_or(format!("{number} is no number"))?;
    }
    let stack = field("stack")?.list().unwrap_or_default();
    let stack: Vec<&str> = stack.iter().filter_map(Json::text).collect();
    let outcome = text("outcome")?;
    if !COUNTS.contains(&outcome.as_str()) {
        return Err(format!("{outcome:?} is no outcome"));
    }
    let message = text("message")?;
    Ok(TestResult {
        class: text("class")?,
        method: text("method")?,
        invocation: text("invocation")?
            .trim_matches(|c| c == '[' || c == ']')
            .to_owned(),
        outcome,
        display: text("display")?,
        message: format!("{message}\n{}", stack.first().unwrap_or(&"")),
    })
}

/// Reads the lines that `Core` and `Platform` print on HotSpot.
pub fn from_lines(text: &str) -> Result<Vec<TestResult>, String> {
    text.lines()
        .map(|line| {
            let cells: Vec<String> = line.split('\t').map(unescape).collect();
            let [class, method, invocation, outcome, display, message] =
                <[String; 6]>::try_from(cells).map_err(|_| format!("not a line of results: {line:?}"))?;
            Ok(TestResult {
                class,
                method,
                invocation,
                outcome,
                display,
                message,
            })
        })
        .collect()
}

fn unescape(cell: &str) -> String {
    let mut text = String::new();
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.push(match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                other => other.unwrap_or('\\'),
            }),
            plain => text.push(plain),
        }
    }
    text
}

/// Every way in which `results` part from `expected`, one line each.
pub fn differences(expected: &[&Expectation], results: &[TestResult]) -> Vec<String> {
    let mut wanted: BTreeMap<String, Vec<&Expectation>> = BTreeMap::new();
    for e in expected {
        wanted.entry(e.id()).or_default().push(e);
    }
    let mut found: BTreeMap<String, Vec<&TestResult>> = BTreeMap::new();
    for r in results {
        found.entry(r.id()).or_default().push(r);
    }
    let mut wrong = Vec::new();
    for (id, wanted) in &wanted {
        let found = found.remove(id).unwrap_or_default();
        if wanted.len() != found.len() {
            wrong.push(format!(
                "{id}: expected {}, reported {}",
                times(wanted.iter().map(|e| &e.outcome)),
                times(found.iter().map(|r| &r.outcome))
            ));
            continue;
        }
        wrong.extend(wanted.iter().zip(found).filter_map(|(e, r)| difference(e, r)));
    }
    for (id, found) in found {
        wrong.push(format!(
            "{id}: not expected, reported {} {:?}",
            times(found.iter().map(|r| &r.outcome)),
            found[0].message
        ));
    }
    wrong
}

fn times<'a>(outcomes: impl Iterator<Item = &'a String>) -> String {
    let outcomes: Vec<&str> = outcomes.map(String::as_str).collect();
    if outcomes.is_empty() {
        "nothing".into()
    } else {
        outcomes.join(", ")
    }
}

fn difference(expected: &Expectation, result: &TestResult) -> Option<String> {
    let id = expected.id();
    if expected.outcome != result.outcome {
        return Some(format!(
            "{id}: expected {}, reported {}: {}",
            expected.outcome,
            result.outcome,
            result.message.trim()
        ));
    }
    if !result.message.contains(&expected.message) {
        return Some(format!(
            "{id}: {} with {:?}, expected {:?}",
            result.outcome,
            result.message.trim(),
            expected.message
        ));
    }
    match &expected.display {
        Some(display) if *display != result.display => Some(format!(
            "{id}: shown as {:?}, expected {display:?}",
            result.display
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectation(outcome: &str, message: &str) -> Expectation {
        Expectation {
            class: "A".into(),
            method: "m".into(),
            invocation: String::new(),
            outcome: outcome.into(),
            message: message.into(),
            display: None,
        }
    }

    #[test]
    fn what_differs_is_named() {
        let results = from_lines("A\tm\t\tfailed\tm\tE: a\\nb\nB\tn\t1\tpassed\tn\t\n").unwrap();
        let (good, other) = (expectation("failed", "E: a\nb"), expectation("error", ""));
        assert_eq!(
            differences(&[&good], &results),
            ["B#n[1]: not expected, reported passed \"\""]
        );
        let wrong = differences(&[&other], &results[..1]);
        assert_eq!(wrong, ["A#m: expected error, reported failed: E: a\nb"]);
        let wrong = differences(&[&good, &good], &results[..1]);
        assert_eq!(wrong, ["A#m: expected failed, failed, reported failed"]);
    }

    #[test]
    fn the_document_is_held_to_its_contract() {
        let document = |summary: &str| {
            format!(
                r#"{{"schema":1,"poldet":"0","suite":"s","jdk":"j","seed":0,"tests":[{{"class":"A","method":"m",
                "invocation":"[2]","display":"m","outcome":"passed","message":null,"stack":[],"time_ms":1,
                "instructions":2}}],"summary":{{"classes":1,"tests":1,"passed":{summary},"failed":0,"error":0,
                "skipped":0,"unsupported":0,"timed_out":0,"crashed":0}}}}"#
            )
        };
        assert_eq!(from_json(&document("1")).unwrap()[0].id(), "A#m[2]");
        assert!(from_json(&document("0")).is_err());
        assert!(from_json("{}").is_err());
    }
}
