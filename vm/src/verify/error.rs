//! Failures of the type checker, and the account HotSpot gives of them.

use super::insn;
use super::types::VType;
use super::world::World;
use crate::classfile::{Code, to_text};
use crate::stop::Stop;
use std::fmt::Write;

/// Why checking a method ended. Boxed, since it is rare.
#[derive(Debug)]
pub struct Fail(pub Box<Problem>);

#[derive(Debug)]
pub enum Problem {
    Stop(Stop),
    Verify(Context, String),
    /// A ClassFormatError, which for version 50 still gets the old verifier's opinion.
    Format(String),
    /// A ClassFormatError thrown at once.
    Thrown(String),
}

pub type Res<T> = Result<T, Fail>;

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Fail {
        Fail(Box::new(Problem::Stop(stop)))
    }
}

/// A frame as shown in messages.
#[derive(Debug, Clone)]
pub struct Shown {
    pub bci: usize,
    pub this_uninit: bool,
    pub locals: Vec<VType>,
    pub stack: Vec<VType>,
}

/// Where a type came from.
#[derive(Debug)]
pub enum Origin {
    None,
    Local(usize, VType, Shown),
    Stack(usize, VType, Shown),
    MapLocal(usize, VType, Shown),
    MapStack(usize, VType, Shown),
    Pool(u16, VType),
    Signature(VType),
    Implied(VType),
    Frame(Shown),
}

#[derive(Debug)]
pub enum Fault {
    Code,
    Type,
    Flags,
    PoolIndex(usize),
    LocalIndex(usize),
    StackSize,
    Overflow,
    Underflow,
    MissingMap,
    BadMap,
}

/// What the details of a VerifyError tell.
#[derive(Debug)]
pub struct Context {
    pub bci: usize,
    pub fault: Fault,
    pub found: Origin,
    pub expected: Origin,
}

impl Context {
    pub fn code(bci: usize) -> Context {
        Context::of(bci, Fault::Code)
    }

    pub fn of(bci: usize, fault: Fault) -> Context {
        Context {
            bci,
            fault,
            found: Origin::None,
            expected: Origin::None,
        }
    }

    pub fn types(bci: usize, found: Origin, expected: Origin) -> Context {
        Context {
            bci,
            fault: Fault::Type,
            found,
            expected,
        }
    }

    pub fn frames(bci: usize, fault: Fault, found: Shown, expected: Option<Shown>) -> Context {
        Context {
            bci,
            fault,
            found: Origin::Frame(found),
            expected: expected.map_or(Origin::None, Origin::Frame),
        }
    }

    pub fn fail(self, message: impl Into<String>) -> Fail {
        Fail(Box::new(Problem::Verify(self, message.into())))
    }
}

impl Origin {
    fn shown(&self) -> Option<&Shown> {
        match self {
            Origin::Local(.., f)
            | Origin::Stack(.., f)
            | Origin::MapLocal(.., f)
            | Origin::MapStack(.., f) => Some(f),
            Origin::Frame(f) => Some(f),
            _ => None,
        }
    }

    fn text<W: World>(&self, world: &W) -> String {
        let of = |ty: &VType, tail: String| type_text(world, *ty) + &tail;
        match self {
            Origin::None | Origin::Frame(_) => "top".into(),
            Origin::Local(i, ty, _) => of(ty, format!(" (current frame, locals[{i}])")),
            Origin::Stack(i, ty, _) => of(ty, format!(" (current frame, stack[{i}])")),
            Origin::MapLocal(i, ty, _) => of(ty, format!(" (stack map, locals[{i}])")),
            Origin::MapStack(i, ty, _) => of(ty, format!(" (stack map, stack[{i}])")),
            Origin::Pool(i, ty) => of(ty, format!(" (constant pool {i})")),
            Origin::Signature(ty) => of(ty, " (from method signature)".into()),
            Origin::Implied(ty) => of(ty, String::new()),
        }
    }
}

fn type_text<W: World>(world: &W, ty: VType) -> String {
    match ty.name() {
        Some(name) => format!("'{}'", to_text(world.bytes(name))),
        None => ty.text(),
    }
}

/// The method a message names.
pub struct Subject<'a> {
    /// `Class.name(descriptor)`.
    pub title: String,
    pub code: &'a Code<'static>,
    pub stack_map: Option<&'a [u8]>,
}

/// The whole message: the sentence, and the details below it.
pub fn full_message<W: World>(world: &W, context: &Context, message: &str, method: &Subject<'_>) -> String {
    let mut out = format!("{message}\nException Details:\n");
    let code = method.code.bytes;
    let at = code.get(context.bci).map_or("<invalid>", |&op| insn::name(op));
    let _ = writeln!(out, "  Location:\n    {} @{}: {at}", method.title, context.bci);
    let _ = writeln!(out, "  Reason:\n    {}", reason(world, context));
    if let Some(frame) = context.found.shown() {
        out.push_str("  Current Frame:\n");
        show(world, frame, &mut out);
    }
    if let Some(frame) = context.expected.shown() {
        out.push_str("  Stackmap Frame:\n");
        show(world, frame, &mut out);
    }
    out.push_str("  Bytecode:\n");
    dump(code, &mut out);
    if !method.code.handlers.is_empty() {
        out.push_str("  Exception Handler Table:\n");
        for e in method.code.handlers.chunks_exact(8) {
            let word = |i| u16::from_be_bytes([e[i], e[i + 1]]);
            let _ = writeln!(out, "    bci [{}, {}] => handler: {}", word(0), word(2), word(4));
        }
    }
    if let Some(map) = method.stack_map {
        out.push_str("  Stackmap Table:\n");
        super::stackmap::list(map, &mut out);
    }
    out
}

fn reason<W: World>(world: &W, context: &Context) -> String {
    let expected = !matches!(context.expected, Origin::None);
    match &context.fault {
        Fault::Code => "Error exists in the bytecode".into(),
        Fault::Type if expected => {
            let (found, expected) = (context.found.text(world), context.expected.text(world));
            format!("Type {found} is not assignable to {expected}")
        }
        Fault::Type => format!("Invalid type: {}", context.found.text(world)),
        Fault::Flags if expected => "Current frame's flags are not assignable to stack map frame's.".into(),
        Fault::Flags => "Current frame's flags are invalid in this context.".into(),
        Fault::PoolIndex(i) => format!("Constant pool index {i} is invalid"),
        Fault::LocalIndex(i) => format!("Local index {i} is invalid"),
        Fault::StackSize => "Current frame's stack size doesn't match stackmap.".into(),
        Fault::Overflow => "Exceeded max stack size.".into(),
        Fault::Underflow => "Attempt to pop empty stack.".into(),
        Fault::MissingMap => "Expected stackmap frame at this location.".into(),
        Fault::BadMap => "Invalid stackmap specification.".into(),
    }
}

fn show<W: World>(world: &W, frame: &Shown, out: &mut String) {
    let list = |types: &[VType]| {
        let texts: Vec<String> = types.iter().map(|t| type_text(world, *t)).collect();
        if texts.is_empty() {
            String::new()
        } else {
            format!(" {}", texts.join(", "))
        }
    };
    let flags = if frame.this_uninit { " flagThisUninit" } else { "" };
    let _ = writeln!(out, "    bci: @{}\n    flags: {{{flags} }}", frame.bci);
    let _ = writeln!(out, "    locals: {{{} }}", list(&frame.locals));
    let _ = writeln!(out, "    stack: {{{} }}", list(&frame.stack));
}

/// Sixteen bytes a line in pairs, blanks after the end; a full last line is followed by an empty one.
fn dump(code: &[u8], out: &mut String) {
    for at in 0..(code.len() + 16) / 16 * 16 {
        if at % 16 == 0 {
            let _ = write!(out, "    {at:07x}:");
        }
        if at % 2 == 0 {
            out.push(' ');
        }
        match code.get(at) {
            Some(byte) => drop(write!(out, "{byte:02x}")),
            None => out.push_str("  "),
        }
        if at % 16 == 15 {
            out.push('\n');
        }
    }
}
