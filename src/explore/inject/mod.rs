//! `poldet inject`: makes tests order-dependent by deleting statements, as FLAKER does (Habchi et al.).

pub(super) mod asserts;
mod evaluate;
mod journal;
pub(super) mod mutants;
pub(super) mod orders;
mod stable;
mod statistics;
mod summary;
mod trial;
mod walk;
mod write;

use crate::cli::Inject;
use crate::exit;
use crate::explore::declared;
use crate::explore::explorer::{Class, Explorer, fresh_folder};
use crate::explore::frame;
use crate::explore::parallel;
use crate::explore::setup::Setup;
use crate::explore::wire::Fork;
use crate::report;
use crate::run::overlay::Overlay;
use crate::source::compiler::Compiler;
use crate::source::files::Files;
use crate::source::{patch, text};
use journal::Journal;
use mutants::{Deletion, What};
use poldet_records::inject::{InjectDocument, LeftOut, Mutant, StatementsFrom, Unstable};
use stable::Stable;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use trial::{Change, Trial};

/// What the steps need to know of the options.
pub struct Settings {
    pub seed: u64,
    pub orders: u32,
    pub reruns: u32,
    pub all_permutations: u32,
    pub fixtures: bool,
    pub nested: bool,
    pub suite_wide: bool,
    pub whole_orders: bool,
    pub assert_patterns: Vec<String>,
}

/// Runs the search; the answer is the exit code, or one line about what is wrong with the input.
pub fn inject(options: &Inject) -> Result<i32, String> {
    let sources = &options.run.report.sources;
    if sources.is_empty() && options.nested {
        return Err("--nested: name the folders with the tests' sources (--sources)".into());
    }
    report::search::refuse(&options.run.report, "inject", report::search::Writes::default())?;
    let Some(setup) = frame::begin("inject", &options.run)? else {
        return Ok(exit::NO_TESTS);
    };
    let encoding = text::encoding(&options.encoding)?;
    let project = match &options.project {
        Some(dir) => {
            std::fs::canonicalize(dir).map_err(|e| format!("--project: \"{}\": {e}", dir.display()))?
        }
        None if sources.is_empty() => std::path::PathBuf::new(),
        None => patch::project(sources)?,
    };
    let files = if sources.is_empty() {
        report::note(
            "warning",
            "no --sources: statements are taken from bytecode, which knows none inside of blocks, and there are no patches",
        );
        Files::default()
    } else {
        Files::find(&setup.suite, sources, encoding, |_| true)?
    };
    if files.files.is_empty() && !sources.is_empty() {
        return Err("--sources: no source of a class of the suite found there".into());
    }
    let settings = Settings {
        seed: setup.spec.vm.seed,
        orders: options.orders,
        reruns: options.reruns,
        all_permutations: options.all_permutations,
        fixtures: options.fixtures,
        nested: options.nested,
        suite_wide: options.suite_wide,
        whole_orders: options.whole_orders,
        assert_patterns: options.assert_pattern.clone(),
    };
    let journal = Journal::open(&options.out, &inputs(options, &setup, &files)?)?;
    let mut search = Search {
        options,
        setup,
        settings,
        files,
        journal,
        document: None,
    };
    if let Err(why) = search.run() {
        report::note("internal error", &why);
        return Ok(exit::INTERNAL);
    }
    let Some(document) = search.document else {
        return Ok(exit::INTERNAL);
    };
    let place = write::Place {
        out: &options.out,
        project: &project,
        encoding,
    };
    write::all(&place, &document, &search.files)?;
    show(options, &document)?;
    Ok(exit_code(&document))
}

/// All that the results depend on.
fn inputs(options: &Inject, setup: &Setup, files: &Files) -> Result<String, String> {
    let mut parts = crate::run::command::words(&options.run);
    parts.extend(options.run.tests.test.iter().cloned());
    parts.extend(options.assert_pattern.iter().cloned());
    parts.extend(options.javac_option.iter().cloned());
    parts.push(format!(
        "{} {} {} {} {} {} {} {:?} {}",
        options.orders,
        options.reruns,
        options.all_permutations,
        options.fixtures,
        options.nested,
        options.suite_wide,
        options.whole_orders,
        options.limit,
        setup.jdk.version,
    ));
    let mut read: Vec<_> = files.files.iter().map(|f| f.path.clone()).collect();
    for entry in setup.suite.entries() {
        let path = std::path::PathBuf::from(&entry.path);
        if path.is_file() {
            read.push(path);
        } else {
            read.extend(entry.class_files().into_iter().map(|name| path.join(name)));
        }
    }
    journal::fingerprint(&parts, &read)
}

struct Search<'a> {
    options: &'a Inject,
    setup: Setup,
    settings: Settings,
    files: Files,
    journal: Journal,
    document: Option<InjectDocument>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), String> {
        let spec = &self.setup.spec;
        let class_path = spec.real_class_path();
        let mut compiler = None;
        if !self.files.files.is_empty() {
            let mut started = Compiler::start(&self.setup.jdk, &class_path, &self.options.javac_option)?;
            self.files.compile(&mut started, &self.setup.suite)?;
            compiler = Some(started);
        }
        let folder = fresh_folder()?;
        let mut spec = self.setup.spec.clone();
        for class in self.files.files.iter().flat_map(|f| &f.classes) {
            let path = folder.dir.join(format!("{}.class", class.name.replace('/', ".")));
            std::fs::write(&path, class.bytes)
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
            spec.replaced
                .push((class.name.clone(), path.display().to_string()));
        }
        let jobs = self.options.run.isolation.jobs();
        let (explorer, named) = frame::start_as(&spec, &self.setup, jobs)?;
        let classes = frame::list(&explorer, &self.setup, named, &mut Vec::new())?;
        let wanted: Vec<Class> = classes.into_iter().filter_map(|c| self.wanted(c)).collect();
        explorer.train(&wanted)?;
        let stable = stable::select(&explorer, &wanted, &self.setup.suite, &self.settings)?;
        let mut deletions = match compiler {
            Some(_) => mutants::deletions(&wanted, &stable, &self.files, &self.setup.suite, &self.settings),
            None => mutants::in_code(&wanted, &stable, &self.setup.suite, &self.settings),
        };
        if let Some(limit) = self.options.limit {
            write::sample(&mut deletions, limit, self.settings.seed);
        }
        if let Some(compiler) = &mut compiler {
            mutants::check(&mut deletions, &self.files, compiler)?;
        }
        let compiler = Mutex::new(compiler);
        let called = walk::called(&self.setup.suite);
        let evaluation = Evaluation {
            search: self,
            called: &called,
            explorer: &explorer,
            classes: &wanted,
            stable: &stable,
            compiler: &compiler,
            folder: &folder,
        };
        let mutants = evaluation.all(&deletions)?;
        let interrupted = explorer.is_stopped();
        self.document = Some(self.sum_up(&wanted, &stable, mutants, interrupted));
        Ok(())
    }

    /// The class with those of its tests that are asked for.
    fn wanted(&self, mut class: Class) -> Option<Class> {
        class.tests.retain(|t| self.setup.wants(&t.test));
        (!class.tests.is_empty()).then_some(class)
    }

    fn sum_up(
        &self,
        classes: &[Class],
        stable: &[Stable],
        mutants: Vec<Mutant>,
        interrupted: bool,
    ) -> InjectDocument {
        let setup = &self.setup;
        let mut document = InjectDocument::new(frame::head("inject", &self.setup));
        document.orders = self.settings.orders;
        document.reruns = self.settings.reruns;
        document.all_permutations = self.settings.all_permutations;
        document.whole_orders = self.settings.whole_orders;
        document.head.interrupted = interrupted;
        document.statements_from = if self.files.files.is_empty() {
            StatementsFrom::Bytecode
        } else {
            StatementsFrom::Source
        };
        for (class, stable) in classes.iter().zip(stable) {
            let name = |i: &usize| class.tests[*i].test.text();
            document.stable_tests.extend(stable.tests.iter().map(name));
            let unstable = stable.unstable.iter().map(|(i, why)| Unstable {
                test: name(i),
                why: why.clone(),
            });
            document.unstable.extend(unstable);
        }
        document.left_out = self.left_out(classes);
        document.mutants = mutants;
        summary::sum_up(&mut document, classes, stable, &self.files, &setup.suite);
        document
    }

    /// Sources that could not be used, and test classes without any.
    fn left_out(&self, classes: &[Class]) -> Vec<LeftOut> {
        let files = self.files.files.iter();
        let mut list: Vec<LeftOut> = files
            .filter_map(|f| {
                Some(LeftOut {
                    what: f.path.display().to_string(),
                    why: f.left_out.clone()?,
                })
            })
            .collect();
        list.extend(self.files.unreadable.iter().map(|(path, why)| LeftOut {
            what: path.clone(),
            why: why.clone(),
        }));
        for (source, of) in &self.files.missing {
            for class in classes {
                if of.contains(&class.name.replace('.', "/")) {
                    let why = match source.rsplit('.').next() {
                        Some("java") => format!("no source {source} found"),
                        Some(other) => format!("its source is not Java but {other}: {source}"),
                        None => "its source is not known".into(),
                    };
                    list.push(LeftOut {
                        what: class.name.clone(),
                        why,
                    });
                }
            }
        }
        list
    }
}

/// Virtual time that a test of a mutant may take: what tests of its class took, several times, and some more.
const TIMES: u64 = 10;
const MORE_NANOS: u64 = 4_000_000_000;

struct Evaluation<'a, 'e> {
    search: &'a Search<'a>,
    explorer: &'a Explorer<'e>,
    classes: &'a [Class],
    stable: &'a [Stable],
    /// None without sources.
    compiler: &'a Mutex<Option<Compiler>>,
    folder: &'a Overlay,
    /// Names of the suite's methods that some of its code calls.
    called: &'a BTreeSet<String>,
}

impl Evaluation<'_, '_> {
    /// Evaluates what is valid and not known yet, class by class.
    fn all(&self, deletions: &[Deletion]) -> Result<Vec<Mutant>, String> {
        let mut mutants = Vec::new();
        let mut at = 0;
        while at < deletions.len() && !self.explorer.is_stopped() {
            let class = deletions[at].class;
            let count = deletions[at..].iter().take_while(|d| d.class == class).count();
            mutants.extend(self.class(class, &deletions[at..at + count])?);
            at += count;
        }
        Ok(mutants)
    }

    fn class(&self, number: usize, deletions: &[Deletion]) -> Result<Vec<Mutant>, String> {
        let (class, stable) = (&self.classes[number], &self.stable[number]);
        let settings = &self.search.settings;
        let names: Vec<String> = stable.tests.iter().map(|i| class.tests[*i].test.text()).collect();
        let orders = orders::orders(settings.seed, &names, settings.orders, settings.all_permutations);
        let batch = !declared::around_class(&self.search.setup.suite, &class.name);
        let left = deletions
            .iter()
            .any(|d| d.valid && self.search.journal.known(&d.id).is_none());
        let from = if left {
            Some(self.explorer.discover(class)?)
        } else {
            None
        };
        let others: Vec<&Class> = if settings.suite_wide {
            let others = self.classes.iter().enumerate().filter(|(i, _)| *i != number);
            others.map(|(_, c)| c).collect()
        } else {
            Vec::new()
        };
        let timeout = Some(stable.nanos * TIMES + MORE_NANOS);
        let ready = from.as_ref().and_then(|(from, _)| {
            let fork = Fork {
                timeout_nanos: timeout,
                ..Fork::default()
            };
            self.explorer.ready(from, fork).map(|(process, _)| process)
        });
        let work = |deletion: &Deletion| -> Result<Option<Mutant>, String> {
            let mut mutant = self.mutant(deletion);
            if let Some(known) = self.search.journal.known(&mutant.id) {
                return Ok(Some(known.clone()));
            }
            let Some((from, _)) = from.as_ref().filter(|_| mutant.valid) else {
                return Ok(Some(mutant));
            };
            match self.change(deletion) {
                Err(why) => mutant.why_not = Some(why),
                Ok(change) => {
                    let touched = self.touched(class, deletion);
                    // Fixtures do not see what becomes of a test's body.
                    let ready = ready.clone().filter(|_| !touched.is_empty());
                    let trial = Trial::new(self.explorer, class, from, ready, change, timeout, batch);
                    let done =
                        evaluate::evaluate(&trial, stable, &touched, &orders, settings, &others, &mut mutant);
                    // What was killed by an interrupt says nothing.
                    if self.explorer.is_stopped() {
                        return Ok(None);
                    }
                    mutant.why_not = done.err();
                }
            }
            self.search.journal.add(&mutant)?;
            Ok(Some(mutant))
        };
        let found = parallel::map(self.explorer.jobs, deletions, self.explorer.stop, work);
        let mut mutants = Vec::new();
        for mutant in found.into_iter().flatten() {
            mutants.extend(mutant?);
        }
        Ok(mutants)
    }

    /// The tests of the class whose own method loses the statement; none if others may run it, too.
    fn touched(&self, class: &Class, deletion: &Deletion) -> Vec<usize> {
        let method = deletion.test.rsplit('#').next().unwrap_or_default();
        if self.called.contains(method) {
            return Vec::new();
        }
        let is = |i: &usize| class.tests[*i].test.method.as_deref() == Some(method);
        (0..class.tests.len()).filter(is).collect()
    }

    /// How a deletion is made.
    fn change(&self, deletion: &Deletion) -> Result<Change, String> {
        match &deletion.what {
            What::Code(statement) => Ok(Change {
                off: vec![statement.switch.clone().into()],
                ..Change::default()
            }),
            What::Source { file, statement, .. } => {
                let file = &self.search.files.files[*file];
                let mut compiler = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
                let compiler = compiler.as_mut().ok_or("no compiler")?;
                mutants::change(&deletion.id, statement, file, compiler, &self.folder.dir)
            }
        }
    }

    fn mutant(&self, deletion: &Deletion) -> Mutant {
        let (file, line, statement) = match &deletion.what {
            What::Source { file, statement, .. } => {
                let file = &self.search.files.files[*file];
                let range = &statement.range;
                let line = file.source.text.line(range.start);
                (
                    file.path.display().to_string(),
                    line,
                    file.source.of(range).to_owned(),
                )
            }
            What::Code(s) => (s.file.clone(), s.line, s.text.clone()),
        };
        Mutant {
            id: deletion.id.clone(),
            class: self.classes[deletion.class].name.clone(),
            test: deletion.test.clone(),
            file,
            line,
            statement,
            valid: deletion.valid,
            why_not: None,
            orders: 0,
            role: None,
            od_tests: Vec::new(),
            no_verdict: Vec::new(),
            assumes: Vec::new(),
            patch: None,
        }
    }
}

fn show(options: &Inject, document: &InjectDocument) -> Result<(), String> {
    report::search::show(&options.run.report, document, |out, colour| {
        report::inject::report(out, document, &options.out, colour)
    })
}

fn exit_code(document: &InjectDocument) -> i32 {
    let unclear = |m: &Mutant| m.why_not.is_some();
    if document.head.interrupted || document.mutants.iter().any(unclear) {
        exit::INCOMPLETE
    } else if document.stable_tests.is_empty() && document.unstable.is_empty() {
        exit::NO_TESTS
    } else {
        exit::COMPLETE
    }
}
