//! `poldet diff OLD NEW`: what two saved runs differ in: outcomes, polluters and the fields they pollute.

use crate::baseline::places;
use crate::cli::Diff;
use crate::exit;
use crate::report::pollution::count;
use crate::report::saved;
use poldet_records::{Document, Record};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// One test that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    pub test: String,
    /// Absent in one of the runs: null.
    pub old_outcome: Option<&'static str>,
    pub new_outcome: Option<&'static str>,
    /// Places that are polluted in the new run only, and in the old one only.
    pub new_places: Vec<String>,
    pub gone_places: Vec<String>,
}

pub fn diff(options: &Diff) -> Result<i32, String> {
    let old = saved::read(Some(&options.old))?;
    let new = saved::read(Some(&options.new))?;
    let changed = compare(&old, &new);
    let text = match options.json {
        true => serde_json::to_string_pretty(&changed).unwrap_or_default() + "\n",
        false => told(&changed),
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {e}")),
        _ if changed.is_empty() => Ok(exit::COMPLETE),
        _ => Ok(exit::FAIL_ON),
    }
}

/// Tests by name; one that ran several times has the places of all its runs, and the outcome of its last.
fn by_name(document: &Document) -> BTreeMap<String, (&Record, BTreeSet<String>)> {
    let mut all: BTreeMap<String, (&Record, BTreeSet<String>)> = BTreeMap::new();
    for record in &document.tests {
        let found = places(record, document.is_strict());
        let entry = all
            .entry(record.test.text())
            .or_insert_with(|| (record, BTreeSet::new()));
        entry.0 = record;
        entry.1.extend(found);
    }
    all
}

pub fn compare(old: &Document, new: &Document) -> Vec<Changed> {
    let (old, new) = (by_name(old), by_name(new));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let none = BTreeSet::new();
    let mut list = Vec::new();
    for name in names {
        let (a, b) = (old.get(name), new.get(name));
        let (old_places, new_places) = (a.map_or(&none, |x| &x.1), b.map_or(&none, |x| &x.1));
        let changed = Changed {
            test: name.clone(),
            old_outcome: a.map(|x| x.0.outcome.text()),
            new_outcome: b.map(|x| x.0.outcome.text()),
            new_places: new_places.difference(old_places).cloned().collect(),
            gone_places: old_places.difference(new_places).cloned().collect(),
        };
        let same = changed.old_outcome == changed.new_outcome
            && changed.new_places.is_empty()
            && changed.gone_places.is_empty();
        if !same {
            list.push(changed);
        }
    }
    list
}

fn told(changed: &[Changed]) -> String {
    if changed.is_empty() {
        return "No test differs in outcome or pollution.\n".into();
    }
    let mut text = String::new();
    for one in changed {
        text.push_str(&one.test);
        text.push('\n');
        if one.old_outcome != one.new_outcome {
            let word = |o: Option<&'static str>| o.unwrap_or("not in the run");
            text.push_str(&format!(
                "    outcome: {} → {}\n",
                word(one.old_outcome),
                word(one.new_outcome)
            ));
        }
        for place in &one.new_places {
            text.push_str(&format!("    + pollutes {place}\n"));
        }
        for place in &one.gone_places {
            text.push_str(&format!("    - no longer pollutes {place}\n"));
        }
    }
    text.push_str(&format!("{} differ.\n", count(changed.len(), "test")));
    text
}
