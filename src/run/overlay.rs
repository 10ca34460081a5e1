//! The folders that take what tests write, so that nothing real changes.

use nix::fcntl::{Flock, FlockArg};
use nix::sys::statvfs::statvfs;
use nix::unistd::AccessFlags;
use std::fs::{self, DirBuilder, File, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The folder of all overlays of this process; removed with the last of them.
pub struct Place {
    pub dir: PathBuf,
    /// Held as long as the folder is used.
    _lock: Option<Flock<File>>,
}

/// The place that is in use, if one is.
static PLACE: Mutex<Weak<Place>> = Mutex::new(Weak::new());

impl Place {
    /// The place of this process.
    pub fn get() -> Result<Arc<Place>, String> {
        let mut current = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = current.upgrade() {
            return Ok(place);
        }
        let root = choose(&[PathBuf::from("/dev/shm"), std::env::temp_dir()]);
        remove_orphans(&root);
        let place = Arc::new(Place::make(
            root.join(format!("poldet-overlay-{}", std::process::id())),
        )?);
        *current = Arc::downgrade(&place);
        Ok(place)
    }

    fn make(dir: PathBuf) -> Result<Place, String> {
        let fail = |e: std::io::Error| format!("cannot make {}: {e}", dir.display());
        loop {
            // One of an earlier process with this number that cannot be removed is somebody else's.
            DirBuilder::new().mode(0o700).create(&dir).map_err(fail)?;
            // Until it is locked, another process may take it for an orphan and remove it.
            let lock = lock(&dir, FlockArg::LockExclusive);
            // Where nothing can be locked, nobody removes orphans.
            if lock.is_some() || dir.exists() {
                return Ok(Place { dir, _lock: lock });
            }
        }
    }
}

/// How much room an overlay may take, in bytes.
static ROOM: AtomicU64 = AtomicU64::new(0);

/// Overlays are to be where there is so much room, if such a place is found.
pub fn set_room(bytes: u64) {
    ROOM.store(bytes, Ordering::Relaxed);
}

/// The first folder with room enough that can be written to, else the one with most.
fn choose(folders: &[PathBuf]) -> PathBuf {
    let room = |dir: &PathBuf| {
        let writable = nix::unistd::access(dir, AccessFlags::W_OK | AccessFlags::X_OK).is_ok();
        let stat = statvfs(dir).ok().filter(|_| writable);
        stat.map_or(0, |s| s.blocks_available().saturating_mul(s.fragment_size()))
    };
    let wanted = ROOM.load(Ordering::Relaxed).max(1);
    let enough = folders.iter().find(|dir| room(dir) >= wanted);
    let most = || folders.iter().max_by_key(|dir| room(dir));
    enough.or_else(most).cloned().unwrap_or_else(std::env::temp_dir)
}

impl Drop for Place {
    fn drop(&mut self) {
        // What tests have written is not to outlive them; what cannot be removed is only rubbish.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// An empty folder, in memory where that can be had; removed when this is dropped, with those beside it that bear its name.
pub struct Overlay {
    pub dir: PathBuf,
    _place: Arc<Place>,
}

impl Overlay {
    /// The overlay of this number of this process.
    pub fn make(number: u32) -> Result<Overlay, String> {
        let place = Place::get()?;
        let dir = place.dir.join(number.to_string());
        fs::create_dir(&dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
        Ok(Overlay { dir, _place: place })
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        // Most tests write nothing.
        if fs::remove_dir(&self.dir).is_err() {
            let _ = fs::remove_dir_all(&self.dir);
        }
        let _ = fs::remove_dir_all(self.dir.with_extension("private"));
        remove_work(&self.dir.with_extension("work"));
    }
}

/// Folders that the kernel has worked in for a mounted overlay: it leaves one in each that nobody may read.
fn remove_work(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        for name in ["work", "index"] {
            let _ = fs::set_permissions(entry.path().join(name), Permissions::from_mode(0o700));
        }
    }
    let _ = fs::remove_dir_all(dir);
}

/// Locks a folder. None if another process has it, or if it was removed before the lock was had.
fn lock(dir: &Path, how: FlockArg) -> Option<Flock<File>> {
    let lock = Flock::lock(File::open(dir).ok()?, how).ok()?;
    let (locked, named) = (lock.metadata().ok()?, fs::metadata(dir).ok()?);
    ((locked.dev(), locked.ino()) == (named.dev(), named.ino())).then_some(lock)
}

/// Overlays of supervisors that were killed before they could remove them: nobody holds their locks.
fn remove_orphans(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|n| n.strip_prefix("poldet-overlay-"));
        let ours = number.is_some_and(|n| n.parse::<u32>().is_ok());
        if ours && let Some(_lock) = lock(&entry.path(), FlockArg::LockExclusiveNonblock) {
            // Somebody else's cannot be removed, and need not be.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_folder_that_is_being_made_is_no_orphan() {
        let root = std::env::temp_dir().join(format!("poldet-places-{}", std::process::id()));
        fs::create_dir_all(&root).expect("a folder can be made");
        thread::scope(|scope| {
            let makers: Vec<_> = (0..4)
                .map(|maker| {
                    let root = &root;
                    scope.spawn(move || {
                        for n in 0..200 {
                            let dir = root.join(format!("poldet-overlay-{}", maker * 1000 + n));
                            let place = Place::make(dir).expect("a place can be made");
                            assert!(place.dir.is_dir(), "it was removed");
                            remove_orphans(root);
                            assert!(place.dir.is_dir(), "it was removed while in use");
                        }
                    })
                })
                .collect();
            makers.into_iter().for_each(|m| m.join().expect("no panic"));
        });
        fs::remove_dir(&root).expect("nothing is left");
    }
}
