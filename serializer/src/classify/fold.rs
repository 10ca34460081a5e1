//! Changes that no single test is to blame for, by how they came about, not by the libraries they come from.

use super::Origins;
use crate::finding::{Fold, Frame, Kind, Origin};
use crate::place::Root;
use crate::tracker::Change;
use poldet_vm::heap::Site;
use poldet_vm::vm::Vm;

/// Why a change is folded; `frames` is the stack of its write, `sites` all of it.
pub fn fold(
    vm: &Vm,
    origins: &mut Origins,
    change: &Change,
    frames: &[Frame],
    sites: &[Site],
) -> Option<Fold> {
    if let Root::Static { class, .. } = change.at.root
        && origins.is_generated(vm, class)
    {
        return Some(Fold::GeneratedClass);
    }
    let of_suite = |f: &Frame| f.origin == Some(Origin::Suite);
    if !frames.iter().any(of_suite) && is_thread_base(vm, sites) {
        return Some(Fold::BackgroundThread);
    }
    let initialiser = |f: &Frame| f.method == "<clinit>" && f.origin != Some(Origin::Jdk);
    let grew = change.difference.kind == Kind::Added;
    (grew && frames.iter().any(initialiser)).then_some(Fold::StaticInitialiser)
}

/// Whether a stack ends where a thread that the program started begins.
fn is_thread_base(vm: &Vm, sites: &[Site]) -> bool {
    let outermost = sites.last().map(|s| vm.method(s.method));
    outermost.is_some_and(|m| m.class == vm.known.thread && vm.syms.str(m.name) == "run")
}
