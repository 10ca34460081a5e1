//! The abstract frame: what kind of value each local and stack slot holds, and what each instruction does to it.
//!
//! Kinds are all that memory safety of the register form and the collector's frame maps need; which class a
//! reference belongs to is the verifier's business.

use crate::classfile::{ClassFile, tag};
use crate::link::decode::{self, bad, bc, u16_at};
use crate::link::lower::Invalid;

/// What a slot holds. A long or double takes two cells of which the second says so.
pub type Kind = u16;

pub const TOP: Kind = 0;
pub const INT: Kind = 1;
pub const FLOAT: Kind = 2;
pub const LONG: Kind = 3;
pub const LONG2: Kind = 4;
pub const DOUBLE: Kind = 5;
pub const DOUBLE2: Kind = 6;
pub const REF: Kind = 7;
/// A return address: `RET + c` is that of subroutine context `c`.
pub const RET: Kind = 0x100;

/// Whether the cell is the second of a long or double.
#[inline]
pub fn is_second(kind: Kind) -> bool {
    kind == LONG2 || kind == DOUBLE2
}

/// Whether the value takes two cells.
#[inline]
pub fn is_wide(kind: Kind) -> bool {
    kind == LONG || kind == DOUBLE
}

/// Kind and length of the type at the start of a descriptor; `TOP` for void.
#[inline]
fn type_at(desc: &[u8]) -> Option<(Kind, usize)> {
    match *desc.first()? {
        b'I' | b'Z' | b'B' | b'C' | b'S' => Some((INT, 1)),
        b'J' => Some((LONG, 1)),
        b'F' => Some((FLOAT, 1)),
        b'D' => Some((DOUBLE, 1)),
        b'V' => Some((TOP, 1)),
        b'L' => {
            let mut end = 1;
            while *desc.get(end)? != b';' {
                end += 1;
            }
            Some((REF, end + 1))
        }
        b'[' => {
            let dims = desc.iter().take_while(|&&b| b == b'[').count();
            match type_at(&desc[dims..])? {
                (TOP, _) => None,
                (_, len) if dims <= 255 => Some((REF, dims + len)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Kind of a field descriptor.
pub fn field_kind(desc: &[u8]) -> Option<Kind> {
    type_at(desc)
        .filter(|&(kind, len)| kind != TOP && len == desc.len())
        .map(|(kind, _)| kind)
}

/// Calls `each` with the kind of every parameter, and answers the return kind (`TOP` for void) and its letter.
#[inline]
pub fn method_kinds(desc: &[u8], mut each: impl FnMut(Kind)) -> Option<(Kind, u8)> {
    let mut at = 1;
    if desc.first() != Some(&b'(') {
        return None;
    }
    loop {
        if *desc.get(at)? == b')' {
            let (kind, len) = type_at(&desc[at + 1..])?;
            return (at + 1 + len == desc.len()).then_some((kind, desc[at + 1]));
        }
        let (kind, len) = type_at(&desc[at..])?;
        if kind == TOP {
            return None;
        }
        each(kind);
        at += len;
    }
}

/// Argument slots and return kind of a descriptor, receiver not included.
pub fn call_shape(desc: &[u8]) -> Option<(usize, Kind)> {
    let mut slots = 0;
    let (ret, _) = method_kinds(desc, |kind| slots += 1 + usize::from(is_wide(kind)))?;
    Some((slots, ret))
}

/// Descriptor of the field a field instruction names.
pub fn field_desc(class: &ClassFile, cp: u16) -> Option<&'static [u8]> {
    (class.tag(cp) == tag::FIELD)
        .then(|| class.member(cp))
        .flatten()
        .map(|(_, _, desc)| desc)
}

/// Descriptor of the method a call instruction names, if that kind of constant may stand there.
pub fn call_desc(class: &ClassFile, op: u8, cp: u16) -> Option<&'static [u8]> {
    let tag = class.tag(cp);
    if op == bc::INVOKEDYNAMIC {
        return (tag == tag::INVOKE_DYNAMIC)
            .then(|| class.dynamic(cp))
            .flatten()
            .map(|(_, _, desc)| desc);
    }
    let fits = match op {
        bc::INVOKEVIRTUAL => tag == tag::METHOD,
        bc::INVOKEINTERFACE => tag == tag::INTERFACE_METHOD,
        _ => tag == tag::METHOD || (tag == tag::INTERFACE_METHOD && class.major >= 52),
    };
    let (_, name, desc) = fits.then(|| class.member(cp)).flatten()?;
    let init = name == b"<init>";
    (name.first() != Some(&b'<') || (init && op == bc::INVOKESPECIAL)).then_some(desc)
}

/// Kind of a loadable constant.
pub fn const_kind(class: &ClassFile, cp: u16) -> Option<Kind> {
    match class.tag(cp) {
        tag::INTEGER => Some(INT),
        tag::FLOAT => Some(FLOAT),
        tag::LONG => Some(LONG),
        tag::DOUBLE => Some(DOUBLE),
        tag::STRING | tag::CLASS | tag::METHOD_HANDLE | tag::METHOD_TYPE => Some(REF),
        tag::DYNAMIC => field_kind(class.dynamic(cp)?.2),
        _ => None,
    }
}

/// Kind and effect of the array, arithmetic and conversion instructions: what they pop (deepest first), what
/// they push (`TOP` for nothing).
#[rustfmt::skip]
fn simple(op: u8) -> Option<(&'static [Kind], Kind)> {
    const I: Kind = INT; const L: Kind = LONG; const F: Kind = FLOAT; const D: Kind = DOUBLE; const A: Kind = REF;
    Some(match op {
        bc::NOP => (&[], TOP),
        bc::ACONST_NULL => (&[], A),
        bc::ICONST_M1..=bc::ICONST_5 | bc::BIPUSH | bc::SIPUSH => (&[], I),
        bc::LCONST_0 | bc::LCONST_1 => (&[], L),
        bc::FCONST_0..=bc::FCONST_2 => (&[], F),
        bc::DCONST_0 | bc::DCONST_1 => (&[], D),
        bc::IALOAD | bc::BALOAD | bc::CALOAD | bc::SALOAD => (&[A, I], I),
        bc::LALOAD => (&[A, I], L),
        bc::FALOAD => (&[A, I], F),
        bc::DALOAD => (&[A, I], D),
        bc::AALOAD => (&[A, I], A),
        bc::IASTORE | bc::BASTORE | bc::CASTORE | bc::SASTORE => (&[A, I, I], TOP),
        bc::LASTORE => (&[A, I, L], TOP),
        bc::FASTORE => (&[A, I, F], TOP),
        bc::DASTORE => (&[A, I, D], TOP),
        bc::AASTORE => (&[A, I, A], TOP),
        bc::IADD | bc::ISUB | bc::IMUL | bc::IDIV | bc::IREM | bc::ISHL | bc::ISHR | bc::IUSHR
        | bc::IAND | bc::IOR | bc::IXOR => (&[I, I], I),
        bc::LADD | bc::LSUB | bc::LMUL | bc::LDIV | bc::LREM | bc::LAND | bc::LOR | bc::LXOR => (&[L, L], L),
        bc::LSHL | bc::LSHR | bc::LUSHR => (&[L, I], L),
        bc::FADD | bc::FSUB | bc::FMUL | bc::FDIV | bc::FREM => (&[F, F], F),
        bc::DADD | bc::DSUB | bc::DMUL | bc::DDIV | bc::DREM => (&[D, D], D),
        bc::INEG | bc::I2B | bc::I2C | bc::I2S => (&[I], I),
        bc::LNEG => (&[L], L),
        bc::FNEG => (&[F], F),
        bc::DNEG => (&[D], D),
        bc::I2L => (&[I], L), bc::I2F => (&[I], F), bc::I2D => (&[I], D),
        bc::L2I => (&[L], I), bc::L2F => (&[L], F), bc::L2D => (&[L], D),
        bc::F2I => (&[F], I), bc::F2L => (&[F], L), bc::F2D => (&[F], D),
        bc::D2I => (&[D], I), bc::D2L => (&[D], L), bc::D2F => (&[D], F),
        bc::LCMP => (&[L, L], I),
        bc::FCMPL | bc::FCMPG => (&[F, F], I),
        bc::DCMPL | bc::DCMPG => (&[D, D], I),
        bc::IFEQ..=bc::IFLE | bc::TABLESWITCH | bc::LOOKUPSWITCH => (&[I], TOP),
        bc::IF_ICMPEQ..=bc::IF_ICMPLE => (&[I, I], TOP),
        bc::IF_ACMPEQ | bc::IF_ACMPNE => (&[A, A], TOP),
        bc::IFNULL | bc::IFNONNULL | bc::ATHROW | bc::MONITORENTER | bc::MONITOREXIT => (&[A], TOP),
        bc::GOTO | bc::GOTO_W => (&[], TOP),
        bc::ARRAYLENGTH => (&[A], I),
        _ => return None,
    })
}

/// The stack shuffling instructions: slots taken, the taken slots (0 the deepest) in their new order, and the
/// slots (of the taken) that must start a value.
pub struct Shuffle {
    pub take: usize,
    pub order: &'static [u8],
    starts: &'static [u8],
}

pub fn shuffle(op: u8) -> Option<Shuffle> {
    let (take, order, starts): (usize, &[u8], &[u8]) = match op {
        bc::POP => (1, &[], &[0]),
        bc::POP2 => (2, &[], &[0]),
        bc::DUP => (1, &[0, 0], &[0]),
        bc::DUP_X1 => (2, &[1, 0, 1], &[0, 1]),
        bc::DUP_X2 => (3, &[2, 0, 1, 2], &[0, 2]),
        bc::DUP2 => (2, &[0, 1, 0, 1], &[0]),
        bc::DUP2_X1 => (3, &[1, 2, 0, 1, 2], &[0, 1]),
        bc::DUP2_X2 => (4, &[2, 3, 0, 1, 2, 3], &[0, 2]),
        bc::SWAP => (2, &[1, 0], &[0, 1]),
        _ => return None,
    };
    Some(Shuffle { take, order, starts })
}

/// Locals and stack of one frame, in kinds.
pub struct Frame {
    /// Locals, then stack.
    cells: Vec<Kind>,
    locals: usize,
    depth: usize,
    /// The instruction being checked, for messages.
    pub bci: usize,
    /// Locals written by the last instruction.
    pub written: std::ops::Range<usize>,
}

impl Frame {
    pub fn new(max_locals: usize, max_stack: usize) -> Frame {
        let cells = vec![TOP; max_locals + max_stack];
        Frame {
            cells,
            locals: max_locals,
            depth: 0,
            bci: 0,
            written: 0..0,
        }
    }

    #[inline]
    pub fn locals(&self) -> &[Kind] {
        &self.cells[..self.locals]
    }

    #[inline]
    pub fn stack(&self) -> &[Kind] {
        &self.cells[self.locals..self.locals + self.depth]
    }

    /// Takes over a stored state: locals, then stack.
    pub fn load(&mut self, cells: &[Kind]) {
        self.cells[..cells.len()].copy_from_slice(cells);
        self.depth = cells.len() - self.locals;
        self.written = 0..0;
    }

    #[cold]
    pub fn bad(&self, what: &str) -> Invalid {
        bad(self.bci, what)
    }

    /// The state at the start of a method.
    pub fn enter(&mut self, is_static: bool, desc: &[u8]) -> Result<u8, Invalid> {
        let (cells, locals) = (&mut self.cells, self.locals);
        let mut at = 0;
        let mut put = |kind| {
            if at < locals {
                cells[at] = kind;
            }
            at += 1;
        };
        if !is_static {
            put(REF);
        }
        let ret = method_kinds(desc, |kind| {
            put(kind);
            if is_wide(kind) {
                put(kind + 1);
            }
        });
        if at > locals {
            return Err(self.bad("Arguments can't fit into locals"));
        }
        ret.map(|(_, letter)| letter)
            .ok_or_else(|| self.bad("Bad method descriptor"))
    }

    #[inline]
    fn push_cell(&mut self, kind: Kind) -> Result<(), Invalid> {
        let at = self.locals + self.depth;
        match self.cells.get_mut(at) {
            Some(cell) => {
                *cell = kind;
                self.depth += 1;
                Ok(())
            }
            None => Err(self.bad("Operand stack overflow")),
        }
    }

    #[inline]
    pub fn push(&mut self, kind: Kind) -> Result<(), Invalid> {
        if kind == TOP {
            return Ok(());
        }
        self.push_cell(kind)?;
        if is_wide(kind) {
            self.push_cell(kind + 1)
        } else {
            Ok(())
        }
    }

    #[inline]
    fn pop_cell(&mut self) -> Result<Kind, Invalid> {
        if self.depth == 0 {
            return Err(self.bad("Operand stack underflow"));
        }
        self.depth -= 1;
        Ok(self.cells[self.locals + self.depth])
    }

    #[inline]
    pub fn pop(&mut self, kind: Kind) -> Result<(), Invalid> {
        let ok = if is_wide(kind) {
            self.pop_cell()? == kind + 1 && self.pop_cell()? == kind
        } else {
            self.pop_cell()? == kind
        };
        if ok {
            Ok(())
        } else {
            Err(self.bad("Bad type on operand stack"))
        }
    }

    #[inline]
    fn local(&self, n: u16, kind: Kind) -> Result<(), Invalid> {
        let n = n as usize;
        let get = |n| self.locals().get(n).copied();
        if get(n) == Some(kind) && (!is_wide(kind) || get(n + 1) == Some(kind + 1)) {
            return Ok(());
        }
        let outside = n + usize::from(is_wide(kind)) >= self.locals;
        Err(self.bad(if outside {
            "Local variable table overflow"
        } else {
            "Bad local variable type"
        }))
    }

    #[inline]
    fn set_local(&mut self, n: u16, kind: Kind) -> Result<(), Invalid> {
        let n = n as usize;
        let size = 1 + usize::from(is_wide(kind));
        if n + size > self.locals {
            return Err(self.bad("Local variable table overflow"));
        }
        self.cells[n] = kind;
        if size == 2 {
            self.cells[n + 1] = kind + 1;
        }
        self.written = n..n + size;
        Ok(())
    }

    /// The subroutine context whose return address local `n` holds.
    pub fn return_address(&self, n: u16) -> Result<usize, Invalid> {
        match self.locals().get(n as usize) {
            Some(&kind) if kind >= RET => Ok((kind - RET) as usize),
            _ => Err(self.bad("Bad local variable type")),
        }
    }

    /// Applies the instruction at `bci`, control flow aside (jsr's push is the flow's business).
    pub fn step(&mut self, class: &ClassFile, code: &[u8], ret: u8) -> Result<(), Invalid> {
        let op = code[self.bci];
        self.written = 0..0;
        if let Some((op, n, _)) = decode::local_operand(code, self.bci) {
            return self.local_insn(op, n);
        }
        if let Some((pops, push)) = simple(op) {
            for &kind in pops.iter().rev() {
                self.pop(kind)?;
            }
            return self.push(push);
        }
        if let Some(s) = shuffle(op) {
            return self.shuffle(&s);
        }
        match op {
            bc::LDC | bc::LDC_W | bc::LDC2_W => self.constant(class, code),
            bc::IRETURN..=bc::RETURN => self.ret(op, ret),
            bc::GETSTATIC..=bc::PUTFIELD => self.field(class, op, u16_at(code, self.bci + 1)),
            bc::INVOKEVIRTUAL..=bc::INVOKEDYNAMIC => self.call(class, code),
            bc::NEW..=bc::ANEWARRAY | bc::CHECKCAST | bc::INSTANCEOF | bc::MULTIANEWARRAY => {
                self.class_insn(class, code)
            }
            bc::JSR | bc::JSR_W => Ok(()),
            _ => Err(self.bad("Bad instruction")),
        }
    }

    #[inline]
    fn local_insn(&mut self, op: u8, n: u16) -> Result<(), Invalid> {
        const KINDS: [Kind; 5] = [INT, LONG, FLOAT, DOUBLE, REF];
        match op {
            bc::ILOAD..=bc::ALOAD => {
                let kind = KINDS[(op - bc::ILOAD) as usize];
                self.local(n, kind)?;
                self.push(kind)
            }
            bc::ASTORE => {
                let kind = self.pop_cell()?;
                if kind != REF && kind < RET {
                    return Err(self.bad("Bad type on operand stack"));
                }
                self.set_local(n, kind)
            }
            bc::ISTORE..=bc::ASTORE => {
                let kind = KINDS[(op - bc::ISTORE) as usize];
                self.pop(kind)?;
                self.set_local(n, kind)
            }
            bc::IINC => self.local(n, INT),
            _ => Ok(()),
        }
    }

    fn shuffle(&mut self, s: &Shuffle) -> Result<(), Invalid> {
        if self.depth < s.take {
            return Err(self.bad("Operand stack underflow"));
        }
        self.depth -= s.take;
        let base = self.locals + self.depth;
        let mut taken = [TOP; 4];
        taken[..s.take].copy_from_slice(&self.cells[base..base + s.take]);
        if s.starts.iter().any(|&i| is_second(taken[i as usize])) {
            return Err(self.bad("Bad type on operand stack"));
        }
        for &i in s.order {
            self.push_cell(taken[i as usize])?;
        }
        Ok(())
    }

    fn constant(&mut self, class: &ClassFile, code: &[u8]) -> Result<(), Invalid> {
        let op = code[self.bci];
        let kind = const_kind(class, const_index(code, self.bci));
        match kind {
            Some(kind) if is_wide(kind) == (op == bc::LDC2_W) => self.push(kind),
            _ => Err(self.bad("Illegal type at constant pool entry")),
        }
    }

    fn ret(&mut self, op: u8, ret: u8) -> Result<(), Invalid> {
        let (want, kind) = match ret {
            b'V' => (bc::RETURN, TOP),
            b'J' => (bc::LRETURN, LONG),
            b'F' => (bc::FRETURN, FLOAT),
            b'D' => (bc::DRETURN, DOUBLE),
            b'L' | b'[' => (bc::ARETURN, REF),
            _ => (bc::IRETURN, INT),
        };
        if op != want {
            return Err(self.bad("Wrong return type in function"));
        }
        if kind == TOP { Ok(()) } else { self.pop(kind) }
    }

    fn field(&mut self, class: &ClassFile, op: u8, cp: u16) -> Result<(), Invalid> {
        let kind = field_desc(class, cp).and_then(field_kind);
        let kind = kind.ok_or_else(|| self.bad("Illegal type at constant pool entry"))?;
        match op {
            bc::GETSTATIC => self.push(kind),
            bc::PUTSTATIC => self.pop(kind),
            bc::GETFIELD => {
                self.pop(REF)?;
                self.push(kind)
            }
            _ => {
                self.pop(kind)?;
                self.pop(REF)
            }
        }
    }

    fn call(&mut self, class: &ClassFile, code: &[u8]) -> Result<(), Invalid> {
        let op = code[self.bci];
        let desc = call_desc(class, op, u16_at(code, self.bci + 1));
        let desc = desc.ok_or_else(|| self.bad("Illegal type at constant pool entry"))?;
        let receiver = has_receiver(op);
        // What the arguments must be, cell by cell; calls of more than 255 are refused.
        let mut wanted = [REF; 257];
        let mut total = usize::from(receiver);
        let parsed = method_kinds(desc, |kind| {
            if total <= 255 {
                wanted[total] = kind;
                wanted[total + 1] = kind + 1;
            }
            total += 1 + usize::from(is_wide(kind));
        });
        let (ret, _) = parsed.ok_or_else(|| self.bad("Bad method descriptor"))?;
        if total > 255 {
            return Err(self.bad("Too many arguments in method signature"));
        }
        if op == bc::INVOKEINTERFACE && usize::from(code[self.bci + 3]) != total {
            return Err(self.bad("Inconsistent args count operand in invokeinterface"));
        }
        if total > self.depth {
            return Err(self.bad("Operand stack underflow"));
        }
        self.depth -= total;
        let base = self.locals + self.depth;
        if self.cells[base..base + total] != wanted[..total] {
            return Err(self.bad("Bad type on operand stack"));
        }
        self.push(ret)
    }

    fn class_insn(&mut self, class: &ClassFile, code: &[u8]) -> Result<(), Invalid> {
        let op = code[self.bci];
        if op == bc::NEWARRAY {
            if !(4..=11).contains(&code[self.bci + 1]) {
                return Err(self.bad("Illegal newarray instruction"));
            }
            self.pop(INT)?;
            return self.push(REF);
        }
        let cp = u16_at(code, self.bci + 1);
        let name = (class.tag(cp) == tag::CLASS)
            .then(|| class.class_name(cp))
            .flatten();
        let name = name.ok_or_else(|| self.bad("Illegal type at constant pool entry"))?;
        let dims = name.iter().take_while(|&&b| b == b'[').count();
        match op {
            bc::NEW if dims > 0 => Err(self.bad("Illegal creation of array")),
            bc::NEW => self.push(REF),
            bc::ANEWARRAY if dims >= 255 => Err(self.bad("Array with too many dimensions")),
            bc::ANEWARRAY => {
                self.pop(INT)?;
                self.push(REF)
            }
            bc::CHECKCAST => {
                self.pop(REF)?;
                self.push(REF)
            }
            bc::INSTANCEOF => {
                self.pop(REF)?;
                self.push(INT)
            }
            _ => {
                let count = usize::from(code[self.bci + 3]);
                if count == 0 || count > dims {
                    return Err(self.bad("Illegal dimension in multianewarray"));
                }
                for _ in 0..count {
                    self.pop(INT)?;
                }
                self.push(REF)
            }
        }
    }
}

/// Constant pool index of an ldc instruction.
#[inline]
pub fn const_index(code: &[u8], bci: usize) -> u16 {
    if code[bci] == bc::LDC {
        code[bci + 1].into()
    } else {
        u16_at(code, bci + 1)
    }
}

/// Whether a call instruction passes a receiver.
#[inline]
pub fn has_receiver(op: u8) -> bool {
    op != bc::INVOKESTATIC && op != bc::INVOKEDYNAMIC
}
