//! From the command line's wishes to the steps of a run.

use crate::cli::TestArgs;
use crate::run::discover::{Candidate, look};
use crate::run::names;
use crate::run::suite::Suite;
use poldet_junit_shim::driver::Step;
use poldet_junit_shim::select::Selector;
use poldet_records::Record;

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
        let ids = self.only.iter().filter_map(|s| match s {
            Selector::Id { id } => Some(id.clone()),
            Selector::Name { .. } => None,
        });
        Step {
            classes,
            ids: ids.collect(),
            only: self.only.clone(),
            list,
            ordered: self.ordered,
            ..Step::default()
        }
    }
}

/// A selector as people type it.
pub fn text(selector: &Selector) -> String {
    match selector {
        Selector::Id { id } => id.as_str().to_owned(),
        Selector::Name {
            class,
            method,
            parameters,
            invocation,
        } => {
            let method = method.as_ref().map_or_else(String::new, |m| format!("#{m}"));
            let types = parameters
                .as_ref()
                .map_or_else(String::new, |p| format!("({})", p.join(", ")));
            let run = invocation.as_ref().map_or_else(String::new, |i| format!("[{i}]"));
            format!("{class}{method}{types}{run}")
        }
    }
}

/// The selectors that no test of the run matches, each once. A class that could not run at all has a result of its own: nobody
/// knows which tests it has.
pub fn in_vain<'a>(asked: &'a [Selector], tests: &[Record]) -> Vec<&'a Selector> {
    let of_class = |s: &Selector, r: &Record| {
        r.test.method.is_none()
            && s.class()
                .is_some_and(|c| r.test.class == c.split('$').next().unwrap_or(c))
    };
    let found = |s: &Selector| tests.iter().any(|r| s.matches(&r.test) || of_class(s, r));
    let mut list: Vec<&Selector> = Vec::new();
    for selector in asked {
        if !list.contains(&selector) && !found(selector) {
            list.push(selector);
        }
    }
    list
}

/// Selectors that name no test, with a line about each.
pub type Unknown = Vec<(String, String)>;

/// The steps of the run: one for all classes, or one for each interval of `--order` within a class; and what was asked for in vain.
pub fn steps(
    options: &TestArgs,
    suite: &Suite,
    found: &[Candidate],
) -> Result<(Vec<Wanted>, Unknown), String> {
    let mut unknown = Vec::new();
    if let Some(file) = &options.order {
        let text =
            std::fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let lines: Vec<String> = text
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty() && !l.starts_with("//") && !l.starts_with("# "))
            .map(str::to_owned)
            .collect();
        let order = known(&lines, suite, found, &mut unknown);
        return Ok((ordered(order, suite), unknown));
    }
    if options.test.is_empty() {
        let all = Wanted {
            classes: found.to_vec(),
            ..Wanted::default()
        };
        let steps = if found.is_empty() { Vec::new() } else { vec![all] };
        return Ok((steps, unknown));
    }
    // Unique ids are for JUnit to find, names for us.
    let (mut by_id, mut by_name) = (Wanted::default(), Wanted::default());
    for (class, selector) in known(&options.test, suite, found, &mut unknown) {
        let step = match &selector {
            Selector::Id { .. } => &mut by_id,
            Selector::Name { .. } => &mut by_name,
        };
        if !step.classes.contains(&class) {
            step.classes.push(class);
        }
        step.only.push(selector);
    }
    let mut steps = vec![by_id, by_name];
    steps.retain(|s| !s.classes.is_empty());
    Ok((steps, unknown))
}

/// Selectors with the class each is found in; a line about each that names no test.
fn known(
    texts: &[String],
    suite: &Suite,
    classes: &[Candidate],
    unknown: &mut Unknown,
) -> Vec<(Candidate, Selector)> {
    let mut pairs = Vec::new();
    for text in texts {
        let pair = parse(text, suite, classes).and_then(|s| Ok((class_of(&s, suite)?, s)));
        match pair {
            Ok(pair) => pairs.push(pair),
            Err(line) => unknown.push((text.clone(), line)),
        }
    }
    pairs
}

/// A selector as people type it, or one line about what is wrong with it.
pub fn parse(text: &str, suite: &Suite, classes: &[Candidate]) -> Result<Selector, String> {
    let full = names::complete(text, suite, classes)?;
    Selector::parse(&full, |c| suite.has_class(c))
}

/// Consecutive tests of a class run together, so that its fixtures run once.
fn ordered(order: Vec<(Candidate, Selector)>, suite: &Suite) -> Vec<Wanted> {
    let mut steps: Vec<Wanted> = Vec::new();
    let platform = suite.has("META-INF/services/org.junit.platform.engine.TestEngine");
    for (class, selector) in order {
        match steps.last_mut() {
            // The platform has no order from outside: there each test is a step of its own. So is a test named twice.
            Some(last) if !platform && last.classes[0] == class && !last.only.contains(&selector) => {
                last.only.push(selector);
            }
            _ => steps.push(Wanted {
                classes: vec![class],
                only: vec![selector],
                ordered: true,
            }),
        }
    }
    steps
}

/// The outermost class a selector names, which JUnit must be given to find the test.
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
