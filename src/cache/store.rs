//! Entries on disk: one file each, named by its key. A file appears at once or not at all, and its last bytes are the digest
//! of all before them, so that many processes can share the folder, killed at any time.

use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// Changes when entries of before cannot be read any more.
const VERSION: &str = "v1";
/// Entries may take so many bytes unless told otherwise.
pub const SIZE: &str = "2g";
/// A part of a file that nobody finished in this time is left over.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);
const DIGEST: usize = 32;

pub struct Store {
    root: PathBuf,
    limit: u64,
    /// Something was added: there may be too much.
    grown: AtomicBool,
}

/// Counts the parts that this process has written.
static PARTS: AtomicU32 = AtomicU32::new(0);

/// What a folder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub entries: u64,
    pub bytes: u64,
    pub limit: u64,
}

struct Found {
    file: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl Store {
    /// Opens a folder, which is made if it is missing.
    pub fn open(root: &Path, limit: u64) -> std::io::Result<Store> {
        let root = root.join(VERSION);
        fs::create_dir_all(root.join("tmp"))?;
        // A folder may be there that cannot be written to.
        nix::unistd::access(&root.join("tmp"), nix::unistd::AccessFlags::W_OK)?;
        Ok(Store {
            root,
            limit,
            grown: AtomicBool::new(false),
        })
    }

    fn place(&self, key: &str) -> PathBuf {
        self.root.join(key.get(..2).unwrap_or("__")).join(key)
    }

    /// The contents of an entry. One that is not whole counts as missing and is removed.
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        let file = self.place(key);
        let bytes = fs::read(&file).ok()?;
        let Some(contents) = whole(&bytes) else {
            let _ = fs::remove_file(&file);
            return None;
        };
        // Entries that were used last are kept longest.
        if let Ok(opened) = File::open(&file) {
            let _ = opened.set_modified(SystemTime::now());
        }
        Some(contents.to_vec())
    }

    /// Adds an entry; where that fails, nothing is lost but time.
    pub fn put(&self, key: &str, contents: &[u8]) -> std::io::Result<()> {
        let file = self.place(key);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let number = PARTS.fetch_add(1, Ordering::Relaxed);
        let part = self
            .root
            .join("tmp")
            .join(format!("{}-{number}", std::process::id()));
        let written = File::create(&part).and_then(|mut out| {
            out.write_all(contents)?;
            out.write_all(blake3::hash(contents).as_bytes())
        });
        let renamed = written.and_then(|()| fs::rename(&part, &file));
        if renamed.is_err() {
            let _ = fs::remove_file(&part);
        }
        self.grown.store(true, Ordering::Relaxed);
        renamed
    }

    fn all(&self) -> Vec<Found> {
        let mut found = Vec::new();
        for folder in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            if folder.file_name() == "tmp" {
                continue;
            }
            for entry in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                let Ok(meta) = entry.metadata() else { continue };
                found.push(Found {
                    file: entry.path(),
                    bytes: meta.len(),
                    used: meta.modified().unwrap_or(SystemTime::UNIX_EPOCH),
                });
            }
        }
        found
    }

    pub fn stats(&self) -> Stats {
        let all = self.all();
        Stats {
            entries: all.len() as u64,
            bytes: all.iter().map(|f| f.bytes).sum(),
            limit: self.limit,
        }
    }

    /// Removes the entries that were not used for longest until no more than so many bytes are left; what was removed.
    pub fn prune(&self, limit: u64) -> Stats {
        let mut removed = Stats {
            limit,
            ..Stats::default()
        };
        self.remove_abandoned();
        let mut all = self.all();
        let mut bytes: u64 = all.iter().map(|f| f.bytes).sum();
        all.sort_by(|a, b| (a.used, &a.file).cmp(&(b.used, &b.file)));
        for found in all {
            if bytes <= limit {
                break;
            }
            bytes -= found.bytes;
            if fs::remove_file(&found.file).is_ok() {
                removed.entries += 1;
                removed.bytes += found.bytes;
            }
        }
        removed
    }

    fn remove_abandoned(&self) {
        let tmp = fs::read_dir(self.root.join("tmp"));
        for entry in tmp.into_iter().flatten().flatten() {
            let age = entry.metadata().and_then(|m| m.modified()).ok();
            if age
                .and_then(|t| t.elapsed().ok())
                .is_some_and(|age| age > ABANDONED)
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Checks all entries and removes those that are not whole: how many there were, and how many of them were not.
    pub fn verify(&self) -> (u64, u64) {
        let (mut all, mut broken) = (0, 0);
        for found in self.all() {
            all += 1;
            if fs::read(&found.file).is_ok_and(|bytes| whole(&bytes).is_none()) {
                broken += 1;
                let _ = fs::remove_file(&found.file);
            }
        }
        (all, broken)
    }
}

impl Drop for Store {
    /// Keeps to the limit, once for all that a process has added; one process at a time.
    fn drop(&mut self) {
        if !self.grown.load(Ordering::Relaxed) {
            return;
        }
        let lock = File::create(self.root.join("tmp").join("lock"));
        let lock = lock.map(|file| Flock::lock(file, FlockArg::LockExclusiveNonblock));
        if let Ok(Ok(_lock)) = lock
            && self.stats().bytes > self.limit
        {
            // Not again with the next entry.
            self.prune(self.limit / 10 * 9);
        }
    }
}

/// The contents of an entry's file, if it is whole.
fn whole(bytes: &[u8]) -> Option<&[u8]> {
    let (contents, digest) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST)?)?;
    (blake3::hash(contents).as_bytes() == digest).then_some(contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("poldet-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        dir
    }

    #[test]
    fn entries_are_whole_or_missing() {
        let dir = folder("whole");
        let store = Store::open(&dir, 1 << 20).unwrap();
        store.put("abcd", b"text").unwrap();
        assert_eq!(store.get("abcd").as_deref(), Some(&b"text"[..]));
        assert_eq!(store.get("abce"), None);
        let file = store.place("abcd");
        let bytes = fs::read(&file).unwrap();
        for cut in [0, 3, bytes.len() - 1] {
            fs::write(&file, &bytes[..cut]).unwrap();
            assert_eq!(store.get("abcd"), None, "cut at {cut}");
            assert!(!file.exists());
        }
        store.put("abcd", b"text").unwrap();
        fs::write(
            store.place("abcd"),
            b"garbage that is long enough for a digest of its own",
        )
        .unwrap();
        assert_eq!(store.verify(), (1, 1));
        assert_eq!(store.stats().entries, 0);
        drop(store);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn the_oldest_entries_go_first() {
        let dir = folder("oldest");
        let store = Store::open(&dir, 1000).unwrap();
        for number in 0..20_u64 {
            let key = format!("{number:04}");
            store.put(&key, &[0; 68]).unwrap();
            let file = File::open(store.place(&key)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(number))
                .unwrap();
        }
        // Used again.
        assert!(store.get("0000").is_some());
        drop(store);
        let store = Store::open(&dir, 1000).unwrap();
        let stats = store.stats();
        assert_eq!((stats.entries, stats.bytes), (9, 900));
        assert!(store.get("0000").is_some() && store.get("0001").is_none() && store.get("0019").is_some());
        drop(store);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn many_writers_of_one_key_do_no_harm() {
        let dir = folder("writers");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let store = Store::open(&dir, 1 << 20).unwrap();
                    for _ in 0..50 {
                        store.put("same", &[7; 5000]).unwrap();
                        let found = store.get("same");
                        assert_eq!(found.as_deref(), Some(&[7_u8; 5000][..]));
                    }
                });
            }
        });
        fs::remove_dir_all(dir).unwrap();
    }
}
