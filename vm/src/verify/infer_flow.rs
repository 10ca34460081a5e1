//! The flow of types: running instructions that have changed, and merging what they leave into those that follow.

use super::infer::{
    CONSTRUCTED, INVOKEINIT, Infer, MAX_COPIED, Mask, NEED_CONSTRUCTOR, NO_RETURN, Registers, Res, Stack,
    fail,
};
use super::infer_types::{Info, Item};
use super::world::World;
use crate::link::decode::bc;
use crate::stop::Stop;
use std::rc::Rc;

const LLOAD: u8 = 22;
const FLOAD: u8 = 23;
const DLOAD: u8 = 24;
const LSTORE: u8 = 55;
const DSTORE: u8 = 57;

#[derive(Clone, Copy)]
struct Flags {
    and: u8,
    or: u8,
}

impl<W: World> Infer<'_, '_, W> {
    fn mark(&mut self, i: usize) {
        self.changed[i / 64] |= 1 << (i % 64);
    }

    /// The first marked instruction from `from` on; the mark is taken off.
    fn next_marked(&mut self, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut bits = self.changed.get(word)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.changed.get(word)?;
        }
        let bit = bits.trailing_zeros() as usize;
        self.changed[word] &= !(1 << bit);
        Some(word * 64 + bit)
    }

    /// Sweeps over the instructions until nothing changes.
    pub fn run(&mut self) -> Res<()> {
        loop {
            let mut at = 0;
            let mut idle = true;
            while let Some(i) = self.next_marked(at) {
                idle = false;
                self.step(i)?;
                at = i + 1;
            }
            if idle {
                return Ok(());
            }
        }
    }

    fn step(&mut self, i: usize) -> Res<()> {
        let insn = &self.insns[i];
        let (Some(stack), Some(registers)) = (insn.stack.clone(), insn.registers.clone()) else {
            return Ok(());
        };
        let before = Flags {
            and: insn.and_flags,
            or: insn.or_flags,
        };
        self.check_registers(i, &registers.types)?;
        self.check_flags(i)?;
        let mut new_stack = stack.clone();
        self.pop(i, &mut new_stack)?;
        let new_registers = self.update_registers(i, &stack, &registers)?;
        let mut flags = before;
        if self.insns[i].op == INVOKEINIT && self.swap[0] == Info::THIS {
            flags.and |= CONSTRUCTED;
        }
        self.push(i, &mut new_stack, &registers.types)?;
        if new_stack.size > usize::from(self.code.max_stack) {
            return fail("Stack size too large");
        }
        self.copied += new_stack.types.len();
        if !Rc::ptr_eq(&registers.types, &new_registers.types) {
            self.copied += new_registers.types.len();
        }
        if self.copied > MAX_COPIED {
            return Err(Stop::unsupported("a flow analysis that copies more than 64 million types").into());
        }
        self.merge_handlers(i, &registers, &new_registers, before, flags)?;
        self.merge_successors(i, &new_registers, &new_stack, flags)
    }

    /// The local variable an instruction reads holds what it asks for.
    fn check_registers(&self, i: usize, locals: &[Info]) -> Res<()> {
        let (op, n) = (self.insns[i].op, self.insns[i].operand);
        let (item, pair) = match op {
            bc::ILOAD | bc::IINC => (Item::Integer, None),
            FLOAD => (Item::Float, None),
            bc::ALOAD => (Item::Object, None),
            bc::RET => (Item::ReturnAddress, None),
            LLOAD => (Item::Long, Some(Info::LONG)),
            DLOAD => (Item::Double, Some(Info::DOUBLE)),
            _ => return Ok(()),
        };
        if let Some(pair) = pair {
            let Some(&[first, second]) = locals.get(n..n + 2) else {
                return fail(format!(
                    "Accessing value from uninitialized register pair {n}/{}",
                    n + 1
                ));
            };
            if first != pair || second != pair.second() {
                return fail(format!("Register pair {n}/{} contains wrong type", n + 1));
            }
            return Ok(());
        }
        let Some(&local) = locals.get(n) else {
            return fail(format!("Accessing value from uninitialized register {n}"));
        };
        let same = local.item() == item && local.dims() == 0;
        let object = item == Item::Object;
        let uninit = matches!(local.item(), Item::InitObject | Item::NewObject) && local.dims() == 0;
        if same || (object && (local.dims() > 0 || uninit)) {
            Ok(())
        } else if local.item() == Item::ReturnAddress {
            fail(format!("Cannot load return address from register {n}"))
        } else {
            fail(format!("Register {n} contains wrong type"))
        }
    }

    fn check_flags(&self, i: usize) -> Res<()> {
        let insn = &self.insns[i];
        if insn.op == bc::RETURN && insn.or_flags & NEED_CONSTRUCTOR != 0 && insn.and_flags & CONSTRUCTED == 0
        {
            return fail("Constructor must call super() or this()");
        }
        if matches!(insn.op, bc::IRETURN..=bc::RETURN) && insn.or_flags & NO_RETURN != 0 {
            return fail("Cannot return normally");
        }
        Ok(())
    }

    fn update_registers(&mut self, i: usize, stack: &Stack, old: &Registers) -> Res<Registers> {
        let (op, n) = (self.insns[i].op, self.insns[i].operand);
        let mut new = old.clone();
        let touched = match op {
            bc::ISTORE..=bc::ASTORE => {
                let pair = matches!(op, LSTORE | DSTORE);
                let top = stack.types.last().copied().unwrap_or(Info::BOGUS);
                store(&mut new.types, n, top, pair);
                Some(pair)
            }
            bc::ILOAD..=bc::ALOAD | bc::IINC | bc::RET => Some(matches!(op, LLOAD | DLOAD)),
            bc::JSR | bc::JSR_W => {
                if new.masks.iter().any(|m| m.entry == n) {
                    return fail("Recursive call to jsr entry");
                }
                Rc::make_mut(&mut new.masks).push(Mask {
                    entry: n,
                    bits: vec![0; usize::from(self.code.max_locals).div_ceil(64)],
                });
                None
            }
            INVOKEINIT | bc::NEW => {
                let [from, to, ..] = self.swap;
                if new.types.contains(&from) {
                    for (local, ty) in Rc::make_mut(&mut new.types).iter_mut().enumerate() {
                        if *ty == from {
                            *ty = to;
                            touch(&mut new.masks, local);
                        }
                    }
                }
                None
            }
            _ => None,
        };
        if let Some(pair) = touched {
            (n..=n + usize::from(pair)).for_each(|local| touch(&mut new.masks, local));
        }
        Ok(new)
    }

    /// Every handler in force sees the registers as they were before; after a constructor call also as after.
    fn merge_handlers(
        &mut self,
        i: usize,
        old: &Registers,
        new: &Registers,
        before: Flags,
        flags: Flags,
    ) -> Res<()> {
        for h in 0..self.handlers.len() {
            let handler = &self.handlers[h];
            if i < handler.start || i >= handler.end {
                continue;
            }
            let (target, stack) = (handler.target, handler.stack.clone());
            if self.insns[i].op == INVOKEINIT {
                let mut after = flags;
                if self.swap[0] == Info::THIS {
                    after.or |= NO_RETURN;
                }
                self.merge_into(i, target, old, &stack, before, true)?;
                self.merge_into(i, target, new, &stack, after, true)?;
            } else {
                let both = Flags {
                    and: flags.and & before.and,
                    or: flags.or | before.or,
                };
                self.merge_into(i, target, old, &stack, both, true)?;
            }
        }
        Ok(())
    }

    fn merge_successors(&mut self, i: usize, registers: &Registers, stack: &Stack, flags: Flags) -> Res<()> {
        let (op, operand) = (self.insns[i].op, self.insns[i].operand);
        let mut both = [i + 1, operand];
        let many;
        let successors: &[usize] = match op {
            bc::IFEQ..=bc::IF_ACMPNE | bc::IFNULL | bc::IFNONNULL => &both,
            bc::GOTO | bc::GOTO_W | bc::JSR | bc::JSR_W => {
                if let Some(ret) = self.insns[i].ret.filter(|_| op == bc::JSR || op == bc::JSR_W) {
                    self.mark(ret);
                }
                both[0] = operand;
                &both[..1]
            }
            bc::IRETURN..=bc::RETURN | bc::ATHROW => &[],
            bc::RET => {
                many = self.return_targets(i, registers);
                &many
            }
            bc::TABLESWITCH | bc::LOOKUPSWITCH => {
                many = self.insns[i].targets.clone().unwrap_or_default();
                &many
            }
            _ => &both[..1],
        };
        for &target in successors {
            if target >= self.insns.len() {
                return fail("Falling off the end of the code");
            }
            self.merge_into(i, target, registers, stack, flags, false)?;
        }
        Ok(())
    }

    /// Where a `ret` may go: behind every call of its subroutine. Found once.
    fn return_targets(&mut self, i: usize, registers: &Registers) -> Rc<[usize]> {
        if let Some(targets) = &self.insns[i].targets {
            return targets.clone();
        }
        let entry = registers.types[self.insns[i].operand].extra() as usize;
        let calls =
            |insn: &super::infer::Insn| matches!(insn.op, bc::JSR | bc::JSR_W) && insn.operand == entry;
        let all = self.insns.iter().enumerate().rev();
        let targets: Rc<[usize]> = all.filter(|(_, insn)| calls(insn)).map(|(k, _)| k + 1).collect();
        self.insns[i].targets = Some(targets.clone());
        targets
    }

    fn merge_into(
        &mut self,
        from: usize,
        to: usize,
        registers: &Registers,
        stack: &Stack,
        flags: Flags,
        exception: bool,
    ) -> Res<()> {
        let (mut registers, mut stack) = (registers.clone(), stack.clone());
        let op = self.insns[from].op;
        if matches!(op, bc::RET | bc::JSR | bc::JSR_W) {
            // Uninitialised objects do not go into or out of subroutines.
            for types in [&mut registers.types, &mut stack.types] {
                if types.iter().any(|t| t.item() == Item::NewObject) {
                    for ty in Rc::make_mut(types) {
                        if ty.item() == Item::NewObject {
                            *ty = Info::BOGUS;
                        }
                    }
                }
            }
        }
        if op == bc::RET && !exception {
            match self.returned(from, to, &registers)? {
                Some(joined) => registers = joined,
                // The call has not been checked yet; it will ask for the ret again.
                None => return Ok(()),
            }
        }
        self.merge_stack(to, &stack)?;
        self.merge_registers(to, &registers)?;
        let insn = &mut self.insns[to];
        let merged = (insn.and_flags & flags.and, insn.or_flags | flags.or);
        if merged != (insn.and_flags, insn.or_flags) {
            (insn.and_flags, insn.or_flags) = merged;
            self.mark(to);
        }
        Ok(())
    }

    /// The registers after a subroutine: those it has touched as it left them, the others as its caller had them.
    fn returned(&mut self, from: usize, to: usize, registers: &Registers) -> Res<Option<Registers>> {
        let entry = registers.types[self.insns[from].operand].extra() as usize;
        let jsr = &mut self.insns[to - 1];
        if jsr.ret != Some(from) {
            if jsr.ret.is_some() {
                return fail("Multiple returns to single jsr");
            }
            jsr.ret = Some(from);
        }
        let Some(caller) = &jsr.registers else {
            return Ok(None);
        };
        let Some(at) = registers.masks.iter().rposition(|m| m.entry == entry) else {
            return fail("Illegal return from subroutine");
        };
        let touched = &registers.masks[at];
        let count = caller.types.len().max(registers.types.len());
        let pick = |i: usize| {
            let side = if touched.has(i) { registers } else { caller };
            side.types.get(i).copied().unwrap_or(Info::BOGUS)
        };
        Ok(Some(Registers {
            types: Rc::new((0..count).map(pick).collect()),
            masks: Rc::new(registers.masks[..at].to_vec()),
        }))
    }

    fn merge_stack(&mut self, to: usize, new: &Stack) -> Res<()> {
        let Some(old) = self.insns[to].stack.clone() else {
            self.insns[to].stack = Some(new.clone());
            self.mark(to);
            return Ok(());
        };
        if old.size != new.size {
            return fail(format!("Inconsistent stack height {} != {}", new.size, old.size));
        }
        if Rc::ptr_eq(&old.types, &new.types) {
            return Ok(());
        }
        let pairs = || old.types.iter().zip(new.types.iter()).rev();
        let mut fits = old.types.len() == new.types.len();
        for (&was, &is) in pairs() {
            fits = fits && self.types.assignable(is, was)?;
        }
        if fits {
            return Ok(());
        }
        if old.types.len() != new.types.len() {
            return fail("Mismatched stack types");
        }
        let mut merged = Vec::with_capacity(old.types.len());
        for (&was, &is) in pairs() {
            let ty = self.types.merge(was, is, false)?;
            if ty.item() == Item::Bogus {
                return fail("Mismatched stack types");
            }
            merged.push(ty);
        }
        merged.reverse();
        self.insns[to].stack = Some(Stack {
            types: Rc::new(merged),
            size: old.size,
        });
        self.mark(to);
        Ok(())
    }

    fn merge_registers(&mut self, to: usize, new: &Registers) -> Res<()> {
        let Some(mut old) = self.insns[to].registers.clone() else {
            self.insns[to].registers = Some(new.clone());
            self.mark(to);
            return Ok(());
        };
        let mut change = false;
        if !Rc::ptr_eq(&old.types, &new.types) {
            if old.types.len() > new.types.len() {
                Rc::make_mut(&mut old.types).truncate(new.types.len());
                change = true;
            }
            // From the first that does not fit on, all are merged.
            let mut merging = false;
            for i in 0..old.types.len() {
                let (is, was) = (new.types[i], old.types[i]);
                merging = merging || !self.types.assignable(is, was)?;
                if merging {
                    let merged = self.types.merge(is, was, false)?;
                    Rc::make_mut(&mut old.types)[i] = merged;
                }
            }
            if merging {
                change = true;
                let types = Rc::make_mut(&mut old.types);
                while types.last().is_some_and(|t| t.item() == Item::Bogus) {
                    types.pop();
                }
            }
        }
        if let Some(masks) = merge_masks(&old.masks, &new.masks) {
            old.masks = Rc::new(masks);
            change = true;
        }
        if change {
            self.insns[to].registers = Some(old);
            self.mark(to);
        }
        Ok(())
    }
}

fn store(types: &mut Rc<Vec<Info>>, n: usize, ty: Info, pair: bool) {
    let same = types.get(n) == Some(&ty) && (!pair || types.get(n + 1) == Some(&ty.second()));
    if same {
        return;
    }
    let types = Rc::make_mut(types);
    if types.len() <= n + usize::from(pair) {
        types.resize(n + 1 + usize::from(pair), Info::BOGUS);
    }
    types[n] = ty;
    if pair {
        types[n + 1] = ty.second();
    }
}

fn touch(masks: &mut Rc<Vec<Mask>>, local: usize) {
    if masks.iter().any(|m| !m.has(local)) {
        Rc::make_mut(masks).iter_mut().for_each(|m| m.set(local));
    }
}

/// The subroutines both are in, in order, with what either touched; none if that is what `old` says already.
fn merge_masks(old: &[Mask], new: &[Mask]) -> Option<Vec<Mask>> {
    let mut merged = Vec::new();
    let mut rest = new;
    let mut grown = false;
    for mask in old {
        if let Some(at) = rest.iter().position(|m| m.entry == mask.entry) {
            let mut both = mask.clone();
            for (word, more) in both.bits.iter_mut().zip(&rest[at].bits) {
                grown |= more & !*word != 0;
                *word |= more;
            }
            merged.push(both);
            rest = &rest[at + 1..];
        }
    }
    (grown || merged.len() < old.len()).then_some(merged)
}
