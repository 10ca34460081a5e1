//! A copy-on-write overlay over the real file system: what the guest writes goes to a folder of its own, reads see the
//! real files beneath, and the real files never change.
//!
//! A path of the guest is first made canonical in the merged view: every symbolic link of it is followed here and
//! never by the kernel, for a link may lead from one layer into the other. A canonical path then lies in the upper
//! layer (`upper` + path), in the lower one (the path itself), or nowhere. `hidden` holds paths whose lower files, and
//! all below them, are not to be seen: deleted, renamed away or replaced. A folder in both layers shows both.
//!
//! Known misses: a file already open for reading does not see what is written to it later under its name, and a file
//! gets another inode number when it is first changed.

use crate::errno::{Errno, SysResult};
use crate::special;
use crate::sys::{self, Stat};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

#[derive(Clone, Debug)]
pub struct Overlay {
    upper: Vec<u8>,
    /// The folder of this run's overlays, which is nobody's business.
    own: Vec<u8>,
    hidden: BTreeSet<Vec<u8>>,
    /// Nothing has been changed yet: every path is what it is.
    untouched: Cell<bool>,
    /// Folders that are there for the guest whether or not they really are. They are made when somebody looks there, so that
    /// most runs stay untouched.
    provided: RefCell<Vec<Vec<u8>>>,
    /// Processes may have this overlay mounted: what is removed is marked in the upper folder, as the kernel does it.
    shared: bool,
    /// Counts the folders that mounts work in.
    works: usize,
}

/// Where a canonical path is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    Upper,
    Lower,
    Nowhere,
}

/// As the kernel: more links than these are taken for a circle.
const MAX_LINKS: usize = 40;

impl Overlay {
    /// An overlay that keeps its files in this folder, which must be empty.
    pub fn new(upper: &[u8]) -> Overlay {
        Overlay {
            upper: upper.to_vec(),
            own: own_folder(upper),
            hidden: BTreeSet::new(),
            untouched: Cell::new(true),
            provided: RefCell::default(),
            shared: false,
            works: 0,
        }
    }

    /// Lets the guest see a folder that need not be there.
    pub(super) fn provide(&mut self, path: &[u8]) {
        if !sys::stat(path, true).is_ok_and(|s| s.is_dir()) {
            self.provided.get_mut().push(path.to_vec());
        }
    }

    /// Makes a provided folder when a path leads to it, or to the folder it is in.
    fn make_provided(&self, path: &[u8]) {
        let mut provided = self.provided.borrow_mut();
        let leads = |folder: &[u8]| {
            ancestors(path).any(|p| p == folder) || trim_slashes(path) == &folder[..parent_len(folder).max(1)]
        };
        let Some(at) = provided.iter().position(|folder| leads(folder)) else {
            return;
        };
        let folder = provided.remove(at);
        let mut above: Vec<&[u8]> = ancestors(&folder).collect();
        above.reverse();
        for folder in above.into_iter().filter(|p| p.len() > 1) {
            let mode = sys::stat(folder, true).map_or(0o755, |s| s.mode & 0o7777);
            // One that cannot be made is missing when it is asked for.
            if sys::mkdir(&self.in_upper(folder), 0o700).is_ok() {
                let _ = sys::chmod(&self.in_upper(folder), mode);
            }
        }
        self.untouched.set(false);
    }

    pub(super) fn is_untouched(&self) -> bool {
        self.untouched.get()
    }

    pub(super) fn upper(&self) -> &[u8] {
        &self.upper
    }

    pub(super) fn set_upper(&mut self, upper: &[u8]) {
        self.upper = upper.to_vec();
        self.own = own_folder(upper);
    }

    /// Devices and the kernel's own files cannot be made, changed or removed.
    fn check_passing(path: &[u8]) -> SysResult<()> {
        match Overlay::passes(path) {
            true => Err(Errno(libc::EACCES)),
            false => Ok(()),
        }
    }

    /// Devices and the kernel's own files are what they are.
    fn passes(path: &[u8]) -> bool {
        let below = |dir: &[u8]| {
            path.strip_prefix(dir)
                .is_some_and(|r| r.first().is_none_or(|b| *b == b'/'))
        };
        (below(b"/dev") && !below(b"/dev/shm")) || below(b"/proc") || below(b"/sys")
    }

    fn in_upper(&self, path: &[u8]) -> Vec<u8> {
        [self.upper.as_slice(), path].concat()
    }

    /// Is the lower file of this path out of sight?
    fn is_hidden(&self, path: &[u8]) -> bool {
        (!self.hidden.is_empty() && ancestors(path).any(|p| self.hidden.contains(p)))
            || (self.shared && self.is_marked_hidden(path))
    }

    /// Has a process removed or replaced the lower file of this path, or a folder above it?
    fn is_marked_hidden(&self, path: &[u8]) -> bool {
        ancestors(path).any(|p| is_whiteout(&self.in_upper(p)))
            || ancestors(path).skip(1).any(|p| self.is_opaque(p))
    }

    /// Has a process replaced a folder by another one?
    fn is_opaque(&self, folder: &[u8]) -> bool {
        let mut value = [0];
        let value_of = |fd| sys::get_xattr(fd, OPAQUE, &mut value);
        self.shared && on_folder(&self.in_upper(folder), value_of).is_ok() && value == *b"y"
    }

    fn layer(&self, path: &[u8]) -> Layer {
        if Overlay::passes(path) {
            return Layer::Lower;
        }
        if !self.untouched.get()
            && let Ok(stat) = sys::stat(&self.in_upper(path), false)
        {
            return match marks_removed(&stat) {
                true => Layer::Nowhere,
                false => Layer::Upper,
            };
        }
        if self.exists_below(path) {
            Layer::Lower
        } else {
            Layer::Nowhere
        }
    }

    /// What a canonical path is, without following it.
    fn stat(&self, path: &[u8]) -> SysResult<Stat> {
        match self.layer(path) {
            Layer::Upper => sys::stat(&self.in_upper(path), false),
            Layer::Lower => sys::stat(path, false),
            Layer::Nowhere => Err(Errno::NOENT),
        }
    }

    fn exists_below(&self, path: &[u8]) -> bool {
        !self.is_hidden(path) && sys::stat(path, false).is_ok()
    }

    /// Does the guest see something else at this path than what is really there?
    pub fn differs(&self, path: &[u8]) -> bool {
        if self.untouched.get() {
            return false;
        }
        let Ok(canonical) = self.canonical(path, true) else {
            // A link or folder above it may be the guest's own.
            return ancestors(path).skip(1).any(|p| p.len() > 1 && self.differs(p));
        };
        match self.layer(&canonical) {
            Layer::Lower => canonical != path && sys::realpath(path).ok().as_ref() != Some(&canonical),
            Layer::Nowhere => sys::stat(&canonical, false).is_ok(),
            // A folder is in both layers as soon as something in it has changed.
            Layer::Upper => {
                !self.stat(&canonical).is_ok_and(|s| s.is_dir()) || !self.exists_below(&canonical)
            }
        }
    }

    /// The canonical form of a path from the root. The last part need not exist; it is followed on demand.
    pub fn canonical(&self, path: &[u8], follow: bool) -> SysResult<Vec<u8>> {
        if path.is_empty() {
            return Err(Errno::NOENT);
        }
        self.make_provided(path);
        let mut todo: Vec<Vec<u8>> = parts(path).rev().map(<[u8]>::to_vec).collect();
        let mut done: Vec<u8> = Vec::new();
        let mut links = 0;
        // A slash at the end asks for a folder, through a link if need be.
        let follow = follow || path.ends_with(b"/");
        while let Some(part) = todo.pop() {
            if part == b".." {
                done.truncate(parent_len(&done));
                continue;
            }
            let last = todo.is_empty();
            let before = done.len();
            done.push(b'/');
            done.extend_from_slice(&part);
            if last && !follow {
                break;
            }
            let stat = match self.stat(&done) {
                Ok(stat) => stat,
                Err(Errno::NOENT) if last => break,
                Err(e) => return Err(e),
            };
            if stat.kind() == libc::S_IFLNK {
                links += 1;
                if links > MAX_LINKS {
                    return Err(Errno::LOOP);
                }
                let target = sys::readlink(&self.real(&done))?;
                done.truncate(if target.starts_with(b"/") { 0 } else { before });
                todo.extend(parts(&target).rev().map(<[u8]>::to_vec));
            } else if !last && !stat.is_dir() {
                return Err(Errno::NOTDIR);
            }
        }
        if done.is_empty() {
            done.push(b'/');
        }
        Ok(done)
    }

    /// The real file of a canonical path; where it would be made when there is none.
    fn real(&self, path: &[u8]) -> Vec<u8> {
        match self.layer(path) {
            Layer::Lower => path.to_vec(),
            Layer::Upper | Layer::Nowhere => self.in_upper(path),
        }
    }

    /// The real file of a canonical path that names one.
    pub(super) fn find(&self, path: &[u8]) -> SysResult<Vec<u8>> {
        match self.layer(path) {
            Layer::Lower => Ok(path.to_vec()),
            Layer::Upper => Ok(self.in_upper(path)),
            Layer::Nowhere => Err(Errno::NOENT),
        }
    }

    /// A canonical path that the overlay has nothing to do with, or that is the overlay's own.
    pub(super) fn is_outside(&self, path: &[u8]) -> bool {
        Overlay::passes(path) || ancestors(path).any(|p| p == self.own)
    }

    /// The real path to read at.
    pub fn read_at(&self, path: &[u8], follow: bool) -> SysResult<Vec<u8>> {
        self.make_provided(path);
        if self.untouched.get() {
            return Ok(path.to_vec());
        }
        let canonical = self.canonical(path, follow)?;
        match self.layer(&canonical) {
            Layer::Nowhere => Err(Errno::NOENT),
            _ => Ok(self.real(&canonical)),
        }
    }

    pub fn realpath(&self, path: &[u8]) -> SysResult<Vec<u8>> {
        let canonical = self.canonical(path, true)?;
        self.stat(&canonical).map(|_| canonical)
    }

    /// The real path of something whose contents or attributes are about to change.
    pub fn change_at(&mut self, path: &[u8], follow: bool) -> SysResult<Vec<u8>> {
        let canonical = self.canonical(path, follow)?;
        Overlay::check_passing(&canonical)?;
        self.lift(&canonical, true)
    }

    /// The real path at which something new can be made; what is there already is an error.
    pub fn make_at(&mut self, path: &[u8]) -> SysResult<Vec<u8>> {
        let trimmed = trim_slashes(path);
        let canonical = self.canonical(trimmed, false)?;
        Overlay::check_passing(&canonical)?;
        if self.layer(&canonical) != Layer::Nowhere {
            return Err(Errno::EXIST);
        }
        self.lift_parent(&canonical)?;
        self.clear_mark(&canonical)?;
        Ok(self.in_upper(&canonical))
    }

    /// The real path to open, with the flags and whether the file lies in the lower layer.
    pub fn open_at(&mut self, path: &[u8], flags: i32) -> SysResult<(Vec<u8>, bool)> {
        let exclusive = libc::O_CREAT | libc::O_EXCL;
        let follow = flags & libc::O_NOFOLLOW == 0 && flags & exclusive != exclusive;
        let writes =
            flags & libc::O_ACCMODE != libc::O_RDONLY || flags & (libc::O_CREAT | libc::O_TRUNC) != 0;
        if !writes {
            return Ok((self.read_at(path, follow)?, true));
        }
        let canonical = self.canonical(path, follow)?;
        if Overlay::passes(&canonical) {
            return Ok((canonical, true));
        }
        match self.layer(&canonical) {
            Layer::Upper => Ok((self.in_upper(&canonical), false)),
            Layer::Lower => {
                if flags & exclusive == exclusive {
                    return Err(Errno::EXIST);
                }
                let stat = sys::stat(&canonical, false)?;
                if !stat.is_regular()
                    || flags & libc::O_ACCMODE == libc::O_RDONLY && flags & libc::O_TRUNC == 0
                {
                    // Folders are refused by the kernel, pipes and devices are not ours to copy, and O_CREAT alone
                    // changes nothing of what is there.
                    return Ok((canonical, true));
                }
                sys::access(&canonical, libc::W_OK)?;
                let upper = self.lift(&canonical, flags & libc::O_TRUNC == 0)?;
                Ok((upper, false))
            }
            Layer::Nowhere if flags & libc::O_CREAT == 0 => Err(Errno::NOENT),
            Layer::Nowhere => {
                self.lift_parent(&canonical)?;
                self.clear_mark(&canonical)?;
                Ok((self.in_upper(&canonical), false))
            }
        }
    }

    /// Names in a folder of the merged view, sorted.
    pub fn list(&self, path: &[u8]) -> SysResult<Vec<Vec<u8>>> {
        let canonical = self.canonical(path, true)?;
        match self.layer(&canonical) {
            Layer::Nowhere => Err(Errno::NOENT),
            Layer::Lower if canonical.starts_with(b"/proc") => processes_hidden(&canonical),
            Layer::Lower => Ok(self.visible(&canonical, sys::read_dir(&canonical)?)),
            Layer::Upper => {
                let mut names = sys::read_dir(&self.in_upper(&canonical))?;
                if self.shared {
                    names.retain(|name| !is_whiteout(&self.in_upper(&join(&canonical, name))));
                }
                if self.exists_below(&canonical) && !self.is_opaque(&canonical) {
                    names.extend(self.visible(&canonical, sys::read_dir(&canonical)?));
                    names.sort();
                    names.dedup();
                }
                Ok(names)
            }
        }
    }

    /// Lower names that are not hidden; our own folder is nobody's business.
    fn visible(&self, folder: &[u8], mut names: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        names.retain(|name| {
            let path = join(folder, name);
            let removed = self.shared && is_whiteout(&self.in_upper(&path));
            !self.hidden.contains(&path) && path != self.own && !removed
        });
        names
    }

    /// Removes a file or link.
    pub fn unlink(&mut self, path: &[u8]) -> SysResult<()> {
        if path.len() > 1 && path.ends_with(b"/") {
            return Err(Errno::NOTDIR);
        }
        let canonical = self.canonical(path, false)?;
        Overlay::check_passing(&canonical)?;
        if self.stat(&canonical)?.is_dir() {
            return Err(Errno::ISDIR);
        }
        self.check_parent(&canonical)?;
        self.lift_parent(&canonical)?;
        self.remove(&canonical, sys::unlink)
    }

    pub fn rmdir(&mut self, path: &[u8]) -> SysResult<()> {
        let canonical = self.canonical(trim_slashes(path), false)?;
        Overlay::check_passing(&canonical)?;
        if !self.stat(&canonical)?.is_dir() {
            return Err(Errno::NOTDIR);
        }
        if !self.list(&canonical)?.is_empty() {
            return Err(Errno(libc::ENOTEMPTY));
        }
        self.check_parent(&canonical)?;
        self.lift_parent(&canonical)?;
        self.remove_folder(&canonical)
    }

    /// Removes an empty folder. In the upper one may be left what marks the names in it as removed.
    fn remove_folder(&mut self, path: &[u8]) -> SysResult<()> {
        if self.shared && sys::stat(&self.in_upper(path), false).is_ok() {
            for name in sys::read_dir(&self.in_upper(path))? {
                self.clear_mark(&join(path, &name))?;
            }
        }
        self.remove(path, sys::rmdir)
    }

    fn remove(&mut self, path: &[u8], upper: fn(&[u8]) -> SysResult<()>) -> SysResult<()> {
        if sys::stat(&self.in_upper(path), false).is_ok() {
            upper(&self.in_upper(path))?;
        }
        self.hide(path);
        Ok(())
    }

    fn hide(&mut self, path: &[u8]) {
        self.untouched.set(false);
        if self.exists_below(path) {
            self.hidden.insert(path.to_vec());
            if self.shared {
                // A process that still sees it sees a state that was.
                let _ = self.mark_hidden(path);
            }
        }
    }

    /// Gives a name in the upper folder free that is only marked as removed.
    fn clear_mark(&mut self, path: &[u8]) -> SysResult<()> {
        if self.shared && is_whiteout(&self.in_upper(path)) {
            sys::unlink(&self.in_upper(path))?;
            self.hidden.insert(path.to_vec());
        }
        Ok(())
    }

    /// Marks a hidden path in the upper folder as the kernel does: as removed, or as a folder that hides what is below it.
    fn mark_hidden(&mut self, path: &[u8]) -> SysResult<()> {
        match sys::stat(&self.in_upper(path), false) {
            Ok(stat) if stat.is_dir() => {
                on_folder(&self.in_upper(path), |fd| sys::set_xattr(fd, OPAQUE, b"y"))
            }
            Ok(_) => Ok(()),
            Err(_) => {
                self.folder_in_upper(&path[..parent_len(path).max(1)])?;
                sys::make_whiteout(&self.in_upper(path))
            }
        }
    }

    /// Gets ready to be mounted for a process.
    pub(super) fn share(&mut self) -> SysResult<()> {
        self.untouched.set(false);
        self.shared = true;
        for path in self.hidden.clone() {
            // Below another hidden folder there is nothing to hide.
            if !ancestors(&path).skip(1).any(|p| self.hidden.contains(p)) {
                self.mark_hidden(&path)?;
            }
        }
        Ok(())
    }

    /// Takes the kernel's marks over, after the last process has ended.
    pub(super) fn absorb(&mut self) -> SysResult<()> {
        if !self.shared {
            return Ok(());
        }
        let mut folders = vec![b"/".to_vec()];
        while let Some(folder) = folders.pop() {
            for name in sys::read_dir(&self.in_upper(&folder))? {
                let path = join(&folder, &name);
                let upper = self.in_upper(&path);
                let stat = sys::stat(&upper, false)?;
                if marks_removed(&stat) {
                    sys::unlink(&upper)?;
                    self.hidden.insert(path);
                } else if stat.is_dir() {
                    if self.is_opaque(&path) {
                        self.hidden.insert(path.clone());
                        on_folder(&upper, |fd| sys::remove_xattr(fd, OPAQUE))?;
                    }
                    folders.push(path);
                }
            }
        }
        self.shared = false;
        Ok(())
    }

    /// Whether a real path lies in the upper folder.
    pub(super) fn holds(&self, place: &[u8]) -> bool {
        place.starts_with(&self.upper)
    }

    pub(super) fn is_in_upper(&self, path: &[u8]) -> bool {
        sys::stat(&self.in_upper(path), false).is_ok()
    }

    /// The upper folder of a canonical path, made if it is not there.
    pub(super) fn folder_in_upper(&mut self, path: &[u8]) -> SysResult<Vec<u8>> {
        match self.layer(path) {
            Layer::Nowhere => Err(Errno::NOENT),
            _ => self.lift(path, true),
        }
    }

    /// An empty folder beside the upper one.
    pub(super) fn work_folder(&mut self, number: usize) -> SysResult<Vec<u8>> {
        let all = [self.upper.as_slice(), b".work"].concat();
        // It may be there already.
        let _ = sys::mkdir(&all, 0o700);
        self.works += 1;
        let work = join(&all, format!("{}-{number}", self.works).as_bytes());
        sys::mkdir(&work, 0o700)?;
        Ok(work)
    }

    /// As rename(2).
    pub fn rename(&mut self, from: &[u8], to: &[u8]) -> SysResult<()> {
        let from = self.canonical(trim_slashes(from), false)?;
        let to = self.canonical(trim_slashes(to), false)?;
        Overlay::check_passing(&from)?;
        Overlay::check_passing(&to)?;
        let source = self.stat(&from)?;
        if from == to {
            return Ok(());
        }
        if to
            .strip_prefix(from.as_slice())
            .is_some_and(|r| r.starts_with(b"/"))
        {
            return Err(Errno::INVAL);
        }
        self.check_parent(&from)?;
        if let Ok(target) = self.stat(&to) {
            match (source.is_dir(), target.is_dir()) {
                (false, true) => return Err(Errno::ISDIR),
                (true, false) => return Err(Errno::NOTDIR),
                (true, true) if !self.list(&to)?.is_empty() => return Err(Errno(libc::ENOTEMPTY)),
                (true, true) => self.remove_folder(&to)?,
                (false, false) => {}
            }
        }
        self.lift_tree(&from)?;
        self.lift_parent(&to)?;
        self.clear_mark(&to)?;
        sys::rename(&self.in_upper(&from), &self.in_upper(&to))?;
        self.hide(&from);
        self.hide(&to);
        Ok(())
    }

    /// The real path of an existing file to be linked to.
    pub fn link(&mut self, existing: &[u8], new: &[u8]) -> SysResult<()> {
        let new = self.make_at(new)?;
        let existing = self.change_at(existing, false)?;
        sys::link(&existing, &new)
    }

    /// May entries of the parent be removed? The kernel would refuse where the user may not write.
    fn check_parent(&self, path: &[u8]) -> SysResult<()> {
        sys::access(&self.real(&path[..parent_len(path).max(1)]), libc::W_OK)
    }

    /// Makes the folders above a canonical path in the upper layer.
    fn lift_parent(&mut self, path: &[u8]) -> SysResult<()> {
        let parent = path[..parent_len(path).max(1)].to_vec();
        match self.stat(&parent) {
            Ok(stat) if !stat.is_dir() => return Err(Errno::NOTDIR),
            Ok(_) => {}
            Err(e) => return Err(e),
        }
        if self.layer(&parent) == Layer::Lower {
            sys::access(&parent, libc::W_OK)?;
        }
        self.lift(&parent, true).map(|_| ())
    }

    /// Copies something of the lower layer to the upper one; a folder without what is in it. The answer is the copy.
    fn lift(&mut self, path: &[u8], contents: bool) -> SysResult<Vec<u8>> {
        let upper = self.in_upper(path);
        if path == b"/" {
            self.untouched.set(false);
            return Ok(self.upper.clone());
        }
        match self.layer(path) {
            Layer::Upper => return Ok(upper),
            Layer::Nowhere => return Err(Errno::NOENT),
            // The folder above `/dev/shm`, which is kept.
            Layer::Lower if Overlay::passes(path) && path != b"/dev" => return Ok(path.to_vec()),
            Layer::Lower => {}
        }
        // Folders above are made whoever they belong to: only the copy is written to.
        let parent = path[..parent_len(path).max(1)].to_vec();
        self.lift(&parent, true)?;
        self.untouched.set(false);
        let stat = sys::stat(path, false)?;
        match stat.kind() {
            libc::S_IFDIR => {
                sys::mkdir(&upper, 0o700)?;
                sys::chmod(&upper, stat.mode & 0o7777)?;
            }
            libc::S_IFLNK => sys::symlink(&sys::readlink(path)?, &upper)?,
            libc::S_IFREG => {
                if contents {
                    copy(path, &upper)?;
                } else {
                    sys::close(sys::open(&upper, libc::O_WRONLY | libc::O_CREAT, 0o600)?)?;
                }
                sys::chmod(&upper, stat.mode & 0o7777)?;
            }
            _ => return Err(Errno::NOTSUP),
        }
        // A copy looks as old as what it is a copy of.
        let _ = sys::set_times(&upper, false, Some(stat.accessed), Some(stat.modified));
        Ok(upper)
    }

    /// Copies a file, or a folder with all that is in it.
    fn lift_tree(&mut self, path: &[u8]) -> SysResult<()> {
        self.lift(path, true)?;
        if self.stat(path)?.is_dir() && self.exists_below(path) {
            for name in self.list(path)? {
                self.lift_tree(&join(path, &name))?;
            }
        }
        Ok(())
    }
}

pub(super) fn copy(from: &[u8], to: &[u8]) -> SysResult<()> {
    let path = |bytes| Path::new(OsStr::from_bytes(bytes)).to_path_buf();
    match std::fs::copy(path(from), path(to)) {
        Ok(_) => Ok(()),
        Err(e) => Err(Errno(e.raw_os_error().unwrap_or(libc::EIO))),
    }
}

/// The parts of a path, without empty ones and `.`.
fn parts(path: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    path.split(|b| *b == b'/').filter(|p| !p.is_empty() && *p != b".")
}

/// The path itself and all folders above it.
pub(super) fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut len = path.len();
    std::iter::from_fn(move || {
        if len == 0 {
            return None;
        }
        let here = &path[..len];
        len = parent_len(here);
        Some(here)
    })
}

fn parent_len(path: &[u8]) -> usize {
    path.iter().rposition(|b| *b == b'/').unwrap_or(0)
}

pub(super) fn trim_slashes(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b != b'/').map_or(1, |i| i + 1);
    &path[..end.min(path.len())]
}

/// What a suite sees of a folder in `/proc`: no processes.
fn processes_hidden(path: &[u8]) -> SysResult<Vec<Vec<u8>>> {
    if !special::in_proc(path) {
        return Err(Errno(libc::EACCES));
    }
    let mut names = sys::read_dir(path)?;
    if path == b"/proc" {
        names.retain(|name| !name.iter().all(u8::is_ascii_digit));
    }
    Ok(names)
}

/// The kernel's mark of a folder that hides the lower one.
const OPAQUE: &[u8] = b"user.overlay.opaque";

/// The kernel's mark of a removed file: a device that is none.
fn marks_removed(stat: &Stat) -> bool {
    stat.kind() == libc::S_IFCHR && stat.rdev == 0
}

fn is_whiteout(upper: &[u8]) -> bool {
    sys::stat(upper, false).is_ok_and(|stat| marks_removed(&stat))
}

/// Does something to a folder by its descriptor.
fn on_folder<T>(path: &[u8], action: impl FnOnce(i32) -> SysResult<T>) -> SysResult<T> {
    let fd = sys::open(path, libc::O_RDONLY | libc::O_DIRECTORY, 0)?;
    let result = action(fd);
    sys::close(fd)?;
    result
}

/// A run has a folder for all of its overlays; elsewhere an overlay stands alone.
fn own_folder(upper: &[u8]) -> Vec<u8> {
    let parent = &upper[..parent_len(upper)];
    let name = &parent[parent_len(parent)..];
    match name.starts_with(b"/poldet-overlay-") {
        true => parent.to_vec(),
        false => upper.to_vec(),
    }
}

fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let separator: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
    [folder, separator, name].concat()
}
