//! Digests of files and folders, remembered by size, time and inode, so that a large file that does not change is read once.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A file changed so shortly before it was read may change again without another time.
const YOUNG: Duration = Duration::from_secs(2);
/// Smaller files are as quickly read as looked up.
const SMALL: u64 = 16 << 10;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    size: u64,
    time: (i64, i64),
    changed: (i64, i64),
    inode: u64,
    digest: String,
}

impl Known {
    fn fits(&self, meta: &Metadata) -> bool {
        self.size == meta.len()
            && self.time == (meta.mtime(), meta.mtime_nsec())
            && self.changed == (meta.ctime(), meta.ctime_nsec())
            && self.inode == meta.ino()
    }
}

/// Digests that are known, in a file of the cache's folder.
pub struct Digests {
    file: Option<PathBuf>,
    known: Mutex<(BTreeMap<String, Known>, bool)>,
}

impl Digests {
    /// Those remembered in a folder; without one nothing is remembered.
    pub fn open(folder: Option<&Path>) -> Digests {
        let file = folder.map(|f| f.join("digests.json"));
        let text = file.as_ref().and_then(|f| fs::read(f).ok());
        let known = text.and_then(|t| serde_json::from_slice(&t).ok());
        Digests {
            file,
            known: Mutex::new((known.unwrap_or_default(), false)),
        }
    }

    /// The digest of a file's contents.
    pub fn file(&self, path: &Path) -> std::io::Result<String> {
        let meta = fs::metadata(path)?;
        if meta.len() <= SMALL {
            return hash(path);
        }
        let name = path.display().to_string();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.0.get(&name).filter(|k| k.fits(&meta)) {
            return Ok(found.digest.clone());
        }
        let digest = hash(path)?;
        let age = |seconds: i64| {
            let time = UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
            SystemTime::now().duration_since(time).unwrap_or_default()
        };
        if age(meta.mtime().max(meta.ctime())) > YOUNG {
            let one = Known {
                size: meta.len(),
                time: (meta.mtime(), meta.mtime_nsec()),
                changed: (meta.ctime(), meta.ctime_nsec()),
                inode: meta.ino(),
                digest: digest.clone(),
            };
            known.0.insert(name, one);
            known.1 = true;
        }
        Ok(digest)
    }

    /// The digest of all files below a folder, with their names.
    pub fn tree(&self, dir: &Path) -> std::io::Result<String> {
        let mut hasher = blake3::Hasher::new();
        for (name, path) in files(dir)? {
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
            hasher.update(self.file(&path)?.as_bytes());
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// Of a file or a folder.
    pub fn of(&self, path: &Path) -> std::io::Result<String> {
        match fs::metadata(path)?.is_dir() {
            true => Ok(format!("folder {}", self.tree(path)?)),
            false => Ok(format!("file {}", self.file(path)?)),
        }
    }

    /// The JDK: what it says of itself, and its class library.
    pub fn jdk(&self, home: &Path) -> std::io::Result<String> {
        let mut hasher = blake3::Hasher::new();
        for name in ["release", "lib/modules", "lib/tzdb.dat"] {
            let path = home.join(name);
            if path.is_file() {
                hasher.update(self.file(&path)?.as_bytes());
            }
            hasher.update(b"\n");
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// This program.
    pub fn program(&self) -> std::io::Result<String> {
        self.file(&std::env::current_exe()?)
    }
}

impl Drop for Digests {
    fn drop(&mut self) {
        self.save();
    }
}

impl Digests {
    /// Keeps what was found out.
    pub fn save(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (Some(file), true) = (&self.file, known.1) else {
            return;
        };
        known.1 = false;
        known.0.retain(|name, _| Path::new(name).exists());
        // Where it cannot be kept, files are read again.
        let part = file.with_extension(format!("{}.part", std::process::id()));
        let written = serde_json::to_vec(&known.0).map_err(std::io::Error::from);
        let _ = written
            .and_then(|text| fs::write(&part, text))
            .and_then(|()| fs::rename(&part, file));
    }
}

fn hash(path: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut fs::File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// All files below a folder, by name from there, sorted. Links are followed, but not in circles.
pub fn files(dir: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    walk(dir, "", 0, &mut found)?;
    found.sort();
    Ok(found)
}

fn walk(dir: &Path, prefix: &str, depth: u32, found: &mut Vec<(String, PathBuf)>) -> std::io::Result<()> {
    const DEEPEST: u32 = 64;
    if depth > DEEPEST {
        return Err(std::io::Error::other("too many folders in each other"));
    }
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        match fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => walk(&path, &format!("{name}/"), depth + 1, found)?,
            Ok(meta) if meta.is_file() => found.push((name, path)),
            // A pipe or a link to nothing has no contents.
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_follow_contents_and_names() {
        let dir = std::env::temp_dir().join(format!("poldet-digests-{}", std::process::id()));
        fs::create_dir_all(dir.join("a")).unwrap();
        let big = dir.join("a/big");
        fs::write(&big, vec![1; 100_000]).unwrap();
        let digests = Digests::open(Some(&dir));
        let first = digests.of(&dir.join("a")).unwrap();
        assert_eq!(digests.of(&dir.join("a")).unwrap(), first);
        // The same size, at once: the time alone would not show it.
        fs::write(&big, vec![2; 100_000]).unwrap();
        let second = digests.of(&dir.join("a")).unwrap();
        assert_ne!(first, second);
        fs::rename(&big, dir.join("a/other")).unwrap();
        assert_ne!(digests.of(&dir.join("a")).unwrap(), second);
        assert!(digests.of(&dir.join("missing")).is_err());
        drop(digests);
        fs::remove_dir_all(dir).unwrap();
    }
}
