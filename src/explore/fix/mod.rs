//! `poldet fix`: patches for victims, brittles and NIO tests. Each is a diff that applies, compiles and was run.
//!
//! Candidates are statements of helpers, and resets made for the state to blame. All of them are woven into the tests at once and
//! compiled once; switching their bytecode on and off says which statements are needed. What is needed is written as a diff, compiled,
//! and the compiled classes are run in many orders before the patch is proposed.

mod build;
mod candidates;
mod case;
mod check;
mod classes;
mod context;
mod hotspot;
mod plans;
mod resets;
mod run;
mod search;
mod solve;
mod weave;
mod write;

use crate::cli::Fix;
use crate::exit;
use crate::explore::explorer::Class;
use crate::explore::fix::case::{Case, Found};
use crate::explore::fix::check::Baseline;
use crate::explore::fix::context::Context;
use crate::explore::fix::run::Runner;
use crate::explore::frame::{self, Problem};
use crate::explore::inject::mutants::chain;
use crate::explore::od::tests::Tests;
use crate::explore::parallel;
use crate::explore::setup::Setup;
use crate::report;
use crate::source::compiler::Compiler;
use crate::source::files::Files;
use crate::source::{patch, text};
use poldet_records::{FixDocument, FixTest};
use poldet_vm::classfile::ClassFile;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Runs the command; the answer is the exit code, or one line about what is wrong with the input.
pub fn fix(options: &Fix) -> Result<i32, String> {
    let sources = &options.run.report.sources;
    if sources.is_empty() {
        return Err("--sources: name the folders with the sources of the tests".into());
    }
    let writes = report::search::Writes {
        sarif: true,
        ..report::search::Writes::default()
    };
    report::search::refuse(&options.run.report, "fix", writes)?;
    let out = std::path::absolute(&options.out).map_err(|e| format!("--out: {e}"))?;
    if std::fs::read_dir(&out).is_ok_and(|mut d| d.next().is_some()) || out.is_file() {
        return Err(format!(
            "--out: \"{}\" exists and is not an empty folder: name another one",
            options.out.display()
        ));
    }
    for dir in sources {
        std::fs::metadata(dir).map_err(|e| format!("--sources: \"{}\": {e}", dir.display()))?;
    }
    let encoding = text::encoding(&options.encoding)?;
    let project = match &options.project {
        Some(dir) => {
            std::fs::canonicalize(dir).map_err(|e| format!("--project: \"{}\": {e}", dir.display()))?
        }
        None => patch::project(sources)?,
    };
    inside(&project, sources)?;
    let from = Found::read(&options.from)?;
    let Some(mut setup) = frame::begin("fix", &options.run)? else {
        return Ok(exit::NO_TESTS);
    };
    let found = match options.from.is_empty() {
        true => Found::search(options, &mut setup),
        false => Ok(from),
    };
    let mut document = FixDocument::new(frame::head("fix", &setup));
    document.project = project.display().to_string();
    let command = Command {
        options,
        setup: &setup,
        project: &project,
        encoding,
        out: &out,
    };
    if let Err(problem) = found.and_then(|found| command.run(found, &mut document)) {
        return problem.ends();
    }
    document.head.interrupted = setup.stop.load(Ordering::SeqCst);
    document.sum_up();
    write::all(&out, &document)?;
    if let Some(file) = &options.run.report.sarif {
        let log = report::fix_sarif::log(&document, &out)?;
        std::fs::write(file, log).map_err(|e| format!("--sarif: \"{}\": {e}", file.display()))?;
    }
    report::search::show(&options.run.report, &document, |text, colour| {
        report::fix::report(text, &document, &options.out, colour)
    })?;
    Ok(if document.head.interrupted {
        exit::INCOMPLETE
    } else {
        exit::COMPLETE
    })
}

/// Patches can only name files inside of the project.
fn inside(project: &Path, sources: &[PathBuf]) -> Result<(), String> {
    for dir in sources {
        let real =
            std::fs::canonicalize(dir).map_err(|e| format!("--sources: \"{}\": {e}", dir.display()))?;
        if !real.starts_with(project) {
            return Err(format!(
                "--project: \"{}\" does not hold the sources in \"{}\"",
                project.display(),
                dir.display()
            ));
        }
    }
    Ok(())
}

struct Command<'a> {
    options: &'a Fix,
    setup: &'a Setup,
    project: &'a Path,
    encoding: &'static encoding_rs::Encoding,
    out: &'a Path,
}

impl Command<'_> {
    fn run(&self, found: Found, document: &mut FixDocument) -> Result<(), Problem> {
        let (options, setup) = (self.options, self.setup);
        let jobs = options.run.isolation.jobs();
        let seed = setup.spec.vm.seed;
        let (explorer, named) = frame::start(setup, jobs, seed)?;
        let (classes, _) = explorer.list(&setup.rounds, named, true)?;
        drop(explorer);
        let wanted = &setup.wanted;
        let tests = Tests::new(&classes, |member| {
            wanted.is_empty() || wanted.iter().any(|s| s.matches(&member.test))
        });
        let cases = found.cases(&tests).map_err(Problem::Input)?;
        if cases.is_empty() {
            return Ok(());
        }
        let mut files = self.sources(&classes, &tests, &cases).map_err(Problem::Input)?;
        let class_path = setup.spec.real_class_path();
        let javac = self.javac_options(&files);
        let mut compiler = Compiler::start(&setup.jdk, &class_path, &javac).map_err(Problem::Input)?;
        files.compile(&mut compiler, &setup.suite)?;
        let compiler = Mutex::new(compiler);
        let context = Context {
            options,
            setup,
            files: &files,
            methods: files.files.iter().map(|f| f.source.methods()).collect(),
            tests: &tests,
            compiler: &compiler,
            project: self.project,
            encoding: self.encoding,
        };
        let baseline = Baseline::new(
            &context,
            Runner::start(setup, &tests, jobs, &[])?,
            found.nod(&tests),
            found.passing(&tests),
        );
        let own = own_classes(setup);
        let solver = solve::Solver {
            context: &context,
            baseline: &baseline,
            own: &own,
            out: self.out,
            jobs: if cases.len() > 1 { 1 } else { jobs },
        };
        let solved = parallel::map(jobs, &cases, &setup.stop, |case| solver.solve(case));
        for test in solved.into_iter().flatten() {
            let test: FixTest = test?;
            document.tests.push(test);
        }
        Ok(())
    }

    /// The sources of all classes that take part in a case, and of those above them.
    fn sources(&self, classes: &[Class], tests: &Tests<'_>, cases: &[Case]) -> Result<Files, String> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for case in cases {
            let causes = case.causes.iter();
            let mut part: Vec<usize> = vec![case.test];
            for cause in causes {
                part.extend(&cause.tests);
                part.extend(cause.cleaners.iter().flatten());
            }
            for test in part {
                names.insert(tests.member(test).test.class.clone());
                names.insert(classes[tests.class(test)].name.clone());
            }
        }
        let mut tops: BTreeSet<String> = BTreeSet::new();
        for name in names {
            for class in chain(&self.setup.suite, &name) {
                let top = class.split('$').next().unwrap_or(&class);
                tops.insert(top.replace('.', "/"));
            }
        }
        let wanted = |class: &str| tops.contains(class.split('$').next().unwrap_or(class));
        let mut files = Files::find(
            &self.setup.suite,
            &self.options.run.report.sources,
            self.encoding,
            wanted,
        )?;
        for file in files.files.iter_mut().filter(|f| f.is_generated()) {
            file.left_out = Some("is generated: change what it is generated from".into());
        }
        Ok(files)
    }

    /// The user's options, and the source level that the classes of the suite were compiled for.
    fn javac_options(&self, files: &Files) -> Vec<String> {
        let mut options = self.options.javac_option.clone();
        let given = ["--release", "-source", "--source", "-target", "--target"];
        if options.iter().any(|o| given.iter().any(|g| o.starts_with(g))) {
            return options;
        }
        let mut majors = Vec::new();
        for file in &files.files {
            let name = file.path.file_stem().and_then(|n| n.to_str()).unwrap_or_default();
            let package = file.source.package.replace('.', "/");
            let class = match package.as_str() {
                "" => format!("{name}.class"),
                package => format!("{package}/{name}.class"),
            };
            let bytes = self.setup.suite.tested.iter().find_map(|e| e.read(&class));
            if let Some(bytes) = bytes {
                let leaked: &'static [u8] = Vec::leak(bytes.into_owned());
                majors.extend(ClassFile::parse(leaked).ok().map(|f| f.major));
            }
        }
        if let Some(major) = majors.into_iter().min() {
            let release = u32::from(major).saturating_sub(44);
            let jdk = self.setup.jdk.feature;
            let oldest = if jdk >= 20 { 8 } else { 7 };
            if release < jdk {
                let level = release.max(oldest).to_string();
                options.extend(["-source".into(), level.clone(), "-target".into(), level]);
            }
        }
        options
    }
}

/// The names of the classes in folders of the class path and in what was given to be tested, with dots.
fn own_classes(setup: &Setup) -> Vec<String> {
    let mut all = BTreeSet::new();
    for entry in setup.suite.own() {
        for name in entry.class_files() {
            if let Some(class) = name.strip_suffix(".class") {
                all.insert(class.replace('/', "."));
            }
        }
    }
    all.into_iter().collect()
}
