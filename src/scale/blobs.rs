//! Inputs by digest. A folder is one file, too: its files one after the other, with their names.

use crate::cache::digest::files;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

const MAGIC: &[u8; 8] = b"poldetP1";
/// A name, or the contents of one file, may have no more bytes.
const LONGEST_NAME: u64 = 1 << 16;

/// A folder of blobs.
pub struct Blobs {
    root: PathBuf,
}

impl Blobs {
    pub fn new(root: PathBuf) -> Blobs {
        Blobs { root }
    }

    pub fn path(&self, digest: &str) -> PathBuf {
        self.root.join(digest.get(..2).unwrap_or("__")).join(digest)
    }

    /// Keeps a file or folder; the answer is its digest and its size. `leave_out` has names right below a folder.
    pub fn add(&self, source: &Path, leave_out: &[&str]) -> io::Result<(String, u64)> {
        fs::create_dir_all(&self.root)?;
        let part = self.root.join(format!(".{}.part", std::process::id()));
        let mut out = Hashing {
            out: BufWriter::new(File::create(&part)?),
            hasher: blake3::Hasher::new(),
            size: 0,
        };
        let written = match fs::metadata(source)?.is_dir() {
            true => pack(source, leave_out, &mut out),
            false => io::copy(&mut File::open(source)?, &mut out).map(|_| ()),
        };
        if let Err(e) = written.and_then(|()| out.flush()) {
            let _ = fs::remove_file(&part);
            return Err(e);
        }
        let digest = out.hasher.finalize().to_hex().to_string();
        let file = self.path(&digest);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::rename(&part, &file)?;
        Ok((digest, out.size))
    }

    /// Copies a blob to where a job needs it, as a file or a folder, and checks what was copied.
    pub fn take(&self, digest: &str, folder: bool, to: &Path) -> Result<(), String> {
        let file = self.path(digest);
        let name = file.display();
        let fail = |e: io::Error| format!("cannot read input '{name}': {e}");
        let mut from = HashingRead {
            inner: BufReader::new(File::open(&file).map_err(fail)?),
            hasher: blake3::Hasher::new(),
        };
        let copied = match folder {
            true => unpack(&mut from, to),
            false => File::create(to)
                .and_then(|mut out| io::copy(&mut from, &mut out))
                .map(|_| ()),
        };
        copied
            .and_then(|()| io::copy(&mut from, &mut io::sink()))
            .map_err(|e| format!("cannot copy input '{name}' to '{}': {e}", to.display()))?;
        if from.hasher.finalize().to_hex().as_str() != digest {
            return Err(format!("input '{name}' is damaged: plan again"));
        }
        Ok(())
    }
}

struct Hashing<W> {
    out: W,
    hasher: blake3::Hasher,
    size: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.size += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

struct HashingRead<R> {
    inner: R,
    hasher: blake3::Hasher,
}

impl<R: Read> Read for HashingRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        Ok(count)
    }
}

fn pack(dir: &Path, leave_out: &[&str], out: &mut impl Write) -> io::Result<()> {
    out.write_all(MAGIC)?;
    for (name, path) in files(dir)? {
        let first = name.split('/').next().unwrap_or_default();
        if leave_out.contains(&first) {
            continue;
        }
        let mut file = File::open(&path)?;
        let meta = file.metadata()?;
        out.write_all(&(name.len() as u64).to_le_bytes())?;
        out.write_all(name.as_bytes())?;
        let rights = if meta.permissions().mode() & 0o100 != 0 {
            0o755_u32
        } else {
            0o644
        };
        out.write_all(&rights.to_le_bytes())?;
        out.write_all(&meta.len().to_le_bytes())?;
        let copied = io::copy(&mut (&mut file).take(meta.len()), out)?;
        if copied != meta.len() {
            return Err(io::Error::other(format!(
                "{} changes while it is read",
                path.display()
            )));
        }
    }
    Ok(())
}

fn unpack(from: &mut impl Read, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let wrong = || io::Error::other("not a packed folder");
    let mut magic = [0; 8];
    from.read_exact(&mut magic)?;
    if &magic != MAGIC {
        return Err(wrong());
    }
    loop {
        let mut length = [0; 8];
        match from.read(&mut length[..1])? {
            0 => return Ok(()),
            _ => from.read_exact(&mut length[1..])?,
        }
        let length = u64::from_le_bytes(length);
        if length > LONGEST_NAME {
            return Err(wrong());
        }
        let mut name = vec![0; length as usize];
        from.read_exact(&mut name)?;
        let name = String::from_utf8(name).map_err(|_| wrong())?;
        let inside = Path::new(&name);
        if !inside.components().all(|c| matches!(c, Component::Normal(_))) {
            return Err(wrong());
        }
        let (mut rights, mut size) = ([0; 4], [0; 8]);
        from.read_exact(&mut rights)?;
        from.read_exact(&mut size)?;
        let size = u64::from_le_bytes(size);
        let file = to.join(inside);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut out = File::create(&file)?;
        if io::copy(&mut from.by_ref().take(size), &mut out)? != size {
            return Err(wrong());
        }
        out.set_permissions(fs::Permissions::from_mode(u32::from_le_bytes(rights)))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_back_as_they_were() {
        let dir = std::env::temp_dir().join(format!("poldet-blobs-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("in/a/b")).unwrap();
        fs::create_dir_all(dir.join("in/.git")).unwrap();
        fs::write(dir.join("in/a/b/x.class"), b"bytes").unwrap();
        fs::write(dir.join("in/empty"), b"").unwrap();
        fs::write(dir.join("in/.git/config"), b"left out").unwrap();
        let blobs = Blobs::new(dir.join("blobs"));
        let (digest, _) = blobs.add(&dir.join("in"), &[".git"]).unwrap();
        blobs.take(&digest, true, &dir.join("out")).unwrap();
        let names: Vec<String> = files(&dir.join("out"))
            .unwrap()
            .into_iter()
            .map(|f| f.0)
            .collect();
        assert_eq!(names, ["a/b/x.class", "empty"]);
        assert_eq!(fs::read(dir.join("out/a/b/x.class")).unwrap(), b"bytes");
        // The same folder elsewhere has the same digest.
        assert_eq!(blobs.add(&dir.join("out"), &[]).unwrap().0, digest);
        let (jar, _) = blobs.add(&dir.join("in/a/b/x.class"), &[]).unwrap();
        fs::write(blobs.path(&jar), b"other").unwrap();
        let damaged = blobs.take(&jar, false, &dir.join("x"));
        assert!(damaged.is_err_and(|e| e.contains("is damaged")));
        assert!(
            blobs
                .take("00", false, &dir.join("x"))
                .is_err_and(|e| e.contains("cannot read"))
        );
        fs::remove_dir_all(dir).unwrap();
    }
}
