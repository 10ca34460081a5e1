//! The log of reads: the interpreter and the compiler log the same places, and those that the program reads.

use poldet_natives::TABLES;
use poldet_testdata::{compile, need};
use poldet_vm::boot::{Ended, Program};
use poldet_vm::heap::Place;
use poldet_vm::host::HostOptions;
use poldet_vm::ids::{ClassId, FieldId, ObjRef};
use poldet_vm::jdk::Jdk;
use poldet_vm::natives::{Ctx, Native, native};
use poldet_vm::stop::Stop;
use poldet_vm::vm::{Compile, Config, Vm};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const BOUNDARIES: &[Native] = &[
    native("Reads", "begin", "()V", begin),
    native("Reads", "end", "()V", end),
];

/// What one run has shown.
#[derive(Default)]
struct Seen {
    /// The objects that were there at the beginning.
    old: BTreeSet<ObjRef>,
    /// The places of them that were read first, by class; threads that take turns at other times make objects elsewhere.
    places: BTreeSet<(String, u32)>,
    /// By object of the program, the fields of its class that were read first.
    fields: BTreeMap<&'static str, Vec<String>>,
    /// By array of the program, the elements that were read first.
    elements: BTreeMap<&'static str, Vec<u32>>,
    /// Who read the static field `read` first, innermost method first.
    reader: Vec<String>,
}

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

fn begin(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let mut old = BTreeSet::new();
    c.vm.heap.for_each_object(&mut |o| {
        old.insert(o);
    });
    let named = place_of(c.vm, "read");
    c.vm.heap.watch_reads(&[named]);
    c.vm.heap.clear_reads();
    SEEN.with_borrow_mut(|seen| seen.old = old);
    Ok(0)
}

fn end(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let vm = &*c.vm;
    let mut places = vm.heap.reads();
    SEEN.with_borrow(|seen| places.retain(|p| seen.old.contains(&p.object)));
    let reader = vm.heap.read_stack(place_of(vm, "read")).expect("was read");
    let names = reader.iter().map(|site| {
        let method = vm.method(site.method);
        format!("{}.{}", vm.java_name(method.class), vm.syms.str(method.name))
    });
    let mut seen = Seen {
        reader: names.collect(),
        ..Seen::default()
    };
    seen.fields
        .insert("Reads", fields_read(vm, vm.mirror(class(vm)), true));
    for name in ["holder", "cloned"] {
        seen.fields.insert(name, fields_read(vm, object(vm, name), false));
    }
    for (name, size) in [
        ("ints", 4),
        ("bytes", 1),
        ("longs", 8),
        ("source", 4),
        ("target", 4),
    ] {
        let array = object(vm, name);
        let read = |i: &u32| vm.heap.was_read_first(array, 16 + i * size, 16 + (i + 1) * size);
        seen.elements.insert(name, (0..64).filter(read).collect());
    }
    let named = |p: Place| match vm.class_of(p.object) {
        class if class == vm.known.class => (vm.java_name(vm.class_of_mirror(p.object)) + ".class", p.offset),
        class => (vm.java_name(class), p.offset),
    };
    seen.places = places.into_iter().map(named).collect();
    SEEN.set(seen);
    Ok(0)
}

fn class(vm: &Vm) -> ClassId {
    let named = |c: &&poldet_vm::classes::class::Class| vm.class_name(c.id) == "Reads";
    vm.classes.iter().find(named).expect("is running").id
}

fn field(vm: &Vm, name: &str) -> FieldId {
    vm.find_field(class(vm), name, "").expect("is declared")
}

fn place_of(vm: &Vm, name: &str) -> Place {
    let offset = vm.field(field(vm, name)).offset;
    let object = vm.mirror(class(vm));
    Place { object, offset }
}

/// What a static field refers to.
fn object(vm: &Vm, name: &str) -> ObjRef {
    let place = place_of(vm, name);
    vm.heap.get_ref(place.object, place.offset)
}

/// The fields of an object, or the static ones in a mirror, that were read first.
fn fields_read(vm: &Vm, o: ObjRef, of_mirror: bool) -> Vec<String> {
    let owner = if of_mirror { class(vm) } else { vm.class_of(o) };
    let fields = vm.class(owner).fields.iter().map(|f| vm.field(*f));
    let read = fields.filter(|f| {
        let size = match vm.syms.bytes(f.desc)[0] {
            b'J' | b'D' => 8,
            b'S' | b'C' => 2,
            b'B' | b'Z' => 1,
            _ => 4,
        };
        f.is_static() == of_mirror && vm.heap.was_read_first(o, f.offset, f.offset + size)
    });
    let mut names: Vec<String> = read.map(|f| vm.syms.str(f.name).to_owned()).collect();
    names.sort_unstable();
    names
}

/// The folder with the compiled program; none where there is no compiler.
fn program() -> Option<PathBuf> {
    let compiler = need::javac()?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reads/Reads.java");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR"));
    Some(compile::sources_into(&compiler, &[], &[&source], cache, "reads").expect("compiles"))
}

fn run(classes: &Path, compile: Compile) -> Seen {
    run_class("Reads", classes, compile, true);
    SEEN.take()
}

fn run_class(name: &str, classes: &Path, compile: Compile, log: bool) {
    let jdk = Jdk::find(None).expect("the JDK that has the compiler");
    let config = Config {
        java_home: jdk.home,
        jdk_release: jdk.feature,
        preview: false,
        agents: Vec::new(),
        class_path: vec![classes.display().to_string()],
        properties: Vec::new(),
        max_heap: 256 << 20,
        stack_size: 2 << 20,
        seed: 0,
        assertions: false,
        command: name.into(),
        fast_indy: true,
        compile,
        natives: TABLES,
        module_options: Vec::new(),
    };
    let host = HostOptions {
        capture: true,
        ..HostOptions::default()
    };
    let mut vm = Vm::boot(config, host).expect("boots");
    vm.add_natives(BOUNDARIES);
    if log {
        vm.log_reads(true).expect("address space");
    }
    assert_eq!(vm.run_program(&Program::Class(name), &[]), Ended::Status(0));
}

#[test]
fn interpreted_and_compiled_code_read_the_same_places() {
    let Some(classes) = program() else { return };
    let interpreted = run(&classes, Compile::Never);
    let statics: Vec<&str> = interpreted.fields["Reads"].iter().map(String::as_str).collect();
    for read in [
        "read", "wide", "real", "letter", "flag", "holder", "ints", "map", "text",
    ] {
        assert!(statics.contains(&read), "{read} was read: {statics:?}");
    }
    for not in ["written", "untouched"] {
        assert!(!statics.contains(&not), "{not} was not read first: {statics:?}");
    }
    let of_holder = [
        "byReflection",
        "flag",
        "narrow",
        "read",
        "real",
        "reference",
        "throughAccessor",
        "wide",
    ];
    assert_eq!(interpreted.fields["holder"], of_holder);
    assert_eq!(interpreted.fields["cloned"].len(), 10, "a clone reads everything");
    let first_half: Vec<u32> = (0..32).collect();
    for array in ["ints", "bytes", "longs"] {
        assert_eq!(interpreted.elements[array], first_half, "{array}");
    }
    assert_eq!(interpreted.elements["source"], (8..16).collect::<Vec<u32>>());
    assert_eq!(interpreted.elements["target"], Vec::<u32>::new());
    assert_eq!(interpreted.reader, ["Reads.work", "Reads.main"]);
    for compile in [Compile::Hot, Compile::Eager] {
        let compiled = run(&classes, compile);
        assert_eq!(compiled.reader, interpreted.reader, "{compile:?}");
        assert_eq!(compiled.fields, interpreted.fields, "{compile:?}");
        assert_eq!(compiled.elements, interpreted.elements, "{compile:?}");
        let others: Vec<_> = compiled
            .places
            .symmetric_difference(&interpreted.places)
            .collect();
        assert!(others.is_empty(), "{compile:?}: {others:?}");
    }
}

/// Hundredths of a second of processor time that this process has taken.
fn processor_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    fields[11..13]
        .iter()
        .map(|ticks| ticks.parse::<u64>().expect("ticks"))
        .sum()
}

/// Prints what logging reads costs the programs of `benches`: for people, not for judgement.
#[test]
#[ignore = "prints figures"]
fn figures() {
    let compiler = compile::Jdk::find().expect("a JDK with bin/javac");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/programs");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(programs)
        .expect("the programs")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == "java"))
        .collect();
    sources.sort();
    let all: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let classes = compile::sources_into(&compiler, &[], &all, cache, "figures").expect("compiles");
    for source in &sources {
        let name = source.file_stem().expect("a name").to_string_lossy();
        let taken = [false, true].map(|log| {
            let before = processor_time();
            run_class(&name, &classes, Compile::Hot, log);
            processor_time() - before
        });
        println!(
            "{name}: {:.2} s, logged {:.2} s",
            taken[0] as f64 / 100.0,
            taken[1] as f64 / 100.0
        );
    }
}
