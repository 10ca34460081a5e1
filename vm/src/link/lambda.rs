//! Lambdas and method references linked by the VM: what `LambdaMetafactory.metafactory` would spin, without
//! running it. Anything unusual is left to the JDK.
//!
//! The class is the one InnerClassLambdaMetafactory generates: hidden, synthetic, final, a nestmate of its host,
//! captured values in private final fields, one method that adapts its arguments and calls the implementation.
//! Instances are made by a method of ours that has no bytecode, so that reflection sees no more than it would in
//! another JVM.

use super::classgen::{ClassGen, Code, opcode};
use crate::classes::class::acc;
use crate::classes::loader::{DefineOpts, HiddenOpts};
use crate::classfile::descriptor::{Prim, Type, method_types};
use crate::classfile::tag;
use crate::ids::{ClassId, ObjRef};
use crate::invoke::{LinkedSite, Site};
use crate::link::op::Op;
use crate::stop::Stop;
use crate::vm::Vm;

/// Reference kinds of the class file format.
mod kind {
    pub const VIRTUAL: u8 = 5;
    pub const STATIC: u8 = 6;
    pub const SPECIAL: u8 = 7;
    pub const NEW: u8 = 8;
    pub const INTERFACE: u8 = 9;
}

/// All that is needed to write the proxy class.
struct Shape {
    interface: &'static [u8],
    /// Name of the interface's method.
    name: &'static [u8],
    captured: Vec<Type<'static>>,
    /// The interface method's erased descriptor, taken apart.
    erased_desc: &'static [u8],
    erased: Vec<Type<'static>>,
    erased_return: Type<'static>,
    /// Parameters at this call site.
    instantiated: Vec<Type<'static>>,
    implementation: Implementation,
}

struct Implementation {
    kind: u8,
    owner: &'static [u8],
    name: &'static [u8],
    desc: &'static [u8],
    interface: bool,
    /// With the receiver of an instance method first.
    params: Vec<Type<'static>>,
    returns: Type<'static>,
}

impl Vm {
    /// Links a call site of `LambdaMetafactory.metafactory`; `None` leaves it to the JDK.
    pub(super) fn link_lambda(
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
                let Some(shape) = self.lambda_shape(caller, name, desc, arguments)? else {
                    return Ok(None);
                };
                let class = self.define_lambda(caller, &shape)?;
                self.links.lambdas.insert(site, class);
                class
            }
        };
        self.ensure_initialized(class)?;
        let Some((captured, _)) = method_types(desc) else {
            return Ok(None);
        };
        if captured.is_empty() {
            let instance = self.new_object(class)?;
            self.pinned.push(instance);
            return Ok(Some(LinkedSite {
                method: crate::classes::loader::NO_METHOD,
                appendix: instance,
                constant: true,
            }));
        }
        let method = self.lambda_factory(class, desc, &captured)?;
        Ok(Some(LinkedSite {
            method,
            appendix: ObjRef::NULL,
            constant: false,
        }))
    }

    fn lambda_shape(
        &mut self,
        caller: ClassId,
        name: &'static [u8],
        desc: &'static [u8],
        arguments: &[u16],
    ) -> Result<Option<Shape>, Stop> {
        let (Some(file), &[erased, handle, instantiated]) = (self.class(caller).file, arguments) else {
            return Ok(None);
        };
        let (Some(erased_desc), Some(instantiated)) =
            (file.method_type(erased), file.method_type(instantiated))
        else {
            return Ok(None);
        };
        let types = (
            method_types(desc),
            method_types(erased_desc),
            method_types(instantiated),
        );
        let (Some((captured, Type::Ref(interface))), Some((erased, erased_return)), Some((instantiated, _))) =
            types
        else {
            return Ok(None);
        };
        let loader = self.class(caller).loader;
        let interface_class = self.class_for_type(Type::Ref(interface), loader)?;
        if !self.class(interface_class).is_interface() || self.class(caller).hidden {
            return Ok(None);
        }
        let Some(implementation) = self.lambda_implementation(caller, handle)? else {
            return Ok(None);
        };
        let shape = Shape {
            interface,
            name,
            captured,
            erased_desc,
            erased,
            erased_return,
            instantiated,
            implementation,
        };
        Ok(shape.is_plain().then_some(shape))
    }

    /// The method behind the lambda, if the proxy may call it directly.
    fn lambda_implementation(
        &mut self,
        caller: ClassId,
        handle: u16,
    ) -> Result<Option<Implementation>, Stop> {
        let Some(file) = self.class(caller).file else {
            return Ok(None);
        };
        let Some((mut kind, member)) = file.method_handle(handle) else {
            return Ok(None);
        };
        let interface = file.tag(member) == tag::INTERFACE_METHOD;
        let Some((holder, name, desc)) = file.member(member) else {
            return Ok(None);
        };
        let (Some(owner), Some((mut params, mut returns))) = (file.class_name(holder), method_types(desc))
        else {
            return Ok(None);
        };
        if !(kind::VIRTUAL..=kind::INTERFACE).contains(&kind) || owner.starts_with(b"[") {
            return Ok(None);
        }
        let method = match self.resolve_method(caller, member, interface) {
            Ok(method) => method,
            // The JDK's own machinery will find and report it.
            Err(Stop::Throw(_)) => return Ok(None),
            Err(stop) => return Err(stop),
        };
        let found = self.method(method);
        let (here, there) = (self.class(caller), self.class(found.class));
        let same_package = here.package == there.package && here.loader == there.loader;
        let static_kind = kind == kind::STATIC;
        if found.access & acc::PROTECTED != 0 && !same_package
            || found.is_static() != static_kind
            || found.traits.signature_polymorphic
            || there.hidden
        {
            return Ok(None);
        }
        if kind == kind::SPECIAL {
            // Older compilers call private methods so; a call of a superclass's method is another matter.
            if !found.is_private() || found.class != caller {
                return Ok(None);
            }
            kind = if interface { kind::INTERFACE } else { kind::VIRTUAL };
        }
        let own_type = Type::Ref(owner);
        match kind {
            kind::NEW => returns = own_type,
            kind::STATIC => {}
            _ => params.insert(0, own_type),
        }
        Ok(Some(Implementation {
            kind,
            owner,
            name,
            desc,
            interface,
            params,
            returns,
        }))
    }

    fn define_lambda(&mut self, caller: ClassId, shape: &Shape) -> Result<ClassId, Stop> {
        let host = self.class_name(caller);
        let name = if self.config.jdk_release >= 21 {
            format!("{host}$$Lambda")
        } else {
            format!("{host}$$Lambda${}", self.links.lambdas.len() + 1)
        };
        let bytes = shape.class_file(name.as_bytes());
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
        let id = self.define_class(loader, Some(&name), &bytes, opts)?;
        for m in self.class(id).methods.clone() {
            self.method_mut(m).traits.hidden = true;
        }
        Ok(id)
    }

    /// A method that makes an instance and fills its fields from the arguments.
    fn lambda_factory(
        &mut self,
        class: ClassId,
        desc: &'static [u8],
        captured: &[Type<'_>],
    ) -> Result<crate::ids::MethodId, Stop> {
        let slots: u16 = captured.iter().map(|t| t.slots()).sum();
        let mut ops = vec![Op::New {
            d: slots,
            class: class.0,
        }];
        let mut v = 0;
        for (at, ty) in captured.iter().enumerate() {
            let off = self.field(self.class(class).fields[at]).offset;
            ops.push(match ty {
                Type::Ref(_) => Op::PfA { obj: slots, v, off },
                Type::Prim(Prim::Boolean) => Op::PfZ { obj: slots, v, off },
                Type::Prim(Prim::Byte) => Op::Pf1 { obj: slots, v, off },
                Type::Prim(Prim::Char | Prim::Short) => Op::Pf2 { obj: slots, v, off },
                Type::Prim(Prim::Long | Prim::Double) => Op::Pf8 { obj: slots, v, off },
                Type::Prim(_) => Op::Pf4 { obj: slots, v, off },
            });
            v += ty.slots();
        }
        ops.push(Op::Ret { s: slots });
        let name = self.sym("get$Lambda");
        let desc = self.syms.intern(desc);
        Ok(self.add_synthetic(class, name, desc, slots, b'L', 2, ops))
    }
}

impl Shape {
    /// Whether the arities agree and every conversion is one the proxy can make.
    fn is_plain(&self) -> bool {
        let params = &self.implementation.params;
        let captured = self.captured.len();
        if self.erased.len() != self.instantiated.len() || params.len() != captured + self.erased.len() {
            return false;
        }
        let receiver =
            usize::from(self.implementation.kind != kind::STATIC && self.implementation.kind != kind::NEW);
        let as_declared = |(at, ty): (usize, &Type<'_>)| *ty == params[at] || (at < receiver && ty.is_ref());
        let passes = |((from, at_site), to): ((&Type<'_>, &Type<'_>), &Type<'_>)| {
            if from.is_ref() != at_site.is_ref() && !from.is_ref() {
                return false;
            }
            converts(if from.is_ref() { *at_site } else { *from }, *to)
        };
        let returns = match (self.implementation.returns, self.erased_return) {
            (_, Type::Prim(Prim::Void)) => true,
            (Type::Prim(Prim::Void), _) => false,
            (from, to) => converts(from, to),
        };
        returns
            && self.captured.iter().enumerate().all(as_declared)
            && self
                .erased
                .iter()
                .zip(&self.instantiated)
                .zip(&params[captured..])
                .all(passes)
    }

    fn class_file(&self, name: &[u8]) -> Vec<u8> {
        let mut class = ClassGen::default();
        let fields: Vec<String> = (1..=self.captured.len()).map(|n| format!("arg${n}")).collect();
        let mut constructor_desc = vec![b'('];
        for (field, ty) in fields.iter().zip(&self.captured) {
            let desc = descriptor(*ty);
            class.field(acc::PRIVATE | acc::FINAL, field.as_bytes(), &desc);
            constructor_desc.extend(desc);
        }
        constructor_desc.extend(b")V");
        let constructor = self.constructor(&mut class, name, &fields);
        class.method(acc::PRIVATE, b"<init>", &constructor_desc, &constructor);
        let body = self.body(&mut class, name, &fields);
        class.method(acc::PUBLIC, self.name, self.erased_desc, &body);
        class.finish(acc::SUPER | acc::FINAL | acc::SYNTHETIC, name, &[self.interface])
    }

    fn constructor(&self, class: &mut ClassGen, name: &[u8], fields: &[String]) -> Code {
        let mut code = Code {
            max_stack: 3,
            max_locals: 1,
            ..Code::default()
        };
        let object = class.method_ref(b"java/lang/Object", b"<init>", b"()V", false);
        code.op(opcode::ALOAD_0).op16(opcode::INVOKESPECIAL, object);
        for (field, ty) in fields.iter().zip(&self.captured) {
            let desc = descriptor(*ty);
            code.op(opcode::ALOAD_0);
            code.load(desc[0], code.max_locals);
            code.max_locals += ty.slots();
            code.op16(opcode::PUTFIELD, class.field_ref(name, field.as_bytes(), &desc));
        }
        code.op(opcode::RETURN);
        code
    }

    fn body(&self, class: &mut ClassGen, name: &[u8], fields: &[String]) -> Code {
        let target = &self.implementation;
        let mut code = Code {
            max_locals: 1,
            ..Code::default()
        };
        if target.kind == kind::NEW {
            code.op16(opcode::NEW, class.class(target.owner)).op(opcode::DUP);
        }
        for (field, ty) in fields.iter().zip(&self.captured) {
            let desc = descriptor(*ty);
            code.op(opcode::ALOAD_0)
                .op16(opcode::GETFIELD, class.field_ref(name, field.as_bytes(), &desc));
        }
        let rest = &target.params[self.captured.len()..];
        for ((from, at_site), to) in self.erased.iter().zip(&self.instantiated).zip(rest) {
            code.load(descriptor(*from)[0], code.max_locals);
            code.max_locals += from.slots();
            convert(class, &mut code, *from, *to, *at_site);
        }
        let method = class.method_ref(target.owner, target.name, target.desc, target.interface);
        let slots: u16 = target.params.iter().map(|t| t.slots()).sum();
        match target.kind {
            kind::STATIC => _ = code.op16(opcode::INVOKESTATIC, method),
            kind::NEW => _ = code.op16(opcode::INVOKESPECIAL, method),
            kind::INTERFACE if target.interface => code.invoke_interface(method, slots),
            _ => _ = code.op16(opcode::INVOKEVIRTUAL, method),
        }
        if self.erased_return != Type::Prim(Prim::Void) {
            convert(
                class,
                &mut code,
                target.returns,
                self.erased_return,
                self.erased_return,
            );
        }
        code.give_back(descriptor(self.erased_return)[0]);
        // A value in conversion takes two slots at most beside what is already there.
        code.max_stack = slots + 4;
        code
    }
}

/// Whether a value of one type may be passed as another, by the rules of LambdaMetafactory.
fn converts(from: Type<'_>, to: Type<'_>) -> bool {
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
fn wrapper(prim: Prim) -> (&'static [u8], &'static [u8]) {
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
fn convert(class: &mut ClassGen, code: &mut Code, from: Type<'_>, to: Type<'_>, at_site: Type<'_>) {
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

fn box_value(class: &mut ClassGen, code: &mut Code, prim: Prim) {
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
