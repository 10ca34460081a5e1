//! HotSpot as judge of the verifier: attacks assembled by hand, and compiled classes whose code was damaged at
//! random, are linked on both; what HotSpot refuses must be refused, by the same exception.
//!
//! `SEED` and `CASES` vary the damage.

use poldet_testdata::compile::Jdk;
use poldet_testdata::need;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the Java sources beside this file into a fresh folder.
fn prepare(jdk: &Jdk, name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a folder for class files");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify");
    let files = [
        "Judge.java",
        "sample/Mixed.java",
        "sample/Face.java",
        "sample/Impl.java",
        "sample/other/Base.java",
        "Attacks.java",
    ];
    let status = Command::new(&jdk.javac)
        .args([
            "-nowarn",
            "-g",
            "-encoding",
            "UTF-8",
            "--add-exports",
            EXPORT,
            "-d",
        ])
        .arg(&dir)
        .args(files.map(|f| sources.join(f)))
        .status();
    assert!(status.expect("javac runs").success());
    dir
}

/// The release whose class library has the assembler of attacks.
const ASSEMBLER: u32 = 17;
const EXPORT: &str = "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED";

/// Links the cases on HotSpot and on poldet; their outcomes, one a line.
fn judge(jdk: &Jdk, dir: &Path, cases: &Path) -> (Vec<String>, Vec<String>) {
    let outcome = |mut command: Command, name: &str| {
        let out = dir.join(name);
        command
            .arg("-cp")
            .arg(dir)
            .arg("Judge")
            .args([cases, &out])
            .arg(dir);
        assert!(command.status().expect("a JVM runs").success());
        let text = std::fs::read_to_string(out).expect("outcomes");
        text.lines().map(str::to_owned).collect()
    };
    let theirs = outcome(Command::new(&jdk.java), "theirs");
    let mut poldet = Command::new(env!("CARGO_BIN_EXE_poldet"));
    poldet.arg("exec");
    (theirs, outcome(poldet, "ours"))
}

/// Runs the assembler of attacks.
fn attacks(jdk: &Jdk, dir: &Path, files: &[&PathBuf]) {
    let mut java = Command::new(&jdk.java);
    java.args(["--add-exports", EXPORT, "-cp"]).arg(dir);
    let status = java.arg("Attacks").args(files).status();
    assert!(status.expect("java runs").success());
}

#[test]
fn attacks_are_refused_in_hotspots_words() {
    let Some(jdk) = need::javac_of(ASSEMBLER) else {
        return;
    };
    let dir = prepare(&jdk, "verify-attacks");
    let (cases, names) = (dir.join("cases"), dir.join("names"));
    attacks(&jdk, &dir, &[&cases, &names]);
    let names = std::fs::read_to_string(names).expect("the attacks' names");
    let (theirs, ours) = judge(&jdk, &dir, &cases);
    let mut wrong = Vec::new();
    for ((name, theirs), ours) in names.lines().zip(&theirs).zip(&ours) {
        if theirs != ours || !ours.starts_with("VerifyError") {
            wrong.push(format!("{name}\n  HotSpot: {theirs}\n     ours: {ours}"));
        }
    }
    println!("{} attacks", ours.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A small reproducible random source (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn be16(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]))
}

fn be32(bytes: &[u8], at: usize) -> usize {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
}

/// Where the parts of a method's Code attribute lie.
#[derive(Clone)]
struct Place {
    code: std::ops::Range<usize>,
    handlers: std::ops::Range<usize>,
    stack_map: std::ops::Range<usize>,
    starts: Vec<usize>,
}

/// The class's internal name, its methods' code, and the size of its constant pool.
fn places(bytes: &[u8]) -> (String, Vec<Place>, usize) {
    let count = be16(bytes, 8);
    let mut texts = vec![String::new(); count];
    let mut classes = vec![0; count];
    let (mut at, mut i) = (10, 1);
    while i < count {
        let size = match bytes[at] {
            1 => {
                let len = be16(bytes, at + 1);
                texts[i] = String::from_utf8_lossy(&bytes[at + 3..at + 3 + len]).into();
                3 + len
            }
            7 => {
                classes[i] = be16(bytes, at + 1);
                3
            }
            8 | 16 | 19 | 20 => 3,
            15 => 4,
            5 | 6 => 9,
            _ => 5,
        };
        i += if matches!(bytes[at], 5 | 6) { 2 } else { 1 };
        at += size;
    }
    let name = texts[classes[be16(bytes, at + 2)]].clone();
    at += 8 + 2 * be16(bytes, at + 6);
    let mut found = Vec::new();
    for members in 0..2 {
        let number = be16(bytes, at);
        at += 2;
        for _ in 0..number {
            let attributes = be16(bytes, at + 6);
            at += 8;
            for _ in 0..attributes {
                if members == 1 && texts[be16(bytes, at)] == "Code" {
                    found.push(place(bytes, at + 6, &texts));
                }
                at += 6 + be32(bytes, at + 2);
            }
        }
    }
    (name, found, count)
}

fn place(bytes: &[u8], content: usize, texts: &[String]) -> Place {
    let code = content + 8..content + 8 + be32(bytes, content + 4);
    let handlers = code.end + 2..code.end + 2 + 8 * be16(bytes, code.end);
    let mut stack_map = 0..0;
    let mut at = handlers.end + 2;
    for _ in 0..be16(bytes, handlers.end) {
        let len = be32(bytes, at + 2);
        if texts[be16(bytes, at)] == "StackMapTable" {
            stack_map = at + 6..at + 6 + len;
        }
        at += 6 + len;
    }
    let mut starts = Vec::new();
    let mut bci = 0;
    while bci < code.len() {
        starts.push(code.start + bci);
        bci += length(&bytes[code.clone()], bci);
    }
    Place {
        code,
        handlers,
        stack_map,
        starts,
    }
}

/// Length of an instruction of valid code.
fn length(code: &[u8], bci: usize) -> usize {
    let aligned = (bci & !3) + 4;
    match code[bci] {
        170 => {
            aligned + 12 + 4 * (be32(code, aligned + 8) as i32 - be32(code, aligned + 4) as i32 + 1) as usize
                - bci
        }
        171 => aligned + 8 + 8 * be32(code, aligned + 4) - bci,
        196 if code[bci + 1] == 132 => 6,
        196 => 4,
        16 | 18 | 21..=25 | 54..=58 | 169 | 188 => 2,
        17 | 19 | 20 | 132 | 153..=168 | 178..=184 | 187 | 189 | 192 | 193 | 198 | 199 => 3,
        197 => 4,
        185 | 186 | 200 | 201 => 5,
        _ => 1,
    }
}

/// Opcodes by length, so that damage often leaves the code's shape.
const ONE: std::ops::Range<u8> = 0..196;

fn damage(bytes: &mut [u8], place: &Place, constants: usize, random: &mut Random) {
    for _ in 0..1 + random.below(4) / 3 {
        let number = random.below(place.starts.len());
        let start = place.starts[number];
        let len = place.starts.get(number + 1).unwrap_or(&place.code.end) - start;
        match random.below(12) {
            // Another instruction of the same length.
            0..=3 => {
                for _ in 0..100 {
                    let op = ONE.start + random.below(ONE.len()) as u8;
                    if !matches!(op, 170 | 171 | 196) && length(&[op, 0, 0, 0, 0, 0], 0) == len {
                        bytes[start] = op;
                        break;
                    }
                }
            }
            // A relative of it, often as good.
            4 => {
                let op = bytes[start] ^ 1 << random.below(3);
                if !matches!(op, 170 | 171 | 196) && length(&[op, 0, 0, 0, 0, 0], 0) == len {
                    bytes[start] = op;
                }
            }
            // Nothing instead.
            5 if len < 8 && random.below(3) == 0 => bytes[start..start + len].fill(0),
            // Another constant, local or target.
            5 | 6 if len == 3 => {
                let index = (1 + random.below(constants)) as u16;
                bytes[start + 1..start + 3].copy_from_slice(&index.to_be_bytes());
            }
            7 if len > 1 => {
                bytes[start + len - 1] = bytes[start + len - 1]
                    .wrapping_add(random.below(5) as u8)
                    .wrapping_sub(2)
            }
            8 => {
                let at = place.code.start - 8 + random.below(4);
                bytes[at] = if random.below(3) == 0 {
                    random.below(3) as u8
                } else {
                    bytes[at].wrapping_sub(1)
                };
            }
            9 if !place.handlers.is_empty() => {
                let at = place.handlers.start + random.below(place.handlers.len());
                bytes[at] = bytes[at].wrapping_add(random.below(7) as u8).wrapping_sub(3);
            }
            10 | 11 if !place.stack_map.is_empty() => {
                let at = place.stack_map.start + random.below(place.stack_map.len());
                bytes[at] = match random.below(3) {
                    0 => random.below(9) as u8,
                    1 => bytes[at].wrapping_add(random.below(5) as u8).wrapping_sub(2),
                    _ => random.next() as u8,
                };
            }
            _ => bytes[place.code.start + random.below(place.code.len())] = random.next() as u8,
        }
    }
}

fn from_env(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok().and_then(|s| s.parse().ok());
    given.unwrap_or(otherwise)
}

#[test]
fn damaged_classes_fare_as_on_hotspot() {
    let Some(jdk) = need::javac_of(ASSEMBLER) else {
        return;
    };
    let dir = prepare(&jdk, "verify-damaged");
    attacks(&jdk, &dir, &[&dir.join("sample/Old.class")]);
    let mut random = Random(from_env("SEED", 0x005E_ED0F_C0DE));
    let mut originals = Vec::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir.join("sample"))
        .expect("samples")
        .map(|e| e.expect("a file").path())
        .collect();
    files.sort();
    for file in files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "class"))
    {
        let bytes = std::fs::read(file).expect("a class file");
        let (name, places, constants) = places(&bytes);
        originals.push((bytes, name, places, constants));
    }
    let count = from_env("CASES", 4000) as usize;
    let mut file = (count as u32).to_be_bytes().to_vec();
    for _ in 0..count {
        let (bytes, name, places, constants) = &originals[random.below(originals.len())];
        let mut bytes = bytes.clone();
        damage(
            &mut bytes,
            &places[random.below(places.len())],
            *constants,
            &mut random,
        );
        // Two methods now and then: the one to report is the first in HotSpot's own order.
        if random.below(8) == 0 {
            damage(
                &mut bytes,
                &places[random.below(places.len())],
                *constants,
                &mut random,
            );
        }
        // Many as older versions, for the other verifier and for the failover.
        if name == "sample/Mixed" && random.below(3) > 0 {
            bytes[7] = [49, 50, 51, 52, 48][random.below(5)];
        }
        file.extend((name.len() as u16).to_be_bytes());
        file.extend(name.replace('/', ".").bytes());
        file.extend((bytes.len() as u32).to_be_bytes());
        file.extend(bytes);
    }
    let cases = dir.join("cases");
    std::fs::write(&cases, file).expect("the cases");
    let (theirs, ours) = judge(&jdk, &dir, &cases);
    assert_eq!((theirs.len(), ours.len()), (count, count));
    let class = |s: &str| s.split(':').next().unwrap_or("").to_owned();
    let (mut refused, mut same_words, mut wrong) = (0, 0, Vec::new());
    for (i, (theirs, ours)) in theirs.iter().zip(&ours).enumerate() {
        refused += usize::from(theirs != "OK");
        same_words += usize::from(theirs == ours);
        if class(theirs) != class(ours) {
            wrong.push(format!("case {i}\n  HotSpot: {theirs}\n     ours: {ours}"));
        } else if theirs != ours && std::env::var_os("WORDS").is_some() {
            println!("case {i}\n  HotSpot: {theirs}\n     ours: {ours}");
        }
    }
    println!(
        "{count} cases, {refused} refused by HotSpot, {} otherwise than by us, {same_words} reported in the same words",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // The words change a little between the JDK's updates.
    assert!(same_words * 100 >= count * 97);
}
