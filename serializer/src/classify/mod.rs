//! Changes to what is said of them: the rule that hides one, what sort of state it is, and who wrote it.

pub mod actions;
pub mod files;
mod fold;
mod label;
mod lazy;
mod origin;
pub(crate) mod writer;

pub use origin::{Origins, Suite};

use crate::content::Slot;
use crate::finding::{Fold, Frame, Kind, Label, Origin};
use crate::knowledge::Names;
use crate::place::{Root, Step};
use crate::rules::{Named, RuleNo};
use crate::shape::Shapes;
use crate::tracker::Change;
use poldet_vm::vm::Vm;
use writer::Local;

/// What is known of a change beside the change itself.
pub struct Class {
    /// The rule that hides it: by its place, or by who wrote it.
    pub rule: Option<RuleNo>,
    pub label: Label,
    pub origin: Origin,
    pub observable: bool,
    pub folded: Option<Fold>,
    /// The stack of the write, innermost frame first.
    pub written_at: Vec<Frame>,
}

/// Classifies a change, while the log that has its write is there.
pub fn classify(vm: &Vm, shapes: &Shapes, origins: &mut Origins, change: &Change) -> Class {
    let difference = &change.difference;
    let sites = difference
        .cause
        .map_or(&[][..], |stack| vm.heap.write_stack(stack));
    let written_at = origins.frames(vm, sites);
    let folded = fold::fold(vm, origins, change, &written_at, sites);
    let (origin, class, field) = match change.at.root {
        Root::Static { class, field } => (origins.origin(vm, class), vm.java_name(class), field),
        Root::Thread(_) => (Origin::Jdk, String::new(), ""),
    };
    let jdk = origin == Origin::Jdk;
    let named = Named { class: &class, jdk };
    let root = matches!(change.at.root, Root::Static { .. }).then_some((named, field));
    let steps = difference.path.steps();
    let local = match (root, steps.first()) {
        (Some((named, _)), Some(Step::Thread(_))) => Local::Of(named),
        (None, _) => Local::Unnamed,
        _ => Local::None,
    };
    let root_class = root.map(|(named, _)| named);
    let by_writer = || writer::rule(root_class, local, &written_at, &shapes.rules);
    let mut fields: Vec<&str> = steps.iter().filter_map(field_name).collect();
    // The path to the end of a long list has one name many times.
    fields.dedup();
    let names = Names {
        root,
        fields: &fields,
    };
    let on_demand = lazy::is_made_on_demand(vm, change);
    let empty = local != Local::None && is_null_added(change) && writer::is_first_look(&written_at);
    Class {
        rule: change.at.rule.or_else(by_writer),
        label: match on_demand {
            true => Label::LazyInitialisation,
            false => label::label(&shapes.known.labels, names, difference, &written_at),
        },
        origin,
        folded,
        observable: change.observable && !change.stale && !on_demand && !empty,
        written_at,
    }
}

fn field_name(step: &Step) -> Option<&'static str> {
    match step {
        Step::Field(name) => Some(name),
        _ => None,
    }
}

/// Null was added.
fn is_null_added(change: &Change) -> bool {
    change.difference.kind == Kind::Added
        && matches!(change.difference.after.slot(), Some(Slot::Ref(o)) if o.is_null())
}
