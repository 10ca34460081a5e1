//! The type-inferring verifier (JVMS 4.10.2), for class files older than stack maps. Types flow forward from
//! instruction to instruction and are merged where paths meet, until nothing changes; subroutines (jsr, ret) keep
//! track of which local variables they have touched, so that a caller's others come through unharmed.
//!
//! Order of checks and messages are those of HotSpot's old verifier.

use super::infer_types::{Info, Item, Types};
use super::world::{Member, World};
use super::{Outcome, Progress, Rejected};
use crate::classes::class::acc;
use crate::classfile::descriptor::{Prim, Type, method_types, parse_type};
use crate::classfile::{ClassFile, Code, MemberInfo, tag, to_text};
use crate::link::decode::{self, SwitchInsn, bc, i32_at, u16_at};
use crate::stop::Stop;
use std::rc::Rc;

/// Why a method fails.
#[derive(Debug)]
pub enum Bad {
    Verify(String),
    Format(String),
    Stop(Stop),
}

pub type Res<T> = Result<T, Box<Bad>>;

impl From<Stop> for Box<Bad> {
    fn from(stop: Stop) -> Box<Bad> {
        Box::new(Bad::Stop(stop))
    }
}

#[cold]
pub fn fail<T>(message: impl Into<String>) -> Res<T> {
    Err(Box::new(Bad::Verify(message.into())))
}

#[cold]
fn fail_format<T>(message: &str) -> Res<T> {
    Err(Box::new(Bad::Format(message.into())))
}

/// An opcode of our own: invokespecial of a constructor.
pub const INVOKEINIT: u8 = 255;

/// The local variables a subroutine has touched.
#[derive(Clone)]
pub struct Mask {
    /// Its first instruction.
    pub entry: usize,
    pub bits: Vec<u64>,
}

impl Mask {
    pub fn has(&self, local: usize) -> bool {
        self.bits
            .get(local / 64)
            .is_some_and(|w| w & (1 << (local % 64)) != 0)
    }

    pub fn set(&mut self, local: usize) {
        if let Some(word) = self.bits.get_mut(local / 64) {
            *word |= 1 << (local % 64);
        }
    }
}

/// Local variables, and the masks of the subroutines control is in.
#[derive(Clone)]
pub struct Registers {
    pub types: Rc<Vec<Info>>,
    pub masks: Rc<Vec<Mask>>,
}

/// Operand stack: a long or double is one entry that counts twice in the size.
#[derive(Clone, Default)]
pub struct Stack {
    pub types: Rc<Vec<Info>>,
    pub size: usize,
}

pub const NEED_CONSTRUCTOR: u8 = 2;
pub const NO_RETURN: u8 = 4;
pub const CONSTRUCTED: u8 = 1;

/// An instruction, its operands looked up, and what is known when control comes to it.
pub struct Insn {
    /// Canonical: the short forms of loads and stores made long, wide taken off.
    pub op: u8,
    pub bci: usize,
    /// Local variable, constant pool index, branch target (as instruction number) or count.
    pub operand: usize,
    pub info: Info,
    pub info2: Info,
    /// Targets of a switch; of a `ret`, once known, the instructions it returns to.
    pub targets: Option<Rc<[usize]>>,
    /// The `ret` that comes back to this jsr.
    pub ret: Option<usize>,
    /// The receiver must be of this class.
    pub protected: bool,
    pub stack: Option<Stack>,
    pub registers: Option<Registers>,
    pub and_flags: u8,
    pub or_flags: u8,
}

pub struct Handler {
    pub start: usize,
    pub end: usize,
    pub target: usize,
    pub stack: Stack,
}

/// The verification of one method.
pub struct Infer<'a, 'w, W: World> {
    pub types: &'a mut Types<'w, W>,
    pub file: &'static ClassFile,
    pub code: Code<'static>,
    pub insns: Vec<Insn>,
    pub handlers: Vec<Handler>,
    /// Instructions to check, as a set of bits.
    pub changed: Vec<u64>,
    pub returns: Info,
    /// Instruction numbers by bytecode index; `usize::MAX` inside an instruction.
    numbers: Vec<usize>,
    /// Values that the steps of one instruction hand on.
    pub swap: [Info; 4],
    /// Types copied so far.
    pub copied: usize,
}

/// More copied types than this, half a gigabyte of them, are beyond us.
pub const MAX_COPIED: usize = 1 << 26;

/// Infers the types of all methods that are not proven yet, the last one first.
pub fn verify<W: World>(
    world: &mut W,
    file: &'static ClassFile,
    progress: &mut Progress,
) -> Result<(), Outcome> {
    let class = to_text(world.bytes(world.this_name()));
    let mut types = Types::new(world, file);
    while let Some(&slot) = progress.order.iter().rev().nth(progress.done) {
        let method = &file.methods[slot];
        if let Some(code) = file.code(method) {
            method_of(&mut types, file, method, code).map_err(|bad| {
                let text = |index| to_text(file.utf8(index).unwrap_or(b"?"));
                let (name, desc) = (text(method.name), text(method.desc));
                let full = |m| format!("(class: {class}, method: {name} signature: {desc}) {m}");
                match *bad {
                    Bad::Stop(stop) => Outcome::Stop(stop),
                    Bad::Verify(m) => Outcome::Rejected(Rejected {
                        format: false,
                        message: full(m),
                    }),
                    Bad::Format(m) => Outcome::Rejected(Rejected {
                        format: true,
                        message: full(m),
                    }),
                }
            })?;
        }
        progress.done += 1;
    }
    Ok(())
}

fn method_of<W: World>(
    types: &mut Types<'_, W>,
    file: &'static ClassFile,
    method: &MemberInfo,
    code: Code<'static>,
) -> Res<()> {
    let mut infer = Infer {
        types,
        file,
        code,
        insns: Vec::new(),
        handlers: Vec::new(),
        changed: Vec::new(),
        returns: Info::BOGUS,
        numbers: Vec::new(),
        swap: [Info::BOGUS; 4],
        copied: 0,
    };
    infer.number()?;
    for i in 0..infer.insns.len() {
        infer.operands(i)?;
    }
    infer.exception_table()?;
    infer.enter(method)?;
    infer.run()
}

/// Length of an instruction; none if there is no such instruction or its operands make no sense.
fn length(code: &[u8], bci: usize) -> Option<usize> {
    let aligned = (bci & !3) + 4;
    let op = code[bci];
    match op {
        bc::TABLESWITCH => {
            if aligned + 8 >= code.len() || aligned + 12 > code.len() {
                return None;
            }
            let span = i64::from(i32_at(code, aligned + 8)) - i64::from(i32_at(code, aligned + 4));
            let span = usize::try_from(span).ok().filter(|s| *s <= 65535)?;
            Some(aligned + 4 * (span + 4) - bci)
        }
        bc::LOOKUPSWITCH => {
            if aligned + 8 > code.len() {
                return None;
            }
            let pairs = usize::try_from(i32_at(code, aligned + 4))
                .ok()
                .filter(|p| *p < 65536)?;
            Some(aligned + 8 * (pairs + 1) - bci)
        }
        bc::WIDE => match *code.get(bci + 1)? {
            bc::IINC => Some(6),
            bc::RET | bc::ILOAD..=bc::ALOAD | bc::ISTORE..=bc::ASTORE => Some(4),
            _ => None,
        },
        _ => Some(usize::from(decode::fixed_len(op))).filter(|n| *n > 0),
    }
}

impl<W: World> Infer<'_, '_, W> {
    /// Gives each instruction its number.
    fn number(&mut self) -> Res<()> {
        let code = self.code.bytes;
        self.numbers = vec![usize::MAX; code.len()];
        let mut bci = 0;
        while bci < code.len() {
            let Some(len) = length(code, bci) else {
                return fail(format!("Illegal instruction found at offset {bci}"));
            };
            if bci + len > code.len() {
                return fail(format!(
                    "Code stops in the middle of instruction  starting at offset {bci}"
                ));
            }
            self.numbers[bci] = self.insns.len();
            self.insns.push(Insn {
                op: code[bci],
                bci,
                operand: 0,
                info: Info::BOGUS,
                info2: Info::BOGUS,
                targets: None,
                ret: None,
                protected: false,
                stack: None,
                registers: None,
                and_flags: u8::MAX,
                or_flags: 0,
            });
            bci += len;
        }
        self.changed = vec![0; self.insns.len().div_ceil(64)];
        Ok(())
    }

    /// The instruction a branch goes to.
    fn target(&self, target: i64) -> Option<usize> {
        let at = usize::try_from(target).ok()?;
        self.numbers.get(at).copied().filter(|n| *n != usize::MAX)
    }

    fn check_tag(&self, index: u16, tags: &[u8]) -> Res<()> {
        if index == 0 || index >= self.file.cp_len() {
            return fail("Illegal constant pool index");
        }
        if !tags.contains(&self.file.tag(index)) {
            return fail("Illegal type in constant pool");
        }
        Ok(())
    }

    /// Looks up an instruction's operands and refuses wrong ones.
    fn operands(&mut self, i: usize) -> Res<()> {
        let code = self.code.bytes;
        let (bci, op) = (self.insns[i].bci, self.insns[i].op);
        if let Some(target) = decode::branch_target(code, bci) {
            let Some(target) = self.target(target) else {
                return fail("Illegal target of jump or branch");
            };
            self.insns[i].operand = target;
            return Ok(());
        }
        if let Some((op, local, _)) = decode::local_operand(code, bci) {
            let insn = &mut self.insns[i];
            (insn.op, insn.operand) = (op, local.into());
            let pair = matches!(op, 22 | 24 | 55 | 57);
            if insn.operand + usize::from(pair) >= usize::from(self.code.max_locals) {
                return fail("Illegal local variable number");
            }
            return Ok(());
        }
        match op {
            bc::TABLESWITCH | bc::LOOKUPSWITCH => self.switch(i),
            bc::LDC | bc::LDC_W | bc::LDC2_W => {
                let index = if op == bc::LDC {
                    u16::from(code[bci + 1])
                } else {
                    u16_at(code, bci + 1)
                };
                self.insns[i].operand = index.into();
                let tags: &[u8] = match op {
                    bc::LDC2_W => &[tag::DOUBLE, tag::LONG],
                    _ if self.file.major >= 49 => &[tag::INTEGER, tag::FLOAT, tag::STRING, tag::CLASS],
                    _ => &[tag::INTEGER, tag::FLOAT, tag::STRING],
                };
                self.check_tag(index, tags)
            }
            bc::GETSTATIC..=bc::PUTFIELD => {
                let index = u16_at(code, bci + 1);
                self.check_tag(index, &[tag::FIELD])?;
                self.insns[i].operand = index.into();
                self.insns[i].info2 = self.types.member_class(index)?;
                if matches!(op, bc::GETFIELD | bc::PUTFIELD) {
                    self.set_protected(i, index, false)?;
                }
                Ok(())
            }
            bc::INVOKEVIRTUAL..=bc::INVOKEINTERFACE => self.call(i),
            bc::INVOKEDYNAMIC => fail("invokedynamic bytecode is not supported in this class file version"),
            bc::NEW | bc::ANEWARRAY | bc::CHECKCAST | bc::INSTANCEOF | bc::MULTIANEWARRAY => self.class_op(i),
            bc::NEWARRAY => {
                let kind = usize::from(code[bci + 1]);
                let items = [
                    Item::Boolean,
                    Item::Char,
                    Item::Float,
                    Item::Double,
                    Item::Byte,
                    Item::Short,
                    Item::Integer,
                    Item::Long,
                ];
                let Some(item) = kind.checked_sub(4).and_then(|k| items.get(k)) else {
                    return fail("Bad type passed to newarray");
                };
                self.insns[i].info = Info::new(*item, 1, 0);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn switch(&mut self, i: usize) -> Res<()> {
        let code = self.code.bytes;
        let bci = self.insns[i].bci;
        if code[bci + 1..(bci & !3) + 4].iter().any(|b| *b != 0) {
            return fail("Non zero padding bytes in switch");
        }
        let switch = SwitchInsn::at(code, bci);
        let lookup = code[bci] == bc::LOOKUPSWITCH;
        if lookup && (1..switch.len).any(|k| switch.key(k - 1) >= switch.key(k)) {
            return fail("Unsorted lookup switch");
        }
        let Some(default) = self.target(switch.default()) else {
            return fail("Illegal default target in switch");
        };
        let mut targets = vec![default];
        for k in 0..switch.len {
            let Some(target) = self.target(switch.target(k)) else {
                return fail("Illegal branch in tableswitch");
            };
            targets.push(target);
        }
        // Visited from the last case to the first, the default at the end.
        targets.reverse();
        self.insns[i].targets = Some(targets.into());
        Ok(())
    }

    fn class_op(&mut self, i: usize) -> Res<()> {
        let code = self.code.bytes;
        let (bci, op) = (self.insns[i].bci, self.insns[i].op);
        let index = u16_at(code, bci + 1);
        self.check_tag(index, &[tag::CLASS])?;
        let target = self.types.class_constant(index)?;
        if target.item() == Item::Bogus {
            return fail("Illegal type");
        }
        let insn = &mut self.insns[i];
        insn.info = target;
        match op {
            bc::ANEWARRAY => {
                if target.dims() == u8::MAX {
                    return fail("Array with too many dimensions");
                }
                insn.info = target.with_dims(target.dims() + 1);
            }
            bc::NEW => {
                if target.item() != Item::Object || target.dims() != 0 {
                    return fail("Illegal creation of multi-dimensional array");
                }
                insn.info = Info::new(Item::NewObject, 0, i as u32);
                insn.info2 = target;
            }
            bc::MULTIANEWARRAY => {
                insn.operand = code[bci + 3].into();
                if insn.operand > usize::from(target.dims()) || insn.operand == 0 {
                    return fail("Illegal dimension argument");
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn call(&mut self, i: usize) -> Res<()> {
        let code = self.code.bytes;
        let (bci, op) = (self.insns[i].bci, self.insns[i].op);
        let index = u16_at(code, bci + 1);
        let wanted = if op == bc::INVOKEINTERFACE {
            tag::INTERFACE_METHOD
        } else {
            tag::METHOD
        };
        self.check_tag(index, &[wanted])?;
        let (_, name, desc) = self.file.member(index).unwrap_or((0, b"?", b"()V"));
        let class = self.types.member_class(index)?;
        self.insns[i].operand = index.into();
        self.insns[i].info2 = class;
        if name == b"<init>" {
            if op != bc::INVOKESPECIAL {
                return fail("Must call initializers using invokespecial");
            }
            self.insns[i].op = INVOKEINIT;
        } else {
            if name.first() == Some(&b'<') {
                return fail("Illegal call to internal method");
            }
            if op == bc::INVOKESPECIAL && class != self.types.this && !self.types.is_super(class) {
                return fail("Illegal use of nonvirtual function call");
            }
        }
        if op == bc::INVOKEINTERFACE {
            let words = method_types(desc).map_or(0, |(p, _)| p.iter().map(|t| t.slots()).sum());
            if u16::from(code[bci + 3]) != words + 1 {
                return fail("Inconsistent args_size for invokeinterface");
            }
            if code[bci + 4] != 0 {
                return fail("Fourth operand byte of invokeinterface must be zero");
            }
        } else if op != bc::INVOKESTATIC {
            self.set_protected(i, index, true)?;
        }
        Ok(())
    }

    fn set_protected(&mut self, i: usize, index: u16, method: bool) -> Res<()> {
        let (_, name, desc) = self.file.member(index).unwrap_or((0, b"?", b"?"));
        let class = self.insns[i].info2;
        if self.types.is_super(class) {
            let member = Member { method, name, desc };
            self.insns[i].protected = self.types.is_protected_elsewhere(class, member)?;
        }
        Ok(())
    }

    fn exception_table(&mut self) -> Res<()> {
        let table = self.code.handlers;
        if self.code.max_stack < 1 && !table.is_empty() {
            return fail("Stack size too large");
        }
        for entry in table.chunks_exact(8).rev() {
            let word = |at| i64::from(u16_at(entry, at));
            let end_of_code = word(2) == self.code.bytes.len() as i64;
            let (start, end) = (self.target(word(0)), self.target(word(2)));
            let end = if end_of_code { Some(self.insns.len()) } else { end };
            let (Some(start), Some(end), true) = (start, end, word(0) < word(2)) else {
                return fail_format("Illegal exception table range");
            };
            let Some(target) = self.target(word(4)).filter(|_| word(4) > 0) else {
                return fail_format("Illegal exception table handler");
            };
            let throwable = self.types.throwable;
            let mut catch = throwable;
            let index = u16_at(entry, 6);
            if index != 0 {
                catch = self.types.named(self.file.class_name(index).unwrap_or(b""));
                if !self.types.assignable(catch, throwable)? {
                    return fail("catch_type not a subclass of Throwable");
                }
            }
            self.handlers.push(Handler {
                start,
                end,
                target,
                stack: Stack {
                    types: Rc::new(vec![catch]),
                    size: 1,
                },
            });
        }
        Ok(())
    }

    /// What is known at the first instruction.
    fn enter(&mut self, method: &MemberInfo) -> Res<()> {
        let mut locals = Vec::new();
        let mut or_flags = 1;
        if method.access & acc::STATIC == 0 {
            let init = self.file.utf8(method.name) == Some(b"<init>");
            if init && self.types.this != self.types.object {
                locals.push(Info::new(Item::InitObject, 0, 0));
                or_flags |= NEED_CONSTRUCTOR;
            } else {
                locals.push(self.types.this);
            }
        }
        let desc = self.file.utf8(method.desc).unwrap_or(b"()V");
        let Some((params, ret)) = method_types(desc) else {
            return Err(Stop::bug("a method descriptor the parser has let pass").into());
        };
        for param in params {
            let info = self.types.value(param);
            locals.push(info);
            if info.is_pair() {
                locals.push(info.second());
            }
        }
        self.returns = match ret {
            Type::Prim(Prim::Void) => Info::VOID,
            ret => self.types.value(ret),
        };
        let first = &mut self.insns[0];
        first.stack = Some(Stack::default());
        first.registers = Some(Registers {
            types: Rc::new(locals),
            masks: Rc::default(),
        });
        first.and_flags = 0;
        first.or_flags = or_flags;
        self.changed[0] |= 1;
        Ok(())
    }

    /// The type of the field at a constant pool index.
    pub fn field_info(&mut self, index: usize) -> Info {
        let (_, _, desc) = self.file.member(index as u16).unwrap_or((0, b"?", b"I"));
        parse_type(desc).map_or(Info::BOGUS, |(ty, _)| self.types.value(ty))
    }
}
