//! Metrics and statistics of a data set: of the project, of each class and of each mutated test.

use crate::explore::explorer::Class;
use crate::explore::inject::mutants::{above, chain, is_compiled_fixture, is_fixture};
use crate::explore::inject::stable::Stable;
use crate::explore::inject::statistics;
use crate::run::suite::Suite;
use crate::source::files::Files;
use poldet_records::inject::{
    InjectAssumption, InjectClass, InjectDocument, InjectMetrics, InjectTest, Mutant, OdType, Unmutated,
};
use std::collections::BTreeSet;

/// Fills in all that follows from the mutants.
pub fn sum_up(
    document: &mut InjectDocument,
    classes: &[Class],
    stable: &[Stable],
    files: &Files,
    suite: &Suite,
) {
    let all_tests: usize = classes.iter().map(|c| c.tests.len()).sum();
    let mutants = std::mem::take(&mut document.mutants);
    document.metrics = InjectMetrics::of(document.stable_tests.len(), &mutants);
    let (tests, of_classes) = order_dependent(&mutants);
    document.metrics.od_tests_ratio = ratio(tests.len(), all_tests);
    document.metrics.od_classes_ratio = ratio(of_classes.len(), classes.len());
    for (class, stable) in classes.iter().zip(stable) {
        let own: Vec<&Mutant> = mutants.iter().filter(|m| m.class == class.name).collect();
        let mut metrics = InjectMetrics::of(stable.tests.len(), own.iter().copied());
        let (tests, of_classes) = order_dependent(own.iter().copied());
        metrics.od_tests_ratio = ratio(tests.len(), class.tests.len());
        metrics.od_classes_ratio = of_classes.len().min(1) as f64;
        document.classes.push(InjectClass {
            class: class.name.clone(),
            tests: class.tests.len(),
            static_fields: static_fields(files, suite, &class.name),
            fixture: has_fixture(files, suite, &class.name),
            metrics,
        });
        document.tests.extend(by_test(&own));
    }
    document.unmutated = unmutated(classes, stable);
    document.assumptions = assumptions(&mutants, classes, stable);
    // Classes that could not be mutated say nothing about mutation.
    let mutated: Vec<InjectClass> = document
        .classes
        .iter()
        .filter(|c| c.metrics.valid_mutants > 0)
        .cloned()
        .collect();
    document.statistics = statistics::of_classes(&mutated);
    document.mutants = mutants;
}

/// What was taken for no change, of how many mutants, and by which tests as they are.
fn assumptions(mutants: &[Mutant], classes: &[Class], stable: &[Stable]) -> Vec<InjectAssumption> {
    let named: BTreeSet<&String> = mutants.iter().flat_map(|m| &m.assumes).collect();
    let of = |name: &String| {
        let mut tests = Vec::new();
        for (class, stable) in classes.iter().zip(stable) {
            let own = stable.turns.uncounted.get(name).into_iter().flatten();
            tests.extend(own.map(|i| class.tests[*i].test.text()));
        }
        InjectAssumption {
            uncounted: name.clone(),
            mutants: mutants.iter().filter(|m| m.assumes.contains(name)).count(),
            tests,
        }
    };
    named.into_iter().map(of).collect()
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The tests, and the classes, that some mutant makes order-dependent.
fn order_dependent<'a>(
    mutants: impl IntoIterator<Item = &'a Mutant>,
) -> (BTreeSet<&'a str>, BTreeSet<&'a str>) {
    let (mut tests, mut classes) = (BTreeSet::new(), BTreeSet::new());
    for mutant in mutants {
        for test in mutant.od_tests.iter().filter(|t| t.kind != OdType::Nod) {
            tests.insert(test.test.as_str());
            classes.insert(mutant.class.as_str());
        }
    }
    (tests, classes)
}

fn by_test(mutants: &[&Mutant]) -> Vec<InjectTest> {
    let mut names: Vec<&str> = Vec::new();
    for mutant in mutants {
        if !names.contains(&mutant.test.as_str()) {
            names.push(&mutant.test);
        }
    }
    let of = |name: &str| {
        let own: Vec<&Mutant> = mutants.iter().filter(|m| m.test == name).copied().collect();
        let mut metrics = InjectMetrics::of(1, own.iter().copied());
        let (tests, classes) = order_dependent(own.iter().copied());
        metrics.od_tests_ratio = tests.len().min(1) as f64;
        metrics.od_classes_ratio = classes.len().min(1) as f64;
        InjectTest {
            test: name.to_owned(),
            metrics,
        }
    };
    names.into_iter().map(of).collect()
}

fn static_fields(files: &Files, suite: &Suite, class: &str) -> usize {
    if files.files.is_empty() {
        const STATIC: u16 = 0x0008;
        const SYNTHETIC: u16 = 0x1000;
        let file = above(suite, class).into_iter().next();
        let fields = file.map_or(&[][..], |f| &f.fields);
        return fields
            .iter()
            .filter(|f| f.access & (STATIC | SYNTHETIC) == STATIC)
            .count();
    }
    let types = files.files.iter().flat_map(|f| f.source.types());
    types
        .into_iter()
        .find(|t| t.name == class)
        .map_or(0, |t| t.static_fields)
}

fn has_fixture(files: &Files, suite: &Suite, class: &str) -> bool {
    if files.files.is_empty() {
        return above(suite, class)
            .iter()
            .any(|file| file.methods.iter().any(|m| is_compiled_fixture(file, m)));
    }
    let classes = chain(suite, class);
    let methods = files.files.iter().flat_map(|f| f.source.methods());
    methods
        .into_iter()
        .any(|m| classes.contains(&m.class) && is_fixture(&m))
}

/// What the same orders show of the suite as it is.
fn unmutated(classes: &[Class], stable: &[Stable]) -> Unmutated {
    let mut found = Unmutated::default();
    let mut of_classes = 0;
    for (class, stable) in classes.iter().zip(stable) {
        let names = stable.order_dependent.iter().map(|i| class.tests[*i].test.text());
        found.od_tests.extend(names);
        of_classes += usize::from(!stable.order_dependent.is_empty());
    }
    let all: usize = classes.iter().map(|c| c.tests.len()).sum();
    found.od_tests_ratio = ratio(found.od_tests.len(), all);
    found.od_classes_ratio = ratio(of_classes, classes.len());
    found
}
