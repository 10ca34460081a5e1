//! The folders that take what tests write, so that nothing real changes.

use std::path::{Path, PathBuf};

/// An empty folder in memory, where that can be had; removed when this is dropped.
pub struct Overlay {
    pub dir: PathBuf,
}

impl Overlay {
    /// The overlay of this number of this process.
    pub fn make(number: u32) -> Result<Overlay, String> {
        let shm = PathBuf::from("/dev/shm");
        let root = if shm.is_dir() { shm } else { std::env::temp_dir() };
        if number == 1 {
            remove_orphans(&root);
        }
        let dir = root.join(format!("poldet-{}-{number}", std::process::id()));
        std::fs::create_dir(&dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
        Ok(Overlay { dir })
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        // What tests have written is not to outlive them; what cannot be removed is only rubbish.
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Overlays of supervisors that were killed before they could remove them.
fn remove_orphans(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name
            .to_str()
            .and_then(|n| n.strip_prefix("poldet-")?.split_once('-'));
        let Some((pid, number)) = pid else { continue };
        let ours = pid.parse::<u32>().is_ok() && number.parse::<u32>().is_ok();
        if ours && !Path::new("/proc").join(pid).exists() {
            // Somebody else's cannot be removed, and need not be.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
