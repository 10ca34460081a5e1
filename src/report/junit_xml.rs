//! Surefire's `TEST-*.xml`, a file for each class.

use crate::run::results::{Outcome, Record, Results};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

pub fn write(dir: &Path, results: &Results) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let mut classes: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in &results.records {
        classes
            .entry(record.test.class.as_str())
            .or_default()
            .push(record);
    }
    for (class, records) in classes {
        let file = class.replace(['/', '\\'], "_");
        std::fs::write(dir.join(format!("TEST-{file}.xml")), suite(class, &records))?;
    }
    Ok(())
}

fn suite(class: &str, records: &[&Record]) -> String {
    let count = |f: fn(Outcome) -> bool| records.iter().filter(|r| f(r.outcome)).count();
    let nanos: u64 = records.iter().map(|r| r.cost.nanos).sum();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuite name=\"{}\" time=\"{}\" tests=\"{}\" errors=\"{}\" skipped=\"{}\" failures=\"{}\">",
        escape(class),
        seconds(nanos),
        records.len(),
        count(is_error),
        count(|o| o == Outcome::Skipped),
        count(|o| o == Outcome::Failed),
    );
    for record in records {
        case(&mut xml, record);
    }
    xml.push_str("</testsuite>\n");
    xml
}

fn is_error(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::Passed | Outcome::Skipped | Outcome::Failed)
}

fn case(xml: &mut String, record: &Record) {
    let test = &record.test;
    let mut name = test.method.clone().unwrap_or_default();
    if let Some(invocation) = &test.invocation {
        let _ = write!(name, "[{invocation}]");
    }
    let _ = writeln!(
        xml,
        "  <testcase name=\"{}\" classname=\"{}\" time=\"{}\">",
        escape(&name),
        escape(&test.class),
        seconds(record.cost.nanos)
    );
    let message = record.message.as_deref().unwrap_or("");
    let kind = record.exception.as_deref().unwrap_or(record.outcome.text());
    let tag = match record.outcome {
        Outcome::Passed => None,
        Outcome::Skipped => Some("skipped"),
        Outcome::Failed => Some("failure"),
        _ => Some("error"),
    };
    match tag {
        None => {}
        Some("skipped") => {
            let _ = writeln!(xml, "    <skipped message=\"{}\"/>", escape(message));
        }
        Some(tag) => {
            let _ = writeln!(
                xml,
                "    <{tag} message=\"{}\" type=\"{}\">{}</{tag}>",
                escape(message),
                escape(kind),
                escape(&record.stack.join("\n"))
            );
        }
    }
    for (tag, text) in [
        ("system-out", &record.printed.out),
        ("system-err", &record.printed.err),
    ] {
        if !text.is_empty() {
            let _ = writeln!(xml, "    <{tag}>{}</{tag}>", escape(text));
        }
    }
    xml.push_str("  </testcase>\n");
}

fn seconds(nanos: u64) -> String {
    format!("{:.3}", nanos as f64 / 1e9)
}

/// Text for XML; characters XML cannot hold become question marks.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push('\t'),
            c if (c as u32) < 0x20 || matches!(c as u32, 0xfffe | 0xffff) => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold() {
        assert_eq!(escape("a<b>&\"\u{1}\n"), "a&lt;b&gt;&amp;&quot;?&#10;");
    }
}
