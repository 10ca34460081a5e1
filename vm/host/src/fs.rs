//! The file system, and the table of the guest's file descriptors.
//!
//! Every file access of the guest goes through here, so that an overlay which keeps a test's writes to itself can be
//! put in one place. Paths are bytes; relative ones start at the guest's working folder. Positions are kept here
//! and not in the kernel: a forked VM shares the kernel's open files with its parent. With virtual time, files get
//! virtual times too: whatever the guest creates or writes is stamped with the guest's clock.

use crate::env::Owners;
use crate::errno::{Errno, SysResult};
use crate::fork::{Copied, copy_folder};
use crate::journal::{Deed, FileChange, Journal, Stack, View};
use crate::overlay::Overlay;
use crate::quota::Quota;
use crate::readers::{Asks, Readers};
use crate::special;
use crate::sys::{self, FsStat, Stat, Time};
use crate::used::Used;
use crate::watch::Watches;
use poldet_base::trace::Tracer;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::{AsRawFd, OwnedFd};

/// An open file or folder.
#[derive(Debug)]
pub struct OpenFile {
    real: i32,
    /// Absolute path at the time of opening, kept up over renames.
    path: Vec<u8>,
    flags: i32,
    pos: i64,
    seekable: bool,
    /// Written since its times were last set; the guest's time of the last write.
    dirty: Option<Time>,
    /// A real file below the overlay: to be read, not to be changed.
    lower: bool,
    /// The epoch of the journal in which a write was last noted.
    noted: u64,
}

impl OpenFile {
    /// Goes on with the copy of the file that the overlay of this process has.
    fn reopen(&mut self, copied: &Copied) -> SysResult<()> {
        let stat = sys::fstat(self.real)?;
        let once = libc::O_CREAT | libc::O_EXCL | libc::O_TRUNC;
        let new = match copied.path((stat.dev, stat.ino)) {
            Some(path) => sys::open(path, self.flags & !once, 0)?,
            // A file without a name: nobody else can open it, but both processes would write to it.
            None if stat.nlink == 0 && stat.is_regular() => sys::unnamed_copy(self.real, stat.size)?,
            None => return Ok(()),
        };
        sys::close(self.real)?;
        self.real = new;
        Ok(())
    }
}

/// What a guest descriptor stands for.
#[derive(Debug)]
pub enum Handle {
    Stdin,
    Stdout,
    Stderr,
    File(OpenFile),
    /// `/dev/random` and its like: seeded bytes.
    Random,
    /// A socket, pipe or selector of `net`.
    Net(u32),
    /// The guest's end of a pipe to another process; never waits.
    Pipe(OwnedFd),
}

/// A folder being listed.
#[derive(Debug)]
struct DirStream {
    names: Vec<Vec<u8>>,
    next: usize,
    /// Whose names are to be read before the first of them is given, as readdir(3) does it.
    unread: Option<Vec<u8>>,
    /// The descriptor a stream made from one owns.
    fd: Option<i32>,
}

#[derive(Debug)]
pub struct Fs {
    fds: Vec<Option<Handle>>,
    dirs: Vec<Option<DirStream>>,
    cwd: Vec<u8>,
    /// The guest's time, when it differs from the machine's.
    now: Option<Time>,
    dirty: usize,
    umask: u32,
    /// When files made by the guest were made, by device and inode, in the guest's time.
    births: BTreeMap<(u64, u64), Time>,
    /// Files whose times the guest has set itself, by device and inode.
    timed: BTreeSet<(u64, u64)>,
    /// The guest's time at its start.
    started: Option<Time>,
    pub watches: Watches,
    /// The overlay that keeps writes from the real files, if there is to be one.
    overlay: Option<Overlay>,
    /// An overlay without files, to look through when there is none.
    plain: Overlay,
    /// The files as they were at one moment, when somebody may want them back.
    kept: Option<Overlay>,
    /// Who did what to files, when somebody wants to know.
    journal: Option<Box<Journal>>,
    /// Files whose first reader somebody wants to know.
    readers: RefCell<Option<Readers>>,
    /// Paths the guest has for itself, and where they really are.
    private: Vec<(Vec<u8>, Vec<u8>)>,
    /// Files that the guest sees at another path than where they are.
    aliases: Vec<(Vec<u8>, Vec<u8>)>,
    /// How much the overlay may hold.
    quota: Option<Quota>,
    /// How owners of files are shown, if not as they are.
    owners: Option<Owners>,
    /// The folder of the private paths and the process that made it.
    private_root: Option<(Vec<u8>, u32)>,
    /// Paths that were asked for in any way, when somebody wants to know.
    asked: RefCell<Option<BTreeSet<Vec<u8>>>>,
    /// What a result may depend on, when somebody wants to know.
    used: RefCell<Option<Used>>,
}

/// Descriptors the guest may have open at once, as `ulimit -n` usually says.
const MAX_FDS: usize = 1 << 16;

impl Fs {
    pub fn new(cwd: &[u8]) -> Fs {
        Fs {
            fds: vec![Some(Handle::Stdin), Some(Handle::Stdout), Some(Handle::Stderr)],
            dirs: Vec::new(),
            cwd: cwd.to_vec(),
            now: None,
            dirty: 0,
            umask: 0o022,
            births: BTreeMap::new(),
            timed: BTreeSet::new(),
            started: None,
            watches: Watches::default(),
            overlay: None,
            plain: Overlay::new(b""),
            kept: None,
            journal: None,
            readers: RefCell::default(),
            private: Vec::new(),
            aliases: Vec::new(),
            quota: None,
            owners: None,
            private_root: None,
            asked: RefCell::default(),
            used: RefCell::default(),
        }
    }

    /// Sets the time that writes are stamped with; `None` leaves times to the machine.
    pub fn set_now(&mut self, now: Option<Time>) {
        self.now = now;
        self.started = self.started.or(now);
    }

    pub fn cwd(&self) -> &[u8] {
        &self.cwd
    }

    pub fn umask(&self) -> u32 {
        self.umask
    }

    /// The path from the root.
    pub fn absolute(&self, path: &[u8]) -> Vec<u8> {
        let path = match path.first() {
            // An empty path names nothing, not the working folder.
            Some(b'/') | None => path.to_vec(),
            _ => join(&self.cwd, path),
        };
        if let Some((_, place)) = self.aliases.iter().find(|(alias, _)| *alias == path) {
            return place.clone();
        }
        if let Some(used) = self.used.borrow_mut().as_mut() {
            used.ask(&path);
        }
        if let Some(asked) = self.asked.borrow_mut().as_mut()
            && !asked.contains(&path)
        {
            asked.insert(path.clone());
        }
        for (prefix, place) in &self.private {
            if let Some(rest) = path.strip_prefix(prefix.as_slice())
                && matches!(rest.first(), None | Some(b'/'))
            {
                self.make_private_root();
                return [place.as_slice(), rest].concat();
            }
        }
        path
    }

    /// Shows a file at another path than where it is.
    pub fn show_at(&mut self, path: &[u8], place: &[u8]) {
        self.aliases.push((path.to_vec(), place.to_vec()));
    }

    /// Shows files as owned by others than those who really own them.
    pub fn show_owners(&mut self, owners: Option<Owners>) {
        self.owners = owners;
    }

    /// Gives the guest a place of its own instead of this path: nothing there is read or written for real, and
    /// what it keeps there is gone with it.
    pub fn keep_private(&mut self, prefix: &[u8]) {
        let pid = std::process::id();
        let root = &self
            .private_root
            .get_or_insert_with(|| (private_root_of(pid), pid))
            .0;
        let place = join(root, self.private.len().to_string().as_bytes());
        self.private.push((prefix.to_vec(), place));
    }

    /// Removes what the guest has kept at its private paths. A forked VM leaves its parent's alone.
    pub fn remove_private_paths(&mut self) {
        if let Some((root, owner)) = &self.private_root
            && *owner == std::process::id()
        {
            use std::os::unix::ffi::OsStrExt;
            let _ = std::fs::remove_dir_all(std::ffi::OsStr::from_bytes(root));
        }
    }

    /// Made only when somebody looks there, so that most runs leave no trace at all.
    fn make_private_root(&self) {
        let Some((root, _)) = &self.private_root else {
            return;
        };
        if sys::mkdir(root, 0o700).is_ok() {
            for (_, place) in &self.private {
                let _ = sys::mkdir(place, 0o700);
            }
        }
    }

    // Layers.

    /// From now on all that is written goes to this folder, which must be empty.
    pub fn keep_writes_in(&mut self, upper: &[u8]) {
        self.overlay = Some(Overlay::new(upper));
        if self.private_root.is_some() {
            self.put_private_paths_in(private_root_beside(upper));
        }
    }

    /// The overlay may hold so many bytes; more is refused as a full disk would be.
    pub fn limit_overlay(&mut self, bytes: u64) {
        self.quota = Some(Quota::new(bytes));
    }

    /// Why a write failed for want of room, if the overlay is to blame: tests do not fail for that.
    pub fn full(&self, error: Errno) -> Option<String> {
        let quota = self.quota.as_ref().filter(|q| q.hit && error == Errno::NOSPC)?;
        Some(quota.text())
    }

    /// Takes account of bytes that are about to be written.
    fn charge(&mut self, bytes: usize) -> SysResult<()> {
        match (&mut self.quota, &self.overlay) {
            (Some(quota), Some(overlay)) => quota.charge(bytes as u64, overlay.upper()),
            _ => Ok(()),
        }
    }

    /// Notes that a file of the overlay could not be written for want of room.
    fn note_full(&mut self, fd: i32, error: Errno) -> Errno {
        let own = self.file(fd).is_ok_and(|f| !f.lower);
        if let Some(quota) = self.quota.as_mut().filter(|_| own && error == Errno::NOSPC) {
            quota.hit = true;
        }
        error
    }

    /// Lets the guest see a folder, as its home, that need not be there; only where writes are kept.
    pub fn provide_folder(&mut self, path: &[u8]) {
        if let Some(overlay) = &mut self.overlay {
            overlay.provide(path);
        }
    }

    pub(super) fn overlay(&self) -> Option<&Overlay> {
        self.overlay.as_ref()
    }

    pub(super) fn overlay_mut(&mut self) -> Option<&mut Overlay> {
        self.overlay.as_mut()
    }

    /// Takes over what processes have removed, once none runs any more.
    pub(super) fn absorb(&mut self) -> SysResult<()> {
        self.overlay.as_mut().map_or(Ok(()), Overlay::absorb)
    }

    pub(super) fn kept(&self) -> Option<&Overlay> {
        self.kept.as_ref()
    }

    pub(super) fn set_kept(&mut self, kept: Overlay) {
        self.kept = Some(kept);
    }

    /// In a forked child: the overlay continues in a folder of its own, and so do the open files in it.
    pub(super) fn after_fork(&mut self, upper: Option<&[u8]>) -> SysResult<Copied> {
        self.flush_times();
        self.own_private_paths(upper)?;
        let copied = match (&mut self.overlay, upper) {
            (Some(overlay), Some(upper)) => overlay.move_to(upper)?,
            _ => return Ok(Copied::default()),
        };
        self.births = self.births.iter().map(|(k, v)| (copied.inode(*k), *v)).collect();
        self.timed = self.timed.iter().map(|k| copied.inode(*k)).collect();
        for handle in self.fds.iter_mut().flatten() {
            if let Handle::File(file) = handle
                && !file.lower
            {
                file.reopen(&copied)?;
            }
        }
        Ok(copied)
    }

    /// Private paths are somewhere else than the parent's, with what is there so far.
    fn own_private_paths(&mut self, upper: Option<&[u8]>) -> SysResult<()> {
        let Some((old, owner)) = self.private_root.clone() else {
            return Ok(());
        };
        let pid = std::process::id();
        if owner == pid {
            return Ok(());
        }
        let root = upper.map_or_else(|| private_root_of(pid), private_root_beside);
        if sys::stat(&old, false).is_ok() {
            sys::mkdir(&root, 0o700)?;
            copy_folder(&old, &root, &mut Copied::default())?;
        }
        self.put_private_paths_in(root);
        Ok(())
    }

    fn put_private_paths_in(&mut self, root: Vec<u8>) {
        for (number, (_, place)) in self.private.iter_mut().enumerate() {
            *place = join(&root, number.to_string().as_bytes());
        }
        self.private_root = Some((root, std::process::id()));
    }

    /// Where something really is, to be read.
    fn at(&self, path: &[u8], follow: bool) -> SysResult<Vec<u8>> {
        let path = self.absolute(path);
        match &self.overlay {
            Some(overlay) => overlay.read_at(&path, follow),
            None => Ok(path),
        }
    }

    /// The real file of a path, for those who map it.
    pub fn place(&self, path: &[u8]) -> SysResult<Vec<u8>> {
        self.at(path, true)
    }

    /// Where something really is, to be changed.
    fn at_to_change(&mut self, path: &[u8], follow: bool) -> SysResult<Vec<u8>> {
        let path = self.absolute(path);
        match &mut self.overlay {
            Some(overlay) => overlay.change_at(&path, follow),
            None => Ok(path),
        }
    }

    /// Where something new is really to be made.
    fn at_to_make(&mut self, path: &[u8]) -> SysResult<Vec<u8>> {
        let path = self.absolute(path);
        match &mut self.overlay {
            Some(overlay) => overlay.make_at(&path),
            None => Ok(path),
        }
    }

    /// From now on remembers what a result may depend on.
    pub fn log_used(&mut self) {
        *self.used.borrow_mut() = Some(Used::default());
    }

    /// What was used since the last time; nothing where nobody wanted to know.
    pub fn take_used(&mut self) -> Option<Used> {
        self.used.borrow_mut().as_mut().map(std::mem::take)
    }

    /// From now on remembers which paths are asked for, whatever for.
    pub fn log_asked(&mut self) {
        *self.asked.borrow_mut() = Some(BTreeSet::new());
    }

    /// The paths asked for since the last time, without links on the way where that can be told.
    pub fn take_asked(&mut self) -> BTreeSet<Vec<u8>> {
        let asked = self.asked.borrow_mut().as_mut().map(std::mem::take);
        let overlay = self.overlay.as_ref().unwrap_or(&self.plain);
        let canonical = |path: Vec<u8>| overlay.canonical(&path, true).unwrap_or(path);
        asked.unwrap_or_default().into_iter().map(canonical).collect()
    }

    /// From now on keeps the stack of the first who asks for each of these files, by canonical path; there must be a journal.
    pub fn watch_readers(&mut self, paths: Vec<Vec<u8>>) {
        let tracer = self.journal.as_ref().map(|journal| journal.tracer().clone());
        *self.readers.borrow_mut() = tracer.map(|tracer| Readers::new(tracer, paths));
    }

    /// The first readers since then, by path; they are no longer watched.
    pub fn take_readers(&mut self) -> BTreeMap<Vec<u8>, Stack> {
        let readers = self.readers.borrow_mut().take();
        readers.map(Readers::found).unwrap_or_default()
    }

    /// The guest asks what is at a path, or in a folder.
    fn asks(&self, path: &[u8], asks: Asks) {
        if let Some(readers) = self.readers.borrow_mut().as_mut() {
            let overlay = self.overlay.as_ref().unwrap_or(&self.plain);
            readers.note(overlay, &self.absolute(path), asks);
        }
    }

    // The journal.

    /// From now on notes what becomes of files.
    pub fn keep_journal(&mut self, tracer: Tracer) {
        self.journal = Some(Box::new(Journal::new(tracer)));
    }

    /// What has become of files since the last time, by path.
    pub fn take_changes(&mut self) -> Vec<FileChange> {
        self.journal(|journal, view| journal.take(view))
            .unwrap_or_default()
    }

    fn journal<T>(&mut self, action: impl FnOnce(&mut Journal, View<'_>) -> T) -> Option<T> {
        self.journal.as_ref()?;
        self.flush_times();
        let view = View {
            overlay: self.overlay.as_ref().unwrap_or(&self.plain),
            private: self.private_root.as_ref().map(|(root, _)| root.as_slice()),
        };
        self.journal.as_mut().map(|journal| action(journal, view))
    }

    /// Something is about to happen to an absolute path.
    fn about_to(&mut self, deed: Deed, path: &[u8]) {
        self.journal(|journal, view| journal.note(view, path, deed));
    }

    /// An open file is about to change.
    #[inline]
    fn about_to_write(&mut self, fd: i32) {
        if let Some(epoch) = self.journal.as_ref().map(|j| j.epoch())
            && let Ok(file) = self.file_mut(fd)
            && file.noted != epoch
        {
            file.noted = epoch;
            self.on_file(fd, |journal, view, path, stat| {
                journal.note_write(view, path, stat)
            });
        }
    }

    fn on_file(&mut self, fd: i32, action: impl FnOnce(&mut Journal, View<'_>, &[u8], &Stat)) {
        if let Ok(file) = self.file(fd)
            && let Ok(stat) = sys::fstat(file.real)
        {
            let path = file.path.clone();
            self.journal(|journal, view| action(journal, view, &path, &stat));
        }
    }

    /// A file's contents are memory of the guest from now on.
    pub fn mapped(&mut self, fd: i32, address: u64) {
        self.on_file(fd, |journal, view, path, stat| {
            journal.map(view, path, stat, address)
        });
    }

    pub fn unmapped(&mut self, address: u64) {
        self.journal(|journal, _| journal.unmap(address));
    }

    /// Is this something that only the guest can see, or sees otherwise than others do?
    pub fn is_guests_own(&self, path: &[u8]) -> bool {
        let path = self.absolute(path);
        self.overlay.as_ref().is_some_and(|o| o.differs(&path))
    }

    // Descriptors.

    /// The lowest free descriptor, as the kernel would give it.
    pub fn insert(&mut self, handle: Handle) -> SysResult<i32> {
        let fd = match self.fds.iter().position(Option::is_none) {
            Some(free) => free,
            None if self.fds.len() < MAX_FDS => {
                self.fds.push(None);
                self.fds.len() - 1
            }
            None => return Err(Errno::MFILE),
        };
        self.fds[fd] = Some(handle);
        Ok(fd as i32)
    }

    pub fn handle(&self, fd: i32) -> SysResult<&Handle> {
        usize::try_from(fd)
            .ok()
            .and_then(|i| self.fds.get(i))
            .and_then(Option::as_ref)
            .ok_or(Errno::BADF)
    }

    fn file(&self, fd: i32) -> SysResult<&OpenFile> {
        match self.handle(fd)? {
            Handle::File(file) => Ok(file),
            _ => Err(Errno::INVAL),
        }
    }

    fn file_mut(&mut self, fd: i32) -> SysResult<&mut OpenFile> {
        match usize::try_from(fd).ok().and_then(|i| self.fds.get_mut(i)) {
            Some(Some(Handle::File(file))) => Ok(file),
            Some(Some(_)) => Err(Errno::INVAL),
            _ => Err(Errno::BADF),
        }
    }

    /// The kernel's descriptor behind a guest's file, for mapping it.
    pub fn real_fd(&self, fd: i32) -> SysResult<i32> {
        Ok(self.file(fd)?.real)
    }

    /// A descriptor of an open file for another process, which goes on where the guest is.
    pub fn shared(&mut self, fd: i32) -> SysResult<OwnedFd> {
        if self.open_flags(fd)? & libc::O_ACCMODE != libc::O_RDONLY {
            self.about_to_write(fd);
        }
        let file = self.file(fd)?;
        if file.seekable {
            sys::seek_to(file.real, file.pos)?;
        }
        sys::dup_owned(file.real)
    }

    /// The flags a file was opened with.
    pub fn open_flags(&self, fd: i32) -> SysResult<i32> {
        match self.handle(fd)? {
            Handle::File(file) => Ok(file.flags),
            Handle::Stdin | Handle::Random => Ok(libc::O_RDONLY),
            Handle::Stdout | Handle::Stderr => Ok(libc::O_WRONLY),
            Handle::Net(_) | Handle::Pipe(_) => Ok(libc::O_RDWR),
        }
    }

    /// Opens a file and returns the guest's descriptor of it.
    pub fn open(&mut self, path: &[u8], flags: i32, mode: u32) -> SysResult<i32> {
        let path = self.absolute(path);
        if matches!(path.as_slice(), b"/dev/random" | b"/dev/urandom") {
            return self.insert(Handle::Random);
        }
        // Who only writes learns nothing, unless there must be nothing.
        let writes = flags & libc::O_ACCMODE == libc::O_WRONLY && flags & libc::O_EXCL == 0;
        if !writes && flags & libc::O_TRUNC == 0 {
            self.asks(&path, Asks::Itself);
        }
        if flags & (libc::O_CREAT | libc::O_TRUNC) != 0 {
            self.journal(|journal, view| journal.note_open(view, &path, flags));
        }
        let look = self.now.is_some() || !self.watches.is_empty();
        let changes = flags & (libc::O_CREAT | libc::O_TRUNC) != 0 && look;
        let (place, lower) = match &mut self.overlay {
            Some(overlay) => overlay.open_at(&path, flags)?,
            None => (path.clone(), false),
        };
        let existed = changes && sys::stat(&place, true).is_ok();
        let real = sys::open(&place, flags, mode)?;
        let outside = self.overlay.as_ref().is_some_and(|o| !o.holds(&place));
        if lower && outside && !may_use(real, flags) {
            let _ = sys::close(real);
            return Err(Errno(libc::EACCES));
        }
        let seekable = sys::seekable(real);
        let mut file = OpenFile {
            real,
            path,
            flags,
            pos: 0,
            seekable,
            dirty: None,
            lower,
            noted: 0,
        };
        if changes && (!existed || flags & libc::O_TRUNC != 0) {
            // Stamped at once and not when next read: it may never be written to.
            let _ = sys::set_times_of(real, if existed { None } else { self.now }, self.now);
        }
        if changes && !existed {
            self.record_birth(sys::fstat(real));
            self.stamp_parent(&file.path);
            self.note(&file.path, libc::IN_CREATE);
        } else if changes && flags & libc::O_TRUNC != 0 {
            self.note(&file.path, libc::IN_MODIFY);
        }
        if flags & libc::O_APPEND != 0 && seekable {
            file.pos = 0;
        }
        match self.insert(Handle::File(file)) {
            Ok(fd) => Ok(fd),
            Err(e) => {
                let _ = sys::close(real);
                Err(e)
            }
        }
    }

    /// Takes a descriptor out of the table. A socket or pipe is handed back to be closed by its owner.
    pub fn close(&mut self, fd: i32) -> SysResult<Option<u32>> {
        self.handle(fd)?;
        match self.fds[fd as usize].take() {
            Some(Handle::File(file)) => {
                self.flush_file(&file);
                sys::close(file.real)?;
                Ok(None)
            }
            Some(Handle::Net(id)) => Ok(Some(id)),
            _ => Ok(None),
        }
    }

    /// Makes a descriptor stand for another in-VM object; the one it stood for is returned.
    pub fn replace_net(&mut self, fd: i32, id: u32) -> SysResult<u32> {
        match self.fds.get_mut(fd.max(0) as usize) {
            Some(Some(Handle::Net(old))) => Ok(std::mem::replace(old, id)),
            _ => Err(Errno::BADF),
        }
    }

    /// A second descriptor for an open file, with its own position.
    pub fn dup(&mut self, fd: i32) -> SysResult<i32> {
        let file = self.file(fd)?;
        let (path, flags, pos, seekable) = (file.path.clone(), file.flags, file.pos, file.seekable);
        let lower = file.lower;
        let real = sys::dup(file.real)?;
        self.insert(Handle::File(OpenFile {
            real,
            path,
            flags,
            pos,
            seekable,
            dirty: None,
            lower,
            noted: 0,
        }))
    }

    // Contents.

    pub fn read(&mut self, fd: i32, into: &mut [u8]) -> SysResult<usize> {
        let file = self.file_mut(fd)?;
        let n = if file.seekable {
            sys::pread(file.real, into, file.pos)?
        } else {
            sys::read(file.real, into)?
        };
        file.pos += n as i64;
        Ok(n)
    }

    pub fn write(&mut self, fd: i32, bytes: &[u8]) -> SysResult<usize> {
        let now = self.now;
        self.charge(bytes.len())?;
        self.about_to_write(fd);
        let file = self.file_mut(fd)?;
        let written = if !file.seekable {
            sys::write(file.real, bytes)
        } else {
            sys::pwrite(file.real, bytes, file.pos)
        };
        let n = written.map_err(|e| self.note_full(fd, e))?;
        let file = self.file_mut(fd)?;
        if file.seekable && file.flags & libc::O_APPEND != 0 {
            file.pos = sys::fstat(file.real)?.size;
        } else {
            file.pos += n as i64;
        }
        self.mark_dirty(fd, now);
        Ok(n)
    }

    pub fn pread(&mut self, fd: i32, into: &mut [u8], offset: i64) -> SysResult<usize> {
        sys::pread(self.file(fd)?.real, into, offset)
    }

    pub fn pwrite(&mut self, fd: i32, bytes: &[u8], offset: i64) -> SysResult<usize> {
        self.charge(bytes.len())?;
        self.about_to_write(fd);
        let written = sys::pwrite(self.file(fd)?.real, bytes, offset);
        let n = written.map_err(|e| self.note_full(fd, e))?;
        self.mark_dirty(fd, self.now);
        Ok(n)
    }

    /// The position for the next read or write.
    pub fn position(&self, fd: i32) -> SysResult<i64> {
        match self.handle(fd)? {
            Handle::File(file) if file.seekable => Ok(file.pos),
            Handle::Random => Ok(0),
            _ => Err(Errno::SPIPE),
        }
    }

    pub fn seek(&mut self, fd: i32, pos: i64) -> SysResult<i64> {
        match self.handle(fd)? {
            Handle::Random => return Ok(0),
            Handle::File(_) => {}
            _ => return Err(Errno::SPIPE),
        }
        let file = self.file_mut(fd)?;
        if !file.seekable {
            return Err(Errno::SPIPE);
        }
        if pos < 0 {
            return Err(Errno::INVAL);
        }
        file.pos = pos;
        Ok(pos)
    }

    pub fn truncate(&mut self, fd: i32, size: i64) -> SysResult<()> {
        self.about_to_write(fd);
        sys::ftruncate(self.file(fd)?.real, size)?;
        self.mark_dirty(fd, self.now);
        Ok(())
    }

    pub fn fsync(&mut self, fd: i32, data_only: bool) -> SysResult<()> {
        sys::fsync(self.file(fd)?.real, data_only)
    }

    /// Bytes left to read: of a file to its end, of a pipe or terminal what waits in it.
    pub fn available(&self, fd: i32) -> SysResult<i64> {
        if let Handle::Pipe(pipe) = self.handle(fd)? {
            return Ok(sys::available(pipe.as_raw_fd()).map_or(0, |n| n as i64));
        }
        let file = self.file(fd)?;
        let stat = sys::fstat(file.real)?;
        match stat.kind() {
            libc::S_IFREG => Ok(stat.size - file.pos),
            libc::S_IFCHR | libc::S_IFIFO | libc::S_IFSOCK => {
                Ok(sys::available(file.real).map_or(0, |n| n as i64))
            }
            _ if file.seekable => Ok(stat.size - file.pos),
            _ => Ok(0),
        }
    }

    fn mark_dirty(&mut self, fd: i32, now: Option<Time>) {
        if !self.watches.is_empty()
            && let Ok(path) = self.file(fd).map(|f| f.path.clone())
        {
            self.note(&path, libc::IN_MODIFY);
        }
        let Some(now) = now else { return };
        let mut newly = false;
        if let Ok(file) = self.file_mut(fd) {
            newly = file.dirty.is_none();
            file.dirty = Some(now);
        }
        self.dirty += usize::from(newly);
    }

    fn flush_file(&mut self, file: &OpenFile) {
        if let Some(time) = file.dirty {
            // A file of somebody else keeps the machine's time.
            let _ = sys::set_times_of(file.real, None, Some(time));
            self.dirty -= 1;
        }
    }

    /// Gives written files their times before anybody looks.
    fn flush_times(&mut self) {
        if self.dirty == 0 {
            return;
        }
        for handle in self.fds.iter_mut().flatten() {
            if let Handle::File(file) = handle
                && let Some(time) = file.dirty.take()
            {
                let _ = sys::set_times_of(file.real, None, Some(time));
            }
        }
        self.dirty = 0;
    }

    /// The folder of a path has got or lost an entry.
    fn stamp_parent(&mut self, path: &[u8]) {
        if self.now.is_some()
            && let Ok(folder) = self.at_to_change(parent(path), true)
        {
            let _ = sys::set_times(&folder, true, None, self.now);
        }
    }

    /// Something new that is not a plain file.
    fn stamp_new(&mut self, path: &[u8], mask: u32) {
        if self.now.is_some()
            && let Ok(real) = self.at(path, false)
        {
            let _ = sys::set_times(&real, false, self.now, self.now);
            self.record_birth(sys::stat(&real, false));
            self.stamp_parent(path);
        }
        self.note(path, libc::IN_CREATE | mask);
    }

    fn record_birth(&mut self, stat: SysResult<Stat>) {
        if let (Some(now), Ok(stat)) = (self.now, stat) {
            self.births.insert((stat.dev, stat.ino), now);
        }
    }

    /// Completes what `stat` says by when the file was made.
    fn with_birth(&self, mut stat: Stat, real: impl FnOnce() -> Option<Time>) -> Stat {
        let known = self.births.get(&(stat.dev, stat.ino)).copied();
        stat.born = known.or_else(real).unwrap_or(stat.modified);
        if let Some(owners) = self.owners {
            (stat.uid, stat.gid) = owners.shown(stat.uid, stat.gid);
        }
        self.not_in_future(stat)
    }

    /// Files that others wrote are as old as the guest's start at most: to a guest in the past they would seem to come
    /// from the future.
    fn not_in_future(&self, mut stat: Stat) -> Stat {
        let (Some(now), Some(started)) = (self.now, self.started) else {
            return stat;
        };
        let later = |time: Time| (time.secs, time.nanos) > (now.secs, now.nanos);
        if !self.timed.contains(&(stat.dev, stat.ino)) {
            for time in [&mut stat.modified, &mut stat.accessed, &mut stat.born] {
                if later(*time) {
                    *time = started;
                }
            }
        }
        if later(stat.changed) {
            stat.changed = if later(stat.modified) { now } else { stat.modified };
        }
        stat
    }

    /// The guest has set the times of this file: they are what it says.
    fn note_times(&mut self, stat: SysResult<Stat>) {
        if let Ok(stat) = stat {
            self.timed.insert((stat.dev, stat.ino));
        }
    }

    /// Tells those who watch the folder of a path.
    fn note(&mut self, path: &[u8], mask: u32) {
        self.note_with(path, mask, 0);
    }

    fn note_with(&mut self, path: &[u8], mask: u32, cookie: u32) {
        if self.watches.is_empty() {
            return;
        }
        let name = path.rsplit(|b| *b == b'/').next().unwrap_or_default();
        if let Ok(folder) = self.realpath(parent(path)) {
            self.watches.note(&folder, name, mask, cookie);
        }
    }

    /// Watches a folder for an instance of the guest.
    pub fn watch(&mut self, instance: u32, path: &[u8], mask: u32) -> SysResult<i32> {
        let folder = self.realpath(path)?;
        Ok(self.watches.add(instance, folder, mask & 0xfff))
    }

    // Attributes.

    pub fn stat(&mut self, path: &[u8]) -> SysResult<Stat> {
        self.flush_times();
        self.asks(path, Asks::Itself);
        let path = self.at(path, true)?;
        Ok(self.with_birth(sys::stat(&path, true)?, || {
            sys::birth(libc::AT_FDCWD, &path, true)
        }))
    }

    pub fn lstat(&mut self, path: &[u8]) -> SysResult<Stat> {
        self.flush_times();
        self.asks(path, Asks::Itself);
        let path = self.at(path, false)?;
        Ok(self.with_birth(sys::stat(&path, false)?, || {
            sys::birth(libc::AT_FDCWD, &path, false)
        }))
    }

    pub fn fstat(&mut self, fd: i32) -> SysResult<Stat> {
        self.flush_times();
        match self.handle(fd)? {
            Handle::Stdin => sys::fstat(0),
            Handle::Stdout => sys::fstat(1),
            Handle::Stderr => sys::fstat(2),
            Handle::File(file) => {
                Ok(self.with_birth(sys::fstat(file.real)?, || sys::birth(file.real, b"", true)))
            }
            Handle::Random => sys::stat(b"/dev/urandom", true),
            Handle::Pipe(pipe) => sys::fstat(pipe.as_raw_fd()),
            Handle::Net(_) => Ok(Stat {
                mode: libc::S_IFSOCK | 0o777,
                nlink: 1,
                ..Stat::default()
            }),
        }
    }

    pub fn statvfs(&self, path: &[u8]) -> SysResult<FsStat> {
        sys::statvfs(&self.at(path, true)?)
    }

    pub fn access(&self, path: &[u8], mode: i32) -> SysResult<()> {
        self.asks(path, Asks::Itself);
        sys::access(&self.at(path, true)?, mode)
    }

    pub fn chmod(&mut self, path: &[u8], mode: u32) -> SysResult<()> {
        let real = self.at_to_change(path, true)?;
        sys::chmod(&real, mode)?;
        let path = self.absolute(path);
        self.note(&path, libc::IN_ATTRIB);
        Ok(())
    }

    /// The path to change a real file's attributes by, where its descriptor must not be used for that.
    fn lower_path(&self, fd: i32) -> SysResult<Option<Vec<u8>>> {
        let file = self.file(fd)?;
        Ok((file.lower && self.overlay.is_some()).then(|| file.path.clone()))
    }

    pub fn fchmod(&mut self, fd: i32, mode: u32) -> SysResult<()> {
        if let Some(path) = self.lower_path(fd)? {
            return self.chmod(&path, mode);
        }
        sys::fchmod(self.file(fd)?.real, mode)
    }

    fn real_owner(&self, uid: u32, gid: u32) -> (u32, u32) {
        self.owners.map_or((uid, gid), |owners| owners.real(uid, gid))
    }

    pub fn chown(&mut self, path: &[u8], uid: u32, gid: u32) -> SysResult<()> {
        let (uid, gid) = self.real_owner(uid, gid);
        sys::chown(&self.at_to_change(path, true)?, uid, gid)
    }

    pub fn lchown(&mut self, path: &[u8], uid: u32, gid: u32) -> SysResult<()> {
        let (uid, gid) = self.real_owner(uid, gid);
        sys::lchown(&self.at_to_change(path, false)?, uid, gid)
    }

    pub fn fchown(&mut self, fd: i32, uid: u32, gid: u32) -> SysResult<()> {
        if let Some(path) = self.lower_path(fd)? {
            return self.chown(&path, uid, gid);
        }
        let (uid, gid) = self.real_owner(uid, gid);
        sys::fchown(self.file(fd)?.real, uid, gid)
    }

    pub fn set_times(
        &mut self,
        path: &[u8],
        follow: bool,
        at: Option<Time>,
        mt: Option<Time>,
    ) -> SysResult<()> {
        self.flush_times();
        let real = self.at_to_change(path, follow)?;
        sys::set_times(&real, follow, at, mt)?;
        self.note_times(sys::stat(&real, follow));
        let path = self.absolute(path);
        self.note(&path, libc::IN_ATTRIB);
        Ok(())
    }

    pub fn set_times_of(&mut self, fd: i32, accessed: Option<Time>, modified: Option<Time>) -> SysResult<()> {
        self.flush_times();
        if let Some(path) = self.lower_path(fd)? {
            return self.set_times(&path, true, accessed, modified);
        }
        let file = self.file(fd)?;
        let (path, real) = (file.path.clone(), file.real);
        sys::set_times_of(real, accessed, modified)?;
        self.note_times(sys::fstat(real));
        self.note(&path, libc::IN_ATTRIB);
        Ok(())
    }

    pub fn get_xattr(&self, fd: i32, name: &[u8], into: &mut [u8]) -> SysResult<usize> {
        sys::get_xattr(self.file(fd)?.real, name, into)
    }

    pub fn set_xattr(&mut self, fd: i32, name: &[u8], value: &[u8]) -> SysResult<()> {
        if let Some(path) = self.lower_path(fd)? {
            let real = self.at_to_change(&path, true)?;
            return on_copy(&real, |fd| sys::set_xattr(fd, name, value));
        }
        sys::set_xattr(self.file(fd)?.real, name, value)
    }

    pub fn remove_xattr(&mut self, fd: i32, name: &[u8]) -> SysResult<()> {
        if let Some(path) = self.lower_path(fd)? {
            let real = self.at_to_change(&path, true)?;
            return on_copy(&real, |fd| sys::remove_xattr(fd, name));
        }
        sys::remove_xattr(self.file(fd)?.real, name)
    }

    pub fn list_xattr(&self, fd: i32, into: &mut [u8]) -> SysResult<usize> {
        sys::list_xattr(self.file(fd)?.real, into)
    }

    // Names.

    /// Names in a folder without `.` and `..`, sorted.
    pub fn read_dir(&self, path: &[u8]) -> SysResult<Vec<Vec<u8>>> {
        let path = self.absolute(path);
        self.asks(&path, Asks::Names);
        if let Some(used) = self.used.borrow_mut().as_mut() {
            used.list(&path);
        }
        match &self.overlay {
            Some(overlay) => overlay.list(&path),
            None => sys::read_dir(&path),
        }
    }

    pub fn mkdir(&mut self, path: &[u8], mode: u32) -> SysResult<()> {
        self.asks(path, Asks::Itself);
        self.about_to(Deed::Put, &self.absolute(path));
        let real = self.at_to_make(path)?;
        sys::mkdir(&real, mode)?;
        let path = self.absolute(path);
        self.stamp_new(&path, libc::IN_ISDIR);
        Ok(())
    }

    pub fn rmdir(&mut self, path: &[u8]) -> SysResult<()> {
        let path = self.absolute(path);
        let real = if self.watches.is_empty() {
            None
        } else {
            self.realpath(&path).ok()
        };
        self.about_to(Deed::Remove, &path);
        match &mut self.overlay {
            Some(overlay) => overlay.rmdir(&path)?,
            None => sys::rmdir(&path)?,
        }
        self.stamp_parent(&path);
        if let Some(real) = real {
            self.watches.folder_gone(&real);
        }
        self.note(&path, libc::IN_DELETE | libc::IN_ISDIR);
        Ok(())
    }

    pub fn unlink(&mut self, path: &[u8]) -> SysResult<()> {
        let path = self.absolute(path);
        self.asks(&path, Asks::Itself);
        self.about_to(Deed::Remove, &path);
        match &mut self.overlay {
            Some(overlay) => overlay.unlink(&path)?,
            None => sys::unlink(&path)?,
        }
        self.stamp_parent(&path);
        self.note(&path, libc::IN_DELETE);
        Ok(())
    }

    /// Removes a file or an empty folder.
    pub fn remove(&mut self, path: &[u8]) -> SysResult<()> {
        match self.unlink(path) {
            Err(Errno::ISDIR | Errno::PERM) if self.lstat(path).is_ok_and(|s| s.is_dir()) => self.rmdir(path),
            other => other,
        }
    }

    pub fn rename(&mut self, from: &[u8], to: &[u8]) -> SysResult<()> {
        let (from, to) = (self.absolute(from), self.absolute(to));
        self.journal(|journal, view| journal.note_rename(view, &from, &to));
        match &mut self.overlay {
            Some(overlay) => overlay.rename(&from, &to)?,
            None => sys::rename(&from, &to)?,
        }
        self.stamp_parent(&from);
        self.stamp_parent(&to);
        if !self.watches.is_empty() {
            let kind = self
                .lstat(&to)
                .map_or(0, |s| if s.is_dir() { libc::IN_ISDIR } else { 0 });
            let cookie = self.watches.cookie();
            self.note_with(&from, libc::IN_MOVED_FROM | kind, cookie);
            self.note_with(&to, libc::IN_MOVED_TO | kind, cookie);
        }
        for handle in self.fds.iter_mut().flatten() {
            let Handle::File(file) = handle else { continue };
            if let Some(rest) = file.path.strip_prefix(from.as_slice())
                && (rest.is_empty() || rest[0] == b'/')
            {
                file.path = [to.as_slice(), rest].concat();
            }
        }
        Ok(())
    }

    pub fn link(&mut self, existing: &[u8], new: &[u8]) -> SysResult<()> {
        let new = self.absolute(new);
        let existing = self.absolute(existing);
        self.about_to(Deed::Put, &new);
        match &mut self.overlay {
            Some(overlay) => overlay.link(&existing, &new)?,
            None => sys::link(&existing, &new)?,
        }
        self.stamp_parent(&new);
        self.note(&new, libc::IN_CREATE);
        Ok(())
    }

    pub fn symlink(&mut self, target: &[u8], new: &[u8]) -> SysResult<()> {
        self.about_to(Deed::Put, &self.absolute(new));
        let real = self.at_to_make(new)?;
        sys::symlink(target, &real)?;
        let new = self.absolute(new);
        self.stamp_new(&new, 0);
        Ok(())
    }

    pub fn readlink(&self, path: &[u8]) -> SysResult<Vec<u8>> {
        sys::readlink(&self.at(path, false)?)
    }

    pub fn realpath(&self, path: &[u8]) -> SysResult<Vec<u8>> {
        if self.aliases.iter().any(|(alias, _)| alias == path) {
            return Ok(path.to_vec());
        }
        let path = self.absolute(path);
        match &self.overlay {
            Some(overlay) => overlay.realpath(&path),
            None => sys::realpath(&path),
        }
    }

    pub fn mknod(&mut self, path: &[u8], mode: u32, dev: u64) -> SysResult<()> {
        self.about_to(Deed::Put, &self.absolute(path));
        let real = self.at_to_make(path)?;
        sys::mknod(&real, mode, dev)?;
        let path = self.absolute(path);
        self.stamp_new(&path, 0);
        Ok(())
    }

    /// A path relative to an open folder; `AT_FDCWD` means the working folder.
    pub fn path_at(&self, dir: i32, path: &[u8]) -> SysResult<Vec<u8>> {
        if dir == libc::AT_FDCWD || path.first() == Some(&b'/') {
            return Ok(self.absolute(path));
        }
        Ok(join(&self.file(dir)?.path, path))
    }

    // Folder streams.

    pub fn open_dir(&mut self, path: &[u8]) -> SysResult<u64> {
        self.open_stream(self.absolute(path), None)
    }

    /// A stream over an open folder, which it owns from now on.
    pub fn open_dir_of(&mut self, fd: i32) -> SysResult<u64> {
        let path = self.file(fd)?.path.clone();
        self.open_stream(path, Some(fd))
    }

    fn open_stream(&mut self, path: Vec<u8>, fd: Option<i32>) -> SysResult<u64> {
        // For its errors.
        self.read_dir(&path)?;
        Ok(self.insert_dir(DirStream {
            names: Vec::new(),
            next: 0,
            unread: Some(path),
            fd,
        }))
    }

    fn insert_dir(&mut self, stream: DirStream) -> u64 {
        let slot = self.dirs.iter().position(Option::is_none).unwrap_or_else(|| {
            self.dirs.push(None);
            self.dirs.len() - 1
        });
        self.dirs[slot] = Some(stream);
        slot as u64 + 1
    }

    /// The lines of a text file as a stream of names.
    pub fn open_lines(&mut self, path: &[u8]) -> SysResult<u64> {
        let fd = self.open(path, libc::O_RDONLY, 0)?;
        let mut text = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            match self.read(fd, &mut chunk) {
                Ok(0) => break,
                Ok(n) => text.extend_from_slice(&chunk[..n]),
                Err(e) => {
                    self.close(fd)?;
                    return Err(e);
                }
            }
        }
        self.close(fd)?;
        let mut names: Vec<Vec<u8>> = text
            .split(|b| *b == b'\n')
            .filter(|l| !l.is_empty())
            .map(<[u8]>::to_vec)
            .collect();
        if sys::is_read_only_by_sandbox() {
            names.iter_mut().for_each(|line| make_writable(line));
        }
        Ok(self.insert_dir(DirStream {
            names,
            next: 0,
            unread: None,
            fd: None,
        }))
    }

    fn dir_mut(&mut self, stream: u64) -> SysResult<&mut DirStream> {
        self.dirs
            .get_mut((stream as usize).wrapping_sub(1))
            .and_then(Option::as_mut)
            .ok_or(Errno::BADF)
    }

    /// The next name of a stream, `None` at the end; `advance` goes on to the one after it.
    pub fn next_name(&mut self, stream: u64) -> SysResult<Option<Vec<u8>>> {
        if let Some(path) = self.dir_mut(stream)?.unread.take() {
            // A folder that has been removed meanwhile is an empty one.
            let names = self.read_dir(&path).unwrap_or_default();
            self.dir_mut(stream)?.names = names;
        }
        let dir = self.dir_mut(stream)?;
        Ok(dir.names.get(dir.next).cloned())
    }

    pub fn advance(&mut self, stream: u64) -> SysResult<()> {
        self.dir_mut(stream)?.next += 1;
        Ok(())
    }

    pub fn rewind(&mut self, stream: u64) -> SysResult<()> {
        self.dir_mut(stream)?.next = 0;
        Ok(())
    }

    pub fn close_dir(&mut self, stream: u64) -> SysResult<()> {
        let slot = self
            .dirs
            .get_mut((stream as usize).wrapping_sub(1))
            .ok_or(Errno::BADF)?;
        let dir = slot.take().ok_or(Errno::BADF)?;
        if let Some(fd) = dir.fd {
            self.close(fd)?;
        }
        Ok(())
    }
}

impl Drop for Fs {
    fn drop(&mut self) {
        self.remove_private_paths();
    }
}

/// Does something with a descriptor of a file that is not open.
fn on_copy(real: &[u8], action: impl FnOnce(i32) -> SysResult<()>) -> SysResult<()> {
    let fd = sys::open(real, libc::O_RDONLY, 0)?;
    let done = action(fd);
    sys::close(fd)?;
    done
}

/// Where a process keeps the private paths of its guest.
/// May a real file be used that a suite has opened?
fn may_use(real: i32, flags: i32) -> bool {
    let writes = flags & libc::O_ACCMODE != libc::O_RDONLY;
    sys::fstat(real).is_ok_and(|stat| special::allowed(real, &stat, writes))
}

/// In a line of the table of mounts: writes go to the overlay, so that to the guest it is writable.
fn make_writable(line: &mut [u8]) {
    let field = line.windows(4).position(|w| w == b" ro," || w == b" ro ");
    if let Some(at) = field {
        line[at + 2] = b'w';
    }
}

/// Where the overlay is, which a sandboxed process can write to.
fn private_root_beside(upper: &[u8]) -> Vec<u8> {
    [upper, b".private"].concat()
}

fn private_root_of(pid: u32) -> Vec<u8> {
    join(b"/tmp", format!(".poldet-private-{pid}").as_bytes())
}

/// The folder a path lies in.
fn parent(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b != b'/').map_or(0, |i| i + 1);
    match path[..end].iter().rposition(|b| *b == b'/') {
        Some(0) | None => b"/",
        Some(i) => &path[..i],
    }
}

fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let separator: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
    [folder, separator, name].concat()
}

#[cfg(test)]
mod journal_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    /// A folder that is gone with the test.
    pub(super) struct Scratch(std::path::PathBuf);

    impl Scratch {
        pub(super) fn new(name: &str) -> (Scratch, Fs) {
            let path = std::env::temp_dir().join(format!("poldet-fs-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            let fs = Fs::new(path.as_os_str().as_bytes());
            (Scratch(path), fs)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn positions_are_our_own_and_appending_goes_to_the_end() {
        let (_scratch, mut fs) = Scratch::new("pos");
        let fd = fs.open(b"f", libc::O_RDWR | libc::O_CREAT, 0o666).unwrap();
        assert_eq!(fd, 3);
        assert_eq!(fs.write(fd, b"hello").unwrap(), 5);
        fs.seek(fd, 1).unwrap();
        let mut two = [0; 2];
        fs.read(fd, &mut two).unwrap();
        assert_eq!((&two, fs.position(fd)), (b"el", Ok(3)));
        let appending = fs.open(b"f", libc::O_WRONLY | libc::O_APPEND, 0).unwrap();
        fs.write(appending, b"!").unwrap();
        assert_eq!(fs.position(appending), Ok(6));
        assert_eq!(fs.available(fd), Ok(3));
        fs.close(fd).unwrap();
        assert_eq!(fs.read(fd, &mut two), Err(Errno::BADF));
    }

    #[test]
    fn files_carry_the_guests_time() {
        let (_scratch, mut fs) = Scratch::new("time");
        let time = Time {
            secs: 1_735_689_600,
            nanos: 5,
        };
        fs.set_now(Some(time));
        let fd = fs.open(b"f", libc::O_WRONLY | libc::O_CREAT, 0o666).unwrap();
        assert_eq!(fs.stat(b"f").unwrap().modified, time);
        let later = Time {
            secs: time.secs + 9,
            nanos: 0,
        };
        fs.set_now(Some(later));
        fs.write(fd, b"x").unwrap();
        assert_eq!(fs.stat(b"f").unwrap().modified, later);
        fs.mkdir(b"d", 0o777).unwrap();
        assert_eq!(fs.lstat(b"d").unwrap().modified, later);
    }

    #[test]
    fn folders_list_in_order_and_follow_renames() {
        let (_scratch, mut fs) = Scratch::new("dir");
        fs.mkdir(b"d", 0o777).unwrap();
        for name in [b"d/b", b"d/a", b"d/c"] {
            let fd = fs.open(name, libc::O_WRONLY | libc::O_CREAT, 0o666).unwrap();
            fs.close(fd).unwrap();
        }
        let dir = fs.open(b"d", libc::O_RDONLY, 0).unwrap();
        fs.rename(b"d", b"e").unwrap();
        assert!(fs.path_at(dir, b"a").unwrap().ends_with(b"/e/a"));
        let stream = fs.open_dir_of(dir).unwrap();
        assert_eq!(fs.next_name(stream), Ok(Some(b"a".to_vec())));
        fs.close_dir(stream).unwrap();
        assert_eq!(fs.path_at(dir, b"a"), Err(Errno::BADF));
        assert_eq!(fs.remove(b"e"), Err(Errno(libc::ENOTEMPTY)));
    }

    pub(super) fn write(fs: &mut Fs, name: &[u8], text: &[u8]) {
        let fd = fs
            .open(name, libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC, 0o666)
            .unwrap();
        fs.write(fd, text).unwrap();
        fs.close(fd).unwrap();
    }

    fn read(fs: &mut Fs, name: &[u8]) -> SysResult<Vec<u8>> {
        let fd = fs.open(name, libc::O_RDONLY, 0)?;
        let mut buffer = [0; 64];
        let n = fs.read(fd, &mut buffer)?;
        fs.close(fd)?;
        Ok(buffer[..n].to_vec())
    }

    /// A folder with `real/a`, `real/b`, `real/dir/c`, a link `real/to -> dir`, and a file system that keeps writes.
    pub(super) fn layered(name: &str) -> (Scratch, Fs) {
        let (scratch, mut fs) = Scratch::new(name);
        fs.mkdir(b"real", 0o777).unwrap();
        fs.mkdir(b"real/dir", 0o777).unwrap();
        fs.symlink(b"dir", b"real/to").unwrap();
        for file in [b"real/a".as_slice(), b"real/b", b"real/dir/c"] {
            write(&mut fs, file, b"old");
        }
        let upper = scratch.0.join("upper");
        std::fs::create_dir(&upper).unwrap();
        fs.keep_writes_in(upper.as_os_str().as_bytes());
        (scratch, fs)
    }

    /// What the real folder holds, as `path=text`.
    fn real_files(scratch: &Scratch) -> Vec<String> {
        let mut found = Vec::new();
        for (dir, names) in [("real", ["a", "b", "new"]), ("real/dir", ["c", "d", "e"])] {
            for name in names {
                let path = scratch.0.join(dir).join(name);
                if let Ok(text) = std::fs::read_to_string(&path) {
                    found.push(format!("{name}={text}"));
                }
            }
        }
        found
    }

    const REAL: [&str; 3] = ["a=old", "b=old", "c=old"];

    #[test]
    fn what_processes_remove_and_replace_is_gone() {
        let (scratch, mut fs) = layered("marks");
        fs.unlink(b"real/b").unwrap();
        fs.overlay_mut().unwrap().share().unwrap();
        let upper = [fs.overlay().unwrap().upper(), &fs.absolute(b"real")].concat();
        let at = |name: &[u8]| [upper.as_slice(), b"/", name].concat();
        let marked = |stat: SysResult<Stat>| stat.is_ok_and(|s| s.kind() == libc::S_IFCHR && s.rdev == 0);
        // What the test has removed, processes see as removed.
        assert!(marked(sys::stat(&at(b"b"), false)));
        // As the kernel does it for a process that removes a file, and replaces a folder by an empty one.
        sys::make_whiteout(&at(b"a")).unwrap();
        let folder = fs.absolute(b"real/dir");
        fs.overlay_mut().unwrap().folder_in_upper(&folder).unwrap();
        let dir = sys::open(&at(b"dir"), libc::O_RDONLY, 0).unwrap();
        if sys::set_xattr(dir, b"user.overlay.opaque", b"y").is_err() {
            return; // Not every file system has such attributes.
        }
        for absorbed in [false, true] {
            assert_eq!(fs.read_dir(b"real").unwrap(), [b"dir".to_vec(), b"to".to_vec()]);
            assert!(fs.read_dir(b"real/dir").unwrap().is_empty());
            for gone in [b"real/a".as_slice(), b"real/b", b"real/dir/c", b"real/to/c"] {
                assert_eq!(fs.stat(gone).err(), Some(Errno::NOENT), "{absorbed}");
            }
            if !absorbed {
                fs.absorb().unwrap();
                assert!(sys::stat(&at(b"a"), false).is_err());
            }
        }
        write(&mut fs, b"real/a", b"again");
        assert_eq!(read(&mut fs, b"real/a").unwrap(), b"again");
        assert_eq!(real_files(&scratch), REAL);
    }

    #[test]
    fn a_folder_emptied_while_processes_see_it_can_be_removed() {
        let (scratch, mut fs) = layered("marks-emptied");
        fs.overlay_mut().unwrap().share().unwrap();
        fs.unlink(b"real/dir/c").unwrap();
        fs.rmdir(b"real/dir").unwrap();
        assert_eq!(fs.stat(b"real/dir").err(), Some(Errno::NOENT));
        fs.mkdir(b"real/dir", 0o777).unwrap();
        assert!(fs.read_dir(b"real/dir").unwrap().is_empty());
        assert_eq!(fs.stat(b"real/dir/c").err(), Some(Errno::NOENT));
        assert_eq!(real_files(&scratch), REAL);
        // Another one takes the place of an emptied one.
        let (scratch, mut fs) = layered("marks-replaced");
        fs.overlay_mut().unwrap().share().unwrap();
        fs.unlink(b"real/dir/c").unwrap();
        fs.mkdir(b"real/other", 0o777).unwrap();
        write(&mut fs, b"real/other/x", b"new");
        fs.rename(b"real/other", b"real/dir").unwrap();
        assert_eq!(fs.read_dir(b"real/dir").unwrap(), [b"x".to_vec()]);
        assert_eq!(real_files(&scratch), REAL);
    }

    #[test]
    fn the_names_of_a_stream_are_read_with_the_first_of_them() {
        let (_scratch, mut fs) = layered("streams");
        let stream = fs.open_dir(b"real").unwrap();
        fs.unlink(b"real/a").unwrap();
        write(&mut fs, b"real/new", b"made");
        let mut names = Vec::new();
        while let Some(name) = fs.next_name(stream).unwrap() {
            names.push(name);
            fs.advance(stream).unwrap();
            fs.unlink(b"real/b").ok();
        }
        assert_eq!(names, [b"b".as_slice(), b"dir", b"new", b"to"]);
        fs.close_dir(stream).unwrap();
        let stream = fs.open_dir(b"real/dir").unwrap();
        fs.unlink(b"real/dir/c").unwrap();
        fs.rmdir(b"real/dir").unwrap();
        assert_eq!(fs.next_name(stream), Ok(None));
        assert_eq!(fs.open_dir(b"real/dir"), Err(Errno::NOENT));
    }

    #[test]
    fn a_name_that_a_process_removed_can_be_used_again() {
        let (scratch, mut fs) = layered("marks-again");
        fs.overlay_mut().unwrap().share().unwrap();
        let upper = fs.overlay().unwrap().upper().to_vec();
        let real = fs.absolute(b"real");
        fs.overlay_mut().unwrap().folder_in_upper(&real).unwrap();
        for name in [b"/a".as_slice(), b"/b", b"/dir"] {
            sys::make_whiteout(&[&upper, real.as_slice(), name].concat()).unwrap();
        }
        write(&mut fs, b"real/a", b"new");
        fs.mkdir(b"real/dir", 0o777).unwrap();
        fs.rename(b"real/a", b"real/b").unwrap();
        assert!(fs.read_dir(b"real/dir").unwrap().is_empty());
        assert_eq!(read(&mut fs, b"real/b").unwrap(), b"new");
        assert_eq!(fs.stat(b"real/a").err(), Some(Errno::NOENT));
        assert_eq!(real_files(&scratch), REAL);
    }

    #[test]
    fn writes_stay_in_their_layer() {
        let (scratch, mut fs) = layered("layer-write");
        assert_eq!(read(&mut fs, b"real/a").unwrap(), b"old");
        write(&mut fs, b"real/a", b"new");
        write(&mut fs, b"real/new", b"made");
        write(&mut fs, b"real/to/d", b"through a link");
        let fd = fs.open(b"real/b", libc::O_WRONLY | libc::O_APPEND, 0).unwrap();
        fs.write(fd, b"er").unwrap();
        fs.close(fd).unwrap();
        assert_eq!(read(&mut fs, b"real/a").unwrap(), b"new");
        assert_eq!(read(&mut fs, b"real/b").unwrap(), b"older");
        assert_eq!(read(&mut fs, b"real/dir/d").unwrap(), b"through a link");
        assert_eq!(
            fs.read_dir(b"real").unwrap(),
            [b"a".as_slice(), b"b", b"dir", b"new", b"to"]
        );
        assert!(fs.realpath(b"real/to/d").unwrap().ends_with(b"/real/dir/d"));
        fs.chmod(b"real/dir/c", 0o400).unwrap();
        assert_eq!(fs.stat(b"real/to/c").unwrap().mode & 0o777, 0o400);
        assert_eq!(real_files(&scratch), REAL);
    }

    #[test]
    fn what_is_deleted_is_gone_for_the_guest_only() {
        let (scratch, mut fs) = layered("layer-delete");
        fs.unlink(b"real/a").unwrap();
        assert_eq!(read(&mut fs, b"real/a"), Err(Errno::NOENT));
        assert_eq!(fs.rmdir(b"real/dir"), Err(Errno(libc::ENOTEMPTY)));
        fs.unlink(b"real/dir/c").unwrap();
        fs.rmdir(b"real/dir").unwrap();
        assert_eq!(fs.read_dir(b"real").unwrap(), [b"b".as_slice(), b"to"]);
        // Made again, it does not bring the old contents back.
        fs.mkdir(b"real/dir", 0o777).unwrap();
        assert!(fs.read_dir(b"real/dir").unwrap().is_empty());
        assert_eq!(fs.mkdir(b"real/dir", 0o777), Err(Errno::EXIST));
        write(&mut fs, b"real/a", b"again");
        assert_eq!(read(&mut fs, b"real/a").unwrap(), b"again");
        assert_eq!(real_files(&scratch), REAL);
    }

    #[test]
    fn renames_take_everything_along() {
        let (scratch, mut fs) = layered("layer-rename");
        fs.rename(b"real/dir", b"real/moved").unwrap();
        assert_eq!(read(&mut fs, b"real/moved/c").unwrap(), b"old");
        assert!(fs.lstat(b"real/dir").is_err());
        fs.rename(b"real/a", b"real/b").unwrap();
        assert_eq!(fs.read_dir(b"real").unwrap(), [b"b".as_slice(), b"moved", b"to"]);
        assert_eq!(fs.rename(b"real/b", b"real/moved"), Err(Errno::ISDIR));
        assert_eq!(fs.rename(b"real/moved", b"real/moved/in"), Err(Errno::INVAL));
        assert_eq!(real_files(&scratch), REAL);
    }

    #[test]
    fn a_forked_child_has_files_of_its_own() {
        let (scratch, mut fs) = layered("fork");
        write(&mut fs, b"real/new", b"made");
        fs.link(b"real/new", b"real/second").unwrap();
        fs.unlink(b"real/b").unwrap();
        let fd = fs.open(b"real/a", libc::O_WRONLY | libc::O_APPEND, 0).unwrap();
        let nameless = fs
            .open(b"real/gone", libc::O_RDWR | libc::O_CREAT, 0o600)
            .unwrap();
        fs.write(nameless, b"kept").unwrap();
        fs.unlink(b"real/gone").unwrap();
        let (old, new) = (scratch.0.join("upper"), scratch.0.join("child"));
        std::fs::create_dir(&new).unwrap();
        let copied = fs.after_fork(Some(new.as_os_str().as_bytes())).unwrap();
        assert!(!copied.is_empty());
        fs.write(fd, b"er").unwrap();
        fs.write(nameless, b"!").unwrap();
        assert_eq!(read(&mut fs, b"real/a").unwrap(), b"older");
        write(&mut fs, b"real/second", b"both");
        assert_eq!(read(&mut fs, b"real/new").unwrap(), b"both");
        assert_eq!(read(&mut fs, b"real/b"), Err(Errno::NOENT));
        let mut buffer = [0; 8];
        assert_eq!(fs.pread(nameless, &mut buffer, 0), Ok(5));
        let below = |root: &std::path::Path, file: &str| {
            let path = scratch.0.join(file);
            std::fs::read(root.join(path.strip_prefix("/").unwrap())).unwrap()
        };
        assert_eq!(below(&old, "real/a"), b"old");
        assert_eq!(below(&old, "real/new"), b"made");
        assert_eq!(real_files(&scratch), REAL);
    }

    #[test]
    fn files_are_put_back_as_they_were() {
        let (scratch, mut fs) = layered("undo");
        write(&mut fs, b"real/new", b"made");
        let kept = scratch.0.join("kept");
        std::fs::create_dir(&kept).unwrap();
        fs.keep_files(kept.as_os_str().as_bytes()).unwrap();
        write(&mut fs, b"real/new", b"changed");
        write(&mut fs, b"real/a", b"changed");
        write(&mut fs, b"real/later", b"x");
        fs.unlink(b"real/b").unwrap();
        for name in [b"real/new".as_slice(), b"real/a", b"real/later", b"real/b"] {
            let path = fs.absolute(name);
            fs.put_back(&path).unwrap();
        }
        assert_eq!(read(&mut fs, b"real/new").unwrap(), b"made");
        assert_eq!(read(&mut fs, b"real/a").unwrap(), b"old");
        assert_eq!(read(&mut fs, b"real/b").unwrap(), b"old");
        assert_eq!(read(&mut fs, b"real/later"), Err(Errno::NOENT));
        assert_eq!(real_files(&scratch), REAL);
    }

    #[test]
    fn parents() {
        assert_eq!(parent(b"/a/b/"), b"/a");
        assert_eq!(parent(b"/a"), b"/");
    }
}
