//! Tests that did not pass, for people: those with the same exception and message once, the first of them in full.

use crate::report::human::{colour_of, heading, problem};
use crate::report::paint::{DIM, paint};
use crate::report::pollution::{count, few};
use crate::report::victims;
use poldet_records::{Document, Outcome, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Groups reported in full.
const IN_FULL: usize = 50;
/// Groups reported in full on a terminal.
const ON_TERMINAL: usize = 10;

/// Tests that ended alike.
struct Group<'a> {
    records: Vec<&'a Record>,
}

fn groups(document: &Document) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: BTreeMap<(Outcome, Option<&str>, Option<&str>), usize> = BTreeMap::new();
    for record in document.tests.iter().filter(|r| r.outcome.is_bad()) {
        let key = (
            record.outcome,
            record.exception.as_deref(),
            record.message.as_deref(),
        );
        let at = *known.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.records.push(record),
            None => groups.push(Group {
                records: vec![record],
            }),
        }
    }
    groups
}

pub fn report(out: &mut dyn Write, document: &Document, colour: bool, terminal: bool) -> io::Result<()> {
    let groups = groups(document);
    let limit = if terminal { ON_TERMINAL } else { IN_FULL };
    let mut shown = BTreeSet::new();
    for group in groups.iter().take(limit) {
        let first = group.records[0];
        let class = first.test.class.as_str();
        let fixtures = shown.insert(class).then(|| document.output_of(class)).flatten();
        problem(out, first, fixtures, colour)?;
        victims::of_group(out, &group.records, colour)?;
        if group.records.len() > 1 {
            let others: Vec<String> = group.records[1..].iter().map(|r| r.test.text()).collect();
            let names: Vec<&str> = others.iter().map(String::as_str).collect();
            let label = first.outcome.text().to_uppercase();
            writeln!(
                out,
                "{}  with the same exception and message: {}\n",
                paint(&label, colour_of(first.outcome), colour),
                few(&names, &count(names.len(), "more test")),
            )?;
        }
    }
    let rest = &groups[limit.min(groups.len())..];
    for group in rest.iter().take(IN_FULL) {
        heading(out, group.records[0], colour)?;
    }
    if !rest.is_empty() {
        let tests: usize = rest.iter().map(|g| g.records.len()).sum();
        let line = format!(
            "… {} in {} not shown in full (--report-dir and --format json have all)\n",
            count(tests, "more test"),
            count(rest.len(), "group")
        );
        writeln!(out, "{}", paint(&line, DIM, colour))?;
    }
    Ok(())
}
