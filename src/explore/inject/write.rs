//! The files of a data set: JSON, tables, patches, orders and a page.

use crate::explore::inject::mutants::Deletion;
use crate::report;
use crate::source::files::Files;
use crate::source::patch;
use crate::source::tree::Statement;
use encoding_rs::Encoding;
use poldet_records::inject::{InjectDocument, Mutant, StatementsFrom};
use std::path::Path;

pub struct Place<'a> {
    pub out: &'a Path,
    pub project: &'a Path,
    pub encoding: &'static Encoding,
}

/// So many of the deletions, chosen by the seed; the rest is dropped.
pub fn sample(deletions: &mut Vec<Deletion>, limit: usize, seed: u64) {
    let key = |d: &Deletion| {
        let mut hash = blake3::Hasher::new();
        hash.update(&seed.to_le_bytes());
        hash.update(d.id.as_bytes());
        *hash.finalize().as_bytes()
    };
    let mut keys: Vec<[u8; 32]> = deletions.iter().map(key).collect();
    keys.sort_unstable();
    if let Some(last) = limit.checked_sub(1).and_then(|i| keys.get(i)).copied() {
        deletions.retain(|d| key(d) <= last);
    } else if limit == 0 {
        deletions.clear();
    }
}

/// Writes everything; each file appears whole or not at all.
pub fn all(place: &Place<'_>, document: &InjectDocument, files: &Files) -> Result<(), String> {
    let mut document = document.clone();
    for mutant in document.mutants.iter_mut().filter(|m| m.is_od()) {
        patch_of(place, mutant, files)?;
        orders_of(place, mutant)?;
    }
    let from_source = document.statements_from == StatementsFrom::Source;
    for mutant in document.mutants.iter_mut().filter(|_| from_source) {
        mutant.file = patch::relative(place.project, Path::new(&mutant.file));
    }
    let mut json = serde_json::to_vec_pretty(&document).map_err(|e| e.to_string())?;
    json.push(b'\n');
    file(place, "dataset.json", &json)?;
    file(place, "mutants.csv", report::inject::table(&document).as_bytes())?;
    file(place, "idoft.csv", report::inject::idoft(&document).as_bytes())?;
    file(
        place,
        "index.html",
        report::inject_page::page(&document).as_bytes(),
    )
}

fn patch_of(place: &Place<'_>, mutant: &mut Mutant, files: &Files) -> Result<(), String> {
    let shown = mutant.file.clone();
    let Some(source) = files.files.iter().find(|f| f.path.display().to_string() == shown) else {
        return Ok(());
    };
    let Some(statement) = find(mutant, source) else {
        return Ok(());
    };
    let old = &source.source.text.text;
    let new = patch::without(&source.source, &statement);
    let path = patch::relative(place.project, &source.path);
    let bom = patch::has_bom(&source.path);
    let bytes = patch::diff(&path, old, &new, bom, place.encoding);
    let name = format!("patches/{}.patch", mutant.id);
    file(place, &name, &bytes)?;
    mutant.patch = Some(name);
    Ok(())
}

/// The statement of a mutant, by its place in the file.
fn find(mutant: &Mutant, file: &crate::source::files::File) -> Option<Statement> {
    let source = &file.source;
    let method = mutant.test.split('#').nth(1)?;
    let methods = source.methods().into_iter().filter(|m| m.name == method);
    let mut statements = methods.flat_map(|m| source.statements(&m, true));
    statements
        .find(|s| source.text.line(s.range.start) == mutant.line && source.of(&s.range) == mutant.statement)
}

fn orders_of(place: &Place<'_>, mutant: &Mutant) -> Result<(), String> {
    for (number, test) in mutant.od_tests.iter().enumerate() {
        for (what, order) in [("passing", &test.passing_order), ("failing", &test.failing_order)] {
            let name = format!("orders/{}-{}-{what}.txt", mutant.id, number + 1);
            let mut text = order.join("\n");
            text.push('\n');
            file(place, &name, text.as_bytes())?;
        }
    }
    Ok(())
}

fn file(place: &Place<'_>, name: &str, bytes: &[u8]) -> Result<(), String> {
    let path = place.out.join(name);
    let fail = |e: std::io::Error| format!("cannot write \"{}\": {e}", path.display());
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).map_err(fail)?;
    }
    let part = path.with_extension("part");
    std::fs::write(&part, bytes).map_err(fail)?;
    std::fs::rename(&part, &path).map_err(fail)
}
