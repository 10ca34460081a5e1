//! What `poldet nio` found as a page of its own: no script, nothing but a browser needed.

use crate::report::html::page::STYLE;
use crate::report::nio::{WHY, failure, heading, modes, others, place_lines};
use poldet_records::{NioDocument, NioMode, NioTest, NioVerdict};

/// What the page needs beyond the style of the other page.
pub const MORE: &str = "body{max-width:70rem;margin:0 auto;padding:1rem}table{border-collapse:collapse}\
    td,th{border:1px solid var(--line);padding:.2rem .6rem;text-align:left}\
    article{border-top:1px solid var(--line);margin-top:1.5rem;padding-top:.5rem}\
    dt{font-weight:600;margin-top:.5rem}dd{margin-left:1.5rem}\
    code,pre{font-family:var(--mono);font-size:.9em;white-space:pre-wrap;overflow-wrap:anywhere}";

/// The whole page.
pub fn page(document: &NioDocument) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n");
    out.push_str(&format!(
        "<title>NIO tests of {}</title>\n",
        escaped(&document.head.suite)
    ));
    out.push_str(&format!(
        "<style>\n{STYLE}\n{MORE}\n</style>\n</head>\n<body>\n<main>\n"
    ));
    out.push_str(&section(document));
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// The section on NIO tests.
pub fn section(document: &NioDocument) -> String {
    let mut out = String::from("<section id=\"nio\">\n");
    out.push_str(&format!(
        "<h1>NIO tests of {}</h1>\n",
        escaped(&document.head.suite)
    ));
    out.push_str(&format!("<p>{}</p>\n", escaped(&heading(document))));
    out.push_str(&format!(
        "<p>poldet {}, JDK {}, seed {}</p>\n",
        escaped(&document.head.poldet),
        escaped(&document.head.jdk),
        document.head.seed
    ));
    if document.head.interrupted {
        out.push_str("<p>Interrupted: tests that were not run are not listed.</p>\n");
    }
    let summary = &document.summary;
    out.push_str("<table>\n<tr><th>mode</th><th>NIO tests</th></tr>\n");
    for mode in NioMode::ALL {
        if let Some(count) = summary.by_mode.get(&mode) {
            out.push_str(&format!("<tr><td>{}</td><td>{count}</td></tr>\n", mode.text()));
        }
    }
    out.push_str("</table>\n");
    if let Some(line) = others(summary) {
        out.push_str(&format!("<p>{}</p>\n", escaped(&line)));
    }
    for test in document.tests.iter().filter(|t| t.verdict == NioVerdict::Nio) {
        article(&mut out, test);
    }
    rest(&mut out, document);
    out.push_str("</section>\n");
    out
}

/// A test as a bug report.
fn article(out: &mut String, test: &NioTest) {
    out.push_str(&format!("<article>\n<h2>{}</h2>\n<dl>\n", escaped(&test.name())));
    let mut item = |term: &str, text: &str| {
        out.push_str(&format!("<dt>{term}</dt><dd>{text}</dd>\n"));
    };
    item(
        "What was run",
        &format!(
            "the test twice in a row, with its set-up and tear-down, in one VM ({})",
            escaped(&modes(test))
        ),
    );
    let failed = failure(test).unwrap_or_default();
    let stack = test.stack.join("\n");
    item(
        "What failed",
        &format!(
            "the first run passed, the second failed: <code>{}</code><details><summary>stack trace</summary><pre>{}</pre></details>",
            escaped(failed),
            escaped(&stack)
        ),
    );
    let state: Vec<String> = place_lines(test)
        .iter()
        .map(|lines| {
            let lines: Vec<String> = lines.iter().map(|l| escaped(l)).collect();
            format!("<pre>{}</pre>", lines.join("\n"))
        })
        .collect();
    item("Which state", &state.concat());
    if test.declared_order {
        item("Declared order", "the class declares the order of its tests");
    }
    item("Why it matters", WHY);
    item("Reproduce", &format!("<code>{}</code>", escaped(&test.reproduce)));
    out.push_str("</dl>\n</article>\n");
}

/// Tests that are neither NIO nor idempotent nor skipped.
fn rest(out: &mut String, document: &NioDocument) {
    let quiet = |v| matches!(v, NioVerdict::Nio | NioVerdict::Idempotent | NioVerdict::Skipped);
    let tests: Vec<&NioTest> = document.tests.iter().filter(|t| !quiet(t.verdict)).collect();
    if tests.is_empty() {
        return;
    }
    out.push_str("<h2>Other verdicts</h2>\n<table>\n<tr><th>test</th><th>verdict</th><th></th></tr>\n");
    for test in tests {
        out.push_str(&format!(
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
            escaped(&test.name()),
            test.verdict.text(),
            escaped(failure(test).unwrap_or_default())
        ));
    }
    out.push_str("</table>\n");
}

/// Text of an element.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_records::{NioPair, Outcome, SearchHead, SearchPlace};

    fn test() -> NioTest {
        let pair = NioPair {
            first: Some(Outcome::Passed),
            second: Some(Outcome::Failed),
        };
        NioTest {
            class: "a.ATest".into(),
            method: Some("adds".into()),
            invocation: None,
            display: "adds".into(),
            verdict: NioVerdict::Nio,
            modes: [(NioMode::IsolatedMethod, pair)].into(),
            confirmed: true,
            declared_order: false,
            fails_alone: None,
            causes: vec![SearchPlace {
                root: "a.ATest.list".into(),
                path: "[0]".into(),
                before: "(absent)".into(),
                after: "\"<b>\"".into(),
                written_at: Vec::new(),
                read_at: Vec::new(),
            }],
            message: Some("expected:<1> but was:<2>".into()),
            stack: vec!["at a.ATest.adds(ATest.java:3)".into()],
            reproduce: "poldet nio a.jar --test a.ATest#adds".into(),
        }
    }

    #[test]
    fn a_test_is_a_bug_report_and_text_stays_text() {
        let mut document = NioDocument::new(SearchHead::new("0.1", "nio", "a.jar".into(), "17".into(), 0));
        document.tests.push(test());
        document.sum_up();
        let page = page(&document);
        for part in [
            "1 of 1 tests is NIO",
            "expected:&lt;1&gt; but was:&lt;2&gt;",
            "a.ATest.list[0]: (absent) → \"&lt;b&gt;\"",
            "<td>isolated-method</td><td>1</td>",
            "poldet nio a.jar --test a.ATest#adds",
            WHY,
        ] {
            assert!(page.contains(part), "no {part} in\n{page}");
        }
        assert!(!page.contains("\"<b>\""), "markup of the guest's");
    }
}
