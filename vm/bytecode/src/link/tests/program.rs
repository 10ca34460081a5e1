//! Random programs: valid bytecode over ints, longs, floats and doubles with shuffles, branches, loops, calls
//! and handlers.

use super::asm::Asm;
use crate::link::decode::bc::*;
use crate::link::types::{DOUBLE, FLOAT, INT, Kind, LONG, REF, is_wide};

/// A small reproducible random source (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The method `f` takes any arguments of these kinds; programs call it to show what they see.
pub const CALLS: [&str; 5] = ["(I)I", "(IJ)J", "(FI)F", "(JDI)D", "(IIII)V"];

/// Locals by kind: 0..4 int, 4..8 two longs, 8..10 float, 10..14 two doubles, 14.. loop counters.
const INTS: [u8; 4] = [0, 1, 2, 3];
const LONGS: [u8; 2] = [4, 6];
const FLOATS: [u8; 2] = [8, 9];
const DOUBLES: [u8; 2] = [10, 12];
const COUNTERS: u8 = 14;
const MAX_STACK: usize = 14;

pub struct Program<'r> {
    pub asm: Asm,
    random: &'r mut Random,
    stack: Vec<Kind>,
    calls: [u16; 5],
    words: [u16; 6],
    wides: [u16; 6],
    counters: u8,
}

impl<'r> Program<'r> {
    pub fn generate(random: &'r mut Random) -> Asm {
        let mut asm = Asm::new("(IIIIJJFFDD)J", 20, MAX_STACK as u16);
        let calls = CALLS.map(|desc| asm.member(10, "f", desc));
        let float = |v: f32| v.to_bits();
        let words = [
            (3, 70_000),
            (3, 0x8000_0000),
            (4, float(f32::NAN)),
            (4, float(2.5)),
            (4, float(-1.0)),
            (4, 0),
        ];
        let words = words.map(|(tag, bits)| asm.word(tag, bits));
        let double = |v: f64| v.to_bits();
        let wides = [
            (5, 5),
            (5, 1 << 40),
            (5, u64::MAX),
            (6, double(f64::NAN)),
            (6, double(3.5)),
            (6, double(-2.0)),
        ];
        let wides = wides.map(|(tag, bits)| asm.wide(tag, bits));
        let mut program = Program {
            asm,
            random,
            stack: Vec::new(),
            calls,
            words,
            wides,
            counters: 0,
        };
        let size = 3 + program.random.below(25);
        program.block(size, 3);
        program.finish();
        program.asm
    }

    fn slots(&self) -> usize {
        self.stack.iter().map(|&k| 1 + usize::from(is_wide(k))).sum()
    }

    fn op(&mut self, bytes: &[u8]) {
        self.asm.u1(bytes);
    }

    /// Shows every local and stack value, and returns.
    fn finish(&mut self) {
        self.settle_to(&[]);
        for [a, b] in [[0, 1], [2, 3]] {
            self.op(&[ILOAD, a, ILOAD, b, ILOAD, a, ILOAD, b]);
            self.asm.u2(INVOKESTATIC, self.calls[4]);
        }
        for (long, double) in [(4, 10), (6, 12)] {
            self.op(&[ILOAD + 1, long, ILOAD + 3, double, ICONST_0]);
            self.asm.u2(INVOKESTATIC, self.calls[3]).u1(&[POP2]);
        }
        for float in FLOATS {
            self.op(&[ILOAD + 2, float, ICONST_0]);
            self.asm.u2(INVOKESTATIC, self.calls[2]).u1(&[POP]);
        }
        self.op(&[ILOAD + 1, 4, LRETURN]);
    }

    fn block(&mut self, size: usize, nesting: usize) {
        for _ in 0..size {
            match self.random.below(if nesting > 0 { 14 } else { 10 }) {
                0..=2 => self.push(),
                3 => self.store(),
                4 | 5 => self.compute(),
                6 => self.shuffle(),
                7 => self.call(),
                8 => {
                    let n = self.random.pick(&INTS);
                    let k = self.random.below(256) as u8;
                    self.op(&[IINC, n, k]);
                }
                9 => self.drop_some(),
                10 | 11 => self.branch(nesting - 1),
                12 => self.repeat(nesting - 1),
                _ => self.attempt(nesting - 1),
            }
        }
    }

    fn push(&mut self) {
        let kind = self.random.pick(&[INT, INT, LONG, FLOAT, DOUBLE]);
        self.push_kind(kind);
    }

    fn push_kind(&mut self, kind: Kind) {
        if self.slots() + 2 > MAX_STACK - 5 {
            return self.settle_to(&[]);
        }
        let lazy = self.random.below(3) > 0;
        match kind {
            INT if lazy => self.load(ILOAD, &INTS),
            INT => match self.random.below(3) {
                0 => self.op_pick(&[ICONST_M1, ICONST_0, ICONST_5]),
                1 => {
                    let k = self.random.below(256) as u8;
                    self.op(&[BIPUSH, k]);
                }
                _ => self.word(&[0, 1]),
            },
            FLOAT if lazy => self.load(ILOAD + 2, &FLOATS),
            FLOAT => self.word(&[2, 3, 4, 5]),
            LONG if lazy => self.load(ILOAD + 1, &LONGS),
            LONG => self.wide(&[0, 1, 2]),
            DOUBLE if lazy => self.load(ILOAD + 3, &DOUBLES),
            _ => self.wide(&[3, 4, 5]),
        }
        self.stack.push(kind);
    }

    fn op_pick(&mut self, from: &[u8]) {
        let op = self.random.pick(from);
        self.op(&[op]);
    }

    fn load(&mut self, op: u8, locals: &[u8]) {
        let n = self.random.pick(locals);
        self.op(&[op, n]);
    }

    fn word(&mut self, from: &[usize]) {
        let i = self.random.pick(from);
        self.asm.u2(LDC_W, self.words[i]);
    }

    fn wide(&mut self, from: &[usize]) {
        let i = self.random.pick(from);
        self.asm.u2(LDC2_W, self.wides[i]);
    }

    fn store(&mut self) {
        match self.stack.pop() {
            Some(INT) => self.load(ISTORE, &INTS),
            Some(LONG) => self.load(ISTORE + 1, &LONGS),
            Some(FLOAT) => self.load(ISTORE + 2, &FLOATS),
            Some(_) => self.load(ISTORE + 3, &DOUBLES),
            None => {}
        }
    }

    fn drop_some(&mut self) {
        if let Some(kind) = self.stack.pop() {
            self.op(&[if is_wide(kind) { POP2 } else { POP }]);
        }
    }

    fn compute(&mut self) {
        let kind = self.stack.last().copied().unwrap_or(INT);
        let two = self.stack.len() >= 2 && self.stack[self.stack.len() - 2] == kind;
        if !two {
            self.push_kind(kind);
            if self.stack.last() != Some(&kind) || self.stack.len() < 2 {
                return;
            }
            if self.stack[self.stack.len() - 2] != kind {
                return;
            }
        }
        self.stack.pop();
        match kind {
            INT => self.op_pick(&[IADD, ISUB, IMUL, IDIV, IREM, ISHL, ISHR, IUSHR, IAND, IOR, IXOR]),
            LONG if self.random.below(6) == 0 => {
                self.op(&[LCMP]);
                self.stack.pop();
                self.stack.push(INT);
            }
            LONG => self.op_pick(&[LADD, LSUB, LMUL, LDIV, LREM, LAND, LOR, LXOR]),
            FLOAT => self.op_pick(&[FADD, FSUB, FMUL]),
            _ => self.op_pick(&[DADD, DSUB, DMUL]),
        }
    }

    /// A stack instruction that fits what is there.
    fn shuffle(&mut self) {
        let wide = |back: usize| self.stack.len().checked_sub(back).map(|i| is_wide(self.stack[i]));
        let one = wide(1) == Some(false);
        let (a, b, c, d) = (wide(1), wide(2), wide(3), wide(4));
        let mut fits = Vec::new();
        if one {
            fits.push(DUP);
            if b == Some(false) {
                fits.extend([DUP_X1, SWAP, DUP2]);
                if c == Some(false) {
                    fits.extend([DUP_X2, DUP2_X1]);
                    if d == Some(false) {
                        fits.push(DUP2_X2);
                    }
                }
                if c == Some(true) {
                    fits.push(DUP2_X2);
                }
            }
            if b == Some(true) {
                fits.push(DUP_X2);
            }
        } else if a == Some(true) {
            fits.push(DUP2);
            match (b, c) {
                (Some(true), _) => fits.push(DUP2_X2),
                (Some(false), Some(false)) => fits.extend([DUP2_X1, DUP2_X2]),
                (Some(false), _) => fits.push(DUP2_X1),
                _ => {}
            }
        }
        if fits.is_empty() || self.slots() + 2 > MAX_STACK {
            return;
        }
        let op = self.random.pick(&fits);
        self.op(&[op]);
        let s = crate::link::types::shuffle(op).expect("a shuffle");
        let mut cells: Vec<Kind> = Vec::new();
        for &kind in &self.stack {
            cells.push(kind);
            if is_wide(kind) {
                cells.push(kind + 1);
            }
        }
        let taken = cells.split_off(cells.len() - s.take);
        cells.extend(s.order.iter().map(|&i| taken[i as usize]));
        self.stack = cells
            .into_iter()
            .filter(|&k| !crate::link::types::is_second(k))
            .collect();
    }

    fn call(&mut self) {
        let which = self.random.below(CALLS.len());
        let mut kinds = Vec::new();
        let (ret, _) =
            crate::link::types::method_kinds(CALLS[which].as_bytes(), |k| kinds.push(k)).expect("kinds");
        if !self.stack.ends_with(&kinds) {
            let before = self.stack.clone();
            for &kind in &kinds {
                self.push_kind(kind);
            }
            if self.stack.len() != before.len() + kinds.len() || !self.stack.ends_with(&kinds) {
                return;
            }
        }
        self.stack.truncate(self.stack.len() - kinds.len());
        self.asm.u2(INVOKESTATIC, self.calls[which]);
        if ret != 0 {
            self.stack.push(ret);
        }
    }

    /// Makes the stack have exactly these kinds.
    fn settle_to(&mut self, kinds: &[Kind]) {
        let common = self.stack.iter().zip(kinds).take_while(|(a, b)| a == b).count();
        while self.stack.len() > common {
            self.drop_some();
        }
        for &kind in &kinds[common..] {
            match kind {
                INT => self.load(ILOAD, &INTS),
                LONG => self.load(ILOAD + 1, &LONGS),
                FLOAT => self.load(ILOAD + 2, &FLOATS),
                _ => self.load(ILOAD + 3, &DOUBLES),
            }
            self.stack.push(kind);
        }
    }

    /// Emits a test and the branch it decides; answers where the branch is.
    fn condition(&mut self) -> u16 {
        if self.slots() > MAX_STACK - 5 {
            self.settle_to(&[]);
        }
        let shape = self.stack.clone();
        let cond = self.random.below(6) as u8;
        let branch = match self.random.below(5) {
            0 => {
                self.push_kind(INT);
                IFEQ + cond
            }
            1 => {
                self.push_kind(INT);
                self.push_kind(INT);
                IF_ICMPEQ + cond
            }
            2 => self.compared(LONG, &[LCMP], cond),
            3 => self.compared(FLOAT, &[FCMPL, FCMPG], cond),
            _ => self.compared(DOUBLE, &[DCMPL, DCMPG], cond),
        };
        self.stack = shape;
        self.asm.branch(branch)
    }

    fn compared(&mut self, kind: Kind, ops: &[u8], cond: u8) -> u8 {
        // The limit of `push_kind` would drop the stack that the branch must keep.
        let load = |p: &mut Self| match kind {
            LONG if p.random.below(2) == 0 => p.wide(&[0, 1, 2]),
            LONG => p.load(ILOAD + 1, &LONGS),
            FLOAT if p.random.below(2) == 0 => p.word(&[2, 3, 4, 5]),
            FLOAT => p.load(ILOAD + 2, &FLOATS),
            _ if p.random.below(2) == 0 => p.wide(&[3, 4, 5]),
            _ => p.load(ILOAD + 3, &DOUBLES),
        };
        load(self);
        load(self);
        self.op_pick(ops);
        IFEQ + cond
    }

    fn branch(&mut self, nesting: usize) {
        if self.slots() > 6 {
            self.settle_to(&[]);
        }
        let other = self.condition();
        let shape = self.stack.clone();
        let size = self.random.below(6);
        self.block(size, nesting);
        self.settle_to(&shape);
        if self.random.below(2) == 0 {
            return self.asm.place(other);
        }
        let end = self.asm.branch(GOTO);
        self.asm.place(other);
        let size = self.random.below(6);
        self.block(size, nesting);
        self.settle_to(&shape);
        self.asm.place(end);
    }

    /// A loop of a few rounds, tested at the top or at the bottom.
    fn repeat(&mut self, nesting: usize) {
        if self.counters == 6 || self.slots() > 6 {
            return;
        }
        let counter = COUNTERS + self.counters;
        self.counters += 1;
        let rounds = ICONST_0 + 1 + self.random.below(4) as u8;
        self.op(&[rounds, ISTORE, counter]);
        let shape = self.stack.clone();
        let head = self.asm.here();
        let top = self.random.below(2) == 0;
        let exit = top.then(|| {
            self.op(&[ILOAD, counter]);
            if self.random.below(2) == 0 {
                // A test of several ops that still only counts.
                self.load(ILOAD, &INTS);
                self.op(&[ICONST_0, IMUL, IADD]);
            }
            self.asm.branch(IFLE)
        });
        let size = self.random.below(7);
        self.block(size, nesting);
        self.settle_to(&shape);
        self.op(&[IINC, counter, 0xFF]);
        if let Some(exit) = exit {
            self.asm.branch_to(GOTO, head);
            self.asm.place(exit);
        } else {
            self.op(&[ILOAD, counter]);
            self.asm.branch_to(IFLE - 1, head);
        }
        self.counters -= 1;
    }

    /// A try block; divisions throw.
    fn attempt(&mut self, nesting: usize) {
        let shape = if self.slots() > 6 {
            Vec::new()
        } else {
            self.stack.clone()
        };
        self.settle_to(&shape);
        let start = self.asm.here();
        let size = 1 + self.random.below(7);
        self.block(size, nesting);
        self.settle_to(&shape);
        let end = self.asm.here();
        let over = self.asm.branch(GOTO);
        let handler = self.asm.here();
        self.stack = vec![REF];
        self.op(&[POP]);
        self.stack.clear();
        self.settle_to(&shape);
        self.asm.place(over);
        if start < end {
            self.asm.handler(start, end, handler, 0);
        }
    }
}
