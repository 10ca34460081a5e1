//! What the guest has done to files since the journal was last read.
//!
//! Before something may happen to a path, the journal notes what is there and, with the stack, what is about to happen.
//! When it is read, every noted path is compared with what is there now: what has been put back as it was, or was made
//! and deleted again, is no change. Paths are canonical: no symbolic links, seen as the guest sees them.

use crate::errno::SysResult;
use crate::overlay::{Overlay, ancestors, trim_slashes};
use crate::sys::{self, Stat, Time};
use poldet_base::trace::{Site, Tracer};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Files up to this size are compared by all of their bytes.
const SMALL: i64 = 16 << 20;
/// Bytes compared at both ends of larger ones.
const ENDS: usize = 64 << 10;
/// Names noted when a folder is renamed with all that is in it.
const MOST_NAMES: usize = 20_000;

/// Who did it, innermost frame first.
pub type Stack = Rc<[Site]>;

/// What has become of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    Created,
    Changed,
    Removed,
}

/// A path at which there is something else than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    pub path: Vec<u8>,
    pub became: Became,
    /// What was created or removed is a folder.
    pub folder: bool,
    pub stack: Stack,
}

/// What is about to happen to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Something new comes to be there, or other contents.
    Put,
    Remove,
}

/// What was found at a path, as far as it takes to tell whether it is still the same.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Print {
    Nothing,
    Folder,
    Link(Vec<u8>),
    /// A small file, by its bytes.
    File {
        size: i64,
        hash: blake3::Hash,
    },
    /// A large one, or one that cannot be read. Reading all of it would cost more than the guest's own work; its time
    /// reveals changes in the middle, but also writes that changed nothing.
    Large {
        size: i64,
        modified: Time,
        ends: blake3::Hash,
    },
    /// A pipe, socket or device.
    Special(u32, u64),
}

#[derive(Debug)]
struct Entry {
    before: Print,
    /// Who last put something where there was nothing.
    made: Option<Stack>,
    /// Who first changed what had been there all along.
    altered: Option<Stack>,
    /// Who last removed what was there.
    removed: Option<Stack>,
}

/// A file mapped to be written: its bytes change without anybody being asked.
#[derive(Debug)]
struct Mapped {
    path: Vec<u8>,
    stack: Stack,
}

#[derive(Debug)]
pub(super) struct Journal {
    tracer: Tracer,
    entries: BTreeMap<Vec<u8>, Entry>,
    /// Counts what could make an open file's path mean another file, or its next write the one to be noted.
    epoch: u64,
    /// By address.
    mapped: BTreeMap<u64, Mapped>,
    scratch: Vec<Site>,
}

/// Where the journal looks: the guest's view of the files, and the folder in it that is not the guest's.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub overlay: &'a Overlay,
    pub private: Option<&'a [u8]>,
}

impl View<'_> {
    /// The path without symbolic links, unless it cannot be resolved or is not to be reported.
    fn canonical(&self, path: &[u8], follow: bool) -> Option<Vec<u8>> {
        let path = self.overlay.canonical(path, follow).ok()?;
        let private = self.private.is_some_and(|p| ancestors(&path).any(|a| a == p));
        (!private && !self.overlay.is_outside(&path)).then_some(path)
    }

    /// What a canonical path names, if anything.
    fn find(&self, path: &[u8]) -> Found {
        let place = self.overlay.find(path).ok()?;
        let stat = sys::stat(&place, false).ok()?;
        Some((place, stat))
    }
}

/// The real file of a path, and what it is.
type Found = Option<(Vec<u8>, Stat)>;

fn print(found: &Found) -> Print {
    found
        .as_ref()
        .map_or(Print::Nothing, |(place, stat)| print_of(place, stat))
}

/// Whether what is there now is what was there before; the bytes are compared last.
fn is_still(before: &Print, found: &Found) -> bool {
    match (before, found) {
        (Print::Nothing, found) => found.is_none(),
        (_, None) => false,
        (Print::File { size, .. } | Print::Large { size, .. }, Some((place, stat))) => {
            stat.is_regular() && stat.size == *size && print_of(place, stat) == *before
        }
        (_, Some((place, stat))) => !stat.is_regular() && print_of(place, stat) == *before,
    }
}

fn print_of(place: &[u8], stat: &Stat) -> Print {
    let size = stat.size;
    match stat.kind() {
        libc::S_IFDIR => Print::Folder,
        libc::S_IFLNK => Print::Link(sys::readlink(place).unwrap_or_default()),
        libc::S_IFREG if size <= SMALL => match hash(place, 0..size) {
            Ok(hash) => Print::File { size, hash },
            Err(_) => large(place, stat),
        },
        libc::S_IFREG => large(place, stat),
        kind => Print::Special(kind, stat.rdev),
    }
}

fn large(place: &[u8], stat: &Stat) -> Print {
    let end = stat.size - ENDS as i64;
    let part = |range| hash(place, range).map_or([0; 32], |h| *h.as_bytes());
    let ends = [part(0..ENDS as i64), part(end.max(0)..stat.size)];
    Print::Large {
        size: stat.size,
        modified: stat.modified,
        ends: blake3::hash(ends.as_flattened()),
    }
}

fn hash(place: &[u8], range: std::ops::Range<i64>) -> SysResult<blake3::Hash> {
    let fd = sys::open(place, libc::O_RDONLY | libc::O_NOFOLLOW, 0)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; ENDS.min((range.end - range.start).max(1) as usize)];
    let mut at = range.start;
    let read = loop {
        match sys::pread(fd, &mut buffer, at) {
            Ok(0) => break Ok(()),
            Ok(n) => {
                let n = n.min((range.end - at) as usize);
                hasher.update(&buffer[..n]);
                at += n as i64;
                if at >= range.end {
                    break Ok(());
                }
            }
            Err(e) => break Err(e),
        }
    };
    sys::close(fd)?;
    read.map(|()| hasher.finalize())
}

impl Journal {
    pub(super) fn new(tracer: Tracer) -> Journal {
        Journal {
            tracer,
            entries: BTreeMap::new(),
            epoch: 1,
            mapped: BTreeMap::new(),
            scratch: Vec::new(),
        }
    }

    /// A descriptor whose write was noted in this epoch need not be checked again.
    #[inline]
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    pub(super) fn tracer(&self) -> &Tracer {
        &self.tracer
    }

    fn stack(&mut self) -> Stack {
        self.scratch.clear();
        self.tracer.stack(&mut self.scratch);
        self.scratch.as_slice().into()
    }

    /// Something is about to happen to what this path names.
    pub(super) fn note(&mut self, view: View<'_>, path: &[u8], deed: Deed) {
        if let Some(path) = view.canonical(trim_slashes(path), false) {
            self.epoch += 1;
            let stack = self.stack();
            self.note_one(path_and(view, path), deed, &stack);
        }
    }

    /// A file is about to be opened so that it is made or emptied.
    pub(super) fn note_open(&mut self, view: View<'_>, path: &[u8], flags: i32) {
        let exclusive = libc::O_CREAT | libc::O_EXCL;
        let follow = flags & libc::O_NOFOLLOW == 0 && flags & exclusive != exclusive;
        let Some(path) = view.canonical(path, follow) else {
            return;
        };
        let found = view.find(&path);
        let changes = match &found {
            Some((_, stat)) => flags & libc::O_TRUNC != 0 && stat.is_regular() && stat.size > 0,
            None => flags & libc::O_CREAT != 0,
        };
        if changes {
            self.epoch += 1;
            let stack = self.stack();
            self.note_one((path, found), Deed::Put, &stack);
        }
    }

    /// An open file is about to be written, unless its name has come to mean another.
    pub(super) fn note_write(&mut self, view: View<'_>, path: &[u8], file: &Stat) {
        if let Some(named) = name_of(view, path, file) {
            let stack = self.stack();
            self.note_one(named, Deed::Put, &stack);
        }
    }

    /// A name is about to be given to what had another, with all that is in it.
    pub(super) fn note_rename(&mut self, view: View<'_>, from: &[u8], to: &[u8]) {
        let from = view.canonical(trim_slashes(from), false);
        let to = view.canonical(trim_slashes(to), false);
        if from == to {
            return;
        }
        self.epoch += 1;
        let stack = self.stack();
        let inside = from.as_ref().map_or(Vec::new(), |from| tree(view, from));
        for name in std::iter::once(Vec::new()).chain(inside) {
            if let Some(from) = &from {
                let path = [from.as_slice(), &name].concat();
                self.note_one(path_and(view, path), Deed::Remove, &stack);
            }
            if let Some(to) = &to {
                let path = [to.as_slice(), &name].concat();
                self.note_one(path_and(view, path), Deed::Put, &stack);
            }
        }
    }

    fn note_one(&mut self, (path, found): (Vec<u8>, Found), deed: Deed, stack: &Stack) {
        let there = found.is_some();
        let mut entry = match self.entries.remove(&path) {
            // Whatever has happened was undone: only what comes now matters.
            Some(entry) if is_still(&entry.before, &found) => Entry::new(entry.before),
            Some(entry) => entry,
            None => Entry::new(print(&found)),
        };
        match deed {
            Deed::Put if there => {
                entry.altered.get_or_insert_with(|| stack.clone());
            }
            Deed::Put => entry.made = Some(stack.clone()),
            Deed::Remove if there => entry.removed = Some(stack.clone()),
            Deed::Remove => {}
        }
        self.entries.insert(path, entry);
    }

    /// A file is written through memory from now on.
    pub(super) fn map(&mut self, view: View<'_>, path: &[u8], file: &Stat, address: u64) {
        if let Some(named) = name_of(view, path, file) {
            let stack = self.stack();
            let path = named.0.clone();
            self.note_one(named, Deed::Put, &stack);
            self.mapped.insert(address, Mapped { path, stack });
        }
    }

    pub(super) fn unmap(&mut self, address: u64) {
        self.mapped.remove(&address);
    }

    /// What is different since the last time, by path; from now on it is what was before.
    pub(super) fn take(&mut self, view: View<'_>) -> Vec<FileChange> {
        self.epoch += 1;
        let entries = std::mem::take(&mut self.entries);
        let changes = entries
            .into_iter()
            .filter_map(|(path, entry)| entry.change(view, path))
            .collect();
        for mapped in self.mapped.values() {
            let mut entry = Entry::new(print(&view.find(&mapped.path)));
            entry.altered = Some(mapped.stack.clone());
            self.entries.insert(mapped.path.clone(), entry);
        }
        changes
    }
}

impl Entry {
    fn new(before: Print) -> Entry {
        Entry {
            before,
            made: None,
            altered: None,
            removed: None,
        }
    }

    fn change(self, view: View<'_>, path: Vec<u8>) -> Option<FileChange> {
        let now = view.find(&path);
        if is_still(&self.before, &now) {
            return None;
        }
        let (became, folder, stack) = match now {
            None => (Became::Removed, self.before == Print::Folder, self.removed),
            Some((_, now)) if self.before == Print::Nothing => (Became::Created, now.is_dir(), self.made),
            Some(_) => (Became::Changed, false, self.made.or(self.altered)),
        };
        Some(FileChange {
            path,
            became,
            folder,
            stack: stack.unwrap_or_else(|| [].into()),
        })
    }
}

fn path_and(view: View<'_>, path: Vec<u8>) -> (Vec<u8>, Found) {
    let found = view.find(&path);
    (path, found)
}

/// The canonical path of an open file with what it names, while that is the same file.
fn name_of(view: View<'_>, path: &[u8], file: &Stat) -> Option<(Vec<u8>, Found)> {
    let path = view.canonical(path, true).filter(|_| file.is_regular())?;
    let (path, found) = path_and(view, path);
    let same = |(_, stat): &(Vec<u8>, Stat)| (stat.dev, stat.ino) == (file.dev, file.ino);
    found.as_ref().is_some_and(same).then_some((path, found))
}

/// All that is in a folder, each with the path from there; nothing for what is no folder.
fn tree(view: View<'_>, folder: &[u8]) -> Vec<Vec<u8>> {
    let mut found = vec![Vec::new()];
    let mut next = 0;
    while next < found.len() && found.len() < MOST_NAMES {
        let path = [folder, found[next].as_slice()].concat();
        if view.find(&path).is_some_and(|(_, stat)| stat.is_dir())
            && let Ok(names) = view.overlay.list(&path)
        {
            let inside = names
                .iter()
                .map(|name| [found[next].as_slice(), b"/", name].concat());
            let inside: Vec<_> = inside.collect();
            found.extend(inside);
        }
        next += 1;
    }
    found.remove(0);
    found
}
