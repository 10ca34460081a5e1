//! The archive reader against archives that the `zip` crate writes, and against damaged ones.

#[path = "common/random.rs"]
mod random;

use poldet_vm::jar::Jar;
use random::{Random, from_env};
use std::io::{Cursor, Write};
use std::path::Path;
use zip::CompressionMethod::{Deflated, Stored};
use zip::write::{SimpleFileOptions, ZipWriter};

fn archive(entries: &[(&str, &[u8], zip::CompressionMethod)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content, method) in entries {
        let options = SimpleFileOptions::default().compression_method(*method);
        writer.start_file(*name, options).expect("in memory");
        writer.write_all(content).expect("in memory");
    }
    writer.finish().expect("in memory").into_inner()
}

fn open(bytes: &[u8]) -> Result<Jar, String> {
    Jar::from_bytes(Path::new("x.jar"), bytes.to_vec().leak())
}

fn read(jar: &Jar, name: &str) -> Vec<u8> {
    jar.get(name).expect("there").expect("readable").into_owned()
}

#[test]
fn reads_stored_and_deflated_entries() {
    let long = b"abcdefgh".repeat(5000);
    let bytes = archive(&[
        ("a/B.class", &long, Deflated),
        ("c.txt", b"hi", Stored),
        ("empty", b"", Deflated),
    ]);
    let jar = open(&bytes).expect("a good archive");
    let names: Vec<_> = jar.entries().iter().map(|e| e.name).collect();
    assert_eq!(names, ["a/B.class", "c.txt", "empty"]);
    assert_eq!(read(&jar, "a/B.class"), long);
    assert_eq!(read(&jar, "c.txt"), b"hi");
    assert_eq!(read(&jar, "empty"), b"");
    assert!(jar.get("nothing").is_none());
}

#[test]
fn accepts_a_launcher_script_before_and_a_comment_after() {
    let mut bytes = b"#!/bin/sh\nexec java -jar $0\n".to_vec();
    bytes.extend(archive(&[("a", b"1", Stored)]));
    let len = bytes.len();
    bytes[len - 2] = 5;
    bytes.extend(b"hello");
    assert_eq!(read(&open(&bytes).expect("a good archive"), "a"), b"1");
}

#[test]
fn multi_release_archives_answer_by_version() {
    let manifest = b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n";
    let bytes = archive(&[
        ("META-INF/MANIFEST.MF", manifest, Deflated),
        ("A", b"base", Stored),
        ("META-INF/versions/11/A", b"11", Stored),
        ("META-INF/versions/21/A", b"21", Stored),
    ]);
    let jar = open(&bytes).expect("a good archive");
    let at = |version| {
        jar.read(jar.find_for("A", version).expect("there"))
            .expect("readable")
            .into_owned()
    };
    assert_eq!(
        (at(8), at(17), at(25)),
        (b"base".to_vec(), b"11".to_vec(), b"21".to_vec())
    );
}

#[test]
fn says_in_one_line_what_is_wrong() {
    let good = archive(&[("a", b"aaaaaaaaaaaaaaaaaaaa", Deflated)]);
    let mut encrypted = good.clone();
    let row = good
        .windows(4)
        .position(|w| w == b"PK\x01\x02")
        .expect("a directory");
    encrypted[row + 8] |= 1;
    let mut method = good.clone();
    method[row + 10] = 93;
    let content_error = |bytes: &[u8]| {
        open(bytes)
            .expect("opens")
            .get("a")
            .expect("there")
            .expect_err("unreadable")
    };
    let open_error = |bytes: &[u8]| open(bytes).err().expect("does not open");
    for (error, expected) in [
        (open_error(b""), "empty file"),
        (open_error(b"hello, this is not an archive at all"), "not a zip"),
        (open_error(&good[..good.len() - 10]), "truncated"),
        (open_error(&good[..20]), "truncated"),
        (content_error(&encrypted), "encrypted"),
        (content_error(&method), "method 93"),
        (
            Jar::open(Path::new("/no/such.jar")).err().expect("missing"),
            "cannot read /no/such.jar",
        ),
    ] {
        assert!(error.contains(expected) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn damaged_archives_never_panic() {
    let manifest = b"Multi-Release: true\n\n";
    let entries: [(&str, &[u8], _); 2] = [
        ("META-INF/MANIFEST.MF", manifest, Deflated),
        ("a", b"12345", Stored),
    ];
    let good = archive(&entries);
    let use_all = |bytes: &[u8]| {
        if let Ok(jar) = open(bytes) {
            for entry in jar.entries() {
                let _ = jar.read(entry);
            }
        }
    };
    for len in 0..good.len() {
        use_all(&good[..len]);
    }
    for at in 0..good.len() {
        for value in [0, 1, 0x7F, 0x80, 0xFF, good[at] ^ 1] {
            let mut bad = good.clone();
            bad[at] = value;
            use_all(&bad);
        }
    }
    let mut random = Random(from_env("SEED", 0x1A55));
    let count = from_env("CASES", 4000);
    for _ in 0..count {
        let mut bad = good.clone();
        for _ in 0..=random.below(6) {
            let at = random.below(bad.len());
            match random.below(8) {
                0 => bad.truncate(at + 1),
                1 => drop(bad.splice(at..at, [0, 0, 0, 0])),
                _ => bad[at] = random.next() as u8,
            }
        }
        use_all(&bad);
    }
    println!("{count} damaged archives");
}
