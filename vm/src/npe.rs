//! Helpful NullPointerException messages: which action failed, and what was null.
//!
//! As in HotSpot, the operand stack is simulated over the method's bytecode, each slot remembering the instruction
//! that pushed it (or none, where different paths meet). From the instruction that failed, the null's origin is
//! followed back and written as an expression, a few steps deep.

use crate::classfile::descriptor::{Prim, Type, field_type, method_types};
use crate::classfile::{ClassFile, Code, MemberInfo};
use crate::ids::MethodId;
use crate::vm::Vm;
use std::fmt::Write as _;

/// Steps back from the failed instruction that a message still describes.
const MAX_DETAIL: u32 = 5;
/// Simulated stack entries after which the analysis gives up.
const MAX_ENTRIES: usize = 1_000_000;

/// The message for a NullPointerException raised in `method` at `bci`, if there is one to tell.
pub fn message(vm: &Vm, method: MethodId, bci: u16) -> Option<String> {
    let m = vm.method(method);
    // An exception made by reflection was not raised here.
    if vm.class_name(m.class) == "jdk/internal/reflect/NativeConstructorAccessorImpl" {
        return None;
    }
    let file = vm.code_file(m.class)?;
    message_at(file, file.methods.get(usize::from(m.slot))?, bci)
}

/// The message for an instruction of a class file's method.
pub fn message_at(file: &'static ClassFile, method: &MemberInfo, bci: u16) -> Option<String> {
    let code = file.code(method)?;
    let analysis = Analysis::run(file, method, code, bci);
    let slot = analysis.null_slot(bci)?;
    let mut out = analysis.failed_action(bci)?;
    let before = out.len();
    if analysis.cause(&mut out, bci, slot, MAX_DETAIL, false) {
        out.push_str("\" is null");
    } else {
        out.truncate(before);
    }
    Some(out)
}

/// A simulated operand stack: for each slot the instruction that pushed it.
#[derive(Clone, Default)]
struct Stack {
    slots: Vec<Option<u16>>,
    /// Locals below 64 that were written since entry.
    written: u64,
}

impl Stack {
    fn push(&mut self, bci: u16, count: u16) {
        for _ in 0..count {
            self.slots.push(Some(bci));
        }
    }

    fn pop(&mut self, count: u16) {
        let left = self.slots.len().saturating_sub(usize::from(count));
        self.slots.truncate(left);
    }

    /// Slot counted from the top.
    fn at(&self, slot: u16) -> Option<u16> {
        let index = self.slots.len().checked_sub(1 + usize::from(slot))?;
        self.slots[index]
    }

    /// Copies the top `count` slots to below the `under` slots beneath them.
    fn dup(&mut self, count: usize, under: usize) {
        let len = self.slots.len();
        if len < count + under {
            return;
        }
        let top = self.slots[len - count..].to_vec();
        let at = len - count - under;
        self.slots.splice(at..at, top);
    }

    fn write_local(&mut self, index: u16) {
        if index < 64 {
            self.written |= 1 << index;
        }
    }

    fn local_written(&self, index: u16) -> bool {
        index >= 64 || self.written >> index & 1 != 0
    }

    fn merge(&mut self, other: &Stack) {
        for (mine, theirs) in self.slots.iter_mut().zip(&other.slots) {
            if *mine != *theirs {
                *mine = None;
            }
        }
        self.written |= other.written;
    }
}

struct Analysis<'a> {
    file: &'static ClassFile,
    method: &'a MemberInfo,
    code: Code<'static>,
    /// For each bytecode index the stack before it, once known.
    stacks: Vec<Option<Stack>>,
    entries: usize,
    added_one: bool,
    all_processed: bool,
}

/// Where control goes after an instruction.
#[derive(Default)]
struct Flow {
    targets: Vec<usize>,
    ended: bool,
}

impl<'a> Analysis<'a> {
    fn run(file: &'static ClassFile, method: &'a MemberInfo, code: Code<'static>, bci: u16) -> Analysis<'a> {
        let len = code.bytes.len();
        let mut a = Analysis {
            file,
            method,
            code,
            stacks: vec![None; len + 1],
            entries: 0,
            added_one: true,
            all_processed: false,
        };
        a.stacks[0] = Some(Stack::default());
        for handler in code.handlers.chunks_exact(8) {
            let pc = u16::from_be_bytes([handler[4], handler[5]]);
            if let Some(stack @ None) = a.stacks.get_mut(usize::from(pc)) {
                *stack = Some(Stack {
                    slots: vec![Some(pc)],
                    written: 0,
                });
            }
        }
        while !a.all_processed && a.added_one {
            a.all_processed = true;
            a.added_one = false;
            let mut at = 0;
            while at < len {
                at += a.step(at);
                if at == usize::from(bci) && a.stacks[at].is_some() {
                    a.all_processed = true;
                    break;
                }
                if a.entries > MAX_ENTRIES {
                    return a;
                }
            }
        }
        a
    }

    fn u1(&self, at: usize) -> u16 {
        u16::from(self.code.bytes.get(at).copied().unwrap_or(0))
    }

    fn u2(&self, at: usize) -> u16 {
        self.u1(at) << 8 | self.u1(at + 1)
    }

    fn i4(&self, at: usize) -> i32 {
        (i32::from(self.u2(at) as i16) << 16) | i32::from(self.u2(at + 2))
    }

    /// Length of the instruction at `at`.
    fn length(&self, at: usize) -> usize {
        match self.u1(at) {
            16 | 18 | 21..=25 | 54..=58 | 169 | 188 => 2,
            17 | 19 | 20 | 132 | 153..=168 | 178..=184 | 187 | 189 | 192 | 193 | 198 | 199 => 3,
            185 | 186 | 200 | 201 => 5,
            197 => 4,
            196 => {
                if self.u1(at + 1) == 132 {
                    6
                } else {
                    4
                }
            }
            170 => {
                let base = (at + 4) & !3;
                let count = i64::from(self.i4(base + 8)) - i64::from(self.i4(base + 4)) + 1;
                base + 12 + 4 * usize::try_from(count).unwrap_or(0) - at
            }
            171 => {
                let base = (at + 4) & !3;
                base + 8 + 8 * usize::try_from(self.i4(base + 4)).unwrap_or(0) - at
            }
            _ => 1,
        }
    }

    /// Simulates the instruction at `at`; answers its length.
    fn step(&mut self, at: usize) -> usize {
        let len = self.length(at).max(1);
        let Some(mut stack) = self.stacks[at].clone() else {
            self.all_processed = false;
            return len;
        };
        let flow = self.simulate(at, &mut stack);
        if !flow.ended {
            self.arrive(at + len, &stack);
        }
        for target in flow.targets {
            self.arrive(target, &stack);
        }
        len
    }

    fn arrive(&mut self, at: usize, stack: &Stack) {
        let Some(there) = self.stacks.get_mut(at) else {
            return;
        };
        match there {
            Some(known) => known.merge(stack),
            None => {
                self.added_one = true;
                self.entries += stack.slots.len();
                *there = Some(stack.clone());
            }
        }
    }

    fn simulate(&self, at: usize, stack: &mut Stack) -> Flow {
        let bci = at as u16;
        let mut flow = Flow::default();
        let op = self.u1(at);
        if let Some((pops, pushes)) = simple_effect(op) {
            stack.pop(pops);
            stack.push(bci, pushes);
            return flow;
        }
        match op {
            54..=78 => {
                let (index, size) = self.stored_local(at);
                stack.write_local(index);
                if size == 2 {
                    stack.write_local(index + 1);
                }
                stack.pop(size);
            }
            89 => stack.dup(1, 0),
            90 => stack.dup(1, 1),
            91 => stack.dup(1, 2),
            92 => stack.dup(2, 0),
            93 => stack.dup(2, 1),
            94 => stack.dup(2, 2),
            95 => {
                let len = stack.slots.len();
                if len >= 2 {
                    stack.slots.swap(len - 1, len - 2);
                }
            }
            132 => stack.write_local(self.u1(at + 1)),
            153..=158 | 198 | 199 => {
                stack.pop(1);
                flow.targets.push(self.branch(at));
            }
            159..=166 => {
                stack.pop(2);
                flow.targets.push(self.branch(at));
            }
            167 => {
                flow.targets.push(self.branch(at));
                flow.ended = true;
            }
            168 => {
                stack.push(bci, 1);
                flow.targets.push(self.branch(at));
                flow.ended = true;
            }
            200 | 201 => {
                if op == 201 {
                    stack.push(bci, 1);
                }
                flow.targets
                    .push((at as i64 + i64::from(self.i4(at + 1))) as usize);
                flow.ended = true;
            }
            170 | 171 => {
                stack.pop(1);
                flow = self.switch(at, op);
            }
            169 | 172..=177 | 191 => flow.ended = true,
            178..=181 => self.field_access(at, op, stack),
            182..=186 => self.call(at, op, stack),
            196 => self.wide(at, stack),
            197 => {
                stack.pop(self.u1(at + 3));
                stack.push(bci, 1);
            }
            // nop, and checkcast, which only looks.
            _ => {}
        }
        flow
    }

    fn branch(&self, at: usize) -> usize {
        (at as i64 + i64::from(self.u2(at + 1) as i16)) as usize
    }

    fn switch(&self, at: usize, op: u16) -> Flow {
        let base = (at + 4) & !3;
        let target = |offset: i32| (at as i64 + i64::from(offset)) as usize;
        let mut targets = vec![target(self.i4(base))];
        let (count, first, step) = if op == 170 {
            (
                i64::from(self.i4(base + 8)) - i64::from(self.i4(base + 4)) + 1,
                base + 12,
                4,
            )
        } else {
            (i64::from(self.i4(base + 4)), base + 12, 8)
        };
        for i in 0..usize::try_from(count).unwrap_or(0).min(self.code.bytes.len()) {
            targets.push(target(self.i4(first + step * i)));
        }
        Flow { targets, ended: true }
    }

    /// The local a store instruction writes, and its size.
    fn stored_local(&self, at: usize) -> (u16, u16) {
        let op = self.u1(at);
        if op <= 58 {
            return (self.u1(at + 1), if matches!(op, 55 | 57) { 2 } else { 1 });
        }
        let kind = (op - 59) / 4;
        ((op - 59) % 4, if matches!(kind, 1 | 3) { 2 } else { 1 })
    }

    fn wide(&self, at: usize, stack: &mut Stack) {
        let index = self.u2(at + 2);
        match self.u1(at + 1) {
            21 | 23 | 25 => stack.push(at as u16, 1),
            22 | 24 => stack.push(at as u16, 2),
            54 | 56 | 58 => {
                stack.write_local(index);
                stack.pop(1);
            }
            55 | 57 => {
                stack.write_local(index);
                stack.write_local(index + 1);
                stack.pop(2);
            }
            132 => stack.write_local(index),
            _ => {}
        }
    }

    /// Slots of the field a field instruction names.
    fn field_slots(&self, at: usize) -> u16 {
        let member = self.file.member(self.u2(at + 1));
        member
            .and_then(|(_, _, desc)| field_type(desc))
            .map_or(1, Type::slots)
    }

    fn field_access(&self, at: usize, op: u16, stack: &mut Stack) {
        let size = self.field_slots(at);
        match op {
            178 => stack.push(at as u16, size),
            179 => stack.pop(size),
            180 => {
                stack.pop(1);
                stack.push(at as u16, size);
            }
            _ => stack.pop(size + 1),
        }
    }

    /// Name and descriptor of the method a call names.
    fn callee(&self, at: usize) -> Option<(&'static [u8], &'static [u8])> {
        let index = self.u2(at + 1);
        if self.u1(at) == 186 {
            return self.file.dynamic(index).map(|(_, name, desc)| (name, desc));
        }
        self.file.member(index).map(|(_, name, desc)| (name, desc))
    }

    fn call(&self, at: usize, op: u16, stack: &mut Stack) {
        let Some((params, ret)) = self.callee(at).and_then(|(_, desc)| method_types(desc)) else {
            return;
        };
        stack.pop(params.iter().map(|t| t.slots()).sum());
        if op != 184 && op != 186 {
            stack.pop(1);
        }
        stack.push(at as u16, ret.slots());
    }

    /// How far below the top of the stack the null is that the instruction at `bci` stumbled over.
    fn null_slot(&self, bci: u16) -> Option<u16> {
        let at = usize::from(bci);
        match self.u1(at) {
            180 | 190 | 191 | 194 | 195 => Some(0),
            46..=53 => Some(1),
            79 | 81 | 83..=86 => Some(2),
            80 | 82 => Some(3),
            181 => Some(self.field_slots(at)),
            182 | 183 | 185 => {
                let (name, desc) = self.callee(at)?;
                // A constructor call never fails like this: here an exception is made by hand.
                if name == b"<init>" {
                    return None;
                }
                Some(method_types(desc)?.0.iter().map(|t| t.slots()).sum())
            }
            _ => None,
        }
    }

    fn failed_action(&self, bci: u16) -> Option<String> {
        const ELEMENTS: [&str; 8] = [
            "int",
            "long",
            "float",
            "double",
            "object",
            "byte/boolean",
            "char",
            "short",
        ];
        let at = usize::from(bci);
        Some(match self.u1(at) {
            op @ 46..=53 => format!("Cannot load from {} array", ELEMENTS[usize::from(op - 46)]),
            op @ 79..=86 => format!("Cannot store to {} array", ELEMENTS[usize::from(op - 79)]),
            190 => "Cannot read the array length".into(),
            191 => "Cannot throw exception".into(),
            194 => "Cannot enter synchronized block".into(),
            195 => "Cannot exit synchronized block".into(),
            180 => format!("Cannot read field \"{}\"", self.field_name(at)),
            181 => format!("Cannot assign field \"{}\"", self.field_name(at)),
            182..=185 => {
                let mut text = String::from("Cannot invoke \"");
                self.method_name(&mut text, at);
                text.push('"');
                text
            }
            _ => return None,
        })
    }

    fn field_name(&self, at: usize) -> String {
        self.file
            .member(self.u2(at + 1))
            .map_or_else(String::new, |(_, name, _)| text(name))
    }

    /// Class, name and parameters of the method the call at `at` names.
    fn method_name(&self, out: &mut String, at: usize) {
        let Some((class, name, desc)) = self.file.member(self.u2(at + 1)) else {
            return;
        };
        out.push_str(&class_name(self.file.class_name(class).unwrap_or(b"")));
        let _ = write!(out, ".{}(", text(name));
        for (i, ty) in method_types(desc).map_or(vec![], |t| t.0).into_iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            out.push_str(&type_name(ty));
        }
        out.push(')');
    }

    /// Writes what slot `slot` of the stack at `bci` came from; false, with nothing more written, if unknown.
    fn cause(&self, out: &mut String, bci: u16, slot: u16, detail: u32, inner: bool) -> bool {
        if detail == 0 {
            return false;
        }
        let Some(stack) = self.stacks.get(usize::from(bci)).and_then(Option::as_ref) else {
            return false;
        };
        let Some(source) = stack.at(slot) else {
            return false;
        };
        let at = usize::from(source);
        let op = self.u1(at);
        let outermost = detail == MAX_DETAIL && !inner;
        if outermost && !matches!(op, 182..=185) {
            out.push_str(" because \"");
        }
        match op {
            1 => out.push_str("null"),
            2..=8 => {
                let _ = write!(out, "{}", i32::from(op) - 3);
            }
            16 => {
                let _ = write!(out, "{}", self.u1(at + 1) as u8 as i8);
            }
            17 => {
                let _ = write!(out, "{}", self.u2(at + 1) as i16);
            }
            21 | 25 => self.local(out, source, self.u1(at + 1), stack),
            26..=29 => self.local(out, source, op - 26, stack),
            42..=45 => self.local(out, source, op - 42, stack),
            196 if matches!(self.u1(at + 1), 21 | 25) => self.local(out, source, self.u2(at + 2), stack),
            178 => {
                if let Some((class, name, _)) = self.file.member(self.u2(at + 1)) {
                    let class = class_name(self.file.class_name(class).unwrap_or(b""));
                    let _ = write!(out, "{class}.{}", text(name));
                }
            }
            180 => {
                if self.cause(out, source, 0, detail - 1, inner) {
                    out.push('.');
                }
                out.push_str(&self.field_name(at));
            }
            182..=185 => {
                if outermost {
                    out.push_str(" because the return value of \"");
                }
                self.method_name(out, at);
            }
            46 | 50 => {
                if !self.cause(out, source, 1, detail - 1, inner) {
                    out.push_str("<array>");
                }
                out.push('[');
                if !self.cause(out, source, 0, detail, true) {
                    out.push_str("...");
                }
                out.push(']');
            }
            _ => return false,
        }
        true
    }

    fn local(&self, out: &mut String, bci: u16, slot: u16, stack: &Stack) {
        if let Some(name) = self.variable(bci, slot) {
            out.push_str(&name);
            return;
        }
        let untouched = !stack.local_written(slot);
        let is_static = self.method.access & crate::classes::class::acc::STATIC != 0;
        if !is_static && slot == 0 && untouched {
            out.push_str("this");
            return;
        }
        let desc = self.file.utf8(self.method.desc).unwrap_or(b"()V");
        let mut first = u16::from(!is_static);
        for (i, ty) in method_types(desc).map_or(vec![], |t| t.0).into_iter().enumerate() {
            let next = first + ty.slots();
            if untouched && (first..next).contains(&slot) {
                let _ = write!(out, "<parameter{}>", i + 1);
                return;
            }
            first = next;
        }
        let _ = write!(out, "<local{slot}>");
    }

    /// Name of a local variable by the LocalVariableTable.
    fn variable(&self, bci: u16, slot: u16) -> Option<String> {
        let table = self.file.attr(self.code.attrs, "LocalVariableTable")?;
        for entry in table.get(2..)?.chunks_exact(10) {
            let word = |i: usize| u16::from_be_bytes([entry[i], entry[i + 1]]);
            let (start, len, name, index) = (word(0), word(2), word(4), word(8));
            if index == slot && bci >= start && u32::from(bci) < u32::from(start) + u32::from(len) {
                return self.file.utf8(name).map(text);
            }
        }
        None
    }
}

/// Slots popped and pushed by instructions that do nothing else.
fn simple_effect(op: u16) -> Option<(u16, u16)> {
    Some(match op {
        1..=8 | 11..=13 | 16..=19 | 21 | 23 | 25..=29 | 34..=37 | 42..=45 | 187 => (0, 1),
        9 | 10 | 14 | 15 | 20 | 22 | 24 | 30..=33 | 38..=41 => (0, 2),
        46 | 48 | 50..=53 => (2, 1),
        47 | 49 => (2, 2),
        79 | 81 | 83..=86 => (3, 0),
        80 | 82 => (4, 0),
        87 | 194 | 195 => (1, 0),
        88 => (2, 0),
        // add, sub, mul, div, rem for int, long, float, double in turn
        96..=115 => {
            if op.is_multiple_of(2) {
                (2, 1)
            } else {
                (4, 2)
            }
        }
        116 | 118 | 134 | 139 | 145..=147 | 188..=190 | 193 => (1, 1),
        117 | 119 | 138 | 143 => (2, 2),
        120 | 122 | 124 | 126 | 128 | 130 | 149 | 150 => (2, 1),
        121 | 123 | 125 => (3, 2),
        127 | 129 | 131 => (4, 2),
        133 | 135 | 140 | 141 => (1, 2),
        136 | 137 | 142 | 144 => (2, 1),
        148 | 151 | 152 => (4, 1),
        _ => return None,
    })
}

fn text(name: &[u8]) -> String {
    String::from_utf16_lossy(&crate::classfile::decode_utf16(name))
}

/// A class's external name; the two best known go without their package.
fn class_name(internal: &[u8]) -> String {
    match internal {
        b"java/lang/Object" => "Object".into(),
        b"java/lang/String" => "String".into(),
        other => text(other).replace('/', "."),
    }
}

fn type_name(ty: Type<'_>) -> String {
    match ty {
        Type::Prim(p) => Prim::name(p).into(),
        Type::Ref(name) => match name.strip_prefix(b"[") {
            Some(component) => match field_type(component) {
                Some(component) => type_name(component) + "[]",
                None => text(name),
            },
            None => class_name(name),
        },
    }
}
