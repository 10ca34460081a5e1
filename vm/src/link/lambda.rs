//! Lambdas and method references linked by the VM: what `LambdaMetafactory.metafactory` would spin, without
//! running it. Anything unusual is left to the JDK.
//!
//! The class is the one InnerClassLambdaMetafactory generates: hidden, synthetic, final, a nestmate of its host,
//! captured values in private final fields, one method that adapts its arguments and calls the implementation.
//! Instances are made by a method of ours that has no bytecode, so that reflection sees no more than it would in
//! another JVM.

use super::adapt::{box_value, convert, converts, descriptor};
use super::classgen::{ClassGen, Code, opcode};
use crate::classes::class::acc;
use crate::classes::loader::{DefineOpts, HiddenOpts};
use crate::classfile::descriptor::{Prim, Type, method_types};
use crate::classfile::{ClassFile, tag};
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

/// Flags of `LambdaMetafactory.altMetafactory`.
mod alt {
    pub const SERIALIZABLE: u32 = 1;
    pub const MARKERS: u32 = 2;
    pub const BRIDGES: u32 = 4;
}

/// What `altMetafactory` may add.
#[derive(Default)]
struct Extras {
    serializable: bool,
    /// Further interfaces.
    markers: Vec<&'static [u8]>,
    /// Further descriptors of the interface's method.
    bridges: Vec<&'static [u8]>,
}

/// All that is needed to write the proxy class.
struct Shape {
    host: &'static [u8],
    interface: &'static [u8],
    extras: Extras,
    /// Name of the interface's method.
    name: &'static [u8],
    captured: Vec<Type<'static>>,
    /// The interface method's erased descriptor, and those of the bridges.
    erased: Signature,
    bridges: Vec<Signature>,
    /// Parameters at this call site.
    instantiated: Vec<Type<'static>>,
    instantiated_desc: &'static [u8],
    implementation: Implementation,
}

/// A method descriptor, taken apart.
struct Signature {
    desc: &'static [u8],
    params: Vec<Type<'static>>,
    returns: Type<'static>,
}

impl Signature {
    fn of(desc: &'static [u8]) -> Option<Signature> {
        let (params, returns) = method_types(desc)?;
        Some(Signature {
            desc,
            params,
            returns,
        })
    }
}

struct Implementation {
    kind: u8,
    /// As the constant pool has it.
    declared_kind: u8,
    /// The class that declares the method.
    holder: &'static [u8],
    owner: &'static [u8],
    name: &'static [u8],
    desc: &'static [u8],
    interface: bool,
    /// With the receiver of an instance method first.
    params: Vec<Type<'static>>,
    returns: Type<'static>,
}

impl Vm {
    /// Links a call site of `LambdaMetafactory.metafactory`, or with `alt` of `altMetafactory`; `None` leaves it to
    /// the JDK.
    pub(super) fn link_lambda(
        &mut self,
        caller: ClassId,
        site: Site,
        name: &'static [u8],
        desc: &'static [u8],
        arguments: &[u16],
        alt: bool,
    ) -> Result<Option<LinkedSite>, Stop> {
        let class = match self.links.lambdas.get(&site) {
            Some(&class) => class,
            None => {
                let Some(shape) = self.lambda_shape(caller, name, desc, arguments, alt)? else {
                    return Ok(None);
                };
                self.load_foreign_types(caller, &shape)?;
                let class = self.define_lambda(caller, &shape)?;
                match self.check_table_loaders(class) {
                    Ok(()) => {}
                    // The JDK's own machinery will find and report it.
                    Err(Stop::Throw(_)) => return Ok(None),
                    Err(stop) => return Err(stop),
                }
                self.links.lambdas.insert(site, class);
                self.links.lambda_count += 1;
                class
            }
        };
        self.ensure_initialized(class)?;
        let Some((captured, _)) = method_types(desc) else {
            return Ok(None);
        };
        if captured.is_empty() {
            let instance = self.new_object(class)?;
            self.pin(caller, instance);
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
        alt: bool,
    ) -> Result<Option<Shape>, Stop> {
        let (Some(file), &[erased, handle, instantiated, ref rest @ ..]) =
            (self.class(caller).file, arguments)
        else {
            return Ok(None);
        };
        let extras = if alt {
            Extras::read(file, rest)
        } else {
            rest.is_empty().then(Extras::default)
        };
        let Some(extras) = extras else {
            return Ok(None);
        };
        let (Some(erased_desc), Some(instantiated_desc)) =
            (file.method_type(erased), file.method_type(instantiated))
        else {
            return Ok(None);
        };
        let types = (
            method_types(desc),
            Signature::of(erased_desc),
            method_types(instantiated_desc),
        );
        let (Some((captured, Type::Ref(interface))), Some(erased), Some((instantiated, _))) = types else {
            return Ok(None);
        };
        let Some(bridges) = extras.bridges.iter().map(|desc| Signature::of(desc)).collect() else {
            return Ok(None);
        };
        let loader = self.class(caller).loader;
        let interface_class = self.class_for_type(Type::Ref(interface), loader)?;
        if !self.class(interface_class).is_interface() || self.class(caller).hidden {
            return Ok(None);
        }
        let Some(extras) = self.checked_extras(loader, interface_class, extras)? else {
            return Ok(None);
        };
        let host = self.syms.bytes(self.class(caller).name);
        let Some(implementation) = self.lambda_implementation(caller, handle)? else {
            return Ok(None);
        };
        let shape = Shape {
            host,
            interface,
            extras,
            name,
            captured,
            erased,
            bridges,
            instantiated,
            instantiated_desc,
            implementation,
        };
        Ok(shape.is_plain().then_some(shape))
    }

    /// An interface of another loader is implemented after the types of its method are known, as the constants of the
    /// call site make them; what of the same loader is known need not be loaded yet.
    fn load_foreign_types(&mut self, caller: ClassId, shape: &Shape) -> Result<(), Stop> {
        let loader = self.class(caller).loader;
        let interface = self.class_for_type(Type::Ref(shape.interface), loader)?;
        if self.class(interface).loader == loader {
            return Ok(());
        }
        let types = shape.erased.params.iter().chain([&shape.erased.returns]);
        for ty in types {
            if matches!(ty, Type::Ref(name) if !name.starts_with(b"java/")) {
                self.class_for_type(*ty, loader)?;
            }
        }
        Ok(())
    }

    /// Loads the marker interfaces; an interface that is serializable by accident is left to the JDK.
    fn checked_extras(
        &mut self,
        loader: crate::ids::LoaderId,
        interface: ClassId,
        mut extras: Extras,
    ) -> Result<Option<Extras>, Stop> {
        let mut serializable = self.is_subclass(interface, self.known.serializable);
        for &marker in &extras.markers {
            let marker = self.class_for_type(Type::Ref(marker), loader)?;
            if !self.class(marker).is_interface() {
                return Ok(None);
            }
            serializable |= self.is_subclass(marker, self.known.serializable);
        }
        if serializable && !extras.serializable {
            return Ok(None);
        }
        if extras.serializable && !serializable {
            extras.markers.push(b"java/io/Serializable");
        }
        Ok(Some(extras))
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
        let Some((declared_kind, member)) = file.method_handle(handle) else {
            return Ok(None);
        };
        let mut kind = declared_kind;
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
        let holder = self.syms.bytes(there.name);
        let own_type = Type::Ref(owner);
        match kind {
            kind::NEW => returns = own_type,
            kind::STATIC => {}
            _ => params.insert(0, own_type),
        }
        Ok(Some(Implementation {
            kind,
            declared_kind,
            holder,
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
        let name = if self.release().lambdas_have_no_number() {
            format!("{host}$$Lambda")
        } else {
            format!("{host}$$Lambda${}", self.links.lambda_count + 1)
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
        self.trust_class(id);
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
        let receiver =
            usize::from(self.implementation.kind != kind::STATIC && self.implementation.kind != kind::NEW);
        let as_declared = |(at, ty): (usize, &Type<'_>)| {
            params.get(at).is_some_and(|param| ty == param) || (at < receiver && ty.is_ref())
        };
        self.captured.iter().enumerate().all(as_declared)
            && std::iter::once(&self.erased)
                .chain(&self.bridges)
                .all(|signature| self.adapts(signature))
    }

    /// Whether a method of this signature can forward to the implementation.
    fn adapts(&self, signature: &Signature) -> bool {
        let (params, captured) = (&self.implementation.params, self.captured.len());
        let arity = signature.params.len();
        if arity != self.instantiated.len() || params.len() != captured + arity {
            return false;
        }
        let passes = |((from, at_site), to): ((&Type<'_>, &Type<'_>), &Type<'_>)| {
            if from.is_ref() != at_site.is_ref() && !from.is_ref() {
                return false;
            }
            converts(if from.is_ref() { *at_site } else { *from }, *to)
        };
        let returns = match (self.implementation.returns, signature.returns) {
            (_, Type::Prim(Prim::Void)) => true,
            (Type::Prim(Prim::Void), _) => false,
            (from, to) => converts(from, to),
        };
        returns
            && signature
                .params
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
        let body = self.body(&mut class, name, &fields, &self.erased);
        class.method(acc::PUBLIC, self.name, self.erased.desc, &body);
        for bridge in &self.bridges {
            let body = self.body(&mut class, name, &fields, bridge);
            class.method(acc::PUBLIC | acc::BRIDGE, self.name, bridge.desc, &body);
        }
        if self.extras.serializable {
            let body = self.write_replace(&mut class, name, &fields);
            class.method(
                acc::PRIVATE | acc::FINAL,
                b"writeReplace",
                b"()Ljava/lang/Object;",
                &body,
            );
        }
        let mut interfaces = vec![self.interface];
        for marker in &self.extras.markers {
            if !interfaces.contains(marker) {
                interfaces.push(marker);
            }
        }
        class.finish(acc::SUPER | acc::FINAL | acc::SYNTHETIC, name, &interfaces)
    }

    /// Makes the SerializedLambda that stands for this lambda in a stream.
    fn write_replace(&self, class: &mut ClassGen, name: &[u8], fields: &[String]) -> Code {
        const SERIALIZED: &[u8] = b"java/lang/invoke/SerializedLambda";
        const INIT: &[u8] = b"(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I\
            Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V";
        let target = &self.implementation;
        let mut code = Code {
            max_stack: 17,
            max_locals: 1,
            ..Code::default()
        };
        code.op16(opcode::NEW, class.class(SERIALIZED)).op(opcode::DUP);
        code.op16(opcode::LDC_W, class.class(self.host));
        for text in [self.interface, self.name, self.erased.desc] {
            code.op16(opcode::LDC_W, class.string(text));
        }
        code.op(opcode::BIPUSH).op(target.declared_kind);
        for text in [target.holder, target.name, target.desc, self.instantiated_desc] {
            code.op16(opcode::LDC_W, class.string(text));
        }
        code.op16(opcode::SIPUSH, fields.len() as u16);
        code.op16(opcode::ANEWARRAY, class.class(b"java/lang/Object"));
        for (at, (field, ty)) in fields.iter().zip(&self.captured).enumerate() {
            let desc = descriptor(*ty);
            code.op(opcode::DUP).op16(opcode::SIPUSH, at as u16);
            code.op(opcode::ALOAD_0)
                .op16(opcode::GETFIELD, class.field_ref(name, field.as_bytes(), &desc));
            if let Type::Prim(prim) = ty {
                box_value(class, &mut code, *prim);
            }
            code.op(opcode::AASTORE);
        }
        code.op16(
            opcode::INVOKESPECIAL,
            class.method_ref(SERIALIZED, b"<init>", INIT, false),
        );
        code.op(opcode::ARETURN);
        code
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

    fn body(&self, class: &mut ClassGen, name: &[u8], fields: &[String], signature: &Signature) -> Code {
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
        for ((from, at_site), to) in signature.params.iter().zip(&self.instantiated).zip(rest) {
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
        if signature.returns != Type::Prim(Prim::Void) {
            convert(
                class,
                &mut code,
                target.returns,
                signature.returns,
                signature.returns,
            );
        }
        code.give_back(descriptor(signature.returns)[0]);
        // A value in conversion takes two slots at most beside what is already there.
        code.max_stack = slots + 4;
        code
    }
}

impl Extras {
    /// From the static arguments after the first three: flags, then what they announce.
    fn read(file: &'static ClassFile, arguments: &[u16]) -> Option<Extras> {
        let mut rest = arguments.iter();
        let flags = file.word(*rest.next()?)?;
        let mut extras = Extras {
            serializable: flags & alt::SERIALIZABLE != 0,
            ..Extras::default()
        };
        if flags & alt::MARKERS != 0 {
            let count = file.word(*rest.next()?)?;
            for _ in 0..count {
                extras.markers.push(file.class_name(*rest.next()?)?);
            }
        }
        if flags & alt::BRIDGES != 0 {
            let count = file.word(*rest.next()?)?;
            for _ in 0..count {
                extras.bridges.push(file.method_type(*rest.next()?)?);
            }
        }
        rest.next().is_none().then_some(extras)
    }
}
