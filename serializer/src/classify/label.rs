//! What sort of state a change is about, as far as names, types and values tell. Names are data (`knowledge/labels.txt`).

use crate::content::Slot;
use crate::diff::Difference;
use crate::finding::{Frame, Kind, Label};
use crate::knowledge::{Is, LabelRow, Names};
use crate::place::Step;

pub(super) fn label(rows: &[LabelRow], names: Names<'_>, difference: &Difference, frames: &[Frame]) -> Label {
    let is = |test: Is| match test {
        Is::Lazy => is_lazy(names, difference, frames),
        Is::Counting => counts_up(difference),
        Is::Growing => difference.kind == Kind::Added,
    };
    let row = rows.iter().find(|row| row.fits(names, is));
    row.map_or(Label::State, |row| row.label)
}

/// Nothing became something, by the hand of the class that declares it.
fn is_lazy(names: Names<'_>, difference: &Difference, frames: &[Frame]) -> bool {
    let Some((before, after)) = difference.slots() else {
        return false;
    };
    let first = match (before, after) {
        (Slot::Ref(a), Slot::Ref(b)) => a.is_null() && !b.is_null(),
        (
            Slot::Prim {
                letter: b'Z',
                bits: 0,
            },
            Slot::Prim { .. },
        ) => names.has("init"),
        _ => false,
    };
    let declaring = names.root.map_or("", |(named, _)| named.class);
    let own = |class: &str| {
        let rest = class.strip_prefix(declaring);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    };
    let by_itself = |f: &Frame| {
        difference.path.is_empty() && own(&f.class) && f.method != "<init>" && !f.method.starts_with("set")
    };
    first
        && frames
            .first()
            .is_some_and(|f| by_itself(f) || f.method == "<clinit>")
}

/// A whole number became larger that is no element of anything.
fn counts_up(difference: &Difference) -> bool {
    let element = !matches!(difference.path.last(), None | Some(Step::Field(_)));
    let Some((Slot::Prim { letter, bits: x }, Slot::Prim { bits: y, .. })) = difference.slots() else {
        return false;
    };
    let larger = match letter {
        b'I' => (y as i32) > (x as i32),
        b'J' => (y as i64) > (x as i64),
        b'S' => (y as i16) > (x as i16),
        b'B' => (y as i8) > (x as i8),
        _ => false,
    };
    larger && !element
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Side;
    use crate::finding::Origin;
    use crate::knowledge::Knowledge;
    use crate::place::Path;
    use crate::rules::{Book, Named};
    use poldet_vm::ids::ObjRef;

    fn int(bits: u64) -> Slot {
        Slot::Prim { letter: b'I', bits }
    }

    fn of(class: &str, field: &str, steps: &[Step], slots: (Slot, Slot), writer: (&str, &str)) -> Label {
        let known = Knowledge::new(&Book::builtin().unwrap().known).unwrap();
        let difference = Difference {
            path: Path::of(steps),
            kind: Kind::Changed,
            before: Side::Slot(slots.0),
            after: Side::Slot(slots.1),
            cause: None,
            holders: (ObjRef::NULL, ObjRef::NULL),
        };
        let frame = Frame {
            class: writer.0.into(),
            method: writer.1.into(),
            file: None,
            line: None,
            origin: Some(Origin::Suite),
        };
        let fields: Vec<&str> = steps.iter().filter_map(super::super::field_name).collect();
        let jdk = class.starts_with("java.");
        let names = Names {
            root: Some((Named { class, jdk }, field)),
            fields: &fields,
        };
        label(&known.labels, names, &difference, &[frame])
    }

    #[test]
    fn names_and_values_decide() {
        let up = (int(1), int(2));
        let down = (int(2), int(1));
        let made = (Slot::Ref(ObjRef::NULL), Slot::Ref(ObjRef(1)));
        let test = ("a.Test", "t");
        assert_eq!(of("a.B", "n", &[], up, test), Label::Counter);
        assert_eq!(of("a.B", "n", &[], down, test), Label::State);
        assert_eq!(of("a.B", "n", &[Step::Index(1)], up, test), Label::State);
        assert_eq!(of("a.B", "seed", &[], up, test), Label::Random);
        assert_eq!(of("a.b.ObjectPool", "n", &[], up, test), Label::CacheOrPool);
        // Names of packages say nothing.
        assert_eq!(of("a.cache.B", "n", &[], up, test), Label::Counter);
        assert_eq!(of("a.B", "f", &[Step::Field("limit")], up, test), Label::Counter);
        assert_eq!(
            of("a.B", "instance", &[], made, ("a.B", "get")),
            Label::LazyInitialisation
        );
        assert_eq!(
            of("a.B", "instance", &[], made, ("a.B$C", "get")),
            Label::LazyInitialisation
        );
        assert_eq!(of("a.B", "instance", &[], made, ("a.Bc", "get")), Label::State);
        assert_eq!(
            of("a.B", "instance", &[], made, ("a.B", "setInstance")),
            Label::State
        );
        assert_eq!(of("a.LocaleUtils", "n", &[], down, test), Label::State);
        assert_eq!(of("a.B", "defaultLocale", &[], made, test), Label::Configuration);
        assert_eq!(
            of("java.lang.System", "props", &[], made, test),
            Label::Configuration
        );
        assert_eq!(
            of("java.net.URL", "factory", &[], made, test),
            Label::Configuration
        );
    }
}
