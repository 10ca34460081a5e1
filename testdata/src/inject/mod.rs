//! Injected pollution as a measure: known writes to static state are added to tests of a compiled suite, and poldet must
//! find each of them, name the field and the line, and report nothing else that it did not report before.
//!
//! A test `m` becomes `original$m`, without annotations; a new `m` with the old annotations writes and then calls it.

pub mod class;
pub mod measure;
pub mod suites;
pub mod write;

use class::ClassFile;
use std::collections::{BTreeMap, BTreeSet};
use write::{State, Write};

/// One injected write: the test that does it, the field it writes to, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Injected {
    pub class: String,
    pub method: String,
    pub write: Write,
    /// `pkg.Class.field`
    pub root: String,
    pub line: u32,
}

/// The entries of a jar: names and contents.
pub type Entries = BTreeMap<String, Vec<u8>>;

/// Adds writes to `count` tests out of `tests` (pairs of class and method), chosen by `seed`.
pub fn inject(
    entries: &mut Entries,
    tests: &[(String, String)],
    count: usize,
    seed: u64,
) -> Result<Vec<Injected>, String> {
    let mut candidates = fit(entries, tests)?;
    shuffle(&mut candidates, seed);
    candidates.truncate(count);
    let mut state = State::new();
    let mut injected = Vec::new();
    for (number, (name, method)) in candidates.into_iter().enumerate() {
        let write = Write::ALL[number % Write::ALL.len()];
        let file = format!("{}.class", name.replace('.', "/"));
        let bytes = entries.get_mut(&file).ok_or(format!("no {file}"))?;
        let mut class = ClassFile::parse(bytes)?;
        let line = 20_000 + number as u16;
        let root = write.add(&mut class, &mut state, &method, number, line)?;
        *bytes = class.bytes();
        injected.push(Injected {
            class: name,
            method,
            write,
            root,
            line: u32::from(line),
        });
    }
    entries.insert(format!("{}.class", write::STATE), state.bytes());
    Ok(injected)
}

/// The tests whose own class declares them as plain methods that nothing but JUnit calls. State of classes that are
/// named after a cache is hidden by a rule, as it should be: nothing is to be found there.
fn fit(entries: &Entries, tests: &[(String, String)]) -> Result<Vec<(String, String)>, String> {
    let mut classes = BTreeMap::new();
    for (file, bytes) in entries {
        if let Some(name) = file.strip_suffix(".class")
            && !name.contains("module-info")
            && !name.starts_with("META-INF/")
        {
            let class = ClassFile::parse(bytes).map_err(|why| format!("{file}: {why}"))?;
            classes.insert(name.replace('/', "."), class);
        }
    }
    let supers: BTreeSet<String> = classes
        .values()
        .map(|c| c.super_name().replace('/', "."))
        .collect();
    let fits = |(class, method): &&(String, String)| {
        !supers.contains(class)
            && !class.to_lowercase().contains("cache")
            && classes
                .get(class)
                .is_some_and(|c| c.has_plain_method(method) && !c.refers_to(method))
    };
    let unique: BTreeSet<&(String, String)> = tests.iter().filter(fits).collect();
    Ok(unique.into_iter().cloned().collect())
}

/// Fisher and Yates' shuffle, on splitmix64.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for i in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        items.swap(i, ((z ^ (z >> 31)) % (i as u64 + 1)) as usize);
    }
}
