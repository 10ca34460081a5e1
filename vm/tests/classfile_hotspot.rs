//! HotSpot as judge: of thousands of damaged classes the parser must refuse those HotSpot refuses, in its words.
//!
//! `SEED` and `CASES` vary the damage.

#[path = "common/home.rs"]
mod home;
#[path = "common/random.rs"]
mod random;

use poldet_testdata::need::{self, Need};
use poldet_vm::classfile::{ClassFile, Rules};
use random::{Random, from_env};
use std::path::Path;
use std::process::Command;

const CASES: u64 = 6_000;

/// Compiles the sources beside this file; answers the sample's class files.
fn sample_classes(home: &Path, dir: &Path) -> Vec<Vec<u8>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hotspot");
    let status = Command::new(home.join("bin/javac"))
        .args(["-g", "-parameters", "-encoding", "UTF-8", "-d"])
        .arg(dir)
        .args([sources.join("Define.java"), sources.join("Sample.java")])
        .status()
        .expect("javac runs");
    assert!(status.success());
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .expect("the folder")
        .map(|e| e.expect("a file").path())
        .collect();
    files.retain(|f| {
        f.file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with("Sample"))
    });
    files.sort();
    files
        .iter()
        .map(|f| std::fs::read(f).expect("a class file"))
        .collect()
}

/// Damage that a flip of random bytes would seldom do: whole fields set to telling values.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(2) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] = bytes[at].wrapping_add(1),
            2 => bytes[at] ^= 1 << random.below(8),
            3 => bytes[at] = b"./;[<>()LV\0"[random.below(11)],
            _ => {
                let word = (random.below(80) as u16).to_be_bytes();
                bytes[at] = word[0];
                if let Some(second) = bytes.get_mut(at + 1) {
                    *second = word[1];
                }
            }
        }
    }
    // Rules differ between versions.
    if random.below(3) == 0 && bytes.len() > 8 {
        bytes[7] = 44 + random.below(20) as u8;
    }
    if random.below(40) == 0 {
        bytes.truncate(random.below(bytes.len()));
    }
}

fn ours(bytes: &[u8]) -> String {
    let rules = Rules {
        max_major: 61,
        ..Rules::default()
    };
    match ClassFile::parse_with(bytes.to_vec().leak(), &rules) {
        Ok(_) => "OK".into(),
        Err(e) if e.unsupported_version => format!("UnsupportedClassVersionError: {}", e.message),
        Err(e) => format!("ClassFormatError: {}", e.message),
    }
    .replace(['\n', '\r'], " ")
}

#[test]
fn refuses_what_hotspot_refuses_in_its_words() {
    let Some(home) = home::jdk_home(17).filter(|home| home.join("bin/javac").exists()) else {
        need::skip(Need::Jdk(17), "no JDK 17 with a compiler on this machine");
        return;
    };
    let dir = std::env::temp_dir().join(format!("poldet-hotspot-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary folder");
    let originals = sample_classes(&home, &dir);
    let mut random = Random(from_env("SEED", 0xC1A55));
    let count = from_env("CASES", CASES) as usize;
    let mut cases = originals.clone();
    while cases.len() < count {
        let mut bytes = originals[random.below(originals.len())].clone();
        damage(&mut bytes, &mut random);
        cases.push(bytes);
    }
    let mut file = (cases.len() as u32).to_be_bytes().to_vec();
    for case in &cases {
        file.extend((case.len() as u32).to_be_bytes());
        file.extend(case);
    }
    let (input, output) = (dir.join("cases"), dir.join("outcomes"));
    std::fs::write(&input, file).expect("a temporary file");
    let java = Command::new(home.join("bin/java"))
        .arg("-cp")
        .arg(&dir)
        .arg("Define")
        .args([&input, &output])
        .status();
    assert!(java.expect("java runs").success());
    let outcomes = std::fs::read_to_string(&output).expect("the outcomes");
    std::fs::remove_dir_all(&dir).expect("a temporary folder");
    let mut wrong = Vec::new();
    let mut refused = 0;
    for (case, theirs) in cases.iter().zip(outcomes.lines()) {
        let format =
            theirs.starts_with("ClassFormatError") || theirs.starts_with("UnsupportedClassVersionError");
        let mine = ours(case);
        refused += usize::from(format);
        // HotSpot reads past the end of a file cut inside MethodParameters, and reports what it met there.
        let cut = mine.ends_with(": Truncated class file") && originals.iter().all(|o| o.len() != case.len());
        // Other errors (a missing superclass, say) come from loading, in the midst of parsing.
        let same = if format {
            mine == theirs || cut
        } else {
            mine == "OK" || theirs != "OK"
        };
        if !same {
            wrong.push(format!("HotSpot: {theirs}\n   ours: {mine}"));
        }
    }
    println!("{refused} of {} refused alike", cases.len());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
