//! Runs orders of tests, with the classes as they are, woven or patched.

use crate::explore::answer::Answer;
use crate::explore::explorer::{Explorer, steps};
use crate::explore::frame;
use crate::explore::od::probe::record_or_end;
use crate::explore::od::tests::Tests;
use crate::explore::setup::Setup;
use crate::explore::wire::{Fork, Off, Undo};
use crate::run::overlay::Overlay;
use poldet_records::{Outcome, UndoUnit};
use std::io::Write;
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A VM to be forked, in which some classes are others than those of the suite.
pub struct Runner<'a> {
    pub explorer: Explorer<'a>,
    pub tests: &'a Tests<'a>,
    _folder: Option<Overlay>,
}

impl<'a> Runner<'a> {
    /// Starts a VM with these classes in place of the suite's.
    pub fn start(
        setup: &'a Setup,
        tests: &'a Tests<'a>,
        jobs: usize,
        classes: &[(String, Vec<u8>)],
    ) -> Result<Runner<'a>, String> {
        let mut spec = setup.spec.clone();
        let mut folder = None;
        if !classes.is_empty() {
            let place = crate::explore::explorer::fresh_folder()?;
            for (name, bytes) in classes {
                let path = place.dir.join(format!("{}.class", name.replace('/', ".")));
                write(&path, bytes)?;
                spec.replaced.push((name.clone(), path.display().to_string()));
            }
            let new: Vec<&(String, Vec<u8>)> = classes
                .iter()
                .filter(|(name, _)| !setup.suite.has(&format!("{name}.class")))
                .collect();
            if !new.is_empty() {
                // One path for all, since what a test does may depend on the class path's text.
                let path = "/poldet/patched.jar".to_owned();
                let jar = place.dir.join("patched.jar");
                archive(&jar, &new).map_err(|e| format!("cannot write {}: {e}", jar.display()))?;
                spec.aliases.push((path.clone(), jar.display().to_string()));
                spec.own.push(jar.display().to_string());
                spec.class_path.push(path);
            }
            folder = Some(place);
        }
        let (explorer, _) = frame::start_as(&spec, setup, jobs)?;
        Ok(Runner {
            explorer,
            tests,
            _folder: folder,
        })
    }

    /// Runs an order without some code; the outcome of each test in it, none for one that did not run.
    pub fn run(&self, order: &[usize], off: &[Off]) -> Result<Vec<Option<Outcome>>, String> {
        let fork = Fork {
            steps: steps(&self.tests.members(order)),
            off: off.to_vec(),
            ..Fork::default()
        };
        let answer = self.explorer.probe(None, fork)?;
        Ok(self.outcomes(&answer, order))
    }

    /// The same; what the test at a place of the order changed.
    pub fn changes(&self, order: &[usize], at: usize, off: &[Off]) -> Result<Vec<UndoUnit>, String> {
        let folder = self.explorer.folder()?;
        let fork = Fork {
            steps: steps(&self.tests.members(order)),
            off: off.to_vec(),
            undo: Some(Undo {
                after: at as u32,
                put_back: Vec::new(),
                folder: folder.dir.display().to_string(),
                ..Undo::default()
            }),
            ..Fork::default()
        };
        Ok(self.explorer.probe(None, fork)?.changed)
    }

    fn outcomes(&self, answer: &Answer, order: &[usize]) -> Vec<Option<Outcome>> {
        let members = self.tests.members(order);
        let mut found: Vec<Option<Outcome>> = vec![None; order.len()];
        let mut next = 0;
        for record in &answer.records {
            let same = |m: &&crate::explore::explorer::Member| m.test.key() == record.test.key();
            if let Some(at) = members[next..].iter().position(same) {
                found[next + at] = Some(record.outcome);
                next += at + 1;
            }
        }
        for at in 0..order.len() {
            if found[at].is_none() {
                // A class fixture that failed speaks for its tests.
                found[at] = record_or_end(answer, &members[at..=at]).map(|r| r.outcome);
            }
        }
        found
    }
}

/// Classes that the suite does not have, such as anonymous ones of a patch: nothing is found that they could take the place of.
fn archive(path: &Path, classes: &[&(String, Vec<u8>)]) -> zip::result::ZipResult<()> {
    let mut jar = ZipWriter::new(std::fs::File::create(path)?);
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default());
    for (name, bytes) in classes {
        jar.start_file(format!("{name}.class"), options)?;
        jar.write_all(bytes)?;
    }
    jar.finish()?;
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
