//! Conversions between the type an interface method has and the type its implementation wants, in bytecode.

use super::classgen::{ClassGen, Code, opcode};
use crate::classfile::descriptor::{Prim, Type};

/// Whether a value of one type may be passed as another, by the rules of LambdaMetafactory.
pub(super) fn converts(from: Type<'_>, to: Type<'_>) -> bool {
    match (from, to) {
        (Type::Prim(a), Type::Prim(b)) => widens(a, b),
        (Type::Prim(a), Type::Ref(name)) => match wrapped(name) {
            Some(b) => widens(a, b),
            // A supertype of the box; casting to anything else fails as it should.
            None => true,
        },
        (Type::Ref(name), Type::Prim(b)) => match wrapped(name) {
            Some(a) => widens(a, b),
            None => true,
        },
        (Type::Ref(_), Type::Ref(_)) => true,
    }
}

fn widens(from: Prim, to: Prim) -> bool {
    let rank = |p| match p {
        Prim::Byte => 1,
        Prim::Short | Prim::Char => 2,
        Prim::Int => 3,
        Prim::Long => 4,
        Prim::Float => 5,
        Prim::Double => 6,
        Prim::Boolean | Prim::Void => 0,
    };
    from == to || (rank(from) > 0 && to != Prim::Char && rank(from) < rank(to))
}

pub(super) fn descriptor(ty: Type<'_>) -> Vec<u8> {
    match ty {
        Type::Prim(prim) => vec![prim as u8],
        Type::Ref(name) if name.starts_with(b"[") => name.to_vec(),
        Type::Ref(name) => [b"L", name, b";"].concat(),
    }
}

/// The box class of a primitive type and the name of its unboxing method.
pub(super) fn wrapper(prim: Prim) -> (&'static [u8], &'static [u8]) {
    match prim {
        Prim::Boolean => (b"java/lang/Boolean", b"booleanValue"),
        Prim::Byte => (b"java/lang/Byte", b"byteValue"),
        Prim::Char => (b"java/lang/Character", b"charValue"),
        Prim::Short => (b"java/lang/Short", b"shortValue"),
        Prim::Int => (b"java/lang/Integer", b"intValue"),
        Prim::Long => (b"java/lang/Long", b"longValue"),
        Prim::Float => (b"java/lang/Float", b"floatValue"),
        Prim::Double => (b"java/lang/Double", b"doubleValue"),
        Prim::Void => (b"java/lang/Void", b""),
    }
}

fn wrapped(class: &[u8]) -> Option<Prim> {
    Prim::ALL
        .into_iter()
        .find(|p| *p != Prim::Void && wrapper(*p).0 == class)
}

fn is_number(prim: Prim) -> bool {
    !matches!(prim, Prim::Boolean | Prim::Char)
}

/// Converts the value on the stack as TypeConvertingMethodAdapter does: from `from` to `to`, being of type
/// `at_site` at this call site.
pub(super) fn convert(
    class: &mut ClassGen,
    code: &mut Code,
    from: Type<'_>,
    to: Type<'_>,
    at_site: Type<'_>,
) {
    if from == to && from == at_site {
        return;
    }
    match (from, to) {
        (Type::Prim(a), Type::Prim(b)) => widen(code, a, b),
        (Type::Prim(a), Type::Ref(target)) => match wrapped(target) {
            Some(b) => {
                widen(code, a, b);
                box_value(class, code, b);
            }
            None => {
                box_value(class, code, a);
                cast(class, code, wrapper(a).0, target);
            }
        },
        (Type::Ref(source), to) => {
            let source = match at_site {
                Type::Ref(specific) => {
                    cast(class, code, source, specific);
                    specific
                }
                Type::Prim(_) => source,
            };
            match to {
                Type::Ref(target) => cast(class, code, source, target),
                Type::Prim(target) => unbox_to(class, code, source, target),
            }
        }
    }
}

fn unbox_to(class: &mut ClassGen, code: &mut Code, source: &[u8], target: Prim) {
    match wrapped(source) {
        Some(held) if is_number(held) => unbox(class, code, source, target),
        Some(held) => {
            unbox(class, code, source, held);
            widen(code, held, target);
        }
        None => {
            let through: &[u8] = if is_number(target) {
                b"java/lang/Number"
            } else {
                wrapper(target).0
            };
            cast(class, code, source, through);
            unbox(class, code, through, target);
        }
    }
}

fn widen(code: &mut Code, from: Prim, to: Prim) {
    let opcode = match (from, to) {
        (Prim::Long, Prim::Float) => opcode::L2F,
        (Prim::Long, Prim::Double) => opcode::L2D,
        (Prim::Float, Prim::Double) => opcode::F2D,
        (Prim::Byte | Prim::Short | Prim::Char | Prim::Int, Prim::Long) => opcode::I2L,
        (Prim::Byte | Prim::Short | Prim::Char | Prim::Int, Prim::Float) => opcode::I2F,
        (Prim::Byte | Prim::Short | Prim::Char | Prim::Int, Prim::Double) => opcode::I2D,
        _ => return,
    };
    code.op(opcode);
}

pub(super) fn box_value(class: &mut ClassGen, code: &mut Code, prim: Prim) {
    let (owner, _) = wrapper(prim);
    let desc = [b"(", &[prim as u8][..], b")L", owner, b";"].concat();
    code.op16(
        opcode::INVOKESTATIC,
        class.method_ref(owner, b"valueOf", &desc, false),
    );
}

fn unbox(class: &mut ClassGen, code: &mut Code, owner: &[u8], prim: Prim) {
    let (_, name) = wrapper(prim);
    let desc = [b"()", &[prim as u8][..]].concat();
    code.op16(opcode::INVOKEVIRTUAL, class.method_ref(owner, name, &desc, false));
}

fn cast(class: &mut ClassGen, code: &mut Code, from: &[u8], to: &[u8]) {
    if from != to && to != b"java/lang/Object" {
        code.op16(opcode::CHECKCAST, class.class(to));
    }
}
