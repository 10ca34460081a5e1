//! Whether a method without a range of its code does what it would do if the range had never been compiled.

use crate::link::decode::{SwitchInsn, bc, branch_target, insn_len, u16_at};

/// Why a range of code cannot simply be jumped over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSkippable {
    /// It does not begin or end with an instruction.
    Torn,
    /// It never ends normally: what a compiler would have put behind it is not there.
    NeverEnds,
    /// Something outside jumps into its middle.
    Entered,
}

/// Can the range be jumped over? `handlers` is the exception table as it stands in the class file.
pub fn skippable(code: &[u8], handlers: &[u8], from: usize, to: usize) -> Result<(), NotSkippable> {
    if from >= to || to >= code.len() {
        // Nothing follows: it ended the method.
        return Err(if to == code.len() && from < to {
            NotSkippable::NeverEnds
        } else {
            NotSkippable::Torn
        });
    }
    let (mut starts, mut ends_normally) = ((false, false), false);
    let mut bci = 0;
    while bci < code.len() {
        let length = insn_len(code, bci).ok_or(NotSkippable::Torn)?;
        starts.0 |= bci == from;
        starts.1 |= bci == to;
        let inside = (from..to).contains(&bci);
        let mut entered = false;
        targets(code, bci, &mut |target| {
            entered |= !inside && target > from as i64 && target < to as i64;
            ends_normally |= inside && target == to as i64;
        });
        if entered {
            return Err(NotSkippable::Entered);
        }
        ends_normally |= inside && bci + length == to && falls_through(code[bci]);
        bci += length;
    }
    if starts != (true, true) {
        return Err(NotSkippable::Torn);
    }
    for entry in handlers.chunks_exact(8) {
        let at = |n: usize| usize::from(u16_at(entry, n));
        let (start, end, target) = (at(0), at(2), at(4));
        if (from..to).contains(&target) && (start < from || end > to) {
            return Err(NotSkippable::Entered);
        }
    }
    if ends_normally {
        Ok(())
    } else {
        Err(NotSkippable::NeverEnds)
    }
}

pub(crate) fn targets(code: &[u8], bci: usize, each: &mut dyn FnMut(i64)) {
    if let Some(target) = branch_target(code, bci) {
        each(target);
    } else if matches!(code[bci], bc::TABLESWITCH | bc::LOOKUPSWITCH) {
        let switch = SwitchInsn::at(code, bci);
        each(switch.default());
        (0..switch.len).for_each(|i| each(switch.target(i)));
    }
}

pub(crate) fn falls_through(op: u8) -> bool {
    !matches!(
        op,
        bc::GOTO | bc::GOTO_W | bc::IRETURN
            ..=bc::RETURN | bc::ATHROW | bc::TABLESWITCH | bc::LOOKUPSWITCH | bc::RET
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_end_can_be_skipped() {
        // 0: iconst_0, istore_1 | 2: iload_1, ifne 9 | 6: iinc 1 1 | 9: return
        let code = [3, 60, 27, 0x9a, 0, 6, 0x84, 1, 1, 0xb1];
        assert_eq!(skippable(&code, &[], 0, 2), Ok(()));
        assert_eq!(skippable(&code, &[], 2, 9), Ok(()));
        assert_eq!(skippable(&code, &[], 6, 9), Ok(()));
        assert_eq!(skippable(&code, &[], 9, 10), Err(NotSkippable::NeverEnds));
        assert_eq!(skippable(&code, &[], 3, 5), Err(NotSkippable::Torn));
        // A handler in the middle of what does not hold all that it covers.
        let handlers = [0, 0, 0, 2, 0, 6, 0, 0];
        assert_eq!(skippable(&code, &handlers, 2, 9), Err(NotSkippable::Entered));
        assert_eq!(skippable(&code, &handlers, 0, 9), Ok(()));
    }

    #[test]
    fn a_jump_into_the_middle_is_found() {
        // 0: goto 4 | 3: nop | 4: nop | 5: return
        let code = [0xa7, 0, 4, 0, 0, 0xb1];
        assert_eq!(skippable(&code, &[], 3, 5), Err(NotSkippable::Entered));
        assert_eq!(skippable(&code, &[], 4, 5), Ok(()));
    }
}
