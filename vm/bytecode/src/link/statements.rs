//! The statements of a method's body, found in its bytecode: for classes whose sources are not there.
//!
//! A statement begins and ends where the operand stack is empty and nothing jumps across: the condition of an `if`, and what is
//! inside of a loop or a `try`, are parts of the statement around them.

use crate::classfile::{ClassFile, MemberInfo};
use crate::link::decode::{bc, insn_len, local_operand, u16_at};
use crate::link::flow::Flow;
use crate::link::lower::Invalid;
use crate::link::skip::{falls_through, skippable, targets};
use crate::link::types::{Kind, TOP};

/// A statement of a method's body, not of a block inside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// First bytecode index, and the one behind the last.
    pub from: u16,
    pub to: u16,
    /// Constant pool indices of the methods that it calls, in the order of the code, and the instructions.
    pub calls: Vec<(u8, u16)>,
    /// An expression, a declaration or an assignment: nothing in it jumps to its end.
    pub is_plain: bool,
    /// An `assert` of the language.
    pub is_assert: bool,
    /// The method is still one without it: every local variable that is read later was assigned before, and it ends
    /// normally.
    pub is_deletable: bool,
}

/// The statements of a method in the order of the code. The last one, which ends the method, is none of them.
pub fn statements(class: &ClassFile, method: &MemberInfo) -> Result<Vec<Statement>, Invalid> {
    let flow = Flow::analyse(class, method)?;
    let body = Body::of(class, method, &flow)?;
    let cuts = body.cuts();
    Ok(cuts
        .windows(2)
        .map(|cut| body.statement(cut[0], cut[1]))
        .collect())
}

/// What is known where an instruction begins.
#[derive(Clone)]
struct Point {
    bci: usize,
    /// None if it is not reached.
    state: Option<State>,
}

#[derive(Clone)]
struct State {
    is_empty: bool,
    locals: Vec<Kind>,
}

struct Body<'a> {
    class: &'a ClassFile,
    method: &'a MemberInfo,
    code: &'a [u8],
    handlers: &'a [u8],
    points: Vec<Point>,
    /// Jumps of instructions and handlers: from where, up to behind where, and to where.
    jumps: Vec<(usize, usize, usize)>,
}

impl<'a> Body<'a> {
    fn of(class: &'a ClassFile, method: &'a MemberInfo, flow: &Flow<'a>) -> Result<Body<'a>, Invalid> {
        let handlers = class.code(method).map_or(&[][..], |code| code.handlers);
        let mut jumps: Vec<(usize, usize, usize)> = flow
            .ranges
            .iter()
            .map(|r| (r.start.into(), r.end.into(), r.target.into()))
            .collect();
        let states = flow.states()?;
        let mut points = Vec::new();
        let mut bci = 0;
        while bci < flow.code.len() {
            let state = states.iter().find(|(at, ..)| *at == bci);
            points.push(Point {
                bci,
                state: state.map(|(_, depth, locals)| State {
                    is_empty: *depth == 0,
                    locals: locals.clone(),
                }),
            });
            targets(flow.code, bci, &mut |target| {
                jumps.push((bci, bci + 1, target.max(0) as usize))
            });
            bci += insn_len(flow.code, bci).unwrap_or(1);
        }
        Ok(Body {
            class,
            method,
            code: flow.code,
            handlers,
            points,
            jumps,
        })
    }

    /// Where statements begin: nothing is on the stack, and no jump leads across.
    fn cuts(&self) -> Vec<usize> {
        let crossed = |at: usize| {
            self.jumps.iter().any(|(from, until, to)| {
                let forward = *from < at && at < *to;
                let back = *to < at && at < *until;
                forward || back
            })
        };
        let empty = |p: &&Point| p.state.as_ref().is_some_and(|s| s.is_empty);
        let starts = self.points.iter().filter(empty).map(|p| p.bci);
        starts.filter(|at| !crossed(*at)).collect()
    }

    fn statement(&self, from: usize, to: usize) -> Statement {
        let inside = || self.points.iter().filter(|p| (from..to).contains(&p.bci));
        let invokes = |p: &&Point| (bc::INVOKEVIRTUAL..=bc::INVOKEDYNAMIC).contains(&self.code[p.bci]);
        let calls = inside()
            .filter(invokes)
            .map(|p| (self.code[p.bci], u16_at(self.code, p.bci + 1)));
        let leaves = self
            .jumps
            .iter()
            .any(|(at, _, target)| (from..to).contains(at) && (*target == to || target <= at));
        Statement {
            from: from as u16,
            to: to as u16,
            calls: calls.collect(),
            is_plain: !leaves,
            is_assert: inside().any(|p| self.asks_for_assertions(p.bci)),
            is_deletable: skippable(self.code, self.handlers, from, to).is_ok()
                && self
                    .written(from, to)
                    .iter()
                    .all(|local| self.may_go(*local, from, to)),
        }
    }

    /// Does the instruction read the field by which `assert` is switched?
    fn asks_for_assertions(&self, bci: usize) -> bool {
        self.code[bci] == bc::GETSTATIC
            && self
                .class
                .member(u16_at(self.code, bci + 1))
                .is_some_and(|(_, name, _)| name == b"$assertionsDisabled")
    }

    /// Locals that the range assigns.
    fn written(&self, from: usize, to: usize) -> Vec<u16> {
        let inside = self.points.iter().filter(|p| (from..to).contains(&p.bci));
        let stores = inside.filter_map(|p| local_operand(self.code, p.bci));
        let mut locals: Vec<u16> = stores
            .filter(|(op, ..)| is_store(*op))
            .map(|(_, local, _)| local)
            .collect();
        locals.sort_unstable();
        locals.dedup();
        locals
    }

    /// Whether an assignment of the local can go: nobody reads it later, or the same variable had a value before.
    fn may_go(&self, local: u16, from: usize, to: usize) -> bool {
        if !self.is_read(local, to) {
            return true;
        }
        let name = |at: usize| self.class.local_name(self.method, local, at as u16);
        match (name(from), name(to)) {
            (before @ Some(_), after) => before == after,
            (None, Some(_)) => false,
            (None, None) => {
                let kind = |at: usize| {
                    let point = self.points.iter().find(|p| p.bci == at);
                    let state = point.and_then(|p| p.state.as_ref());
                    state.map_or(TOP, |s| s.locals[usize::from(local)])
                };
                kind(from) != TOP && kind(from) == kind(to)
            }
        }
    }

    /// Is the local read on some way from here before it is assigned?
    fn is_read(&self, local: u16, from: usize) -> bool {
        let mut seen = vec![false; self.code.len()];
        let mut left = vec![from];
        while let Some(bci) = left.pop() {
            if bci >= self.code.len() || std::mem::replace(&mut seen[bci], true) {
                continue;
            }
            let handlers = self.jumps.iter().filter(|(from, until, _)| {
                // The jump of an instruction is one of these, too.
                (*from..*until).contains(&bci)
            });
            left.extend(handlers.map(|(.., target)| *target));
            match local_operand(self.code, bci) {
                Some((op, n, _)) if n == local && is_store(op) => continue,
                Some((_, n, _)) if n == local => return true,
                _ => {}
            }
            if let Some(length) = insn_len(self.code, bci).filter(|_| falls_through(self.code[bci])) {
                left.push(bci + length);
            }
        }
        false
    }
}

fn is_store(op: u8) -> bool {
    (bc::ISTORE..=bc::ASTORE).contains(&op)
}
