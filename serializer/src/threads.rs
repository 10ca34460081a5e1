//! Threads that a test, or the fixtures of a class, started and did not end.

use crate::classify::Origins;
use crate::detector::Interval;
use crate::finding::{Frame, Origin, ThreadFinding};
use crate::rules::Named;
use crate::shape::Shapes;
use crate::text::thread_name;
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::interp::threads::Thread;
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, BTreeSet};

/// The live threads at the last boundary, and those that fixtures have started: they may run until their class ends.
#[derive(Default)]
pub struct Started {
    known: BTreeSet<ObjRef>,
    by_fixtures: Vec<(ObjRef, ThreadFinding)>,
}

impl Started {
    pub fn begin(&mut self, vm: &Vm) {
        self.known = live(vm).map(|t| t.object).collect();
    }

    /// The threads that an interval leaves running.
    pub fn boundary(
        &mut self,
        vm: &Vm,
        shapes: &mut Shapes,
        origins: &mut Origins,
        interval: Interval<'_>,
    ) -> Vec<ThreadFinding> {
        let mut found = Vec::new();
        let mut objects = BTreeSet::new();
        for thread in live(vm) {
            objects.insert(thread.object);
            if self.known.contains(&thread.object) {
                continue;
            }
            let frames = origins.frames(vm, &thread.started_at);
            if !is_hidden(vm, shapes, origins, thread, &frames) {
                found.push((thread.object, finding(vm, shapes, thread, frames)));
            }
        }
        self.known = objects;
        self.by_fixtures.retain(|(o, _)| self.known.contains(o));
        let findings = match interval {
            Interval::Test(_) => found,
            Interval::Fixtures(_) => {
                self.by_fixtures.extend(found);
                return Vec::new();
            }
            Interval::ClassEnd(_) => {
                let mut all = std::mem::take(&mut self.by_fixtures);
                all.extend(found);
                all
            }
        };
        alike(findings.into_iter().map(|(_, f)| f))
    }
}

/// One finding for those that differ in nothing but numbers in their names, with how many they are: a suite that starts threads
/// until there can be no more would have a finding, with its stack, for each of 32,000.
fn alike(findings: impl Iterator<Item = ThreadFinding>) -> Vec<ThreadFinding> {
    let mut list: Vec<ThreadFinding> = Vec::new();
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for finding in findings {
        let same = by_name.entry(finding.unnumbered()).or_default();
        let equal = |at: &&usize| {
            let other = &list[**at];
            other.class == finding.class
                && other.daemon == finding.daemon
                && other.started_at == finding.started_at
        };
        match same.iter().find(equal) {
            Some(at) => list[*at].count += 1,
            None => {
                same.push(list.len());
                list.push(finding);
            }
        }
    }
    list
}

fn live(vm: &Vm) -> impl Iterator<Item = &Thread> {
    let all = vm.threads.list.iter().map(|t| &**t);
    all.filter(|t| !t.frames.is_empty() && !t.object.is_null())
}

/// Whether a rule means this thread: by its class, by the code of the class library that starts it, or by the first class
/// outside that does.
fn is_hidden(vm: &Vm, shapes: &Shapes, origins: &mut Origins, thread: &Thread, frames: &[Frame]) -> bool {
    let class = vm.heap.class_of(thread.object);
    let own = vm.java_name(class);
    let named = Named {
        class: &own,
        jdk: origins.origin(vm, class) == Origin::Jdk,
    };
    let is_jdk = |f: &&Frame| f.origin == Some(Origin::Jdk);
    let inner = frames.iter().take_while(is_jdk);
    let outer = frames.iter().find(|f| !is_jdk(f));
    let mut starters = inner.chain(outer).map(|f| Named {
        class: &f.class,
        jdk: is_jdk(&f),
    });
    shapes.rules.thread(named).is_some() || starters.any(|n| shapes.rules.thread(n).is_some())
}

fn finding(vm: &Vm, shapes: &mut Shapes, thread: &Thread, started_at: Vec<Frame>) -> ThreadFinding {
    ThreadFinding {
        name: thread_name(vm, shapes, View::now(vm), thread.object),
        count: 1,
        class: vm.java_name(vm.heap.class_of(thread.object)),
        daemon: thread.daemon,
        started_at,
    }
}
