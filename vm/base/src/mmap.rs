//! Files mapped into memory for the life of the process: classes and resources point straight into them.
#![expect(
    unsafe_code,
    reason = "mapping a file is unsafe because another process could change it"
)]

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// Maps a file for good. The mapping is never undone: what is loaded from it lives as long as the VM.
pub fn map_forever(path: &Path) -> io::Result<&'static [u8]> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    if meta.len() == 0 {
        return Ok(&[]);
    }
    // SAFETY: the mapping is private and read-only. As for any JVM, the JDK image and the archives on the class
    // path must not be rewritten in place while the program runs.
    let map = unsafe { Mmap::map(&file)? };
    Ok(Box::leak(Box::new(map)))
}
