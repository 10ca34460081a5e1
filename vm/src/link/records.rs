//! `ObjectMethods.bootstrap` linked by the VM: equals, hashCode and toString of a record as plain bytecode in a
//! hidden nestmate of the record, comparing and hashing in the order the JDK's method handles do.

use super::adapt::descriptor;
use super::classgen::{ClassGen, Code, opcode};
use crate::classes::class::acc;
use crate::classes::loader::{DefineOpts, HiddenOpts};
use crate::classfile::ClassFile;
use crate::classfile::descriptor::{Prim, Type, field_type};
use crate::classfile::tag;
use crate::ids::{ClassId, ObjRef};
use crate::invoke::{LinkedSite, Site};
use crate::stop::Stop;
use crate::vm::Vm;

struct Component {
    name: &'static [u8],
    desc: &'static [u8],
}

impl Component {
    fn ty(&self) -> Type<'static> {
        field_type(self.desc).unwrap_or(Type::Prim(Prim::Int))
    }
}

/// No concatenation may have more argument slots.
const MAX_CONCAT: u16 = 200;
const REF_GET_FIELD: u8 = 1;

const CONCAT: [&str; 3] = [
    "java/lang/invoke/StringConcatFactory",
    "makeConcatWithConstants",
    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;\
     [Ljava/lang/Object;)Ljava/lang/invoke/CallSite;",
];

impl Vm {
    /// Links a call site of `ObjectMethods.bootstrap`; `None` leaves it to the JDK.
    pub(super) fn link_record_method(
        &mut self,
        caller: ClassId,
        site: Site,
        name: &'static [u8],
        desc: &'static [u8],
        arguments: &[u16],
    ) -> Result<Option<LinkedSite>, Stop> {
        let class = match self.links.lambdas.get(&site) {
            Some(&class) => class,
            None => {
                let Some(bytes) = self.record_method(caller, name, desc, arguments) else {
                    return Ok(None);
                };
                let class = self.define_record_helper(caller, &bytes)?;
                self.links.lambdas.insert(site, class);
                class
            }
        };
        self.ensure_initialized(class)?;
        let method = self.class(class).methods[0];
        Ok(Some(LinkedSite {
            method,
            appendix: ObjRef::NULL,
            constant: false,
        }))
    }

    fn define_record_helper(&mut self, caller: ClassId, bytes: &[u8]) -> Result<ClassId, Stop> {
        let name = helper_name(self.class_name(caller));
        let class = self.class(caller);
        let hidden = HiddenOpts {
            host: caller,
            nestmate: true,
            class_data: ObjRef::NULL,
            strong: true,
        };
        let opts = DefineOpts {
            protection_domain: class.protection_domain,
            hidden: Some(hidden),
        };
        let loader = class.loader;
        let id = self.define_class(loader, Some(&name), bytes, opts)?;
        self.trust_class(id);
        for m in self.class(id).methods.clone() {
            self.method_mut(m).traits.hidden = true;
        }
        Ok(id)
    }

    fn record_method(&self, caller: ClassId, name: &[u8], desc: &[u8], arguments: &[u16]) -> Option<Vec<u8>> {
        let file = self.class(caller).file?;
        let (&class_cp, rest) = arguments.split_first()?;
        let (&names_cp, getters) = rest.split_first()?;
        let record = file.class_name(class_cp)?;
        // Only what javac writes for a record of its own.
        if self.class(caller).hidden
            || file.class_name(file.this_class) != Some(record)
            || getters.len() > 255
        {
            return None;
        }
        let components: Vec<Component> = getters
            .iter()
            .map(|&g| component(file, record, g))
            .collect::<Option<_>>()?;
        let own = [b"L", record, b";"].concat();
        let mut class = ClassGen::default();
        let body = match name {
            b"equals" if desc == [b"(", &own[..], b"Ljava/lang/Object;)Z"].concat() => {
                equals(&mut class, record, &components)
            }
            b"hashCode" if desc == [b"(", &own[..], b")I"].concat() => {
                hash_code(&mut class, record, &components)
            }
            b"toString" if desc == [b"(", &own[..], b")Ljava/lang/String;"].concat() => {
                let names = file.string(names_cp)?;
                let stringify = self.release().records_stringify();
                to_string(
                    &mut class,
                    record,
                    &components,
                    names,
                    &simple_name(file, record),
                    stringify,
                )?
            }
            _ => return None,
        };
        class.method(acc::STATIC, name, desc, &body);
        let name = helper_name(self.class_name(caller));
        Some(class.finish(acc::SUPER | acc::FINAL | acc::SYNTHETIC, name.as_bytes(), &[]))
    }
}

fn helper_name(host: &str) -> String {
    format!("{host}$$ObjectMethods")
}

fn component(file: &'static ClassFile, record: &[u8], getter: u16) -> Option<Component> {
    if file.tag(getter) != tag::METHOD_HANDLE {
        return None;
    }
    let (kind, member) = file.method_handle(getter)?;
    let (class, name, desc) = file.member(member)?;
    (kind == REF_GET_FIELD && file.class_name(class)? == record).then_some(Component { name, desc })
}

/// `Class.getSimpleName` of the record.
fn simple_name(file: &'static ClassFile, record: &[u8]) -> Vec<u8> {
    let table = file
        .attr(file.attrs, "InnerClasses")
        .and_then(|t| t.get(2..))
        .unwrap_or_default();
    for entry in table.chunks_exact(8) {
        let word = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        if file.class_name(word(0)) == Some(record)
            && let Some(name) = file.utf8(word(4))
        {
            return name.to_vec();
        }
    }
    record.rsplit(|b| *b == b'/').next().unwrap_or(record).to_vec()
}

fn equals(class: &mut ClassGen, record: &[u8], components: &[Component]) -> Code {
    let mut code = Code {
        max_stack: 4,
        max_locals: 2,
        ..Code::default()
    };
    code.op(opcode::ALOAD_0).op(opcode::ALOAD_1);
    let other = code.branch(opcode::IF_ACMPNE);
    code.op(opcode::ICONST_1).op(opcode::IRETURN);
    code.land(other);
    let own = class.class(record);
    code.op(opcode::ALOAD_1).op16(opcode::INSTANCEOF, own);
    let same_class = code.branch(opcode::IFNE);
    code.op(opcode::ICONST_0).op(opcode::IRETURN);
    code.land(same_class);
    code.op(opcode::ALOAD_1)
        .op16(opcode::CHECKCAST, own)
        .op(opcode::ASTORE_1);
    // The JDK nests its tests so that the last component is compared first.
    for component in components.iter().rev() {
        let field = class.field_ref(record, component.name, component.desc);
        code.op(opcode::ALOAD_0).op16(opcode::GETFIELD, field);
        code.op(opcode::ALOAD_1).op16(opcode::GETFIELD, field);
        let equal = match component.ty() {
            Type::Ref(_) => {
                let desc = b"(Ljava/lang/Object;Ljava/lang/Object;)Z";
                code.op16(
                    opcode::INVOKESTATIC,
                    class.method_ref(b"java/util/Objects", b"equals", desc, false),
                );
                code.branch(opcode::IFNE)
            }
            Type::Prim(Prim::Float) => {
                code.op16(
                    opcode::INVOKESTATIC,
                    class.method_ref(b"java/lang/Float", b"compare", b"(FF)I", false),
                );
                code.branch(opcode::IFEQ)
            }
            Type::Prim(Prim::Double) => {
                code.op16(
                    opcode::INVOKESTATIC,
                    class.method_ref(b"java/lang/Double", b"compare", b"(DD)I", false),
                );
                code.branch(opcode::IFEQ)
            }
            Type::Prim(Prim::Long) => {
                code.op(opcode::LCMP);
                code.branch(opcode::IFEQ)
            }
            Type::Prim(_) => code.branch(opcode::IF_ICMPEQ),
        };
        code.op(opcode::ICONST_0).op(opcode::IRETURN);
        code.land(equal);
    }
    code.op(opcode::ICONST_1).op(opcode::IRETURN);
    code
}

fn hash_code(class: &mut ClassGen, record: &[u8], components: &[Component]) -> Code {
    let mut code = Code {
        max_stack: 4,
        max_locals: 1,
        ..Code::default()
    };
    code.op(opcode::ICONST_0);
    for component in components {
        code.op(opcode::BIPUSH).op(31).op(opcode::IMUL);
        let field = class.field_ref(record, component.name, component.desc);
        code.op(opcode::ALOAD_0).op16(opcode::GETFIELD, field);
        let (owner, desc): (&[u8], &[u8]) = match component.ty() {
            Type::Ref(_) => (b"java/util/Objects", b"(Ljava/lang/Object;)I"),
            Type::Prim(Prim::Boolean) => (b"java/lang/Boolean", b"(Z)I"),
            Type::Prim(Prim::Long) => (b"java/lang/Long", b"(J)I"),
            Type::Prim(Prim::Float) => (b"java/lang/Float", b"(F)I"),
            Type::Prim(Prim::Double) => (b"java/lang/Double", b"(D)I"),
            // The others hash to themselves.
            Type::Prim(_) => (b"", b""),
        };
        if !owner.is_empty() {
            code.op16(
                opcode::INVOKESTATIC,
                class.method_ref(owner, b"hashCode", desc, false),
            );
        }
        code.op(opcode::IADD);
    }
    code.op(opcode::IRETURN);
    code
}

/// With `stringify` the components become strings through `Objects.toString` first, as older JDKs do it: the
/// difference shows in stack traces.
fn to_string(
    class: &mut ClassGen,
    record: &[u8],
    components: &[Component],
    names: &[u8],
    simple_name: &[u8],
    stringify: bool,
) -> Option<Code> {
    let mut code = Code {
        max_locals: 1,
        ..Code::default()
    };
    let names: Vec<&[u8]> = if names.is_empty() {
        Vec::new()
    } else {
        names.split(|b| *b == b';').collect()
    };
    if names.len() != components.len() {
        return None;
    }
    let mut recipe = [simple_name, b"["].concat();
    let mut desc = vec![b'('];
    for (at, (component, name)) in components.iter().zip(names).enumerate() {
        if at > 0 {
            recipe.extend(b", ");
        }
        recipe.extend_from_slice(name);
        recipe.extend(b"=\x01");
        let field = class.field_ref(record, component.name, component.desc);
        code.op(opcode::ALOAD_0).op16(opcode::GETFIELD, field);
        code.max_stack += component.ty().slots();
        if stringify && component.ty().is_ref() {
            let to_string = b"(Ljava/lang/Object;)Ljava/lang/String;";
            code.op16(
                opcode::INVOKESTATIC,
                class.method_ref(b"java/util/Objects", b"toString", to_string, false),
            );
            desc.extend(b"Ljava/lang/String;");
        } else {
            desc.extend(descriptor(component.ty()));
        }
    }
    recipe.push(b']');
    desc.extend(b")Ljava/lang/String;");
    if code.max_stack > MAX_CONCAT {
        return None;
    }
    if components.is_empty() {
        code.op16(opcode::LDC_W, class.string(&recipe));
    } else {
        let call = class.dynamic_call(CONCAT, &[&recipe], b"makeConcatWithConstants", &desc);
        code.invoke_dynamic(call);
    }
    code.op(opcode::ARETURN);
    code.max_stack = code.max_stack.max(1) + 1;
    Some(code)
}
