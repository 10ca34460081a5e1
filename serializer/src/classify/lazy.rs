//! Fields of JDK classes that are filled when somebody first asks for them: no API tells that from their having been
//! filled before.
//!
//! Such a write is known by its code, not by a name: a field that no other class can see goes from null to a value, by a
//! method of the class that declares it which takes nothing that could go into the value, answers something, and has
//! asked whether the field, or one that it fills along with it, is null.

use crate::content::Slot;
use crate::place::{Root, Step};
use crate::tracker::Change;
use poldet_vm::classes::class::{Field, Method, acc};
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::link::decode::insn_len;
use poldet_vm::vm::Vm;

/// Instructions between a load of a field and the null check of it, at most.
const NEAR: usize = 4;

const GETSTATIC: u8 = 178;
const PUTSTATIC: u8 = 179;
const GETFIELD: u8 = 180;
const PUTFIELD: u8 = 181;
const IFNULL: u8 = 198;
const IFNONNULL: u8 = 199;

/// Whether a JDK class has made something for itself because it was asked for it.
pub(super) fn is_made_on_demand(vm: &Vm, change: &Change) -> bool {
    let Some((Slot::Ref(before), Slot::Ref(after))) = change.difference.slots() else {
        return false;
    };
    let Some(field) = field_of(vm, change).filter(|_| before.is_null() && !after.is_null()) else {
        return false;
    };
    let stack = change.difference.cause.map(|stack| vm.heap.write_stack(stack));
    let Some(writer) = stack.and_then(|s| s.first()).map(|site| vm.method(site.method)) else {
        return false;
    };
    let own = writer.class == field.class && vm.is_jdk_class(field.class);
    let unseen = field.access & (acc::PUBLIC | acc::PROTECTED) == 0;
    own && unseen && asks_for_itself(vm, writer, field)
}

/// The field that the last step of the change's path names, or the static field itself.
fn field_of<'a>(vm: &'a Vm, change: &Change) -> Option<&'a Field> {
    let find = |class: ClassId, name: &str, is_static: bool| {
        let fields = vm.class(class).fields.iter().map(|f| vm.field(*f));
        let mut named = fields.filter(|f| f.is_static() == is_static && vm.syms.str(f.name) == name);
        named.next()
    };
    match (change.difference.path.last(), change.at.root) {
        (None, Root::Static { class, field }) => find(class, field, true),
        (Some(Step::Field(name)), _) => {
            let holder: ObjRef = change.difference.holders.1;
            let class = (!holder.is_null()).then(|| vm.heap.class_of(holder))?;
            let chain = vm.class(class).display.iter().rev();
            chain.into_iter().find_map(|c| find(*c, name, false))
        }
        _ => None,
    }
}

/// Whether the code of a method without arguments asks for null before it fills the field.
fn asks_for_itself(vm: &Vm, method: &Method, field: &Field) -> bool {
    let arguments = method.arg_slots - u16::from(!method.is_static());
    if arguments != 0 || method.ret == b'V' || vm.syms.str(method.name).starts_with('<') {
        return false;
    }
    let file = vm.class(method.class).file;
    let code = file.and_then(|f| f.methods.get(usize::from(method.slot)).and_then(|m| f.code(m)));
    let (Some(file), Some(code)) = (file, code) else {
        return false;
    };
    let code = code.bytes;
    let name = |at: usize| {
        let index = u16::from_be_bytes([code[at + 1], code[at + 2]]);
        file.member(index).map(|(_, name, _)| name)
    };
    // The field that was loaded last, and how many instructions ago.
    let mut looked: Option<(&[u8], usize)> = None;
    let (mut asked, mut filled): (Vec<&[u8]>, Vec<&[u8]>) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < code.len() {
        let Some(len) = insn_len(code, at) else {
            return false;
        };
        match code[at] {
            GETSTATIC | GETFIELD => looked = name(at).map(|name| (name, 0)),
            PUTSTATIC | PUTFIELD if !asked.is_empty() => filled.extend(name(at)),
            IFNULL | IFNONNULL => asked.extend(looked.filter(|(_, n)| *n < NEAR).map(|(name, _)| name)),
            _ => looked = looked.map(|(name, n)| (name, n + 1)),
        }
        at += len;
    }
    let own = vm.syms.str(field.name).as_bytes();
    filled.contains(&own) && asked.iter().any(|name| filled.contains(name))
}
