//! What can be wrong with a program before it runs, said in one line.

use poldet_vm::classfile::{ClassFile, Rules};
use poldet_vm::jar::Jar;
use poldet_vm::jdk::Jdk;
use poldet_vm::jimage::JImage;
use std::path::Path;

const STATIC_PUBLIC: u16 = 0x0009;

/// Checks a jar to be run: readable, with a main class that is in it.
pub fn check_jar(path: &str, jdk: &Jdk) -> Result<(), String> {
    let jar = Jar::open(Path::new(path))?;
    let manifest = jar
        .get("META-INF/MANIFEST.MF")
        .ok_or_else(|| format!("{path}: no manifest, so no main class"))??;
    let main = main_class(&String::from_utf8_lossy(&manifest));
    let main = main.ok_or_else(|| format!("{path}: no Main-Class in its manifest"))?;
    let class_path = [path.to_string()];
    check_main(&main, &class_path, jdk)
}

/// The Main-Class of a manifest, whose long lines go on after a space.
fn main_class(manifest: &str) -> Option<String> {
    let joined = manifest.replace("\r\n", "\n").replace("\n ", "");
    let value = joined.lines().find_map(|l| l.strip_prefix("Main-Class:"))?;
    Some(value.trim().to_string())
}

/// Checks the main class: found, well-formed, with a main method (where its superclass cannot have it).
pub fn check_main(main: &str, class_path: &[String], jdk: &Jdk) -> Result<(), String> {
    let entry = format!("{}.class", main.replace('.', "/"));
    for place in class_path {
        let place = if place.is_empty() { "." } else { place };
        if let Some(bytes) = read(place, &entry)? {
            return check_class(main, place, bytes, jdk);
        }
    }
    // Programs of the JDK's own modules, such as the compiler.
    let image = JImage::open(&jdk.modules())?;
    let package = entry.rsplit_once('/').map_or("", |(p, _)| p);
    let in_jdk = image
        .package_to_module(package)
        .is_some_and(|module| image.find(module, &entry).is_some());
    if in_jdk {
        return Ok(());
    }
    let missing: Vec<&str> = class_path
        .iter()
        .map(String::as_str)
        .filter(|p| !Path::new(p).exists())
        .collect();
    let place = class_path.join(":");
    Err(match missing.as_slice() {
        [] => format!("main class {main} not found on the class path {place}"),
        [first, ..] => {
            format!("main class {main} not found on the class path {place}: {first} does not exist")
        }
    })
}

/// The class file `entry` of a class path element, if it is there; an unreadable archive is an error.
fn read(place: &str, entry: &str) -> Result<Option<Vec<u8>>, String> {
    let path = Path::new(place);
    if path.is_dir() {
        return Ok(std::fs::read(path.join(entry)).ok());
    }
    if !path.exists() || place.ends_with('*') {
        return Ok(None);
    }
    let jar = Jar::open(path)?;
    jar.get(entry)
        .transpose()
        .map(|found| found.map(|bytes| bytes.into_owned()))
}

fn check_class(main: &str, place: &str, bytes: Vec<u8>, jdk: &Jdk) -> Result<(), String> {
    // The VM reads the class again when it loads it; this copy lives as long as the process.
    let bytes: &'static [u8] = Box::leak(bytes.into_boxed_slice());
    let rules = Rules {
        max_major: jdk.max_class_version(),
        ..Rules::default()
    };
    let file = ClassFile::parse_with(bytes, &rules).map_err(|e| format!("{main} in {place}: {e}"))?;
    let plain = file.class_name(file.super_class) == Some(b"java/lang/Object");
    let has_main = file.methods.iter().any(|m| {
        file.utf8(m.name) == Some(b"main")
            && file.utf8(m.desc) == Some(b"([Ljava/lang/String;)V")
            && m.access & STATIC_PUBLIC == STATIC_PUBLIC
    });
    if plain && !has_main && jdk.feature < 25 {
        return Err(format!(
            "{main} in {place} has no public static void main(String[])"
        ));
    }
    Ok(())
}
