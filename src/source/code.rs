//! Statements of methods whose sources are not there, found in the bytecode.

use poldet_vm::classfile::{ClassFile, MemberInfo, to_text};
use poldet_vm::link::decode::{bc, insn_len, local_operand, u16_at};
use poldet_vm::link::statements::{self, Statement};
use poldet_vm::switches::Switch;

/// A statement of a compiled method.
#[derive(Clone, Debug)]
pub struct CodeStatement {
    /// The file that the class says it was compiled from, with its package.
    pub file: String,
    /// 0 where the class has no line numbers.
    pub line: u32,
    /// What it does, as far as bytecode tells.
    pub text: String,
    /// The methods that it calls, the outermost first, as `Class.method`.
    pub calls: Vec<String>,
    /// An expression, a declaration or an assignment.
    pub is_plain: bool,
    /// An `assert` of the language.
    pub is_assert: bool,
    /// The method passes the verifier without it.
    pub is_valid: bool,
    pub switch: Switch,
}

/// The statements of a method's body; none if the method has no code that can be read.
pub fn statements(class: &ClassFile, method: &MemberInfo) -> Vec<CodeStatement> {
    let Some(code) = class.code(method) else {
        return Vec::new();
    };
    let found = statements::statements(class, method).unwrap_or_default();
    let of = |s: Statement| {
        let text = |index| to_text(class.utf8(index).unwrap_or_default());
        let calls: Vec<String> = s
            .calls
            .iter()
            .rev()
            .filter_map(|(op, cp)| called(class, *op, *cp))
            .collect();
        CodeStatement {
            file: file(class),
            line: class.line(method, s.from).map_or(0, u32::from),
            text: describe(class, method, code.bytes, &s, calls.first()),
            calls,
            is_plain: s.is_plain,
            is_assert: s.is_assert,
            is_valid: s.is_deletable,
            switch: Switch {
                class: to_text(class.this_name()),
                method: text(method.name),
                desc: text(method.desc),
                length: code.bytes.len() as u32,
                ranges: vec![(s.from, s.to)],
            },
        }
    };
    found.into_iter().map(of).collect()
}

fn file(class: &ClassFile) -> String {
    let name = to_text(class.this_name());
    let source = class.source_file().map(to_text);
    match (source, name.rsplit_once('/')) {
        (Some(source), Some((package, _))) => format!("{package}/{source}"),
        (Some(source), None) => source,
        (None, _) => format!("{name}.class"),
    }
}

/// `Class.method`; the target of an invokedynamic is not known.
fn called(class: &ClassFile, op: u8, cp: u16) -> Option<String> {
    if op == bc::INVOKEDYNAMIC {
        return None;
    }
    let (owner, name, _) = class.member(cp)?;
    Some(format!("{}.{}", simple(class, owner)?, to_text(name)))
}

fn simple(class: &ClassFile, owner: u16) -> Option<String> {
    let owner = to_text(class.class_name(owner)?);
    Some(owner.rsplit(['/', '$']).next().unwrap_or(&owner).to_owned())
}

/// What it assigns and calls.
fn describe(
    class: &ClassFile,
    method: &MemberInfo,
    code: &[u8],
    s: &Statement,
    call: Option<&String>,
) -> String {
    let mut last = usize::from(s.from);
    let mut bci = last;
    while bci < usize::from(s.to) {
        last = bci;
        bci += insn_len(code, bci).unwrap_or(1);
    }
    let local = |n: u16, at: u16| match class.local_name(method, n, at) {
        Some(name) => to_text(name),
        None => format!("local {n}"),
    };
    let target = match local_operand(code, last) {
        Some((op, n, _)) if (bc::ISTORE..=bc::ASTORE).contains(&op) => Some(local(n, s.to)),
        Some((bc::IINC, n, by)) if s.is_plain => return format!("{} += {by}", local(n, s.from)),
        _ => match code[last] {
            bc::PUTSTATIC | bc::PUTFIELD => class
                .member(u16_at(code, last + 1))
                .and_then(|(owner, name, _)| Some(format!("{}.{}", simple(class, owner)?, to_text(name)))),
            _ => None,
        },
    };
    let value = match call {
        Some(call) => match call.strip_suffix(".<init>") {
            Some(made) => format!("new {made}(…)"),
            None => format!("{call}(…)"),
        },
        None => "…".to_owned(),
    };
    match target {
        Some(target) if s.is_plain => format!("{target} = {value}"),
        _ if s.is_plain => value,
        _ => format!("a block with {value}"),
    }
}
