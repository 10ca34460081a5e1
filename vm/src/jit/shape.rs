//! What compilation must know of an op before it can be translated: the registers it reads and writes, and where
//! control goes.

use crate::link::op::Op;

/// What a register is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An int, float, long or reference: an image of 64 bits in a general register.
    Word,
    Double,
    /// Copied only: whatever the register is otherwise.
    Any,
}

/// Where control goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    /// To the next op, or by the offset.
    Branch(i32),
    Jump(i32),
    Switch(u32),
    /// Into another method, and to the next op with all registers in memory.
    Call,
    /// Through the body of another method, and to the next op.
    Inlined,
    /// To the interpreter, which does what this op says and comes back at a later one.
    Interpreter,
    Return,
}

pub(super) struct Shape {
    pub(super) reads: [Option<(u16, Kind)>; 3],
    pub(super) writes: Option<(u16, Kind)>,
    /// Registers that an inlined body reads.
    pub(super) args: Vec<u16>,
    pub(super) flow: Flow,
    /// The op is never handed to the interpreter, so that it can be replaced by an entry point.
    pub(super) own: bool,
}

impl Shape {
    fn new(reads: &[(u16, Kind)], writes: Option<(u16, Kind)>) -> Shape {
        let read = |i: usize| reads.get(i).copied();
        Shape {
            reads: [read(0), read(1), read(2)],
            writes,
            args: Vec::new(),
            flow: Flow::Next,
            own: true,
        }
    }

    fn flow(self, flow: Flow) -> Shape {
        Shape { flow, ..self }
    }

    /// A call becomes the body of what it calls.
    pub(super) fn inline(&mut self, result: u16, args: Vec<u16>) {
        self.writes = Some((result, Kind::Any));
        self.args = args;
        self.flow = Flow::Inlined;
    }

    /// The interpreter may be asked to do it.
    fn shared(self) -> Shape {
        Shape { own: false, ..self }
    }
}

/// What is known of an op.
pub(super) fn shape(op: &Op) -> Shape {
    use Kind::{Any, Double, Word};
    let word = |d: u16| Some((d, Word));
    let double = |d: u16| Some((d, Double));
    match *op {
        Op::Nop => Shape::new(&[], None),
        Op::Mov { d, s } => Shape::new(&[(s, Any)], Some((d, Any))),
        Op::Const { d, .. } | Op::LdcRef { d, .. } => Shape::new(&[], word(d)),
        Op::Const64 { d, .. } => Shape::new(&[], Some((d, Any))),
        Op::AddI { d, a, b }
        | Op::SubI { d, a, b }
        | Op::MulI { d, a, b }
        | Op::DivI { d, a, b }
        | Op::RemI { d, a, b }
        | Op::AndI { d, a, b }
        | Op::OrI { d, a, b }
        | Op::XorI { d, a, b }
        | Op::ShlI { d, a, b }
        | Op::ShrI { d, a, b }
        | Op::UshrI { d, a, b }
        | Op::AddL { d, a, b }
        | Op::SubL { d, a, b }
        | Op::MulL { d, a, b }
        | Op::DivL { d, a, b }
        | Op::RemL { d, a, b }
        | Op::AndL { d, a, b }
        | Op::OrL { d, a, b }
        | Op::XorL { d, a, b }
        | Op::ShlL { d, a, b }
        | Op::ShrL { d, a, b }
        | Op::UshrL { d, a, b }
        | Op::AddF { d, a, b }
        | Op::SubF { d, a, b }
        | Op::MulF { d, a, b }
        | Op::DivF { d, a, b }
        | Op::RemF { d, a, b }
        | Op::CmpL { d, a, b }
        | Op::CmpFl { d, a, b }
        | Op::CmpFg { d, a, b } => Shape::new(&[(a, Word), (b, Word)], word(d)),
        Op::NegI { d, a }
        | Op::NegL { d, a }
        | Op::NegF { d, a }
        | Op::I2L { d, a }
        | Op::I2F { d, a }
        | Op::L2I { d, a }
        | Op::L2F { d, a }
        | Op::F2I { d, a }
        | Op::F2L { d, a }
        | Op::I2B { d, a }
        | Op::I2C { d, a }
        | Op::I2S { d, a }
        | Op::AddIK { d, a, .. }
        | Op::RsubIK { d, a, .. }
        | Op::MulIK { d, a, .. }
        | Op::DivIK { d, a, .. }
        | Op::RemIK { d, a, .. }
        | Op::AndIK { d, a, .. }
        | Op::OrIK { d, a, .. }
        | Op::XorIK { d, a, .. }
        | Op::ShlIK { d, a, .. }
        | Op::ShrIK { d, a, .. }
        | Op::UshrIK { d, a, .. }
        | Op::AddLK { d, a, .. }
        | Op::MulLK { d, a, .. }
        | Op::AndLK { d, a, .. }
        | Op::ShlLK { d, a, .. }
        | Op::ShrLK { d, a, .. }
        | Op::UshrLK { d, a, .. } => Shape::new(&[(a, Word)], word(d)),
        Op::AddD { d, a, b }
        | Op::SubD { d, a, b }
        | Op::MulD { d, a, b }
        | Op::DivD { d, a, b }
        | Op::RemD { d, a, b } => Shape::new(&[(a, Double), (b, Double)], double(d)),
        Op::NegD { d, a } => Shape::new(&[(a, Double)], double(d)),
        Op::I2D { d, a } | Op::L2D { d, a } | Op::F2D { d, a } => Shape::new(&[(a, Word)], double(d)),
        Op::D2I { d, a } | Op::D2L { d, a } | Op::D2F { d, a } => Shape::new(&[(a, Double)], word(d)),
        Op::CmpDl { d, a, b } | Op::CmpDg { d, a, b } => Shape::new(&[(a, Double), (b, Double)], word(d)),
        Op::Jmp { off } => Shape::new(&[], None).flow(Flow::Jump(off)),
        Op::JEqIK { a, off, .. }
        | Op::JNeIK { a, off, .. }
        | Op::JLtIK { a, off, .. }
        | Op::JGeIK { a, off, .. }
        | Op::JGtIK { a, off, .. }
        | Op::JLeIK { a, off, .. }
        | Op::JNull { a, off }
        | Op::JNonNull { a, off } => Shape::new(&[(a, Word)], None).flow(Flow::Branch(off)),
        Op::JEqI { a, b, off }
        | Op::JNeI { a, b, off }
        | Op::JLtI { a, b, off }
        | Op::JGeI { a, b, off }
        | Op::JGtI { a, b, off }
        | Op::JLeI { a, b, off }
        | Op::JEqA { a, b, off }
        | Op::JNeA { a, b, off }
        | Op::JEqL { a, b, off }
        | Op::JNeL { a, b, off }
        | Op::JLtL { a, b, off }
        | Op::JGeL { a, b, off }
        | Op::JGtL { a, b, off }
        | Op::JLeL { a, b, off }
        | Op::JEqF { a, b, off }
        | Op::JNeF { a, b, off }
        | Op::JLtF { a, b, off }
        | Op::JLeF { a, b, off }
        | Op::JGtF { a, b, off }
        | Op::JGeF { a, b, off }
        | Op::JNltF { a, b, off }
        | Op::JNleF { a, b, off }
        | Op::JNgtF { a, b, off }
        | Op::JNgeF { a, b, off } => Shape::new(&[(a, Word), (b, Word)], None).flow(Flow::Branch(off)),
        Op::JEqD { a, b, off }
        | Op::JNeD { a, b, off }
        | Op::JLtD { a, b, off }
        | Op::JLeD { a, b, off }
        | Op::JGtD { a, b, off }
        | Op::JGeD { a, b, off }
        | Op::JNltD { a, b, off }
        | Op::JNleD { a, b, off }
        | Op::JNgtD { a, b, off }
        | Op::JNgeD { a, b, off } => Shape::new(&[(a, Double), (b, Double)], None).flow(Flow::Branch(off)),
        Op::TableSwitch { a, table } | Op::LookupSwitch { a, table } => {
            Shape::new(&[(a, Word)], None).flow(Flow::Switch(table))
        }
        Op::Ld1 { d, arr, i } | Op::Ld2U { d, arr, i } | Op::Ld2S { d, arr, i } | Op::Ld4 { d, arr, i } => {
            Shape::new(&[(arr, Word), (i, Word)], word(d))
        }
        Op::Ld8 { d, arr, i } => Shape::new(&[(arr, Word), (i, Word)], Some((d, Any))),
        Op::St1 { arr, i, v } | Op::St2 { arr, i, v } | Op::St4 { arr, i, v } | Op::StA { arr, i, v } => {
            Shape::new(&[(arr, Word), (i, Word), (v, Word)], None).shared()
        }
        Op::St8 { arr, i, v } => Shape::new(&[(arr, Word), (i, Word), (v, Any)], None).shared(),
        Op::ArrayLen { d, arr } => Shape::new(&[(arr, Word)], word(d)),
        Op::NewArray { d, len, .. } | Op::ANewArray { d, len, .. } => {
            Shape::new(&[(len, Word)], word(d)).shared()
        }
        Op::New { d, .. } => Shape::new(&[], word(d)).shared(),
        Op::Gf1 { d, obj, .. }
        | Op::Gf2U { d, obj, .. }
        | Op::Gf2S { d, obj, .. }
        | Op::Gf4 { d, obj, .. } => Shape::new(&[(obj, Word)], word(d)),
        Op::Gf8 { d, obj, .. } => Shape::new(&[(obj, Word)], Some((d, Any))),
        Op::PfZ { obj, v, .. }
        | Op::Pf1 { obj, v, .. }
        | Op::Pf2 { obj, v, .. }
        | Op::Pf4 { obj, v, .. }
        | Op::PfA { obj, v, .. } => Shape::new(&[(obj, Word), (v, Word)], None).shared(),
        Op::Pf8 { obj, v, .. } => Shape::new(&[(obj, Word), (v, Any)], None).shared(),
        Op::Gs1 { d, .. } | Op::Gs2U { d, .. } | Op::Gs2S { d, .. } | Op::Gs4 { d, .. } => {
            Shape::new(&[], word(d))
        }
        Op::Gs8 { d, .. } => Shape::new(&[], Some((d, Any))),
        Op::PsZ { v, .. } | Op::Ps1 { v, .. } | Op::Ps2 { v, .. } | Op::Ps4 { v, .. } | Op::PsA { v, .. } => {
            Shape::new(&[(v, Word)], None).shared()
        }
        Op::Ps8 { v, .. } => Shape::new(&[(v, Any)], None).shared(),
        Op::CheckCast { s, .. } => Shape::new(&[(s, Word)], None).shared(),
        Op::InstanceOf { d, s, .. } => Shape::new(&[(s, Word)], word(d)),
        Op::InvokeObjectInit { args } => Shape::new(&[(args, Word)], None).shared(),
        Op::InvokeStatic { .. } | Op::InvokeLinked { .. } => Shape::new(&[], None).flow(Flow::Call).shared(),
        // An accessor is read in place.
        Op::InvokeSpecial { args, .. }
        | Op::InvokeVirtual { args, .. }
        | Op::InvokeInterface { args, .. } => Shape::new(&[(args, Word)], None).flow(Flow::Call).shared(),
        Op::MonitorEnter { s } | Op::MonitorExit { s } => Shape::new(&[(s, Word)], None).shared(),
        Op::RetVoid => Shape::new(&[], None).flow(Flow::Return),
        Op::Ret { s } => Shape::new(&[(s, Any)], None).flow(Flow::Return),
        Op::RetZ { s } | Op::RetB { s } | Op::RetC { s } | Op::RetS { s } => {
            Shape::new(&[(s, Word)], None).flow(Flow::Return)
        }
        // Not resolved yet, rare, or about threads and exceptions.
        _ => Shape::new(&[], None).flow(Flow::Interpreter).shared(),
    }
}
