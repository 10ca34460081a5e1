//! Surefire's `TEST-*.xml`, a file for each class; docs/reports.md says what is the same and what is not.

use poldet_records::{Document, Outcome, Printed, Record};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

pub const SCHEMA: &str = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
xsi:noNamespaceSchemaLocation=\"https://maven.apache.org/surefire/maven-surefire-plugin/xsd/surefire-test-report-3.0.xsd\" \
version=\"3.0\"";

/// `polluters_fail`: tests that passed and pollute are failures, as `--fail-on polluter` has it.
pub fn write(dir: &Path, document: &Document, polluters_fail: bool) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let mut classes: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in &document.tests {
        classes
            .entry(record.test.class.as_str())
            .or_default()
            .push(record);
    }
    for (class, records) in classes {
        let file = class.replace(['/', '\\'], "_");
        std::fs::write(
            dir.join(format!("TEST-{file}.xml")),
            suite(document, class, &records, polluters_fail),
        )?;
    }
    Ok(())
}

/// Whether a test counts as a failure for what it left behind.
fn fails_by_pollution(record: &Record) -> bool {
    record.outcome == Outcome::Passed && record.is_polluter()
}

fn suite(document: &Document, class: &str, records: &[&Record], polluters_fail: bool) -> String {
    let count = |f: fn(Outcome) -> bool| records.iter().filter(|r| f(r.outcome)).count();
    let nanos: u64 = records.iter().map(|r| r.cost.nanos).sum();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuite {SCHEMA} name=\"{}\" time=\"{}\" tests=\"{}\" errors=\"{}\" skipped=\"{}\" failures=\"{}\">",
        escape(class),
        seconds(nanos),
        records.len(),
        count(is_error),
        count(|o| o == Outcome::Skipped),
        count(|o| o == Outcome::Failed)
            + records
                .iter()
                .filter(|r| polluters_fail && fails_by_pollution(r))
                .count(),
    );
    properties(&mut xml, document, records);
    // As Surefire does: what class fixtures print goes to the first test.
    let mut of_class = document.output_of(class);
    for record in records {
        let failure = polluters_fail && fails_by_pollution(record);
        case(
            &mut xml,
            record,
            of_class.take(),
            failure.then(|| document.is_strict()),
        );
    }
    xml.push_str("</testsuite>\n");
    xml
}

fn properties(xml: &mut String, document: &Document, records: &[&Record]) {
    xml.push_str("  <properties>\n");
    for (name, value) in [
        ("poldet.version", env!("CARGO_PKG_VERSION")),
        ("poldet.seed", &document.head.seed.to_string()),
        ("poldet.junit", document.head.junit.text()),
        ("java.version", &document.head.jdk),
    ] {
        property(xml, name, value);
    }
    if let Some(capture) = &document.head.capture {
        polluters(xml, records, capture.strict);
    }
    xml.push_str("  </properties>\n");
}

fn property(xml: &mut String, name: &str, value: &str) {
    let (name, value) = (escape(name), escape(value));
    let _ = writeln!(xml, "    <property name=\"{name}\" value=\"{value}\"/>");
}

/// Who left shared state behind, and what; the schema has no place for it at the tests themselves.
fn polluters(xml: &mut String, records: &[&Record], strict: bool) {
    let polluters: Vec<&&Record> = records.iter().filter(|r| r.is_polluter()).collect();
    property(xml, "poldet.polluters", &polluters.len().to_string());
    for record in polluters {
        let places: Vec<String> = crate::baseline::places(record, strict).into_iter().collect();
        let name = format!("poldet.polluter.{}", case_name(record));
        property(xml, &name, &places.join(", "));
    }
}

fn is_error(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::Passed | Outcome::Skipped | Outcome::Failed)
}

/// `method(Type)[invocation]`; empty for a problem of the class.
fn case_name(record: &Record) -> String {
    let test = &record.test;
    let method = test.method.as_deref().unwrap_or_default();
    format!("{method}{}", test.suffix())
}

/// `polluter`: it is a failure for its findings, in strict counting or not.
fn case(xml: &mut String, record: &Record, of_class: Option<&Printed>, polluter: Option<bool>) {
    let _ = write!(
        xml,
        "  <testcase name=\"{}\" classname=\"{}\" time=\"{}\"",
        escape(&case_name(record)),
        escape(&record.test.class),
        seconds(record.cost.nanos)
    );
    let mut inner = String::new();
    problem(&mut inner, record);
    if let Some(strict) = polluter {
        let places: Vec<String> = crate::baseline::places(record, strict).into_iter().collect();
        let message = format!("pollutes the shared state: {}", places.join(", "));
        let _ = writeln!(
            inner,
            "    <failure message=\"{}\" type=\"polluter\"/>",
            escape(&message)
        );
    }
    let fixtures = of_class.cloned().unwrap_or_default();
    for (tag, before, text) in [
        ("system-out", &fixtures.out, &record.printed.out),
        ("system-err", &fixtures.err, &record.printed.err),
    ] {
        if !before.is_empty() || !text.is_empty() {
            let _ = writeln!(inner, "    <{tag}>{}</{tag}>", cdata(&format!("{before}{text}")));
        }
    }
    if inner.is_empty() {
        xml.push_str("/>\n");
    } else {
        let _ = writeln!(xml, ">\n{inner}  </testcase>");
    }
}

fn problem(xml: &mut String, record: &Record) {
    let tag = match record.outcome {
        Outcome::Passed => return,
        Outcome::Skipped => "skipped",
        Outcome::Failed => "failure",
        _ => "error",
    };
    let _ = write!(xml, "    <{tag}");
    let reason = record.sanitised().map(poldet_records::Sanitised::reason);
    if let Some(message) = reason.as_ref().or(record.message.as_ref()) {
        let _ = write!(xml, " message=\"{}\"", escape(message));
    }
    let kind = match (&record.exception, tag) {
        (Some(exception), _) => Some(exception.as_str()),
        (None, "skipped") => None,
        // Our own verdicts: unsupported, timed out, crashed.
        (None, _) => Some(record.outcome.text()),
    };
    if let Some(kind) = kind {
        let _ = write!(xml, " type=\"{}\"", escape(kind));
    }
    if record.stack.is_empty() {
        xml.push_str("/>\n");
    } else {
        let stack = format!("{}\n", record.stack.join("\n"));
        let _ = writeln!(xml, ">{}</{tag}>", cdata(&stack));
    }
}

fn seconds(nanos: u64) -> String {
    format!("{:.3}", nanos as f64 / 1e9)
}

/// Characters XML 1.0 cannot hold, however written, become question marks.
fn allowed(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' => c,
        c if (c as u32) < 0x20 || matches!(c as u32, 0xfffe | 0xffff) => '?',
        c => c,
    }
}

/// Text for an attribute.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().map(allowed) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
    out
}

/// Text as it is.
pub fn cdata(text: &str) -> String {
    let text: String = text.chars().map(allowed).collect();
    format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold() {
        assert_eq!(escape("a<b>&\"\u{1}\n"), "a&lt;b&gt;&amp;&quot;?&#10;");
        assert_eq!(cdata("a]]>\u{1}"), "<![CDATA[a]]]]><![CDATA[>?]]>");
    }
}
