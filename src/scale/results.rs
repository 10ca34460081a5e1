//! Results of jobs: one file for a batch, and while it is not through one for each of its jobs, named by the job's key. A file
//! appears at once or not at all, and the last bytes of a result are the digest of all before them: one that was cut counts
//! as missing.

use crate::scale::plan::{Batch, Job, Plan};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const DIGEST: usize = 32;
const BATCHES_PER_FOLDER: u64 = 1000;

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

/// A batch's pack: which results it has, and where.
struct Pack {
    file: File,
    at: BTreeMap<String, (u64, u64)>,
}

#[derive(Serialize, Deserialize)]
struct PackHead {
    /// Keys and sizes, in the order of the results that follow.
    results: Vec<(String, u64)>,
}

impl Pack {
    /// None if there is none, or not even its list is whole.
    fn open(path: &Path) -> Option<Pack> {
        let file = File::open(path).ok()?;
        let mut line = Vec::new();
        BufReader::new(&file).read_until(b'\n', &mut line).ok()?;
        let head: PackHead = serde_json::from_slice(line.strip_suffix(b"\n")?).ok()?;
        let mut offset = line.len() as u64;
        let mut at = BTreeMap::new();
        for (key, size) in head.results {
            at.insert(key, (offset, size));
            offset += size;
        }
        Some(Pack { file, at })
    }

    /// The bytes of a result that is listed, and whole.
    fn bytes(&self, key: &str) -> Option<Vec<u8>> {
        let (offset, size) = *self.at.get(key)?;
        // One that was cut may name any size.
        let end = self.file.metadata().ok()?.len();
        if offset.checked_add(size)? > end {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(size).ok()?];
        self.file.read_exact_at(&mut bytes, offset).ok()?;
        Some(bytes)
    }
}

/// The results of a batch that are there.
pub struct Results<'a> {
    plan: &'a Plan,
    batch: Batch,
    pack: Option<Pack>,
}

impl Results<'_> {
    pub fn get(&mut self, key: &str) -> Found {
        match self.look(key) {
            Found::Done(outcome) => Found::Done(outcome),
            _ => {
                // It may have been packed since the pack was looked for.
                self.pack = Pack::open(&self.plan.pack_path(self.batch));
                self.look(key)
            }
        }
    }

    fn look(&self, key: &str) -> Found {
        let packed = self.pack.as_ref().and_then(|pack| pack.bytes(key));
        if let Some(outcome) = packed.and_then(|bytes| Outcome::read(&bytes, key)) {
            return Found::Done(outcome);
        }
        match fs::read(self.plan.loose_path(self.batch, key)) {
            Ok(bytes) => Outcome::read(&bytes, key).map_or(Found::Broken, Found::Done),
            Err(_) if self.plan.pack_path(self.batch).exists() => Found::Broken,
            Err(_) => Found::Missing,
        }
    }

    /// Whether whole results of these jobs are there.
    pub fn all(&mut self, jobs: &[Job]) -> bool {
        jobs.iter()
            .all(|job| matches!(self.get(&job.key), Found::Done(_)))
    }
}

impl Plan {
    fn results_folder(&self, batch: Batch) -> PathBuf {
        self.dir
            .join("results")
            .join((batch.index / BATCHES_PER_FOLDER).to_string())
    }

    /// All results of a batch.
    pub fn pack_path(&self, batch: Batch) -> PathBuf {
        self.results_folder(batch).join(format!("{}.pack", batch.index))
    }

    /// Results of a batch that is not through.
    fn loose_folder(&self, batch: Batch) -> PathBuf {
        self.results_folder(batch).join(format!("{}.d", batch.index))
    }

    fn loose_path(&self, batch: Batch, key: &str) -> PathBuf {
        self.loose_folder(batch).join(key)
    }

    pub fn results(&self, batch: Batch) -> Results<'_> {
        Results {
            plan: self,
            batch,
            pack: Pack::open(&self.pack_path(batch)),
        }
    }

    /// How many jobs of a batch seem to have a result; whether they are whole is not asked.
    pub fn count(&self, batch: Batch) -> u64 {
        if self.pack_path(batch).exists() {
            return batch.to - batch.from;
        }
        let entries = fs::read_dir(self.loose_folder(batch))
            .into_iter()
            .flatten()
            .flatten();
        let whole = entries.filter(|e| !e.file_name().to_string_lossy().starts_with('.'));
        whole.count() as u64
    }

    /// Commits the result of a job. The only one of its batch is a pack at once.
    pub fn commit(&self, batch: Batch, key: &str, outcome: &Outcome) -> io::Result<()> {
        let bytes = outcome.bytes(key);
        if batch.to - batch.from == 1 {
            return write(&self.pack_path(batch), |out| {
                out.write_all(&pack_head(&[(key.to_owned(), bytes.len() as u64)]))?;
                out.write_all(&bytes)
            });
        }
        write(&self.loose_path(batch, key), |out| out.write_all(&bytes))
    }

    /// Once all results of a batch are there, they become one file: file systems of clusters allow few of them. Whoever packs a
    /// batch writes the same bytes.
    pub fn pack(&self, batch: Batch, jobs: &[Job]) -> io::Result<()> {
        let mut results = self.results(batch);
        let packed = results.pack.as_ref();
        let whole = |job: &Job| {
            let bytes = packed.and_then(|pack| pack.bytes(&job.key));
            bytes.is_some_and(|bytes| Outcome::read(&bytes, &job.key).is_some())
        };
        if !jobs.iter().all(whole) {
            let mut sizes = Vec::new();
            let mut keys = BTreeSet::new();
            for job in jobs.iter().filter(|job| keys.insert(job.key.clone())) {
                let Found::Done(outcome) = results.get(&job.key) else {
                    return Ok(());
                };
                sizes.push((job.key.clone(), outcome.bytes(&job.key).len() as u64));
            }
            write(&self.pack_path(batch), |out| {
                out.write_all(&pack_head(&sizes))?;
                for (key, _) in &sizes {
                    let Found::Done(outcome) = results.get(key) else {
                        return Err(io::Error::other("a result has gone"));
                    };
                    out.write_all(&outcome.bytes(key))?;
                }
                Ok(())
            })?;
        }
        match fs::remove_dir_all(self.loose_folder(batch)) {
            // What another process writes there meanwhile is in the pack already.
            Err(e) if e.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }
}

/// The result in a pack that has no other.
pub fn only(pack: &[u8], key: &str) -> Option<Outcome> {
    let at = pack.iter().position(|b| *b == b'\n')?;
    let head: PackHead = serde_json::from_slice(&pack[..at]).ok()?;
    let rest = &pack[at + 1..];
    match head.results.as_slice() {
        [(one, _)] if one == key => Outcome::read(rest, key),
        _ => None,
    }
}

fn pack_head(results: &[(String, u64)]) -> Vec<u8> {
    let head = PackHead {
        results: results.to_vec(),
    };
    // Strings and numbers only: this cannot fail.
    let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Writes a file beside its place, syncs it and renames it.
fn write(file: &Path, mut contents: impl FnMut(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    static PARTS: AtomicU64 = AtomicU64::new(0);
    let number = PARTS.fetch_add(1, Ordering::Relaxed);
    let name = format!(
        ".{}-{}-{number}.part",
        crate::scale::jobs::host(),
        std::process::id()
    );
    let part = folder.join(name);
    let mut once = || {
        fs::create_dir_all(folder)?;
        let mut out = BufWriter::new(File::create(&part)?);
        contents(&mut out)?;
        out.into_inner().map_err(|e| e.into_error())?.sync_all()?;
        fs::rename(&part, file)
    };
    let done = match once() {
        // Whoever packed the batch meanwhile has removed the folder.
        Err(e) if e.kind() == io::ErrorKind::NotFound => once(),
        other => other,
    };
    if done.is_err() {
        let _ = fs::remove_file(&part);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::plan::{Env, SCHEMA, Writer};

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

    #[test]
    fn a_batch_that_is_through_is_one_file() {
        let dir = std::env::temp_dir().join(format!("poldet-packs-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        let mut writer = Writer::new(&dir, 100.0).unwrap();
        let job = |key: &str| Job {
            index: 0,
            key: key.into(),
            suite: "s".into(),
            project: "p".into(),
            command: "run".into(),
            argv: Vec::new(),
            inputs: Vec::new(),
            seconds: 1.0,
        };
        // Two jobs may be the same.
        for key in ["a", "b", "a"] {
            writer.add(job(key)).unwrap();
        }
        let env = Env {
            schema: SCHEMA,
            ..Env::default()
        };
        writer.finish(env).unwrap();
        let plan = Plan::open(&dir).unwrap();
        let batch = plan.batch(0).unwrap();
        let jobs = plan.jobs(batch).unwrap();
        let outcome = |exit| Outcome {
            exit,
            files: vec![("report.json".into(), vec![b'x'; 10])],
        };
        plan.commit(batch, "a", &outcome(1)).unwrap();
        plan.pack(batch, &jobs).unwrap();
        assert_eq!((plan.count(batch), plan.pack_path(batch).exists()), (1, false));
        // One who looked before the batch was packed finds results after it.
        let early = plan.results(batch);
        plan.commit(batch, "b", &outcome(2)).unwrap();
        plan.pack(batch, &jobs).unwrap();
        assert_eq!((plan.count(batch), plan.loose_folder(batch).exists()), (3, false));
        for mut results in [early, plan.results(batch)] {
            assert_eq!(results.get("a"), Found::Done(outcome(1)));
            assert_eq!(results.get("b"), Found::Done(outcome(2)));
        }
        // Of a pack that was cut, whole results count, and the rest can be put in again.
        let bytes = fs::read(plan.pack_path(batch)).unwrap();
        for cut in 0..bytes.len() {
            fs::write(plan.pack_path(batch), &bytes[..cut]).unwrap();
            let mut results = plan.results(batch);
            assert_eq!(results.get("b"), Found::Broken, "cut at {cut}");
            for (key, exit) in [("a", 1), ("b", 2)] {
                if results.get(key) == Found::Broken {
                    plan.commit(batch, key, &outcome(exit)).unwrap();
                }
            }
            plan.pack(batch, &jobs).unwrap();
            assert_eq!(fs::read(plan.pack_path(batch)).unwrap(), bytes);
            assert!(!plan.loose_folder(batch).exists());
        }
        fs::remove_dir_all(dir).unwrap();
    }
}
