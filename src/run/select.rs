//! From the command line's wishes to the steps of a run.

use crate::cli::Run;
use crate::run::discover::{Candidate, look};
use crate::run::suite::Suite;
use poldet_junit_shim::driver::Step;
use poldet_junit_shim::select::Selector;

/// A step and what is known of its classes.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub classes: Vec<Candidate>,
    pub only: Vec<Selector>,
    pub ordered: bool,
}

impl Wanted {
    /// The step as the worker takes it, with those of its classes that are left.
    pub fn step(&self, classes: Vec<String>, list: bool) -> Step {
        Step {
            classes,
            ids: Vec::new(),
            only: self.only.clone(),
            list,
            ordered: self.ordered,
        }
    }
}

/// The steps of the run: one for all classes, or one for each stretch of `--order`.
pub fn steps(options: &Run, suite: &Suite, found: &[Candidate]) -> Result<Vec<Wanted>, String> {
    let tests = parse_all(&options.test, suite)?;
    if let Some(file) = &options.order {
        let text =
            std::fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let lines: Vec<String> = text
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty() && !l.starts_with("//"))
            .map(str::to_owned)
            .collect();
        let order = parse_all(&lines, suite)?;
        return ordered(&order, suite);
    }
    if tests.is_empty() {
        if found.is_empty() {
            return Ok(Vec::new());
        }
        return Ok(vec![Wanted {
            classes: found.to_vec(),
            ..Wanted::default()
        }]);
    }
    let mut classes: Vec<Candidate> = Vec::new();
    for test in &tests {
        let class = class_of(test, suite)?;
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    Ok(vec![Wanted {
        classes,
        only: tests,
        ordered: false,
    }])
}

fn parse_all(texts: &[String], suite: &Suite) -> Result<Vec<Selector>, String> {
    texts
        .iter()
        .map(|t| Selector::parse(t, |c| suite.has_class(c)))
        .collect()
}

/// Consecutive tests of a class run together, so that its fixtures run once.
fn ordered(order: &[Selector], suite: &Suite) -> Result<Vec<Wanted>, String> {
    let mut steps: Vec<Wanted> = Vec::new();
    let platform = suite.has("META-INF/services/org.junit.platform.engine.TestEngine");
    for selector in order {
        let class = class_of(selector, suite)?;
        match steps.last_mut() {
            // The platform has no order from outside: there each test is a step of its own.
            Some(last) if !platform && last.classes[0] == class => last.only.push(selector.clone()),
            _ => steps.push(Wanted {
                classes: vec![class],
                only: vec![selector.clone()],
                ordered: true,
            }),
        }
    }
    Ok(steps)
}

/// The outermost class a selector speaks of, which JUnit must be given to find the test.
fn class_of(selector: &Selector, suite: &Suite) -> Result<Candidate, String> {
    let name = selector.class().ok_or("a unique id without a class")?;
    let fail = || format!("no class {name} in {}", suite.text());
    // A nested class of JUnit 5 is found through the outermost one; one of JUnit 4 stands for itself.
    let read = |class: &str| {
        let file = format!("{}.class", class.replace('.', "/"));
        suite.entries().find_map(|e| e.read(&file))
    };
    let bytes = read(name).ok_or_else(fail)?;
    let candidate = look(&name.replace('.', "/"), &bytes);
    let top = name.split('$').next().unwrap_or(name);
    if top != name && candidate.as_ref().is_none_or(|c| c.new && !c.old) {
        let outer = read(top).ok_or_else(fail)?;
        return look(&top.replace('.', "/"), &outer).ok_or_else(|| format!("{top} is abstract"));
    }
    candidate.ok_or_else(|| format!("{name} is abstract"))
}
