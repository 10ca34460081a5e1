//! Statements that are switched off: the VM does what it would do if they had never been compiled. Every statement of a
//! program that has all kinds of them is deleted in turn; HotSpot runs what the compiler makes of it.

use poldet::source::compiler::{Compiler, Unit};
use poldet::source::deletion::{self, Candidate, Candidates};
use poldet::source::ranges::{Off, off};
use poldet::source::text::Text;
use poldet::source::tree::{Method, Source, Statement};
use poldet_natives::TABLES;
use poldet_testdata::{compile, need};
use poldet_vm::boot::{Ended, Program};
use poldet_vm::classfile::ClassFile;
use poldet_vm::host::HostOptions;
use poldet_vm::jdk::Jdk;
use poldet_vm::vm::{Compile, Config, Vm};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/switches")
        .join(name)
}

fn write(folder: &Path, classes: &[(String, Vec<u8>)]) {
    fs::create_dir_all(folder).expect("a folder can be made");
    for (name, bytes) in classes {
        fs::write(folder.join(format!("{name}.class")), bytes).expect("a class can be written");
    }
}

/// Runs the program in a VM of ours with changed code; what it printed.
fn run(jdk: &Jdk, folder: &Path, mode: Compile, change: impl FnOnce(&mut Vm)) -> String {
    let config = Config {
        java_home: jdk.home.clone(),
        jdk_release: jdk.feature,
        preview: false,
        agents: Vec::new(),
        class_path: vec![folder.display().to_string()],
        properties: Vec::new(),
        max_heap: 256 << 20,
        stack_size: 2 << 20,
        seed: 0,
        assertions: false,
        command: "Statements".into(),
        fast_indy: true,
        compile: mode,
        natives: TABLES,
        module_options: Vec::new(),
    };
    let host = HostOptions {
        capture: true,
        ..HostOptions::default()
    };
    let mut vm = Vm::boot(config, host).expect("boots");
    change(&mut vm);
    assert_eq!(
        vm.run_program(&Program::Class("Statements"), &[]),
        Ended::Status(0)
    );
    String::from_utf8_lossy(&vm.host.stdout.take()).into_owned()
}

/// One deletion, and what the compiler made of it.
struct Variant {
    statement: Statement,
    folder: PathBuf,
    classes: Vec<(String, Vec<u8>)>,
}

#[test]
fn a_switched_statement_is_a_deleted_one() {
    if need::javac().is_none() {
        return;
    }
    let jdk = Jdk::find(None).expect("the JDK that has the compiler");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("switches");
    let _ = fs::remove_dir_all(&cache);
    let text = fs::read_to_string(program("Statements.java")).expect("a source");
    let source = Source::parse(Text::new(text)).expect("parses");
    let mut compiler = Compiler::start(&jdk, &[], &[]).expect("a compiler");
    let whole = compile_text(&mut compiler, &source.text.text).expect("compiles");
    write(&cache.join("whole"), &whole);
    let files: Vec<&'static ClassFile> = whole.iter().map(|(_, bytes)| parsed(bytes)).collect();
    let methods: Vec<Method> = source.methods();
    let deletions: Vec<(&Method, Statement)> = methods
        .iter()
        .filter(|m| !matches!(m.name.as_str(), "main" | "attempt" | "log" | "step"))
        .flat_map(|m| source.statements(m, true).into_iter().map(move |s| (m, s)))
        .collect();
    assert!(deletions.len() > 100, "{}", deletions.len());
    let list = deletions
        .iter()
        .map(|(method, statement)| Candidate { method, statement });
    let candidates = Candidates {
        path: "Statements.java".into(),
        source: &source,
        list: list.collect(),
    };
    let valid = deletion::compiles(&mut compiler, &[candidates]).expect("checked");
    let mut variants = Vec::new();
    for (i, (_, statement)) in deletions.into_iter().enumerate() {
        let text = deletion::without(&source, &statement);
        let classes = compile_text(&mut compiler, &text);
        let shown = source.of(&statement.range);
        assert_eq!(classes.is_some(), valid[0][i], "does it compile without {shown}");
        if let Some(classes) = classes {
            let folder = cache.join(i.to_string());
            write(&folder, &classes);
            variants.push(Variant {
                statement,
                folder,
                classes,
            });
        }
    }
    let expected = on_hotspot(&cache, &variants);
    let mut switched = 0;
    for (i, variant) in variants.iter().enumerate() {
        let shown = source.of(&variant.statement.range);
        let expected = &expected[&variant.folder.display().to_string()];
        let how = off(&files, &source.text, &variant.statement);
        switched += usize::from(matches!(how, Off::Ranges(_)));
        // Each mode has half of them: what is compiled is made of what is interpreted.
        let mode = [Compile::Never, Compile::Eager][i % 2];
        let printed = run(&jdk, &cache.join("whole"), mode, |vm| {
            change(vm, &how, &variant.classes)
        });
        assert_eq!(&printed, expected, "{mode:?} without {shown} ({how:?})");
    }
    // The others end a block, or declare what is used later.
    assert!(
        switched * 4 > variants.len() * 3,
        "{switched} of {}",
        variants.len()
    );
}

fn change(vm: &mut Vm, how: &Off, classes: &[(String, Vec<u8>)]) {
    match how {
        Off::Ranges(switches) => vm.switch_off(switches).expect("in time"),
        Off::Recompile(_) => {
            for (name, bytes) in classes {
                vm.redefine(name, bytes.clone()).expect("fits");
            }
        }
    }
}

fn parsed(bytes: &[u8]) -> &'static ClassFile {
    let leaked: &'static [u8] = Vec::leak(bytes.to_vec());
    Box::leak(Box::new(ClassFile::parse(leaked).expect("a class file")))
}

fn compile_text(compiler: &mut Compiler, text: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let unit = Unit {
        path: "Statements.java",
        text,
    };
    let compiled = compiler.compile(&[unit]).expect("the compiler answers");
    compiled.problems.is_empty().then_some(compiled.classes)
}

/// What `java` prints for each variant, by folder.
fn on_hotspot(cache: &Path, variants: &[Variant]) -> BTreeMap<String, String> {
    let jdk = compile::Jdk::find().expect("a JDK");
    let status = Command::new(&jdk.javac)
        .arg("-d")
        .arg(cache)
        .arg(program("Variants.java"))
        .status();
    assert!(status.is_ok_and(|s| s.success()), "Variants.java compiles");
    let output = Command::new(&jdk.java)
        .arg("-cp")
        .arg(cache)
        .arg("Variants")
        .args(variants.iter().map(|v| &v.folder))
        .output()
        .expect("java runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    let parts = printed.split("variant ").skip(1);
    parts
        .filter_map(|part| part.split_once('\n'))
        .map(|(folder, text)| (folder.to_owned(), text.to_owned()))
        .collect()
}
