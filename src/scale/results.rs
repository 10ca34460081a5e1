//! Results of jobs: one file each, named by the job's key. It appears at once or not at all, and its last bytes are the
//! digest of all before them: one that was cut counts as missing.

use crate::scale::plan::Plan;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

const DIGEST: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code of the command: a verdict, not a failure of the machine.
    pub exit: i32,
    /// The files that it made, by name.
    pub files: Vec<(String, Vec<u8>)>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    key: String,
    exit: i32,
    files: Vec<(String, usize)>,
}

impl Outcome {
    pub fn file(&self, name: &str) -> Option<&[u8]> {
        let found = self.files.iter().find(|(n, _)| n == name);
        found.map(|(_, bytes)| bytes.as_slice())
    }

    pub fn bytes(&self, key: &str) -> Vec<u8> {
        let head = Head {
            key: key.to_owned(),
            exit: self.exit,
            files: self.files.iter().map(|(n, b)| (n.clone(), b.len())).collect(),
        };
        // Strings and numbers only: this cannot fail.
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        self.files.iter().for_each(|(_, b)| bytes.extend_from_slice(b));
        let digest = blake3::hash(&bytes);
        bytes.extend_from_slice(digest.as_bytes());
        bytes
    }

    /// None for what is not whole, or of another job.
    pub fn read(bytes: &[u8], key: &str) -> Option<Outcome> {
        let (contents, digest) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST)?)?;
        if blake3::hash(contents).as_bytes() != digest {
            return None;
        }
        let at = contents.iter().position(|b| *b == b'\n')?;
        let head: Head = serde_json::from_slice(&contents[..at]).ok()?;
        let mut rest = &contents[at + 1..];
        let mut files = Vec::new();
        for (name, size) in head.files {
            let (file, tail) = rest.split_at_checked(size)?;
            files.push((name, file.to_vec()));
            rest = tail;
        }
        (head.key == key && rest.is_empty()).then_some(Outcome {
            exit: head.exit,
            files,
        })
    }
}

/// What is known of a job.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Missing,
    /// A file is there, but not a whole one.
    Broken,
    Done(Outcome),
}

impl Plan {
    pub fn result_path(&self, key: &str) -> PathBuf {
        let folder = self.dir.join("results").join(key.get(..2).unwrap_or("__"));
        folder.join(key)
    }

    pub fn result(&self, key: &str) -> Found {
        match fs::read(self.result_path(key)) {
            Err(_) => Found::Missing,
            Ok(bytes) => Outcome::read(&bytes, key).map_or(Found::Broken, Found::Done),
        }
    }

    /// Whether a whole result is there.
    pub fn is_done(&self, key: &str) -> bool {
        matches!(self.result(key), Found::Done(_))
    }

    /// Commits a result.
    pub fn commit(&self, key: &str, outcome: &Outcome) -> std::io::Result<()> {
        self.commit_bytes(key, &outcome.bytes(key))
    }

    pub fn commit_bytes(&self, key: &str, bytes: &[u8]) -> std::io::Result<()> {
        let file = self.result_path(key);
        let folder = file.parent().map(PathBuf::from).unwrap_or_default();
        fs::create_dir_all(&folder)?;
        let part = folder.join(format!(
            ".{}-{}.part",
            crate::scale::jobs::host(),
            std::process::id()
        ));
        let written = File::create(&part).and_then(|mut out| {
            out.write_all(bytes)?;
            out.sync_all()
        });
        let done = written.and_then(|()| fs::rename(&part, &file));
        if done.is_err() {
            let _ = fs::remove_file(&part);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_whole_or_nothing() {
        let outcome = Outcome {
            exit: 4,
            files: vec![("report.json".into(), b"{}\n".to_vec()), ("e".into(), Vec::new())],
        };
        let bytes = outcome.bytes("k");
        assert_eq!(Outcome::read(&bytes, "k"), Some(outcome));
        assert_eq!(Outcome::read(&bytes, "other"), None);
        for cut in 0..bytes.len() {
            assert_eq!(Outcome::read(&bytes[..cut], "k"), None, "cut at {cut}");
        }
    }
}
