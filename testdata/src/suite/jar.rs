//! Writes jars that come out the same each time: entries sorted, stored without compression, all of one date.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// 1 January 1980, midnight: where the format's calendar begins.
const DATE: u16 = (1 << 5) | 1;

/// The bytes of a jar with these entries, sorted by name, the manifest first.
pub fn of(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut sorted: Vec<&(String, Vec<u8>)> = entries.iter().collect();
    sorted.sort_by_key(|(name, _)| (name != "META-INF/MANIFEST.MF", name.clone()));
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in &sorted {
        let offset = out.len() as u32;
        let mut fields = Vec::new();
        for half in [10, 0, 0, 0, DATE] {
            fields.extend_from_slice(&half.to_le_bytes());
        }
        for word in [crc32(data), data.len() as u32, data.len() as u32] {
            fields.extend_from_slice(&word.to_le_bytes());
        }
        fields.extend_from_slice(&(name.len() as u16).to_le_bytes());
        fields.extend_from_slice(&[0, 0]);

        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&fields);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(data);

        directory.extend_from_slice(b"PK\x01\x02\x0a\x00");
        directory.extend_from_slice(&fields);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    for _ in 0..2 {
        out.extend_from_slice(&(sorted.len() as u16).to_le_bytes());
    }
    out.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    out.extend_from_slice(&start.to_le_bytes());
    out.extend_from_slice(&[0, 0]);
    out
}

/// All files below `folder`, named as a jar names them.
pub fn files(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path);
                found.push((name.to_string_lossy().replace('\\', "/"), fs::read(&path)?));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The manifest every jar of ours has.
pub fn manifest() -> (String, Vec<u8>) {
    (
        "META-INF/MANIFEST.MF".into(),
        b"Manifest-Version: 1.0\r\n\r\n".to_vec(),
    )
}

fn crc32(data: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &byte in data {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jar_is_the_same_each_time_and_ordered() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let (a, b) = (("a".into(), vec![1]), ("b".into(), vec![2, 3]));
        let jar = of(&[b.clone(), manifest(), a.clone()]);
        assert_eq!(jar, of(&[a, manifest(), b]));
        let first = String::from_utf8_lossy(&jar[30..50]).into_owned();
        assert_eq!(first, "META-INF/MANIFEST.MF");
    }
}
