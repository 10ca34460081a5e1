//! What an earlier run found already: polluters are new when they, or the fields they pollute, are not in it.

use crate::report::saved;
use poldet_records::{Document, Record};
use std::collections::BTreeSet;
use std::path::Path;

/// Tests with the places they pollute, in an earlier run.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: BTreeSet<(String, String)>,
}

impl Baseline {
    pub fn read(file: &Path) -> Result<Baseline, String> {
        let document = saved::read(Some(file)).map_err(|e| format!("--baseline: {e}"))?;
        Ok(Baseline::of(&document))
    }

    pub fn of(document: &Document) -> Baseline {
        let strict = document.is_strict();
        let all = document.tests.iter().flat_map(|r| {
            let name = r.test.text();
            places(r, strict).into_iter().map(move |p| (name.clone(), p))
        });
        Baseline { known: all.collect() }
    }

    /// What a test pollutes and did not pollute then.
    pub fn new_places(&self, record: &Record, strict: bool) -> Vec<String> {
        let name = record.test.text();
        let known = |place: &String| self.known.contains(&(name.clone(), place.clone()));
        let all = places(record, strict);
        all.into_iter().filter(|p| !known(p)).collect()
    }
}

/// The fields, files and threads that a test pollutes; names of threads are often numbered, so their class stands for them.
pub fn places(record: &Record, strict: bool) -> BTreeSet<String> {
    let Some(state) = &record.state else {
        return BTreeSet::new();
    };
    let fields = state.pollutions.iter().filter(|f| f.counts(strict));
    let fields = fields.map(|f| f.place.root.to_string());
    let files = state.files.iter().filter(|f| f.counts());
    let files = files.map(|f| format!("file {}", f.path));
    let threads = state.threads.iter().map(|t| format!("thread of {}", t.class));
    fields.chain(files).chain(threads).collect()
}
