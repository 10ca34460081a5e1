//! `poldet doctor`: what a suite will find here, before it runs. The JDK, the suite's own JUnit, classes that are spoken
//! of and nowhere to be found, and native methods of the JDK that it may come to need and poldet does not have.

use crate::cli::Doctor;
use crate::exit;
use crate::run::discover::{Globs, test_classes};
use crate::run::suite::Suite;
use poldet_vm::classfile::{ClassFile, flags, tag};
use poldet_vm::jdk::Jdk;
use poldet_vm::jimage::JImage;
use poldet_vm::natives::TABLES;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many lines of each list are shown.
const SHOWN: usize = 40;

pub fn doctor(options: &Doctor) -> Result<i32, String> {
    let jdk = Jdk::find(options.jdk.as_deref())?;
    let suite = Suite::open(&options.suite, options.class_path.as_deref())?;
    let image = JImage::open(&jdk.modules())?;
    let tests = test_classes(&suite, &Globs::new(&[], &[])?);
    let look = Look::at(&suite, &image);
    println!("JDK {} in {}", jdk.version, jdk.home.display());
    println!("JUnit: {}", suite.junit_text());
    println!(
        "{} classes looked at, {} bear a test's name",
        look.seen.len(),
        tests.len()
    );
    for warning in &suite.warnings {
        println!("{warning}");
    }
    let damaged: Vec<String> = look
        .damaged
        .iter()
        .map(|(c, why)| format!("{c}: {why}"))
        .collect();
    show("class files that are damaged", &damaged);
    let missing: Vec<String> = look
        .missing
        .iter()
        .map(|(class, by)| format!("{} (first spoken of in {})", dotted(class), dotted(by)))
        .collect();
    show(
        "classes that are missing; tests that reach them will fail",
        &missing,
    );
    show(
        "native methods of the suite's own, whose libraries cannot be loaded",
        &look.own_natives,
    );
    let natives = look.missing_natives(&image);
    show(
        "native methods of JDK classes it uses that poldet does not have",
        &natives,
    );
    if !options.suite.is_empty() && tests.is_empty() {
        println!("no class bears a test's name: see --include of poldet run");
        return Ok(exit::NO_TESTS);
    }
    let clean = damaged.is_empty() && missing.is_empty() && natives.is_empty() && look.own_natives.is_empty();
    println!(
        "{}",
        if clean {
            "nothing is missing"
        } else {
            "the suite can be run; see above"
        }
    );
    Ok(exit::COMPLETE)
}

fn show(title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    println!("\n{} {title}:", lines.len());
    for line in lines.iter().take(SHOWN) {
        println!("  {line}");
    }
    if lines.len() > SHOWN {
        println!("  … and {} more", lines.len() - SHOWN);
    }
}

fn dotted(name: &str) -> String {
    name.replace('/', ".")
}

/// What the suite's classes, and the classes these speak of, come to.
#[derive(Default)]
struct Look {
    seen: BTreeSet<String>,
    /// Missing classes, and who speaks of each first.
    missing: BTreeMap<String, String>,
    damaged: Vec<(String, String)>,
    own_natives: Vec<String>,
    /// Classes of the JDK it speaks of.
    jdk: BTreeSet<String>,
}

impl Look {
    fn at(suite: &Suite, image: &JImage) -> Look {
        let mut look = Look::default();
        let mut todo: VecDeque<(String, String)> = VecDeque::new();
        for entry in &suite.tested {
            for file in entry.class_files() {
                let name = file.trim_end_matches(".class").to_owned();
                if look.seen.insert(name.clone()) {
                    todo.push_back((name.clone(), name));
                }
            }
        }
        while let Some((name, by)) = todo.pop_front() {
            let file = format!("{name}.class");
            let Some(bytes) = suite.entries().find_map(|e| e.read(&file)) else {
                look.seen.remove(&name);
                if in_jdk(image, &name).is_some() {
                    look.jdk.insert(name);
                } else {
                    look.missing.insert(name, by);
                }
                continue;
            };
            let leaked: &'static [u8] = Box::leak(bytes.into_owned().into_boxed_slice());
            match ClassFile::parse(leaked) {
                Ok(class) => {
                    for spoken in look.read(&name, &class) {
                        if !look.jdk.contains(&spoken)
                            && !look.missing.contains_key(&spoken)
                            && look.seen.insert(spoken.clone())
                        {
                            todo.push_back((spoken, name.clone()));
                        }
                    }
                }
                Err(e) => look.damaged.push((dotted(&name), e.message)),
            }
        }
        look
    }

    /// The classes a class speaks of; its natives are noted.
    fn read(&mut self, name: &str, class: &ClassFile) -> Vec<String> {
        for method in &class.methods {
            if method.access & flags::NATIVE != 0 {
                let method = class.utf8(method.name).unwrap_or(b"?");
                self.own_natives
                    .push(format!("{}.{}", dotted(name), String::from_utf8_lossy(method)));
            }
        }
        let mut spoken = Vec::new();
        for index in 1..class.cp_len() {
            if class.tag(index) == tag::CLASS
                && let Some(bytes) = class.class_name(index)
                && let Some(element) = element_class(&String::from_utf8_lossy(bytes))
            {
                spoken.push(element);
            }
        }
        spoken
    }

    fn missing_natives(&self, image: &JImage) -> Vec<String> {
        let mut found = Vec::new();
        for name in &self.jdk {
            let Some(class) = in_jdk(image, name).and_then(|b| ClassFile::parse(b).ok()) else {
                continue;
            };
            for method in class.methods.iter().filter(|m| m.access & flags::NATIVE != 0) {
                let text = |index| String::from_utf8_lossy(class.utf8(index).unwrap_or(b"?")).into_owned();
                let (method, desc) = (text(method.name), text(method.desc));
                // The VM takes these two for done: they only fill caches of JNI ids.
                let trivial = matches!(method.as_str(), "registerNatives" | "initIDs");
                if !trivial && !has_native(name, &method, &desc) {
                    found.push(format!("{}.{method}{desc}", dotted(name)));
                }
            }
        }
        found
    }
}

fn has_native(class: &str, method: &str, desc: &str) -> bool {
    TABLES
        .iter()
        .flat_map(|t| t.iter())
        .any(|row| row.class == class && row.name == method && (row.desc.is_empty() || row.desc == desc))
}

fn in_jdk(image: &JImage, name: &str) -> Option<&'static [u8]> {
    let package = name.rsplit_once('/').map_or("", |(p, _)| p);
    let module = image.package_to_module(package)?;
    image.find(module, &format!("{name}.class"))
}

/// The class of an array's elements, or the class itself; nothing for primitives.
fn element_class(name: &str) -> Option<String> {
    if !name.starts_with('[') {
        return Some(name.to_owned());
    }
    let element = name.trim_start_matches('[');
    Some(element.strip_prefix('L')?.strip_suffix(';')?.to_owned())
}
