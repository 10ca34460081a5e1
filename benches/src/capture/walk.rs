//! A structure of a million objects, walked and hashed.

use crate::{Options, note_load, programs};
use poldet_benches::measure::{median, own_time};
use poldet_serializer::canon::{self, Roots};
use poldet_serializer::knowledge::Knowledge;
use poldet_serializer::rules::{Book, RuleSet};
use poldet_serializer::shape::has_statics;
use poldet_serializer::tracker::{self, Tracker};
use poldet_serializer::view::View;
use poldet_testdata::compile;
use poldet_vm::boot::{Ended, Program};
use poldet_vm::host::HostOptions;
use poldet_vm::ids::ClassId;
use poldet_vm::jdk::Jdk;
use poldet_vm::vm::{Compile, Config, Vm};
use std::path::PathBuf;

const MAIN: &str = "Walk";

pub fn measure_all(options: &Options) -> Result<(), String> {
    let mut vm = program(options.objects)?;
    let classes: Vec<ClassId> = (0..vm.classes.len() as u32)
        .map(ClassId)
        .filter(|c| has_statics(&vm, *c))
        .collect();
    let (mut walks, mut digests, mut first) = (Vec::new(), Vec::new(), None);
    let mut objects = 0;
    for _ in 0..options.runs {
        let book = Book::builtin()?;
        let (rules, known) = (RuleSet::new(book.ignore)?, Knowledge::new(&book.known)?);
        let mut tracker = Tracker::new(&vm, rules, known, tracker::Options::default());
        let started = own_time()?;
        tracker.begin(&mut vm);
        walks.push(own_time()? - started);
        objects = tracker.len();
        let roots = Roots {
            threads: &[],
            classes: &classes,
        };
        let started = own_time()?;
        let digest = canon::digest(View::now(&vm), &mut tracker.shapes, &roots);
        digests.push(own_time()? - started);
        if *first.get_or_insert(digest) != digest {
            return Err("two walks of one state differ".into());
        }
        vm.heap.unwatch_all();
    }
    note_load();
    println!(
        "Milliseconds of processor time, medians of {} runs each.\n",
        options.runs
    );
    println!("| {objects} objects | all | a thousand objects |");
    println!("|---|---:|---:|");
    for (words, times) in [("first walk", walks), ("walk and hash", digests)] {
        let time = median(times).unwrap_or(f64::NAN) * 1e3;
        println!("| {words} | {time:.0} | {:.3} |", time / objects as f64 * 1e3);
    }
    Ok(())
}

/// A VM in which the program that builds the structure has run.
fn program(objects: u32) -> Result<Vm, String> {
    let compiler = compile::Jdk::find().ok_or("no JDK: set JAVA_HOME to one that has bin/javac")?;
    let sources: [PathBuf; 2] = ["Shared.java", "Walk.java"].map(|name| programs().join(name));
    let sources = sources.each_ref().map(PathBuf::as_path);
    let classes = compile::sources_into(&compiler, &[], &sources, &poldet_testdata::cache_dir(), "walk")?;
    let jdk = Jdk::find(None)?;
    let config = Config {
        java_home: jdk.home,
        jdk_release: jdk.feature,
        preview: false,
        agents: Vec::new(),
        class_path: vec![classes.display().to_string()],
        properties: vec![("objects".into(), objects.to_string())],
        max_heap: 2 << 30,
        stack_size: 2 << 20,
        seed: 0,
        assertions: false,
        command: MAIN.into(),
        fast_indy: true,
        compile: Compile::Hot,
        natives: poldet_natives::TABLES,
        module_options: Vec::new(),
    };
    let mut vm = Vm::boot(config, HostOptions::default()).map_err(|e| how(&e))?;
    match vm.run_program(&Program::Class(MAIN), &[]) {
        Ended::Status(0) => Ok(vm),
        ended => Err(how(&ended)),
    }
}

fn how(ended: &Ended) -> String {
    match ended {
        Ended::Status(status) => format!("{MAIN} ended with {status}"),
        Ended::Deadlock(why)
        | Ended::TimedOut(why)
        | Ended::Unsupported(why)
        | Ended::Agent(why)
        | Ended::Bug(why) => {
            format!("{MAIN}: {why}")
        }
    }
}
