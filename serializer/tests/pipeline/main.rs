//! The pipeline in one process, without JUnit: small programs change their shared state and say where an interval ends; what
//! is to be found is written beside it, in comments.
//!
//! `Probe.boundary("name")` ends an interval. `//= name: text` is a finding of it, in the order they are reported;
//! an interval without such a line changes nothing that shows. `//= field: text` of `Contents.java` is how a static field reads.

mod machine;

use machine::{Machine, Options};
use poldet_serializer::canon::{self, Roots};
use poldet_serializer::content::Slot;
use poldet_serializer::detector::Detector;
use poldet_serializer::knowledge::Knowledge;
use poldet_serializer::rules::{Book, RuleSet};
use poldet_serializer::shape::Shapes;
use poldet_serializer::value::describe;
use poldet_serializer::view::View;
use std::collections::BTreeMap;

/// Runs a program and compares what was found with what its comments say.
fn check(name: &'static str, options: Options) {
    let Some(mut machine) = Machine::new(name, options) else {
        return;
    };
    let expected = machine.expected();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (interval, findings) in machine.run() {
        found.insert(interval, findings);
    }
    let mut wrong = String::new();
    for (interval, findings) in &found {
        let wanted = expected.get(interval).cloned().unwrap_or_default();
        if *findings != wanted {
            let lines = findings.iter().map(|f| format!("//= {interval}: {f}\n"));
            wrong.push_str(&format!(
                "{name}, {interval}, found:\n{}",
                lines.collect::<String>()
            ));
        }
    }
    let missing: Vec<_> = expected.keys().filter(|k| !found.contains_key(*k)).collect();
    assert!(wrong.is_empty(), "{wrong}");
    assert!(missing.is_empty(), "{name}: no interval {missing:?}");
}

#[test]
fn values() {
    check("Values", Options::default());
}

#[test]
fn places_that_were_replaced() {
    check("Places", Options::default());
}

#[test]
fn collections() {
    check("Collections", Options::default());
}

#[test]
fn copies_that_are_shared() {
    check("Sharing", Options::default());
}

#[test]
fn thread_locals_are_told_apart_by_the_object() {
    check("Locals", Options::default());
}

#[test]
fn rules_count_roots() {
    let rules = "[mine]\nreason: r.\nroot: Rules.hidden*\nwriter: Rules.byMachine\nfield: Rules$Box.noise\n";
    check(
        "Rules",
        Options {
            rules,
            ..Options::default()
        },
    );
    check(
        "RulesShown",
        Options {
            rules: "[mine]\nreason: r.\nroot: RulesShown.hidden*\n",
            show_ignored: true,
        },
    );
}

#[test]
fn knowledge_of_other_classes() {
    let rules = "[class Known$Bag]\nreason: In no order.\ncontents: heap items count\nsetting: limit\n\n\
                 [class Known$Id]\nreason: Its name.\ncaption: name\nhides: uses\n\n\
                 [label known]\nreason: r.\nlabel: counter\nword: tally\n";
    check(
        "Known",
        Options {
            rules,
            ..Options::default()
        },
    );
}

/// Every object of a long list is written, and all elements of a large one: each is located once.
#[test]
fn large_structures() {
    check("Large", Options::default());
}

#[test]
fn contents_of_every_collection() {
    let Some(mut machine) = Machine::new("Contents", Options::default()) else {
        return;
    };
    let expected = machine.expected();
    machine.run();
    let book = Book::builtin().unwrap();
    let (rules, known) = (
        RuleSet::new(book.ignore).unwrap(),
        Knowledge::new(&book.known).unwrap(),
    );
    let vm = &machine.vm;
    let mut shapes = Shapes::new(vm, rules, known);
    let class = machine.class("Contents");
    let view = View::now(vm);
    let mirror = view.object(vm.mirror(class));
    let mut read = BTreeMap::new();
    for field in shapes.statics(vm, class).iter() {
        let slot = field.slot(&mirror);
        assert!(matches!(slot, Slot::Ref(_)));
        read.insert(field.name.to_owned(), vec![describe(view, &mut shapes, slot)]);
    }
    assert_eq!(read, expected);
}

/// The canonical walk of a state is the same however its tables are laid out, and another for another state.
#[test]
fn digests() {
    let Some(mut machine) = Machine::new("Digests", Options::default()) else {
        return;
    };
    machine.run();
    let book = Book::builtin().unwrap();
    let (rules, known) = (
        RuleSet::new(book.ignore).unwrap(),
        Knowledge::new(&book.known).unwrap(),
    );
    let vm = &machine.vm;
    let mut shapes = Shapes::new(vm, rules, known);
    let class = machine.class("Digests");
    let mut digest = |classes: &[_]| {
        let roots = Roots {
            threads: &[],
            classes,
        };
        canon::digest(View::now(vm), &mut shapes, &roots)
    };
    let all = digest(&[class]);
    assert_eq!(all, digest(&[class]));
    assert_ne!(all, digest(&[]));
    // Neither spare capacity, nor the history of a table, nor identity shows; what is in there does.
    let findings = &machine.findings;
    let of = |name: &str| findings.iter().find(|(n, _)| n == name).map(|(_, f)| f.len());
    assert_eq!(of("same contents by another history"), Some(0));
    assert_eq!(of("other contents"), Some(1));
}

#[test]
fn a_detector_is_found_by_its_type() {
    let Some(mut machine) = Machine::new("Digests", Options::default()) else {
        return;
    };
    assert!(Detector::with(&mut machine.vm, |_, _| ()).is_some());
    assert!(machine.vm.plug.detach::<Detector>());
    assert!(Detector::with(&mut machine.vm, |_, _| ()).is_none());
}
