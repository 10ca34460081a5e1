//! What a forked child must have for itself: parent and child share the kernel's open files, the overlay's folder and
//! shared mappings until the child has its own.
//!
//! The child's overlay starts as a copy of its parent's. Most children fork from a parent that has written nothing, so
//! the copy is empty; after a prefix of tests it holds what these tests wrote.

use crate::Host;
use crate::errno::{Errno, SysResult};
use crate::overlay::{Overlay, copy};
use crate::sys::{self, Stat};
use std::collections::BTreeMap;

/// A file by device and inode.
pub(super) type Inode = (u64, u64);

/// Where the files of the parent's overlay are in the child's: by the old inode, the path and the new inode.
#[derive(Debug, Default)]
pub(super) struct Copied(BTreeMap<Inode, (Vec<u8>, Inode)>);

impl Copied {
    pub(super) fn path(&self, old: Inode) -> Option<&[u8]> {
        self.0.get(&old).map(|(path, _)| path.as_slice())
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same file's inode in the child's overlay; files outside of the overlay keep theirs.
    pub(super) fn inode(&self, old: Inode) -> Inode {
        self.0.get(&old).map_or(old, |(_, new)| *new)
    }
}

impl Host {
    /// Why the guest cannot be forked as it is now.
    pub fn cannot_fork(&mut self) -> Option<&'static str> {
        // Only the parent can wait for a process, and both would read from its pipes.
        if !self.processes.alive().is_empty() {
            return Some("a process that the guest started is running");
        }
        self.fs
            .absorb()
            .err()
            .map(|_| "what processes have removed cannot be read")
    }

    /// To be called in the child. `upper` is an empty folder for the child's overlay, if its parent has one.
    pub fn after_fork(&mut self, upper: Option<&[u8]>) -> SysResult<()> {
        self.net.after_fork();
        let copied = self.fs.after_fork(upper)?;
        self.memory.after_fork(&copied)
    }
}

impl Overlay {
    /// Continues in another folder, which must be empty, with a copy of what was written so far.
    pub(super) fn move_to(&mut self, upper: &[u8]) -> SysResult<Copied> {
        let mut copied = Copied::default();
        if !self.is_untouched() {
            copy_folder(self.upper(), upper, &mut copied)?;
        }
        self.set_upper(upper);
        Ok(copied)
    }
}

pub(super) fn copy_folder(from: &[u8], to: &[u8], copied: &mut Copied) -> SysResult<()> {
    for name in sys::read_dir(from)? {
        let old = [from, b"/", &name].concat();
        let new = [to, b"/", &name].concat();
        let stat = sys::stat(&old, false)?;
        copy_entry(&old, &new, &stat, copied)?;
        let made = sys::stat(&new, false)?;
        copied.0.insert((stat.dev, stat.ino), (new, (made.dev, made.ino)));
    }
    Ok(())
}

fn copy_entry(old: &[u8], new: &[u8], stat: &Stat, copied: &mut Copied) -> SysResult<()> {
    match stat.kind() {
        libc::S_IFLNK => sys::symlink(&sys::readlink(old)?, new)?,
        libc::S_IFREG => match copied.path((stat.dev, stat.ino)) {
            // A second name of a file that is copied already.
            Some(first) => return sys::link(first, new),
            None => copy(old, new)?,
        },
        libc::S_IFDIR => {
            sys::mkdir(new, 0o700)?;
            copy_folder(old, new, copied)?;
        }
        _ => return Err(Errno::NOTSUP),
    }
    if stat.kind() != libc::S_IFLNK {
        sys::chmod(new, stat.mode & 0o7777)?;
    }
    sys::set_times(new, false, Some(stat.accessed), Some(stat.modified))
}
