//! What a run has evaluated so far, on disk: a run that was interrupted goes on where it stopped.

use poldet_records::inject::Mutant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const NAME: &str = "progress.jsonl";

/// The first line: what the results depend on.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
struct Head {
    poldet: String,
    inputs: String,
}

pub struct Journal {
    file: Mutex<File>,
    known: BTreeMap<String, Mutant>,
}

impl Journal {
    /// Opens the folder of a data set: a new one, or one of a run with the same inputs.
    pub fn open(dir: &Path, inputs: &str) -> Result<Journal, String> {
        let shown = dir.display();
        let head = Head {
            poldet: env!("CARGO_PKG_VERSION").into(),
            inputs: inputs.into(),
        };
        let path = dir.join(NAME);
        let fail = |e: std::io::Error| format!("--out: cannot write \"{shown}\": {e}");
        let mut known = BTreeMap::new();
        match File::open(&path) {
            Ok(file) => known = read(file, &head).ok_or_else(|| other_run(dir))?,
            Err(_) if dir.exists() => {
                if std::fs::read_dir(dir).map_err(fail)?.next().is_some() {
                    return Err(format!(
                        "--out: \"{shown}\" is not empty and holds no data set of poldet inject: name another folder"
                    ));
                }
            }
            Err(_) => std::fs::create_dir_all(dir).map_err(fail)?,
        }
        let new = !path.exists();
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(fail)?;
        if new {
            line(&mut file, &head).map_err(fail)?;
        } else {
            // The last line may have been cut short.
            let text = std::fs::read(&path).map_err(fail)?;
            if text.last() != Some(&b'\n') {
                file.write_all(b"\n").map_err(fail)?;
            }
        }
        Ok(Journal {
            file: Mutex::new(file),
            known,
        })
    }

    /// A mutant that was evaluated before.
    pub fn known(&self, id: &str) -> Option<&Mutant> {
        self.known.get(id)
    }

    pub fn add(&self, mutant: &Mutant) -> Result<(), String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        line(&mut file, mutant).map_err(|e| format!("cannot write {NAME}: {e}"))
    }
}

fn other_run(dir: &Path) -> String {
    let shown = dir.display();
    format!(
        "--out: \"{shown}\" holds a data set of other inputs or options: name another folder or remove it"
    )
}

fn read(file: File, head: &Head) -> Option<BTreeMap<String, Mutant>> {
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    let first: Head = serde_json::from_str(&lines.next()?).ok()?;
    if first != *head {
        return None;
    }
    // A line that was cut short says nothing.
    let mutants = lines.filter_map(|l| serde_json::from_str::<Mutant>(&l).ok());
    Some(mutants.map(|m| (m.id.clone(), m)).collect())
}

fn line(file: &mut File, what: &impl Serialize) -> std::io::Result<()> {
    let mut text = serde_json::to_vec(what)?;
    text.push(b'\n');
    file.write_all(&text)
}

/// Everything that the results depend on, as one short text.
pub fn fingerprint(parts: &[String], files: &[PathBuf]) -> Result<String, String> {
    let mut hash = blake3::Hasher::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update(b"\0");
    }
    for file in files {
        let bytes = std::fs::read(file).map_err(|e| format!("cannot read \"{}\": {e}", file.display()))?;
        hash.update(&bytes);
    }
    Ok(hash.finalize().to_hex()[..32].to_owned())
}
