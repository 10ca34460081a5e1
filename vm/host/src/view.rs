//! The files of a test, for processes that it starts: its overlay is mounted over the real files, in namespaces of the
//! process. What the process writes is in the test's overlay then, and what the test has removed the process does not see.
//!
//! A folder with other mounts below it cannot be the lower part of an overlay in a user namespace, so that overlays are
//! mounted over the topmost folders without such; what lies beside them stays as it is, read-only.

use crate::Host;
use crate::errno::{Errno, SysResult};
use crate::fs::Fs;
use crate::sys;
use std::io;

/// Folders at the root in which tests have no business, unless they have changed something there.
const SYSTEM: [&[u8]; 9] = [
    b"bin", b"boot", b"etc", b"lib", b"lib32", b"lib64", b"run", b"sbin", b"usr",
];

/// What a process returns when it cannot be given its files: no call that it makes itself ends so.
pub const NO_VIEW: Errno = Errno(libc::EUCLEAN);

/// The mounts of a process.
#[derive(Clone, Debug)]
pub struct View {
    overlays: Vec<Mounted>,
    /// The overlay's own `/dev/shm`, which stands for the real one.
    shared_memory: Vec<u8>,
    /// Where the process starts.
    dir: Vec<u8>,
    user: (u32, u32),
}

#[derive(Clone, Debug)]
struct Mounted {
    at: Vec<u8>,
    upper: Vec<u8>,
    work: Vec<u8>,
    /// Files of the test are there.
    needed: bool,
}

impl View {
    /// In the process, before it becomes another program.
    pub fn enter(&self) -> io::Result<()> {
        self.mount()
            .map_err(|_| io::Error::from_raw_os_error(NO_VIEW.0))?;
        sys::chdir(&self.dir).map_err(|e| io::Error::from_raw_os_error(e.0))
    }

    fn mount(&self) -> SysResult<()> {
        sys::unshare_files(self.user)?;
        for mounted in &self.overlays {
            let options = [
                b"userxattr,lowerdir=".as_slice(),
                &escaped(&mounted.at),
                b",upperdir=",
                &escaped(&mounted.upper),
                b",workdir=",
                &escaped(&mounted.work),
            ];
            match sys::mount_overlay(&mounted.at, &options.concat()) {
                Err(error) if mounted.needed => return Err(error),
                // It stays read-only.
                _ => {}
            }
        }
        sys::mount_bind(&self.shared_memory, b"/dev/shm")?;
        sys::remount_read_only(b"/proc")?;
        sys::drop_bounding_set();
        Ok(())
    }
}

/// As the options of an overlay take a path.
fn escaped(path: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(path.len());
    for byte in path {
        if matches!(byte, b'\\' | b',' | b':') {
            text.push(b'\\');
        }
        text.push(*byte);
    }
    text
}

impl Host {
    /// The mounts of a process that starts in this folder; none where it sees the real files.
    pub fn view_for(&mut self, dir: &[u8]) -> SysResult<Option<View>> {
        if !self.processes.have_views() {
            return Ok(None);
        }
        let places = [
            dir.to_vec(),
            self.env.tmp_dir.clone().into_bytes(),
            self.env.user_home.clone().into_bytes(),
        ];
        self.fs.view(dir, &places)
    }
}

impl Fs {
    fn view(&mut self, dir: &[u8], places: &[Vec<u8>]) -> SysResult<Option<View>> {
        let Some(overlay) = self.overlay_mut() else {
            return Ok(None);
        };
        overlay.share()?;
        let points = mount_points();
        let mut folders = Vec::new();
        let mut look = vec![b"/".to_vec()];
        while let Some(folder) = look.pop() {
            for name in sys::read_dir(&folder)? {
                let path = match folder.as_slice() {
                    b"/" => [b"/", name.as_slice()].concat(),
                    _ => [folder.as_slice(), b"/", &name].concat(),
                };
                let used = overlay.is_in_upper(&path) || places.iter().any(|p| below(p, &path));
                let wanted = used || folder == b"/" && !SYSTEM.contains(&name.as_slice());
                if !wanted || kernels(&path) || !sys::stat(&path, false).is_ok_and(|s| s.is_dir()) {
                    continue;
                }
                match points.iter().any(|p| *p != path && below(p, &path)) {
                    false => folders.push((path, used)),
                    true if used => look.push(path),
                    true => {}
                }
            }
        }
        let mut overlays = Vec::new();
        for (number, (at, needed)) in folders.into_iter().enumerate() {
            let upper = overlay.folder_in_upper(&at)?;
            let work = overlay.work_folder(number)?;
            overlays.push(Mounted {
                at,
                upper,
                work,
                needed,
            });
        }
        let shared_memory = overlay.folder_in_upper(b"/dev/shm")?;
        Ok(Some(View {
            overlays,
            shared_memory,
            dir: dir.to_vec(),
            user: (sys::uid(), sys::gid()),
        }))
    }
}

fn kernels(path: &[u8]) -> bool {
    matches!(path, b"/proc" | b"/sys" | b"/dev")
}

/// Whether a path is a folder or lies in it.
fn below(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| matches!(rest.first(), None | Some(b'/')))
}

/// Where something is mounted. Blanks in names are written as numbers there; such a mount is found when mounting fails.
fn mount_points() -> Vec<Vec<u8>> {
    let text = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
    let point = |line: &[u8]| Some(line.split(|b| *b == b' ').nth(4)?.to_vec());
    text.split(|b| *b == b'\n').filter_map(point).collect()
}
