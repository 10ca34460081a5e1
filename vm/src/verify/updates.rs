//! Rules of the type checker that HotSpot has changed in updates of the JDK, and the check that one of them dropped.

use super::check::{Checker, Handler};
use super::error::{Context, Res};
use super::insn;
use super::world::World;
use crate::jdk::Version;
use crate::link::decode::{SwitchInsn, bc, i16_at, i32_at};

/// Which rules hold, as the JDK's update says. The default is the newest update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Every path through a handler around `super(…)` must end in `athrow` (until JDK-8364660).
    pub handlers_must_throw: bool,
    /// A branch past the size of any method has no message of its own (until JDK-8352637).
    pub far_branch_is_plain: bool,
}

impl Rules {
    pub fn of(version: Version) -> Rules {
        Rules {
            handlers_must_throw: !version.has(&[(17, 18), (21, 10), (25, 2)]),
            far_branch_is_plain: !version.has(&[(17, 17), (21, 9), (25, 1)]),
        }
    }
}

impl<W: World> Checker<'_, W> {
    /// `super(…)` in a try block: whoever catches what it throws must not return the unfinished object.
    pub fn check_handlers_throw(&self, bci: usize) -> Res<()> {
        let mut around = self.handlers.iter().filter(|h| h.covers(bci));
        if around.all(|h| only_throws(self.code, &self.handlers, h.target)) {
            return Ok(());
        }
        let what = "Bad <init> method call from after the start of a try block";
        Err(Context::code(bci).fail(what))
    }
}

/// Whether no path from `start`, through branches and handlers, comes to a `return` or to the end of the code.
///
/// As in HotSpot the instruction after a switch counts as one of its targets, and other returns than that of a
/// constructor are not looked for.
fn only_throws(code: &[u8], handlers: &[Handler], start: usize) -> bool {
    let mut seen = vec![false; code.len()];
    let mut todo = vec![start as i64];
    while let Some(bci) = todo.pop() {
        let Some(bci) = usize::try_from(bci).ok().filter(|b| *b < code.len()) else {
            return false;
        };
        if std::mem::replace(&mut seen[bci], true) {
            continue;
        }
        let Some(insn) = insn::at(code, bci) else {
            return false;
        };
        let around = handlers.iter().filter(|h| h.covers(bci));
        todo.extend(around.map(|h| h.target as i64));
        let (from, next) = (bci as i64, (bci + insn.len) as i64);
        match insn.op {
            bc::RETURN => return false,
            bc::ATHROW => {}
            bc::GOTO => todo.push(from + i64::from(i16_at(code, bci + 1))),
            bc::GOTO_W => todo.push(from + i64::from(i32_at(code, bci + 1))),
            bc::IFEQ..=bc::IF_ACMPNE | bc::IFNULL | bc::IFNONNULL => {
                todo.extend([from + i64::from(i16_at(code, bci + 1)), next]);
            }
            bc::TABLESWITCH | bc::LOOKUPSWITCH => {
                let switch = SwitchInsn::at(code, bci);
                todo.extend([switch.default(), next]);
                todo.extend((0..switch.len).map(|i| switch.target(i)));
            }
            _ => todo.push(next),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_follow_the_update() {
        let rules = |text| Version::parse(text).map(Rules::of);
        let old = Rules {
            handlers_must_throw: true,
            far_branch_is_plain: true,
        };
        let between = Rules {
            far_branch_is_plain: false,
            ..old
        };
        for text in ["17", "17.0.15", "17.0.16", "19.0.2", "21.0.8", "24.0.2", "25"] {
            assert_eq!(rules(text), Some(old), "{text}");
        }
        for text in ["17.0.17", "21.0.9", "25.0.1"] {
            assert_eq!(rules(text), Some(between), "{text}");
        }
        for text in ["17.0.18", "17.0.21", "21.0.10", "25.0.2", "25.0.3"] {
            assert_eq!(rules(text), Some(Rules::default()), "{text}");
        }
    }

    #[test]
    fn ways_through_a_handler() {
        let throws = |code: &[u8]| only_throws(code, &[], 0);
        assert!(throws(&[bc::ATHROW]));
        assert!(!throws(&[bc::POP, bc::RETURN]));
        assert!(!throws(&[bc::POP]), "the end of the code");
        assert!(throws(&[bc::GOTO, 0, 0]), "a loop never returns");
        assert!(throws(&[bc::IFNULL, 0, 4, bc::ATHROW, bc::ATHROW]));
        assert!(!throws(&[bc::IFNULL, 0, 4, bc::ATHROW, bc::RETURN]));
        assert!(!throws(&[bc::GOTO, 0x80, 0]), "out of the code");
        // default: 13, no keys; the instruction after the switch counts.
        let switch =
            |after: &[u8]| [&[bc::LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 13, 0, 0, 0, 0][..], after].concat();
        assert!(throws(&switch(&[bc::ATHROW, bc::ATHROW])));
        assert!(!throws(&switch(&[bc::RETURN, bc::ATHROW])));
    }
}
