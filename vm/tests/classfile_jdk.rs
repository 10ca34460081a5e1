//! Every class of the JDK images parses, and every accessor answers.

#[path = "common/random.rs"]
mod random;

mod common;

use poldet_vm::classfile::{Attrs, ClassFile, MemberInfo, Rules, tag};
use poldet_vm::jimage::{Entry, JImage};
use random::{Random, from_env};
use std::hint::black_box;
use std::time::Instant;

fn classes(image: &JImage) -> Vec<Entry> {
    image.entries().filter(Entry::is_class).collect()
}

fn parses_all(feature: u32) {
    let Some(image) = common::image(feature) else {
        return;
    };
    let classes = classes(&image);
    assert!(classes.len() > 20_000, "only {} classes", classes.len());
    for entry in &classes {
        let name = entry.name();
        let file = ClassFile::parse(entry.content).unwrap_or_else(|e| panic!("{name}: {e}"));
        let expected = name.strip_suffix(".class").unwrap_or(&name);
        if expected.ends_with("module-info") {
            assert_eq!(file.this_name(), b"module-info");
        } else {
            assert_eq!(file.this_name(), expected.as_bytes());
        }
        ask_everything(&file);
    }
    println!("{} classes of JDK {feature} parse", classes.len());
}

#[test]
fn every_class_of_jdk_17_parses() {
    parses_all(17);
}

#[test]
fn every_class_of_jdk_25_parses() {
    parses_all(25);
}

/// Trusted and checked parsing see the same class.
#[test]
fn trusted_parsing_answers_the_same() {
    let Some(image) = common::image(17) else { return };
    for entry in classes(&image).iter().step_by(7) {
        let rules = Rules {
            trusted: true,
            max_major: 61,
            ..Rules::default()
        };
        let trusted = ClassFile::parse_with(entry.content, &rules).expect("a JDK class");
        let checked = ClassFile::parse(entry.content).expect("a JDK class");
        assert_eq!(trusted.cp, checked.cp);
        let shape = |list: &[MemberInfo]| {
            list.iter()
                .map(|m| (m.access, m.name, m.desc))
                .collect::<Vec<_>>()
        };
        assert_eq!(shape(&trusted.fields), shape(&checked.fields));
        assert_eq!(shape(&trusted.methods), shape(&checked.methods));
    }
}

/// Seeded damage: whatever the bytes, neither the parser nor any accessor panics.
#[test]
fn damaged_classes_never_panic() {
    let Some(image) = common::image(17) else { return };
    let mut random = Random(from_env("SEED", 0x5EED_0F90_1DE7));
    let count = from_env("CASES", 12_000);
    for name in [
        "java/lang/Object",
        "java/lang/Record",
        "java/util/Objects",
        "java/util/Map$Entry",
    ] {
        let bytes = image
            .find("java.base", &format!("{name}.class"))
            .expect("a JDK class");
        for len in 0..bytes.len() {
            let error = ClassFile::parse(&bytes[..len])
                .err()
                .expect("a cut class does not parse");
            assert!(!error.message.is_empty());
        }
    }
    let classes = classes(&image);
    let (mut survived, mut tried) = (0, 0);
    while tried < count {
        let original = classes[random.below(classes.len())].content;
        if original.len() > 20_000 {
            continue;
        }
        tried += 1;
        // Leaked, since a parsed class lives for good: some tens of megabytes in all.
        let mut copy = original.to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(copy.len());
            copy[at] = random.next() as u8;
        }
        let copy: &'static [u8] = copy.leak();
        let trusted = random.below(2) == 0;
        if let Ok(file) = ClassFile::parse_with(
            copy,
            &Rules {
                trusted,
                ..Rules::default()
            },
        ) {
            ask_everything(&file);
            survived += 1;
        }
    }
    println!("{survived} of {tried} damaged classes still parse");
}

/// Accessors answer for indices and tables that the parser never saw.
#[test]
fn accessors_are_total() {
    let Some(image) = common::image(17) else { return };
    let file =
        ClassFile::parse(image.find("java.base", "java/lang/String.class").expect("String")).expect("String");
    let mut random = Random(77);
    for _ in 0..20_000 {
        let attrs = Attrs {
            at: random.next() as u32 % 60_000,
            count: random.next() as u16,
        };
        let any = |random: &mut Random| random.next() as u16;
        let (access, name, desc) = (any(&mut random), any(&mut random), any(&mut random));
        let member = MemberInfo {
            access,
            name,
            desc,
            attrs,
        };
        ask_member(&file, &member);
        black_box(file.attr(
            Attrs {
                at: u32::MAX,
                count: 3,
            },
            "Code",
        ));
        ask_constant(&file, any(&mut random));
        black_box(file.bootstrap(any(&mut random)));
    }
}

/// Nanoseconds this thread has run: unlike the clock, not disturbed by a busy machine.
fn cpu_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

#[test]
#[ignore = "a measurement"]
fn parse_time_of_jdk_17() {
    let Some(image) = common::image(17) else { return };
    let start = Instant::now();
    let classes = classes(&image);
    println!("listing {} classes: {:?}", classes.len(), start.elapsed());
    let bytes: usize = classes.iter().map(|e| e.content.len()).sum();
    for round in 0..3 {
        for trusted in [true, false] {
            let rules = Rules {
                trusted,
                ..Rules::default()
            };
            let (start, cpu) = (Instant::now(), cpu_time());
            for entry in &classes {
                black_box(ClassFile::parse_with(entry.content, &rules).expect("a JDK class"));
            }
            let cpu = (cpu_time() - cpu) / 1_000_000;
            let wall = start.elapsed();
            println!(
                "round {round}, trusted {trusted}: {wall:?}, CPU {cpu} ms, for {} KB",
                bytes / 1024
            );
        }
    }
    let start = Instant::now();
    for entry in &classes {
        black_box(image.find(entry.module, &entry.name()));
    }
    println!("finding each by name: {:?}", start.elapsed());
}

fn ask_everything(file: &ClassFile) {
    for index in 0..=file.cp_len() {
        ask_constant(file, index);
    }
    for member in file.fields.iter().chain(&file.methods) {
        ask_member(file, member);
    }
    black_box((
        file.super_name(),
        file.source_file(),
        file.nest_host(),
        file.enclosing_method(),
    ));
    black_box((
        file.inner_classes(),
        file.nest_members(),
        file.permitted_subclasses(),
    ));
    black_box((
        file.signature(file.attrs),
        file.bootstrap(0),
        file.bootstrap(u16::MAX),
    ));
    for component in file.record().unwrap_or_default() {
        black_box((file.utf8(component.name), file.signature(component.attrs)));
    }
}

fn ask_constant(file: &ClassFile, index: u16) {
    let known = match file.tag(index) {
        tag::UTF8 => file.utf8(index).is_some(),
        tag::CLASS | tag::MODULE | tag::PACKAGE => file.class_name(index).is_some(),
        tag::STRING => file.string(index).is_some(),
        tag::INTEGER | tag::FLOAT => file.word(index).is_some(),
        tag::LONG | tag::DOUBLE => file.long(index).is_some(),
        tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD => file.member(index).is_some(),
        tag::NAME_AND_TYPE => file.name_and_type(index).is_some(),
        tag::METHOD_HANDLE => file
            .method_handle(index)
            .is_some_and(|(_, m)| file.member(m).is_some()),
        tag::METHOD_TYPE => file.method_type(index).is_some(),
        tag::DYNAMIC | tag::INVOKE_DYNAMIC => {
            file.dynamic(index).is_some_and(|d| file.bootstrap(d.0).is_some())
        }
        _ => true,
    };
    assert!(known, "constant {index} of {:?}", file.this_name());
}

fn ask_member(file: &ClassFile, member: &MemberInfo) {
    black_box((
        file.signature(member.attrs),
        file.constant_value(member),
        file.exceptions(member),
    ));
    black_box((
        file.method_parameters(member),
        file.stack_map(member),
        file.has_local_names(member),
    ));
    for bci in [0, 1, 50, u16::MAX] {
        black_box((file.line(member, bci), file.local_name(member, 1, bci)));
    }
    if let Some(code) = file.code(member) {
        black_box(file.line_numbers(code.attrs).count());
    }
}
