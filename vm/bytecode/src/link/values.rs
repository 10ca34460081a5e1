//! The lazy operand stack of the lowering.
//!
//! An entry says where its value is: in a register or nowhere yet (a constant). A load pushes the local's own
//! register and emits nothing. An entry's own stack register is its home; settling it copies the value there.
//!
//! What keeps this simple: an entry that is not at home is a constant, or in a local, or in the home of a deeper
//! entry that is itself at home. So a home that is not in use by its own entry is in use by nobody, and settling
//! entries needs no order.

use crate::link::op::Op;
use crate::link::peephole;
use crate::link::types::{Kind, is_second};

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loc {
    Reg(u16),
    /// Int, float bits, or null.
    Const(u32),
    /// Long, or double bits.
    Const64(u64),
    /// The second slot of a long or double.
    Second,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub kind: Kind,
    pub loc: Loc,
}

/// An entry taken off the stack, with the home it had.
#[derive(Clone, Copy, Debug)]
pub struct Popped {
    pub loc: Loc,
    pub home: u16,
}

impl Popped {
    /// The value of an int constant.
    #[inline]
    pub fn int(self) -> Option<i32> {
        match self.loc {
            Loc::Const(v) => Some(v as i32),
            _ => None,
        }
    }

    /// The value of a long constant that fits into an int.
    #[inline]
    pub fn small_long(self) -> Option<i32> {
        match self.loc {
            Loc::Const64(v) => i32::try_from(v as i64).ok(),
            _ => None,
        }
    }
}

pub struct Values {
    pub ops: Vec<Op>,
    bcis: Vec<u16>,
    /// The instruction new ops belong to.
    pub bci: u16,
    max_locals: u16,
    /// The register after the operand stack.
    spare: u16,
    stack: Vec<Entry>,
    /// Entries that live in locals.
    in_locals: usize,
    /// The op that put the value into the home it names, unless ops or blocks have come since.
    result: Option<(usize, u16)>,
}

impl Values {
    pub fn new(max_locals: u16, max_stack: u16, capacity: usize) -> Values {
        Values {
            ops: Vec::with_capacity(capacity),
            bcis: Vec::with_capacity(capacity),
            bci: 0,
            max_locals,
            spare: max_locals + max_stack,
            stack: Vec::with_capacity(max_stack.into()),
            in_locals: 0,
            result: None,
        }
    }

    pub fn into_ops(self) -> (Vec<Op>, Vec<u16>) {
        (self.ops, self.bcis)
    }

    pub fn entries(&self) -> &[Entry] {
        &self.stack
    }

    /// Starts a block: every entry is at home.
    pub fn enter_block(&mut self, kinds: &[Kind]) {
        self.stack.clear();
        self.in_locals = 0;
        self.result = None;
        for (slot, &kind) in kinds.iter().enumerate() {
            let loc = if is_second(kind) {
                Loc::Second
            } else {
                Loc::Reg(self.home(slot))
            };
            self.stack.push(Entry { kind, loc });
        }
    }

    #[inline]
    pub fn home(&self, slot: usize) -> u16 {
        self.max_locals + slot as u16
    }

    /// The home of the next entry to be pushed.
    #[inline]
    pub fn next_home(&self) -> u16 {
        self.home(self.stack.len())
    }

    #[inline]
    pub fn emit(&mut self, op: Op) {
        self.ops.push(op);
        self.bcis.push(self.bci);
    }

    /// Emits an op on behalf of another instruction.
    pub fn emit_as(&mut self, op: Op, bci: u16) {
        self.ops.push(op);
        self.bcis.push(bci);
    }

    /// The bytecode indices of ops `first` to `last`, both included.
    pub fn bcis_of(&self, first: usize, last: usize) -> &[u16] {
        &self.bcis[first..=last]
    }

    /// Emits `len` ops from `first` on once more.
    pub fn repeat(&mut self, first: usize, len: usize) {
        self.ops.extend_from_within(first..first + len);
        self.bcis.extend_from_within(first..first + len);
    }

    /// Where in `ops` the next op will be.
    #[inline]
    pub fn next_op(&self) -> u32 {
        self.ops.len() as u32
    }

    #[inline]
    pub fn push(&mut self, kind: Kind, loc: Loc) {
        if let Loc::Reg(r) = loc {
            self.in_locals += usize::from(r < self.max_locals);
        }
        self.stack.push(Entry { kind, loc });
        if crate::link::types::is_wide(kind) {
            self.stack.push(Entry {
                kind: kind + 1,
                loc: Loc::Second,
            });
        }
    }

    /// Emits an op that puts its result into the next entry's home, and pushes that entry.
    #[inline]
    pub fn push_result(&mut self, kind: Kind, op: impl FnOnce(u16) -> Op) {
        let home = self.next_home();
        self.result = Some((self.ops.len(), home));
        self.emit(op(home));
        self.push(kind, Loc::Reg(home));
    }

    /// Takes one value (one slot or two) off the stack.
    #[inline]
    pub fn pop(&mut self) -> Popped {
        let mut entry = self.stack.pop();
        if matches!(entry, Some(Entry { loc: Loc::Second, .. })) {
            entry = self.stack.pop();
        }
        // The analysis has proved that the entry is there.
        let loc = entry.map_or(Loc::Const(0), |e| e.loc);
        self.forget(loc);
        Popped {
            loc,
            home: self.next_home(),
        }
    }

    #[inline]
    fn forget(&mut self, loc: Loc) {
        if let Loc::Reg(r) = loc {
            self.in_locals -= usize::from(r < self.max_locals);
        }
    }

    /// A register that holds the value: constants go to their home.
    #[inline]
    pub fn reg(&mut self, value: Popped) -> u16 {
        match value.loc {
            Loc::Reg(r) => r,
            _ => {
                self.put(value.home, value.loc);
                value.home
            }
        }
    }

    #[inline]
    pub fn pop_reg(&mut self) -> u16 {
        let value = self.pop();
        self.reg(value)
    }

    /// Pops two values into registers: (deeper, upper).
    #[inline]
    pub fn pop_regs(&mut self) -> (u16, u16) {
        let b = self.pop();
        let a = self.pop();
        (self.reg(a), self.reg(b))
    }

    fn put(&mut self, d: u16, loc: Loc) {
        match loc {
            Loc::Reg(s) if s == d => {}
            Loc::Reg(s) => self.emit(Op::Mov { d, s }),
            Loc::Const(v) => self.emit(Op::Const { d, v }),
            Loc::Const64(v) => self.emit(Op::Const64 {
                d,
                lo: v as u32,
                hi: (v >> 32) as u32,
            }),
            Loc::Second => {}
        }
    }

    fn settle(&mut self, slot: usize) {
        let loc = self.stack[slot].loc;
        if loc != Loc::Second {
            let home = self.home(slot);
            self.put(home, loc);
            self.forget(loc);
            self.stack[slot].loc = Loc::Reg(home);
        }
    }

    /// Brings the entries from `slot` up home.
    pub fn settle_from(&mut self, slot: usize) {
        for slot in slot..self.stack.len() {
            self.settle(slot);
        }
    }

    pub fn settle_all(&mut self) {
        self.settle_from(0);
    }

    /// Takes `slots` slots as the arguments of a call: all at home, one after the other. Answers the first.
    pub fn args(&mut self, slots: usize) -> u16 {
        let base = self.stack.len().saturating_sub(slots);
        self.settle_from(base);
        self.stack.truncate(base);
        self.home(base)
    }

    /// Brings home whatever still has to be read from local `n`.
    pub fn before_write(&mut self, n: u16) {
        if self.in_locals == 0 {
            return;
        }
        for slot in 0..self.stack.len() {
            if self.stack[slot].loc == Loc::Reg(n) {
                self.settle(slot);
            }
        }
    }

    /// Pops a value into local `n`. When the op before has just computed it, that op writes the local itself.
    pub fn store(&mut self, n: u16, wide: bool) {
        let value = self.pop();
        self.before_write(n);
        if wide {
            self.before_write(n + 1);
        }
        if value.loc == Loc::Reg(value.home)
            && self.result == Some((self.ops.len().wrapping_sub(1), value.home))
        {
            if let Some(op) = self.ops.last_mut() {
                peephole::set_dest(op, n);
            }
            self.result = None;
        } else {
            self.put(n, value.loc);
        }
    }

    /// Takes the top `take` slots and pushes copies of them in the given order.
    pub fn shuffle(&mut self, take: usize, order: &[u8]) {
        let base = self.stack.len().saturating_sub(take);
        let mut taken = [Entry {
            kind: 0,
            loc: Loc::Second,
        }; 4];
        taken[..take].copy_from_slice(&self.stack[base..]);
        self.stack.truncate(base);
        for e in &taken[..take] {
            self.forget(e.loc);
        }
        let first = self.home(base);
        // Values in homes that are given up move to the home of their lowest new entry.
        let mut moves = [(0u16, 0u16); 4]; // (to, from)
        let mut count = 0;
        for &i in order {
            let mut entry = taken[i as usize];
            if let Loc::Reg(r) = entry.loc
                && r >= first
            {
                let known = moves[..count].iter().find(|m| m.1 == r).map(|m| m.0);
                let to = known.unwrap_or_else(|| self.next_home());
                if known.is_none() {
                    moves[count] = (to, r);
                    count += 1;
                }
                entry.loc = Loc::Reg(to);
            }
            if let Loc::Reg(r) = entry.loc {
                self.in_locals += usize::from(r < self.max_locals);
            }
            self.stack.push(entry);
        }
        self.move_all(&mut moves[..count]);
    }

    /// Moves as if all at once; the spare register breaks cycles.
    fn move_all(&mut self, moves: &mut [(u16, u16)]) {
        let mut left = moves.len();
        while left > 0 {
            let free = (0..left).find(|&i| (0..left).all(|j| j == i || moves[j].1 != moves[i].0));
            match free {
                Some(i) => {
                    let (d, s) = moves[i];
                    self.put(d, Loc::Reg(s));
                    left -= 1;
                    moves[i] = moves[left];
                }
                None => {
                    let (d, _) = moves[0];
                    let spare = self.spare;
                    self.emit(Op::Mov { d: spare, s: d });
                    for m in moves[..left].iter_mut().filter(|m| m.1 == d) {
                        m.1 = spare;
                    }
                }
            }
        }
    }
}
