//! What can be wrong with a program before it runs, said in one line.

use poldet_vm::classfile::{ClassFile, MemberInfo, Rules, flags};
use poldet_vm::jar::Jar;
use poldet_vm::jdk::Jdk;
use poldet_vm::jimage::JImage;
use poldet_vm::releases::Release;
use std::path::Path;

const STATIC_PUBLIC: u16 = flags::STATIC | flags::PUBLIC;

/// Checks a jar to be run: readable, with a main class that is in it.
pub fn check_jar(path: &str, jdk: &Jdk, preview: bool) -> Result<(), String> {
    let jar = Jar::open(Path::new(path))?;
    let manifest = jar
        .get("META-INF/MANIFEST.MF")
        .ok_or_else(|| format!("{path}: no manifest, so no main class"))??;
    let main = main_class(&String::from_utf8_lossy(&manifest));
    let main = main.ok_or_else(|| format!("{path}: no Main-Class in its manifest"))?;
    let class_path = [path.to_string()];
    check_main(&main, &class_path, jdk, preview)
}

/// The Main-Class of a manifest, whose long lines go on after a space.
fn main_class(manifest: &str) -> Option<String> {
    let joined = manifest.replace("\r\n", "\n").replace("\n ", "");
    let value = joined.lines().find_map(|l| l.strip_prefix("Main-Class:"))?;
    Some(value.trim().to_string())
}

/// Checks the main class: found, well-formed, with a main method (where its superclass cannot have it).
pub fn check_main(main: &str, class_path: &[String], jdk: &Jdk, preview: bool) -> Result<(), String> {
    let entry = format!("{}.class", main.replace('.', "/"));
    for place in class_path {
        let place = if place.is_empty() { "." } else { place };
        if let Some(bytes) = read(place, &entry)? {
            return check_class(main, place, bytes, jdk, preview);
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

fn check_class(main: &str, place: &str, bytes: Vec<u8>, jdk: &Jdk, preview: bool) -> Result<(), String> {
    // The VM reads the class again when it loads it; this copy lives as long as the process.
    let bytes: &'static [u8] = Box::leak(bytes.into_boxed_slice());
    let name = main.replace('.', "/");
    let rules = Rules {
        max_major: jdk.max_class_version(),
        preview,
        name: Some(name.as_bytes()),
        ..Rules::default()
    };
    let file = ClassFile::parse_with(bytes, &rules).map_err(|e| format!("{main} in {place}: {e}"))?;
    let plain = file.class_name(file.super_class) == Some(b"java/lang/Object");
    let (found, wanted) = if !Release(jdk.feature).launches_any_main(preview) {
        let found = file.methods.iter().any(|m| is_static_main(&file, m));
        (found, "public static void main(String[])")
    } else {
        let found = file.methods.iter().any(|m| is_any_main(&file, m));
        (found || !file.interfaces.is_empty(), "main method")
    };
    if plain && !found {
        return Err(format!("{main} in {place} has no {wanted}"));
    }
    Ok(())
}

fn is_static_main(file: &ClassFile, method: &MemberInfo) -> bool {
    file.utf8(method.name) == Some(b"main")
        && file.utf8(method.desc) == Some(b"([Ljava/lang/String;)V")
        && method.access & STATIC_PUBLIC == STATIC_PUBLIC
}

/// A main method as JEP 512 has it: of an object or not, with arguments or without.
fn is_any_main(file: &ClassFile, method: &MemberInfo) -> bool {
    let desc = file.utf8(method.desc);
    file.utf8(method.name) == Some(b"main")
        && (desc == Some(b"([Ljava/lang/String;)V") || desc == Some(b"()V"))
        && method.access & flags::PRIVATE == 0
}
