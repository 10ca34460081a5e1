//! String concatenation linked by the VM: what `StringConcatFactory` would link, as one native.
//!
//! A call site's recipe is kept in a table; the site passes the number of its entry as the appendix. Arguments
//! are made strings from left to right; those that need Java code to run (objects of unknown classes, floating
//! point numbers, whose text depends on the JDK's release) are handed to the JDK's own methods.

use crate::classfile::descriptor::{Prim, Type, method_types};
use crate::classfile::{decode_utf16, tag};
use crate::ids::{ClassId, MethodId, ObjRef};
use crate::interp::stubs;
use crate::invoke::LinkedSite;
use crate::natives::Ctx;
use crate::stop::{Completion, Stop, Then};
use crate::vm::Vm;

/// One call site's recipe.
pub struct Concat {
    parts: Vec<Part>,
    /// Descriptor letter and slot of each argument.
    params: Vec<(u8, usize)>,
}

enum Part {
    Text(Vec<u16>),
    Argument(usize),
}

/// No concatenation may have more argument slots.
const MAX_SLOTS: u16 = 200;
const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

impl Vm {
    /// Links a call site of `makeConcatWithConstants`; `None` leaves it to the JDK.
    pub(super) fn link_concat(
        &mut self,
        caller: ClassId,
        desc: &'static [u8],
        arguments: &[u16],
    ) -> Result<Option<LinkedSite>, Stop> {
        let Some(file) = self.class(caller).file else {
            return Ok(None);
        };
        let Some((&recipe, constants)) = arguments.split_first() else {
            return Ok(None);
        };
        let Some(recipe) = file.string(recipe) else {
            return Ok(None);
        };
        let mut texts = Vec::new();
        for &constant in constants {
            texts.push(match file.tag(constant) {
                tag::STRING => file.string(constant).map(decode_utf16).unwrap_or_default(),
                tag::INTEGER => decimal(i64::from(file.word(constant).unwrap_or(0) as i32)),
                tag::LONG => decimal(file.long(constant).unwrap_or(0) as i64),
                _ => return Ok(None),
            });
        }
        let Some(concat) = Concat::new(&decode_utf16(recipe), texts, desc) else {
            return Ok(None);
        };
        self.linked_concat(caller, concat, desc).map(Some)
    }

    /// Links a call site of `makeConcat`: all arguments one after the other.
    pub(super) fn link_plain_concat(
        &mut self,
        caller: ClassId,
        desc: &'static [u8],
    ) -> Result<Option<LinkedSite>, Stop> {
        let Some((params, _)) = method_types(desc) else {
            return Ok(None);
        };
        let Some(concat) = Concat::new(&vec![ARGUMENT; params.len()], Vec::new(), desc) else {
            return Ok(None);
        };
        self.linked_concat(caller, concat, desc).map(Some)
    }

    fn linked_concat(&mut self, caller: ClassId, concat: Concat, desc: &[u8]) -> Result<LinkedSite, Stop> {
        let appendix = self.new_prim_array(Prim::Int, 1)?;
        self.heap.ints_mut(appendix)[0] = self.links.concats.len() as i32;
        self.pin(caller, appendix);
        self.links.concats.push(std::rc::Rc::new(concat));
        let method = self.concat_method(desc)?;
        Ok(LinkedSite {
            method,
            appendix,
            constant: false,
        })
    }

    /// The native as a method of this descriptor, with the recipe's number added.
    fn concat_method(&mut self, desc: &[u8]) -> Result<MethodId, Stop> {
        let desc = self.syms.intern(desc);
        if let Some(&known) = self.links.concat_methods.get(&desc) {
            return Ok(known);
        }
        let slots = crate::classfile::descriptor::arg_slots(self.syms.bytes(desc)).unwrap_or(0) + 1;
        let class = self.boot_class("java/lang/StringConcatHelper")?;
        let name = self.sym("concat");
        let id = self.add_synthetic(class, name, desc, slots, b'L', 0, Vec::new());
        self.method_mut(id).native = Some(concat);
        let hot = &mut self.hot[id.index()];
        hot.code = stubs::NATIVE.as_ptr();
        hot.leaf = Some(concat);
        self.links.concat_methods.insert(desc, id);
        Ok(id)
    }
}

impl Concat {
    fn new(recipe: &[u16], constants: Vec<Vec<u16>>, desc: &[u8]) -> Option<Concat> {
        let (types, _) = method_types(desc)?;
        let mut params = Vec::new();
        let mut slot = 0;
        for ty in types {
            let letter = match ty {
                Type::Prim(prim) => prim as u8,
                Type::Ref(_) => b'L',
            };
            params.push((letter, usize::from(slot)));
            slot += ty.slots();
        }
        if slot > MAX_SLOTS {
            return None;
        }
        let mut parts = Vec::new();
        let mut text = Vec::new();
        let mut constants = constants.into_iter();
        let mut used = 0;
        for &unit in recipe {
            match unit {
                ARGUMENT => {
                    if !text.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut text)));
                    }
                    parts.push(Part::Argument(used));
                    used += 1;
                }
                CONSTANT => text.extend(constants.next()?),
                _ => text.push(unit),
            }
        }
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        (used == params.len() && constants.next().is_none()).then_some(Concat { parts, params })
    }
}

fn decimal(value: i64) -> Vec<u16> {
    value.to_string().encode_utf16().collect()
}

/// The native: arguments, then the recipe's number.
fn concat(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let args = c.args();
    let Some((&appendix, args)) = args.split_last() else {
        return Err(Stop::bug("concat without a recipe"));
    };
    let index = c.vm.heap.ints(ObjRef::from_bits(appendix))[0] as usize;
    let recipe = c.vm.links.concats[index].clone();
    let values: Vec<u64> = recipe.params.iter().map(|(_, slot)| args[*slot]).collect();
    stringify(c.vm, index, &recipe, values, 0)
}

/// Makes the arguments from `at` on strings, then joins. Values already made strings stay.
fn stringify(
    vm: &mut Vm,
    index: usize,
    recipe: &Concat,
    mut values: Vec<u64>,
    at: usize,
) -> Result<u64, Stop> {
    for i in at..values.len() {
        let (method, arg) = match recipe.params[i].0 {
            b'L' => {
                let object = ObjRef::from_bits(values[i]);
                if object.is_null() || vm.class_of(object) == vm.known.string {
                    continue;
                }
                if let Some(text) = boxed_text(vm, object) {
                    values[i] = vm.new_string_utf16(&text)?.bits();
                    continue;
                }
                let helper = vm.boot_class("java/lang/StringConcatHelper")?;
                vm.ensure_initialized(helper)?;
                let stringer =
                    vm.declared_method(helper, "stringOf", "(Ljava/lang/Object;)Ljava/lang/String;");
                (stringer, object.bits())
            }
            b'F' => (
                number_method(vm, "java/lang/Float", "(F)Ljava/lang/String;")?,
                values[i],
            ),
            b'D' => (
                number_method(vm, "java/lang/Double", "(D)Ljava/lang/String;")?,
                values[i],
            ),
            _ => continue,
        };
        let method = method.ok_or_else(|| Stop::unsupported("this JDK's string conversion"))?;
        let slots = usize::from(vm.method(method).arg_slots);
        let mut args = vec![arg];
        args.resize(slots, 0);
        let mut state = vec![index as u64, i as u64];
        state.extend(values);
        return Err(Stop::call(method, args, Then::Cont(stringified, state)));
    }
    join(vm, recipe, &values)
}

fn number_method(vm: &mut Vm, class: &'static str, desc: &str) -> Result<Option<MethodId>, Stop> {
    let class = vm.boot_class(class)?;
    vm.ensure_initialized(class)?;
    Ok(vm.declared_method(class, "toString", desc))
}

/// Text of a boxed integer, boolean or character; their `toString` is fixed.
fn boxed_text(vm: &Vm, object: ObjRef) -> Option<Vec<u16>> {
    let (prim, bits) = vm.unbox(object)?;
    match prim {
        Prim::Float | Prim::Double | Prim::Void => None,
        prim => {
            let mut text = Vec::new();
            append_primitive(&mut text, prim as u8, bits);
            Some(text)
        }
    }
}

fn append_primitive(out: &mut Vec<u16>, letter: u8, bits: u64) {
    match letter {
        b'Z' => out.extend(if bits as u32 & 1 != 0 { "true" } else { "false" }.encode_utf16()),
        b'C' => out.push(bits as u16),
        b'B' => out.extend(decimal(i64::from(bits as i8))),
        b'S' => out.extend(decimal(i64::from(bits as i16))),
        b'I' => out.extend(decimal(i64::from(bits as i32))),
        _ => out.extend(decimal(bits as i64)),
    }
}

fn stringified(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(text) => {
            let (index, at) = (state[0] as usize, state[1] as usize);
            let mut values = state[2..].to_vec();
            values[at] = text;
            let recipe = vm.links.concats[index].clone();
            stringify(vm, index, &recipe, values, at + 1)
        }
        Completion::Thrown(error) => Err(Stop::Throw(error)),
    }
}

/// By now every reference, and every floating point value, is a string or null.
fn join(vm: &mut Vm, recipe: &Concat, values: &[u64]) -> Result<u64, Stop> {
    let mut out: Vec<u16> = Vec::with_capacity(64);
    for part in &recipe.parts {
        match part {
            Part::Text(text) => out.extend_from_slice(text),
            Part::Argument(i) => match recipe.params[*i].0 {
                b'L' | b'F' | b'D' => append_string(vm, &mut out, ObjRef::from_bits(values[*i])),
                letter => append_primitive(&mut out, letter, values[*i]),
            },
        }
    }
    if i32::try_from(out.len()).is_err() {
        return Err(vm.throw(
            "java/lang/OutOfMemoryError",
            Some("Overflow: String length out of range"),
        ));
    }
    Ok(vm.new_string_utf16(&out)?.bits())
}

fn append_string(vm: &Vm, out: &mut Vec<u16>, string: ObjRef) {
    if string.is_null() {
        return out.extend("null".encode_utf16());
    }
    let value = vm.heap.get_ref(string, vm.known.string_value);
    let bytes = vm.heap.bytes(value);
    if vm.heap.get_u8(string, vm.known.string_coder) == 0 {
        out.extend(bytes.iter().map(|b| u16::from(*b)));
    } else {
        out.extend(
            bytes
                .chunks_exact(2)
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]])),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_are_taken_apart() {
        let recipe: Vec<u16> = "a\u{1}b\u{2}c\u{1}".encode_utf16().collect();
        let constant: Vec<u16> = "X".encode_utf16().collect();
        let concat = Concat::new(
            &recipe,
            vec![constant],
            b"(JLjava/lang/Object;)Ljava/lang/String;",
        )
        .expect("fits");
        assert_eq!(concat.params, [(b'J', 0), (b'L', 2)]);
        let texts: Vec<String> = concat
            .parts
            .iter()
            .map(|p| match p {
                Part::Text(t) => String::from_utf16_lossy(t),
                Part::Argument(i) => format!("<{i}>"),
            })
            .collect();
        assert_eq!(texts, ["a", "<0>", "bXc", "<1>"]);
        assert!(Concat::new(&recipe, vec![], b"(JJ)Ljava/lang/String;").is_none());
        assert!(Concat::new(&[1], vec![], b"(JJ)Ljava/lang/String;").is_none());
    }
}
