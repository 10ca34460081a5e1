//! A VM with a detector and a program that says where intervals end.

use poldet_records::{CaptureOptions, Finding, Origin, TestName};
use poldet_serializer::detector::{Detector, Interval};
use poldet_serializer::rules::Book;
use poldet_testdata::compile;
use poldet_vm::boot::{Ended, Program};
use poldet_vm::host::HostOptions;
use poldet_vm::ids::ClassId;
use poldet_vm::jdk::Jdk;
use poldet_vm::natives::{Ctx, Native, native};
use poldet_vm::plug::Part;
use poldet_vm::stop::Stop;
use poldet_vm::vm::{Compile, Config, Vm};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Default)]
pub struct Options {
    /// More rules and knowledge, as in a file of rules.
    pub rules: &'static str,
    pub show_ignored: bool,
}

/// An interval and what was found of it.
pub type Found = (String, Vec<String>);

/// What has been found so far.
struct List(Vec<Found>);

impl Part for List {}

pub struct Machine {
    pub vm: Vm,
    main: &'static str,
    source: String,
    pub findings: Vec<Found>,
}

const TABLE: &[Native] = &[native("Probe", "boundary", "(Ljava/lang/String;)V", boundary)];

/// Ends an interval.
fn boundary(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.string(0)?;
    let test = TestName {
        display: name.clone(),
        ..TestName::default()
    };
    let detected = Detector::with(c.vm, |detector, vm| {
        let detected = detector.boundary(vm, Interval::Test(&test));
        (detected, detector.take_complaints())
    });
    let Some((Ok(pollution), complaints)) = detected else {
        return Err(Stop::bug("no detector, or it failed"));
    };
    let mut lines: Vec<String> = complaints;
    if let Some(pollution) = pollution {
        lines.extend(pollution.pollutions.iter().map(line));
        // What the built-in rules hide depends on the JDK.
        let mine = pollution.hidden.iter().filter(|(rule, _)| *rule == "mine");
        lines.extend(mine.map(|(rule, n)| format!("{n} by {rule}")));
    }
    let list = c.vm.plug.part_mut::<List>();
    list.ok_or_else(|| Stop::bug("no list"))?.0.push((name, lines));
    Ok(0)
}

/// A finding in one line: what, where, from what to what, and by whose method.
fn line(f: &Finding) -> String {
    let writer = f.written_at.iter().find(|f| f.origin == Some(Origin::Suite));
    let writer = writer.map_or("?", |f| f.method.as_str());
    let kind = format!("{:?}", f.kind).to_lowercase();
    let ignored = f.ignored_by.as_ref().map(|rule| format!(" ({rule})"));
    let internal = if f.observable { "" } else { " (internal)" };
    let text = format!(
        "{kind} {}: {} -> {}; {:?} by {writer}{internal}{}",
        f.place,
        f.before,
        f.after,
        f.label,
        ignored.unwrap_or_default()
    );
    without_hashes(&text)
}

/// How ThreadLocals are hashed depends on how many the JDK has made before.
fn without_hashes(text: &str) -> String {
    match text.split_once("{threadLocalHashCode=") {
        Some((before, rest)) => {
            let after = rest.split_once('}').map_or("", |(_, after)| after);
            format!("{before}{}", without_hashes(after))
        }
        None => text.to_owned(),
    }
}

impl Machine {
    /// Compiles a program and boots a VM for it; None, with a line that says so, where there is no compiler.
    pub fn new(main: &'static str, options: Options) -> Option<Machine> {
        let Some(compiler) = compile::Jdk::find() else {
            assert!(
                std::env::var_os("POLDET_REQUIRE").is_none(),
                "no javac, but POLDET_REQUIRE is set"
            );
            eprintln!("skipped: no javac found; set JAVA_HOME to a JDK 17");
            return None;
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let sources: [PathBuf; 2] = [format!("{main}.java"), "Probe.java".into()].map(|f| folder.join(f));
        let paths = sources.each_ref().map(PathBuf::as_path);
        let cache = poldet_testdata::cache_dir();
        let classes = compile::sources_into(&compiler, &["-g"], &paths, &cache, main).expect("it compiles");
        let jdk = Jdk::find(None).expect("a JDK");
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
            command: main.into(),
            fast_indy: true,
            compile: Compile::Hot,
            module_options: Vec::new(),
            natives: poldet_natives::TABLES,
        };
        let Ok(mut vm) = Vm::boot(config, HostOptions::default()) else {
            panic!("the VM does not boot");
        };
        vm.add_natives(TABLE);
        vm.plug.attach(List(Vec::new()));
        let mut book = Book::builtin().expect("built-in data");
        book.add(options.rules).expect("rules");
        let capture = CaptureOptions {
            show_ignored: options.show_ignored,
            verify: true,
            rules: book.ignore,
            known: book.known,
            ..CaptureOptions::default()
        };
        let own = move |file: &str| classes.join(file).is_file() && file != "Probe.class";
        Detector::install(&mut vm, capture, Box::new(own), None).expect("a detector");
        Some(Machine {
            vm,
            main,
            source: std::fs::read_to_string(&sources[0]).expect("the source"),
            findings: Vec::new(),
        })
    }

    /// Runs the program to its end; what was found of each interval but the first.
    pub fn run(&mut self) -> Vec<Found> {
        match self.vm.run_program(&Program::Class(self.main), &[]) {
            Ended::Status(0) => {}
            Ended::Status(status) => panic!("{} ended with {status}", self.main),
            Ended::Deadlock(why)
            | Ended::TimedOut(why)
            | Ended::Unsupported(why)
            | Ended::Agent(why)
            | Ended::Bug(why) => {
                panic!("{}: {why}", self.main)
            }
        }
        let list = self.vm.plug.part_mut::<List>().expect("the list");
        self.findings = std::mem::take(&mut list.0);
        self.findings.clone()
    }

    /// What the comments say, by interval.
    pub fn expected(&self) -> BTreeMap<String, Vec<String>> {
        let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let lines = self.source.lines().filter_map(|l| l.split_once("//= "));
        for (name, text) in lines.filter_map(|(_, l)| l.split_once(": ")) {
            expected.entry(name.into()).or_default().push(text.trim().into());
        }
        expected
    }

    pub fn class(&self, name: &str) -> ClassId {
        let mut classes = (0..self.vm.classes.len() as u32).map(ClassId);
        let found = classes.find(|c| self.vm.class_name(*c) == name);
        found.expect("a loaded class")
    }
}
