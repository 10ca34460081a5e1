//! Verifies the JDK's own classes as if they came from a stranger: every one must pass, with both verifiers.

mod common;
#[path = "common/random.rs"]
mod random;

use poldet_vm::classfile::ClassFile;
use poldet_vm::ids::Sym;
use poldet_vm::jimage::JImage;
use poldet_vm::link::lower::lower;
use poldet_vm::stop::Stop;
use poldet_vm::sym::{FixedMap, Symbols};
use poldet_vm::verify::{Member, Progress, World, verify};
use random::Random;
use std::time::{Duration, Instant};

const INTERFACE: u16 = 0x0200;
const PROTECTED: u16 = 0x0004;

/// Classes by name, read from an image when first asked for.
struct Image {
    syms: Symbols,
    bytes: FixedMap<Sym, &'static [u8]>,
    parsed: FixedMap<Sym, &'static ClassFile>,
}

impl Image {
    fn new(image: &'static JImage) -> Image {
        let mut syms = Symbols::default();
        let mut bytes = FixedMap::default();
        for entry in image.entries().filter(|e| e.is_class()) {
            if let Ok(file) = ClassFile::parse(entry.content) {
                bytes.insert(syms.intern(file.this_name()), entry.content);
            }
        }
        Image {
            syms,
            bytes,
            parsed: FixedMap::default(),
        }
    }

    fn file(&mut self, name: Sym) -> Result<&'static ClassFile, Stop> {
        if let Some(file) = self.parsed.get(&name) {
            return Ok(file);
        }
        let Some(bytes) = self.bytes.get(&name) else {
            return Err(Stop::bug(format!("no class {}", self.syms.str(name))));
        };
        let file: &'static ClassFile = Box::leak(Box::new(ClassFile::parse(bytes).expect("a JDK class")));
        self.parsed.insert(name, file);
        Ok(file)
    }

    /// A class and its superclasses, from the class up.
    fn chain(&mut self, name: Sym) -> Result<Vec<Sym>, Stop> {
        let mut list = vec![name];
        let mut file = self.file(name)?;
        while let Some(next) = file.super_name() {
            let next = self.syms.intern(next);
            list.push(next);
            file = self.file(next)?;
        }
        Ok(list)
    }
}

struct Remote<'a> {
    image: &'a mut Image,
    this: Sym,
    supers: Vec<Sym>,
    interfaces: Vec<Sym>,
}

impl<'a> Remote<'a> {
    fn new(image: &'a mut Image, file: &'static ClassFile) -> Remote<'a> {
        let this = image.syms.intern(file.this_name());
        let supers = image.chain(this).expect("superclasses")[1..].to_vec();
        let names = file.interfaces.iter().map(|i| file.class_name(*i).unwrap_or(b""));
        let interfaces = names.map(|n| image.syms.intern(n)).collect();
        Remote {
            image,
            this,
            supers,
            interfaces,
        }
    }
}

fn package(name: &[u8]) -> &[u8] {
    &name[..name.iter().rposition(|b| *b == b'/').unwrap_or(0)]
}

impl World for Remote<'_> {
    fn intern(&mut self, name: &[u8]) -> Sym {
        self.image.syms.intern(name)
    }

    fn bytes(&self, name: Sym) -> &'static [u8] {
        self.image.syms.bytes(name)
    }

    fn this_name(&self) -> Sym {
        self.this
    }

    fn supers(&self) -> Vec<Sym> {
        self.supers.clone()
    }

    fn interfaces(&self) -> Vec<Sym> {
        self.interfaces.clone()
    }

    fn is_interface(&mut self, name: Sym) -> Result<bool, Stop> {
        Ok(self.image.file(name)?.access & INTERFACE != 0)
    }

    fn is_subclass(&mut self, sub: Sym, sup: Sym) -> Result<bool, Stop> {
        if self.is_interface(sup)? {
            return Err(Stop::bug("never asked for interfaces"));
        }
        Ok(self.image.chain(sub)?.contains(&sup))
    }

    fn is_boot(&mut self, _: Sym) -> Result<bool, Stop> {
        Ok(true)
    }

    fn is_protected_elsewhere(&mut self, owner: Sym, member: Member<'_>) -> Result<bool, Stop> {
        for class in self.image.chain(owner)? {
            let file = self.image.file(class)?;
            let list = if member.method {
                &file.methods
            } else {
                &file.fields
            };
            let same = |m: &&poldet_vm::classfile::MemberInfo| {
                file.utf8(m.name) == Some(member.name) && file.utf8(m.desc) == Some(member.desc)
            };
            if let Some(found) = list.iter().find(same) {
                let elsewhere = package(file.this_name()) != package(self.bytes(self.this));
                return Ok(found.access & PROTECTED != 0 && elsewhere);
            }
        }
        Ok(false)
    }

    fn declares_field(&mut self, name: &[u8], desc: &[u8]) -> bool {
        let file = self.image.file(self.this).expect("the class itself");
        let same = |m: &poldet_vm::classfile::MemberInfo| {
            file.utf8(m.name) == Some(name) && file.utf8(m.desc) == Some(desc)
        };
        file.fields.iter().any(same)
    }

    fn common_super(&mut self, a: Sym, b: Sym) -> Result<Sym, Stop> {
        let (a, b) = (self.image.chain(a)?, self.image.chain(b)?);
        Ok(*a.iter().find(|c| b.contains(c)).expect("Object"))
    }
}

/// Nanoseconds this thread has run: unlike the clock, not disturbed by a busy machine.
fn cpu_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

/// The class files of these modules; with `major`, changed to that version, without what it cannot express.
fn class_files(image: &'static JImage, modules: &[&str], major: Option<u16>) -> Vec<&'static ClassFile> {
    let chosen = |module: &str| modules.is_empty() || modules.contains(&module);
    let mut list: Vec<&'static ClassFile> = Vec::new();
    for entry in image.entries().filter(|e| e.is_class() && chosen(e.module)) {
        let mut file = ClassFile::parse(entry.content).expect("a JDK class");
        file.major = major.unwrap_or(file.major);
        let has = |tag: u8| (1..file.cp_len()).any(|i| file.tag(i) == tag);
        let modern = [15, 16, 17, 18].into_iter().any(has) || file.access & INTERFACE != 0;
        if file.access & 0x8000 == 0 && !(major.is_some() && modern) {
            list.push(Box::leak(Box::new(file)));
        }
    }
    list
}

fn verify_all(modules: &[&str], major: Option<u16>) {
    let Some(image) = common::image(17) else { return };
    let image: &'static JImage = Box::leak(Box::new(image));
    let mut world = Image::new(image);
    let files = class_files(image, modules, major);
    let mut wrong = Vec::new();
    for file in &files {
        if let Err(e) = verify(&mut Remote::new(&mut world, file), file, &mut Progress::new(file)) {
            wrong.push(format!("{}: {e:?}", String::from_utf8_lossy(file.this_name())));
        }
    }
    // Once more, now that all classes asked about are there.
    let cpu = cpu_time();
    for file in &files {
        let _ = verify(&mut Remote::new(&mut world, file), file, &mut Progress::new(file));
    }
    let time = Duration::from_nanos(cpu_time() - cpu);
    let with_code = |f: &&ClassFile| f.methods.iter().filter(|m| f.code(m).is_some()).count() as u32;
    let methods: u32 = files.iter().map(with_code).sum();
    println!(
        "{} classes, {methods} methods in {time:?}: {:?} each",
        files.len(),
        time / methods.max(1)
    );
    // With an older version, calls of static and private interface methods are refused, and rightly.
    wrong.retain(|w| major.is_none() || !w.contains("Illegal type in constant pool"));
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

const MODULES: [&str; 4] = ["java.xml", "java.sql", "jdk.compiler", "java.logging"];

#[test]
fn modules_verify() {
    verify_all(&MODULES, None);
}

#[test]
fn modules_verify_by_inference() {
    verify_all(&MODULES, Some(49));
}

#[test]
#[ignore = "takes long without optimisation"]
fn all_modules_verify() {
    verify_all(&[], None);
}

#[test]
#[ignore = "takes long without optimisation"]
fn all_modules_verify_by_inference() {
    verify_all(&[], Some(49));
}

/// Code damaged at random: never a panic, never long; what is accepted can be lowered, since the verifier asks for
/// all that lowering does.
#[test]
fn damaged_code_is_refused_or_lowers() {
    let Some(image) = common::image(17) else { return };
    let image: &'static JImage = Box::leak(Box::new(image));
    let mut world = Image::new(image);
    let mut random = Random(0xDA_4A6E);
    let (mut accepted, mut refused) = (0, 0);
    let classes = image
        .entries()
        .filter(|e| e.is_class() && MODULES.contains(&e.module));
    for entry in classes.step_by(3) {
        let original = ClassFile::parse(entry.content).expect("a JDK class");
        if original.access & 0x8000 != 0 {
            continue;
        }
        for round in 0..8 {
            let with_code: Vec<_> = original.methods.iter().filter_map(|m| original.code(m)).collect();
            let Some(code) = with_code.get(random.below(with_code.len())) else {
                continue;
            };
            let mut bytes = entry.content.to_vec();
            let at = code.bytes.as_ptr() as usize - entry.content.as_ptr() as usize;
            let (from, len) = match random.below(8) {
                0 => (at - 8, 4),
                1 if !code.handlers.is_empty() => (at + code.bytes.len() + 2, code.handlers.len()),
                _ => (at, code.bytes.len()),
            };
            let place = from + random.below(len);
            bytes[place] = match random.below(3) {
                0 => random.next() as u8,
                1 => random.below(202) as u8,
                _ => bytes[place] ^ 1 << random.below(3),
            };
            let Ok(mut class) = ClassFile::parse(bytes.leak()) else {
                continue;
            };
            if round % 2 == 0 {
                class.major = 49;
            }
            let class: &'static ClassFile = Box::leak(Box::new(class));
            let mut remote = Remote::new(&mut world, class);
            let start = Instant::now();
            let outcome = verify(&mut remote, class, &mut Progress::new(class));
            assert!(
                start.elapsed() < Duration::from_secs(5),
                "{} takes long",
                entry.name()
            );
            if outcome.is_err() {
                refused += 1;
                continue;
            }
            accepted += 1;
            for method in class.methods.iter().filter(|m| class.code(m).is_some()) {
                if let Err(e) = lower(class, method) {
                    let name = String::from_utf8_lossy(class.utf8(method.name).unwrap_or_default());
                    panic!("{}.{name} verifies, but {e:?}", entry.name());
                }
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 100 && refused > 100);
}
