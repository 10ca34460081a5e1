//! Files as they were: kept at one moment, to be put back one by one later.

use crate::errno::{Errno, SysResult};
use crate::fork::{Copied, copy_folder};
use crate::fs::Fs;
use crate::overlay::Overlay;
use crate::sys;

impl Fs {
    /// Keeps the files as they are now; what the overlay holds of them goes to this folder, which must be empty.
    pub fn keep_files(&mut self, folder: &[u8]) -> SysResult<()> {
        self.absorb()?;
        let Some(overlay) = self.overlay() else {
            return Err(Errno::NOTSUP);
        };
        let kept = overlay.copy_in(folder);
        if !overlay.is_untouched() {
            copy_folder(overlay.upper(), folder, &mut Copied::default())?;
        }
        self.set_kept(kept);
        Ok(())
    }

    /// Makes what is at a canonical path what it was when files were kept.
    pub fn put_back(&mut self, path: &[u8]) -> SysResult<()> {
        let Some(before) = self.kept().map(|kept| kept.find(path)) else {
            return Err(Errno::NOTSUP);
        };
        self.remove_tree(path)?;
        match before {
            Ok(place) => self.copy_from(&place, path),
            Err(Errno::NOENT) => Ok(()),
            Err(e) => Err(e),
        }
    }

    fn remove_tree(&mut self, path: &[u8]) -> SysResult<()> {
        match self.lstat(path) {
            Err(Errno::NOENT) => Ok(()),
            Err(e) => Err(e),
            Ok(stat) if !stat.is_dir() => self.unlink(path),
            Ok(_) => {
                for name in self.read_dir(path)? {
                    self.remove_tree(&[path, b"/", &name].concat())?;
                }
                self.rmdir(path)
            }
        }
    }

    /// Copies a real file to a path of the guest's; of a folder only the folder itself.
    fn copy_from(&mut self, place: &[u8], path: &[u8]) -> SysResult<()> {
        let stat = sys::stat(place, false)?;
        match stat.kind() {
            libc::S_IFDIR => self.mkdir(path, stat.mode & 0o7777),
            libc::S_IFLNK => self.symlink(&sys::readlink(place)?, path),
            libc::S_IFREG => {
                let from = sys::open(place, libc::O_RDONLY, 0)?;
                let copied = self.write_all(from, path, stat.mode & 0o7777);
                sys::close(from)?;
                copied
            }
            _ => Err(Errno::NOTSUP),
        }
    }

    fn write_all(&mut self, from: i32, path: &[u8], mode: u32) -> SysResult<()> {
        let to = self.open(path, libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC, mode)?;
        let mut chunk = vec![0; 64 << 10];
        let mut at = 0;
        loop {
            let read = sys::pread(from, &mut chunk, at)?;
            if read == 0 {
                break;
            }
            at += read as i64;
            let mut done = 0;
            while done < read {
                done += self.write(to, &chunk[done..read])?;
            }
        }
        self.close(to).map(|_| ())
    }
}

impl Overlay {
    /// The same view of the real files, with what was written in another folder.
    fn copy_in(&self, folder: &[u8]) -> Overlay {
        let mut copy = self.clone();
        copy.set_upper(folder);
        copy
    }
}
