//! A root of the worker's own: all that is in the machine's, and the suite's folders at fixed paths besides, so that what
//! tests see of paths does not depend on where the suite lies.

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::unistd::{chdir, pivot_root};
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const NONE: Option<&str> = None;

/// A file or folder that tests see at another path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    pub at: PathBuf,
    pub real: PathBuf,
}

/// Makes the root, in a mount namespace whose mounts are private.
pub fn make(shown: &[Shown]) -> Result<(), String> {
    let here = std::env::current_dir();
    // Any folder will do: what is mounted there becomes the root at once.
    let stage = Path::new("/proc");
    let old = stage.join(".old");
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("tmpfs"), stage, Some("tmpfs"), flags, Some("mode=755")).map_err(|e| e.to_string())?;
    let pivoted = fs::create_dir(&old)
        .map_err(|e| e.to_string())
        .and_then(|()| pivot_root(stage, &old).map_err(|e| e.to_string()));
    if let Err(why) = pivoted {
        let _ = umount2(stage, MntFlags::MNT_DETACH);
        return Err(why);
    }
    let _ = chdir("/");
    take_over(Path::new("/.old"))?;
    for one in shown {
        let fail = |e: String| format!("{}: {e}", one.at.display());
        let folder = fs::metadata(&one.real).map_err(|e| fail(e.to_string()))?.is_dir();
        put(&one.real, &one.at, folder).map_err(fail)?;
    }
    umount2("/.old", MntFlags::MNT_DETACH).map_err(|e| e.to_string())?;
    let _ = fs::remove_dir("/.old");
    if let Ok(here) = here {
        let _ = chdir(&here);
    }
    Ok(())
}

/// Everything of the old root, at the same path.
fn take_over(old: &Path) -> Result<(), String> {
    for entry in fs::read_dir(old).map_err(|e| e.to_string())?.flatten() {
        let (from, to) = (entry.path(), Path::new("/").join(entry.file_name()));
        let Ok(kind) = entry.file_type() else { continue };
        let taken = if kind.is_symlink() {
            fs::read_link(&from)
                .and_then(|target| symlink(target, &to))
                .map_err(|e| e.to_string())
        } else if kind.is_dir() || kind.is_file() {
            put(&from, &to, kind.is_dir())
        } else {
            continue;
        };
        taken.map_err(|e| format!("{}: {e}", to.display()))?;
    }
    Ok(())
}

fn put(from: &Path, to: &Path, folder: bool) -> Result<(), String> {
    if folder {
        fs::create_dir_all(to).map_err(|e| e.to_string())?;
    } else {
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(|e| e.to_string())?;
        }
        fs::write(to, "").map_err(|e| e.to_string())?;
    }
    mount(Some(from), to, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE).map_err(|e| e.to_string())
}
