//! What all steps of a fix know: the suite, its tests, the sources and the compiler.

use crate::cli::Fix;
use crate::explore::inject::mutants::{self, chain};
use crate::explore::od::tests::Tests;
use crate::explore::setup::Setup;
use crate::source::compiler::{Compiled, Compiler, Unit};
use crate::source::files::{File, Files};
use crate::source::tree::Method;
use encoding_rs::Encoding;
use poldet_junit_shim::driver::Mode;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub struct Context<'a> {
    pub options: &'a Fix,
    pub setup: &'a Setup,
    pub files: &'a Files,
    /// The methods of each file.
    pub methods: Vec<Vec<Method>>,
    pub tests: &'a Tests<'a>,
    pub compiler: &'a Mutex<Compiler>,
    pub project: &'a Path,
    pub encoding: &'static Encoding,
}

/// How a class of tests is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    JUnit3,
    JUnit4,
    Jupiter,
}

/// When a fixture runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    BeforeClass,
    Before,
    After,
    AfterClass,
}

impl Flavour {
    /// The annotation of a fixture; none in JUnit 3.
    pub fn annotation(self, when: When) -> Option<&'static str> {
        Some(match (self, when) {
            (Flavour::JUnit3, _) => return None,
            (Flavour::JUnit4, When::BeforeClass) => "org.junit.BeforeClass",
            (Flavour::JUnit4, When::Before) => "org.junit.Before",
            (Flavour::JUnit4, When::After) => "org.junit.After",
            (Flavour::JUnit4, When::AfterClass) => "org.junit.AfterClass",
            (Flavour::Jupiter, When::BeforeClass) => "org.junit.jupiter.api.BeforeAll",
            (Flavour::Jupiter, When::Before) => "org.junit.jupiter.api.BeforeEach",
            (Flavour::Jupiter, When::After) => "org.junit.jupiter.api.AfterEach",
            (Flavour::Jupiter, When::AfterClass) => "org.junit.jupiter.api.AfterAll",
        })
    }

    fn is_fixture(self, method: &Method, when: When) -> bool {
        match (self.annotation(when), when) {
            (Some(annotation), _) => {
                let simple = annotation.rsplit('.').next();
                let written = method.annotations.iter();
                let mut written = written.map(|(name, _)| name.rsplit('.').next());
                written.any(|name| name == simple)
            }
            (None, When::Before) => method.name == "setUp" && method.params.is_empty(),
            (None, When::After) => method.name == "tearDown" && method.params.is_empty(),
            (None, _) => false,
        }
    }
}

/// A method in one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub file: usize,
    pub method: Method,
}

impl Context<'_> {
    pub fn file(&self, number: usize) -> &File {
        &self.files.files[number]
    }

    /// The method of a test, where its source is known.
    pub fn method_of(&self, test: usize) -> Option<Declared> {
        let name = &self.tests.member(test).test;
        let method = name.method.as_deref()?;
        let found = mutants::declared(
            self.files,
            &self.methods,
            &self.setup.suite,
            &name.class,
            method,
            name.parameters.as_deref(),
        );
        found.map(|(file, method)| Declared {
            file,
            method: method.clone(),
        })
    }

    pub fn flavour(&self, test: usize) -> Flavour {
        let member = self.tests.member(test);
        match member.mode {
            Mode::Platform | Mode::Engines => Flavour::Jupiter,
            Mode::JUnit3 => Flavour::JUnit3,
            _ => {
                let above = chain(&self.setup.suite, &member.test.class);
                if above.iter().any(|c| c == "junit.framework.TestCase") {
                    Flavour::JUnit3
                } else {
                    Flavour::JUnit4
                }
            }
        }
    }

    /// The class of a test and those above it, then, for a nested class of Jupiter, the same of the classes around it.
    pub fn classes_of(&self, test: usize) -> Vec<String> {
        let class = &self.tests.member(test).test.class;
        let mut all = chain(&self.setup.suite, class);
        let mut outer = class.as_str();
        while let Some((around, _)) = outer.rsplit_once('$') {
            all.extend(chain(&self.setup.suite, around));
            outer = around;
        }
        all
    }

    /// Fixtures of a test, in the order in which they run.
    pub fn fixtures(&self, test: usize, when: When) -> Vec<Declared> {
        let flavour = self.flavour(test);
        let mut found: Vec<Declared> = Vec::new();
        for class in self.classes_of(test) {
            for (file, methods) in self.methods.iter().enumerate() {
                if self.files.files[file].left_out.is_some() {
                    continue;
                }
                let own = methods
                    .iter()
                    .filter(|m| m.class == class && flavour.is_fixture(m, when));
                for method in own {
                    // An overridden method runs once, as the lowest class has it.
                    if !found.iter().any(|f| f.method.name == method.name) {
                        found.push(Declared {
                            file,
                            method: method.clone(),
                        });
                    }
                }
            }
        }
        if matches!(when, When::Before | When::BeforeClass) {
            found.reverse();
        }
        found
    }

    /// Fixtures that a class declares itself.
    pub fn own_fixture(&self, test: usize, when: When) -> Option<Declared> {
        let class = &self.tests.member(test).test.class;
        let mut fixtures = self.fixtures(test, when).into_iter();
        fixtures.find(|f| f.method.class == *class)
    }

    /// Compiles changed files.
    pub fn compile(&self, changed: &[(usize, &str)]) -> Result<Compiled, String> {
        let paths: Vec<String> = changed
            .iter()
            .map(|(f, _)| self.file(*f).path.display().to_string())
            .collect();
        let units: Vec<Unit<'_>> = paths
            .iter()
            .zip(changed)
            .map(|(path, (_, text))| Unit { path, text })
            .collect();
        let mut compiler = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        let compiled = compiler.compile(&units)?;
        if compiled.problems.is_empty() {
            return Ok(compiled);
        }
        // All errors at once, also those that later stages find.
        let mut all = compiler.check(&units)?;
        if all.is_empty() {
            all = compiled.problems;
        }
        Ok(Compiled {
            problems: all,
            classes: Vec::new(),
        })
    }
}
