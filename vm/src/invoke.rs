//! Linking of method handles: invokedynamic, dynamic constants, method handle and method type constants, and the
//! signature-polymorphic calls, all through the JDK's own `MethodHandleNatives`.
//!
//! Every linking step needs Java code to run. The functions here follow the retry rule: they ask for the call with
//! `Stop::Call`, its continuation records the result where the step looks first, and the instruction runs again.
//! Everything recorded lives as long as the class it belongs to (`Vm::pin`).

use crate::classes::class::{CpEntry, InitState, Method, Traits, acc};
use crate::classes::loader::Loader;
use crate::classfile::descriptor::{Prim, Type, field_type, method_types};
use crate::classfile::tag;
use crate::ids::{ClassId, LoaderId, MethodId, ObjRef, Sym};
use crate::link::op::Op;
use crate::member_names::kind;
use crate::stop::{Completion, Stop, Then};
use crate::sym::FixedMap;
use crate::vm::{HotMethod, Vm};

const NATIVES: &str = "java/lang/invoke/MethodHandleNatives";

/// What a linked call site calls: a static method, with one more argument at the end unless it is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedSite {
    pub method: MethodId,
    pub appendix: ObjRef,
    /// The call always gives `appendix` and nothing is called.
    pub constant: bool,
}

/// An invokedynamic instruction: its method and the index of its op.
pub type Site = (MethodId, u32);

#[derive(Clone, Copy)]
enum Linkage {
    Done(LinkedSite),
    /// The linkage error to throw again.
    Failed(ObjRef),
}

/// All that has been linked so far. The references in it are pinned as well, but for the names of methods.
#[derive(Default)]
pub struct Links {
    sites: FixedMap<Site, Linkage>,
    /// Signature-polymorphic calls, by constant pool entry.
    calls: FixedMap<(ClassId, u16), Linkage>,
    method_types: FixedMap<(LoaderId, Sym), ObjRef>,
    /// Methods made up for `invokeBasic` and `linkTo*` at a given basic signature.
    pub(crate) intrinsics: FixedMap<(Sym, Sym), MethodId>,
    /// Classes the VM has spun for call sites.
    pub(crate) lambdas: FixedMap<Site, ClassId>,
    /// So many have been spun, of which some may be gone.
    pub(crate) lambda_count: usize,
    /// Recipes of the string concatenations the VM has linked, and their methods by descriptor.
    pub(crate) concats: Vec<std::rc::Rc<crate::link::concat::Concat>>,
    pub(crate) concat_methods: FixedMap<Sym, MethodId>,
    /// The one ResolvedMethodName of each method that has one.
    pub(crate) resolved_names: FixedMap<MethodId, ObjRef>,
    /// Dynamic constants whose static arguments are being resolved right now.
    resolving: Vec<(ClassId, u16)>,
}

impl Links {
    /// Forgets the names of methods that nobody has any more.
    pub(crate) fn sweep_names(&mut self, lives: impl Fn(ObjRef) -> bool) {
        self.resolved_names.retain(|_, name| lives(*name));
    }

    /// Forgets what was linked for classes and loaders that are gone.
    pub(crate) fn sweep(
        &mut self,
        method_lives: impl Fn(MethodId) -> bool,
        class_lives: impl Fn(ClassId) -> bool,
        loader_lives: impl Fn(LoaderId) -> bool,
    ) {
        self.sites.retain(|(m, _), _| method_lives(*m));
        self.lambdas.retain(|(m, _), _| method_lives(*m));
        self.calls.retain(|(c, _), _| class_lives(*c));
        self.method_types.retain(|(l, _), _| loader_lives(*l));
        self.resolving.retain(|(c, _)| class_lives(*c));
    }

    /// Drops what was linked for the old bodies of a class.
    pub(crate) fn forget(&mut self, class: ClassId, methods: &[MethodId]) {
        self.sites.retain(|(m, _), _| !methods.contains(m));
        self.lambdas.retain(|(m, _), _| !methods.contains(m));
        self.calls.retain(|(c, _), _| *c != class);
    }
}

/// `MemberName.vmindex` of a method that is called directly.
pub const DIRECT: i64 = -2;
/// `MemberName.vmindex` of a virtual method that has no vtable slot of its own and is selected by name.
pub const SELECT: i64 = 0x7fff_ffff;

/// The four `linkTo` forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum LinkKind {
    Virtual = 5,
    Static = 6,
    Special = 7,
    Interface = 9,
}

impl LinkKind {
    /// By method name, as lowering sees it.
    pub fn of(name: &[u8]) -> Option<LinkKind> {
        match name {
            b"linkToVirtual" => Some(LinkKind::Virtual),
            b"linkToStatic" => Some(LinkKind::Static),
            b"linkToSpecial" => Some(LinkKind::Special),
            b"linkToInterface" => Some(LinkKind::Interface),
            _ => None,
        }
    }

    pub fn from_number(kind: u16) -> Option<LinkKind> {
        [
            LinkKind::Virtual,
            LinkKind::Static,
            LinkKind::Special,
            LinkKind::Interface,
        ]
        .into_iter()
        .find(|k| *k as u16 == kind)
    }
}

impl Vm {
    /// The method `MethodHandle.invokeBasic` on this handle runs. The handle must not be null.
    #[inline]
    pub fn basic_target(&self, handle: ObjRef) -> MethodId {
        let form = self.heap.get_ref(handle, self.known.mh_form);
        let entry = self.heap.get_ref(form, self.known.form_vmentry);
        self.member_target(entry)
    }

    /// The method a resolved MemberName stands for.
    #[inline]
    pub fn member_target(&self, member: ObjRef) -> MethodId {
        let resolved = self.heap.get_ref(member, self.known.member_method);
        MethodId(
            self.heap
                .get_u32(resolved, self.known.resolved_target)
                .wrapping_sub(1),
        )
    }

    /// The method a `linkTo*` call on this MemberName runs. Neither member nor receiver may be null (the receiver
    /// of `linkToStatic` is not checked).
    #[inline]
    pub fn link_target(
        &mut self,
        member: ObjRef,
        kind: LinkKind,
        receiver: ObjRef,
    ) -> Result<MethodId, Stop> {
        let method = self.member_target(member);
        match kind {
            LinkKind::Special => Ok(method),
            LinkKind::Static => {
                let class = self.method(method).class;
                if self.class(class).state != InitState::Done {
                    self.ensure_initialized(class)?;
                }
                Ok(method)
            }
            LinkKind::Virtual => {
                let index = self.heap.get_i64(member, self.known.member_vmindex);
                let class = self.heap.class_of(receiver);
                match index {
                    DIRECT => Ok(method),
                    SELECT => self.select_virtual(class, method),
                    _ => match self.class(class).vtable.get(index as usize) {
                        Some(&selected) => Ok(selected),
                        None => self.select_virtual(class, method),
                    },
                }
            }
            LinkKind::Interface => {
                let class = self.heap.class_of(receiver);
                self.select_virtual(class, method)
            }
        }
    }

    /// Links the invokedynamic instruction at `site`, which uses constant `cp` of `caller`.
    pub fn link_call_site(&mut self, caller: ClassId, cp: u16, site: Site) -> Result<LinkedSite, Stop> {
        match self.links.sites.get(&site) {
            Some(Linkage::Done(linked)) => return Ok(*linked),
            Some(Linkage::Failed(error)) => return Err(self.throw_recorded(*error, false)),
            None => {}
        }
        let linking = self.start_call_site(caller, cp, site);
        linking.map_err(|stop| self.record_site_failure(site, stop))
    }

    fn start_call_site(&mut self, caller: ClassId, cp: u16, site: Site) -> Result<LinkedSite, Stop> {
        if self.config.fast_indy
            && let Some(linked) = self.link_known_site(caller, cp, site)?
        {
            self.links.sites.insert(site, Linkage::Done(linked));
            return Ok(linked);
        }
        let (bootstrap, name, desc) = self.dynamic_entry(caller, cp)?;
        let (handle, arguments) = self.bootstrap_arguments(caller, bootstrap)?;
        let desc = self.syms.intern(desc);
        let ty = self.method_type(desc, caller)?;
        let natives = self.boot_class(NATIVES)?;
        self.ensure_initialized(natives)?;
        let name = self.new_string_mutf8(name)?;
        let name = self.intern(name)?;
        let arguments = self.pack_arguments(arguments)?;
        let appendix = self.new_ref_array(self.known.object, 1)?;
        // Releases before 19 also pass the index of the call site specifier.
        let indexed = "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;\
                       [Ljava/lang/Object;)Ljava/lang/invoke/MemberName;";
        let plain = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;\
                     [Ljava/lang/Object;)Ljava/lang/invoke/MemberName;";
        let mut args = vec![self.mirror(caller).bits()];
        let method = match self.declared_method(natives, "linkCallSite", indexed) {
            Some(method) => {
                args.push(u64::from(cp));
                method
            }
            None => self.upcall(natives, "linkCallSite", plain)?,
        };
        args.extend([
            handle.bits(),
            name.bits(),
            ty.bits(),
            arguments.bits(),
            appendix.bits(),
        ]);
        let state = vec![u64::from(site.0.0), u64::from(site.1), appendix.bits()];
        Err(Stop::call(
            method,
            args,
            Then::RetryAfter(call_site_linked, state),
        ))
    }

    /// A linkage error is thrown again by every later execution of the instruction; other outcomes are not kept.
    fn record_site_failure(&mut self, site: Site, stop: Stop) -> Stop {
        let Stop::Throw(thrown) = stop else { return stop };
        let error = match self.bootstrap_error(thrown) {
            Ok(error) => error,
            Err(stop) => return stop,
        };
        if self.is_linkage_error(error) {
            self.pin(self.method(site.0).class, error);
            self.links.sites.entry(site).or_insert(Linkage::Failed(error));
        }
        Stop::Throw(error)
    }

    /// Anything but an Error that escapes from a bootstrap is wrapped.
    fn bootstrap_error(&mut self, thrown: ObjRef) -> Result<ObjRef, Stop> {
        let error = self.boot_class("java/lang/Error")?;
        if self.instance_of(thrown, error) {
            return Ok(thrown);
        }
        self.new_exception("java/lang/BootstrapMethodError", None, Some(thrown))
    }

    fn is_linkage_error(&mut self, error: ObjRef) -> bool {
        self.boot_class("java/lang/LinkageError")
            .is_ok_and(|linkage| self.instance_of(error, linkage))
    }

    /// A fresh exception of the class and with the message of a recorded one, as later executions of a failed
    /// site get it; constants also get the cause, of which again class and message are kept.
    pub(crate) fn throw_recorded(&mut self, error: ObjRef, with_cause: bool) -> Stop {
        let made = self.again(error).and_then(|fresh| {
            let cause = self.heap.get_ref(error, self.known.throwable_cause);
            if with_cause && !cause.is_null() && cause != error {
                let cause = self.again(cause)?;
                self.heap.put_ref(fresh, self.known.throwable_cause, cause);
            }
            Ok(fresh)
        });
        made.map_or_else(|stop| stop, Stop::Throw)
    }

    fn again(&mut self, error: ObjRef) -> Result<ObjRef, Stop> {
        let message = self.heap.get_ref(error, self.known.throwable_message);
        self.new_throwable(self.class_of(error), message)
    }

    /// Adds a method the VM makes up: no class file knows it, and no trace shows it. `temps` registers are used
    /// beside the arguments.
    #[expect(clippy::too_many_arguments, reason = "the fields of a method record")]
    pub(crate) fn add_synthetic(
        &mut self,
        class: ClassId,
        name: Sym,
        desc: Sym,
        arg_slots: u16,
        ret: u8,
        temps: u16,
        ops: Vec<Op>,
    ) -> MethodId {
        let id = MethodId(self.methods.len() as u32);
        let regs = arg_slots + temps + 1;
        let method = Method {
            id,
            class,
            name,
            desc,
            access: acc::STATIC | acc::SYNTHETIC | acc::FINAL,
            slot: 0,
            arg_slots,
            ret,
            vindex: -1,
            traits: Traits {
                hidden: true,
                ..Traits::default()
            },
            bcis: vec![0; ops.len()].into(),
            ops: ops.into(),
            handlers: Box::new([]),
            switches: Box::new([]),
            native: None,
            invalid: None,
        };
        let code = method.ops.as_ptr();
        self.methods.push(method);
        self.hot.push(HotMethod {
            flags: HotMethod::STATIC,
            ..HotMethod::new(code, u32::from(regs), arg_slots)
        });
        // There is no bytecode to derive maps from: every register may hold a reference.
        let all: std::rc::Rc<[u16]> = (0..regs).collect();
        for in_call in [false, true] {
            self.ref_maps.insert((id, 0, in_call), all.clone());
        }
        id
    }

    /// Links a call of MethodHandle.invoke/invokeExact or of a VarHandle access mode, constant `cp` of `caller`.
    pub fn link_method(
        &mut self,
        caller: ClassId,
        cp: u16,
        defining: ClassId,
        name: &[u8],
        desc: Sym,
    ) -> Result<LinkedSite, Stop> {
        match self.links.calls.get(&(caller, cp)) {
            Some(Linkage::Done(linked)) => return Ok(*linked),
            Some(Linkage::Failed(error)) => return Err(self.throw_recorded(*error, false)),
            None => {}
        }
        let ty = self.method_type(desc, caller)?;
        let natives = self.boot_class(NATIVES)?;
        self.ensure_initialized(natives)?;
        let name = self.new_string_mutf8(name)?;
        let name = self.intern(name)?;
        let appendix = self.new_ref_array(self.known.object, 1)?;
        let method = self.upcall(
            natives,
            "linkMethod",
            "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)\
             Ljava/lang/invoke/MemberName;",
        )?;
        let args = vec![
            self.mirror(caller).bits(),
            LinkKind::Virtual as u64,
            self.mirror(defining).bits(),
            name.bits(),
            ty.bits(),
            appendix.bits(),
        ];
        let state = vec![u64::from(caller.0), u64::from(cp), appendix.bits()];
        Err(Stop::call(method, args, Then::RetryAfter(method_linked, state)))
    }

    /// The java.lang.invoke.MethodType of a descriptor as `class` sees it.
    pub fn method_type(&mut self, desc: Sym, class: ClassId) -> Result<ObjRef, Stop> {
        let loader = self.class(class).loader;
        if let Some(&ty) = self.links.method_types.get(&(loader, desc)) {
            return Ok(ty);
        }
        let bytes = self.syms.bytes(desc);
        let (params, ret) = method_types(bytes)
            .ok_or_else(|| Stop::bug(format!("bad descriptor {}", self.syms.str(desc))))?;
        let mut mirrors = Vec::with_capacity(params.len());
        for param in params {
            let class = self.class_for_type(param, loader)?;
            mirrors.push(self.mirror(class));
        }
        let ret = self.class_for_type(ret, loader)?;
        let natives = self.boot_class(NATIVES)?;
        self.ensure_initialized(natives)?;
        let array = self.new_ref_array(self.known.class, mirrors.len() as i32)?;
        self.heap.refs_mut(array).copy_from_slice(&mirrors);
        let method = self.upcall(
            natives,
            "findMethodHandleType",
            "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
        )?;
        let args = vec![self.mirror(ret).bits(), array.bits()];
        let state = vec![u64::from(loader.0), u64::from(desc.0)];
        Err(Stop::call(
            method,
            args,
            Then::RetryAfter(method_type_found, state),
        ))
    }

    /// A MethodType constant.
    pub fn method_type_constant(&mut self, class: ClassId, cp: u16) -> Result<ObjRef, Stop> {
        if let Some(known) = self.recorded(class, cp)? {
            return Ok(ObjRef::from_bits(known));
        }
        let desc = self.file(class)?.method_type(cp).ok_or_else(|| malformed(cp))?;
        let desc = self.syms.intern(desc);
        match self.method_type(desc, class) {
            Ok(ty) => {
                self.class_mut(class).cp[usize::from(cp)] = CpEntry::Value(ty.bits());
                Ok(ty)
            }
            Err(stop) => Err(self.record_failure(class, cp, stop)),
        }
    }

    /// A MethodHandle constant.
    pub fn method_handle_constant(&mut self, class: ClassId, cp: u16) -> Result<ObjRef, Stop> {
        if let Some(known) = self.recorded(class, cp)? {
            return Ok(ObjRef::from_bits(known));
        }
        let linking = self.start_method_handle(class, cp);
        linking.map_err(|stop| self.record_failure(class, cp, stop))
    }

    fn start_method_handle(&mut self, class: ClassId, cp: u16) -> Result<ObjRef, Stop> {
        let file = self.file(class)?;
        let (kind, member) = file.method_handle(cp).ok_or_else(|| malformed(cp))?;
        let (holder, name, desc) = file.member(member).ok_or_else(|| malformed(member))?;
        let callee = self.resolve_class(class, holder)?;
        self.check_member_kind(class, member, callee)?;
        self.check_member(class, u32::from(kind), callee, (name, desc))?;
        let ty = if desc.starts_with(b"(") {
            let desc = self.syms.intern(desc);
            self.method_type(desc, class)?
        } else {
            let ty = field_type(desc).ok_or_else(|| malformed(member))?;
            let loader = self.class(class).loader;
            let ty = self.class_for_type(ty, loader)?;
            self.mirror(ty)
        };
        let natives = self.boot_class(NATIVES)?;
        self.ensure_initialized(natives)?;
        let name = self.new_string_mutf8(name)?;
        let name = self.intern(name)?;
        let method = self.upcall(
            natives,
            "linkMethodHandleConstant",
            "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
        )?;
        let args = vec![
            self.mirror(class).bits(),
            u64::from(kind),
            self.mirror(callee).bits(),
            name.bits(),
            ty.bits(),
        ];
        let state = vec![u64::from(class.0), u64::from(cp)];
        Err(Stop::call(method, args, Then::RetryAfter(constant_linked, state)))
    }

    /// A method reference must agree with its class on whether that is an interface.
    fn check_member_kind(&mut self, class: ClassId, member: u16, callee: ClassId) -> Result<(), Stop> {
        let file = self.file(class)?;
        let interface = self.class(callee).is_interface();
        let wrong = match file.tag(member) {
            tag::METHOD => interface,
            tag::INTERFACE_METHOD => !interface,
            _ => false,
        };
        if !wrong {
            return Ok(());
        }
        let (_, name, desc) = file.member(member).ok_or_else(|| malformed(member))?;
        let (name, desc) = (self.syms.intern(name), self.syms.intern(desc));
        let (is, should) = if interface {
            ("CONSTANT_MethodRef", "CONSTANT_InterfaceMethodRef")
        } else {
            ("CONSTANT_InterfaceMethodRef", "CONSTANT_MethodRef")
        };
        let message = format!(
            "Inconsistent constant pool data in classfile for class {}. Method '{}' at index {member} is {is} and \
             should be {should}",
            self.class_name(callee),
            self.signature_text(callee, name, desc)
        );
        Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)))
    }

    /// A member of a method handle constant is resolved like one of an instruction, before its types are.
    fn check_member(
        &mut self,
        from: ClassId,
        reference: u32,
        callee: ClassId,
        (name, desc): (&[u8], &[u8]),
    ) -> Result<(), Stop> {
        let polymorphic = ["java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle"];
        if self.class(callee).is_array() || polymorphic.contains(&self.class_name(callee)) {
            return Ok(());
        }
        let (name, desc) = (self.syms.intern(name), self.syms.intern(desc));
        if reference <= kind::PUT_STATIC {
            return match self.find_field_sym(callee, name, Some(desc)) {
                Some(field) => self.check_field_loaders(from, field),
                None => Err(self.no_such_field(callee, name, desc)),
            };
        }
        let interface = self.class(callee).is_interface();
        let method = self.resolve_method_in(from, callee, name, desc, interface)?;
        if self.method(method).is_static() == (reference == kind::INVOKE_STATIC) {
            return Ok(());
        }
        let expected = match reference {
            kind::INVOKE_STATIC => "Expected static",
            kind::INVOKE_INTERFACE => "Expected instance not static",
            _ => "Expecting non-static",
        };
        Err(self.wrong_staticness(method, expected))
    }

    /// A dynamic constant: a reference, or the register image of a primitive.
    pub fn dynamic_constant(&mut self, class: ClassId, cp: u16) -> Result<u64, Stop> {
        if let Some(known) = self.recorded(class, cp)? {
            return Ok(known);
        }
        if self.links.resolving.contains(&(class, cp)) {
            return Err(self.throw("java/lang/StackOverflowError", None));
        }
        let linking = self.start_dynamic_constant(class, cp);
        linking.map_err(|stop| self.record_dynamic_failure(class, cp, stop))
    }

    fn start_dynamic_constant(&mut self, class: ClassId, cp: u16) -> Result<u64, Stop> {
        let (bootstrap, name, desc) = self.dynamic_entry(class, cp)?;
        self.links.resolving.push((class, cp));
        let resolved = self.bootstrap_arguments(class, bootstrap);
        self.links.resolving.pop();
        let (handle, arguments) = resolved?;
        let ty = field_type(desc).ok_or_else(|| malformed(cp))?;
        let loader = self.class(class).loader;
        let ty = self.class_for_type(ty, loader)?;
        let natives = self.boot_class(NATIVES)?;
        self.ensure_initialized(natives)?;
        let name = self.new_string_mutf8(name)?;
        let name = self.intern(name)?;
        let arguments = self.pack_arguments(arguments)?;
        let indexed = "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)\
                       Ljava/lang/Object;";
        let plain = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)\
                     Ljava/lang/Object;";
        let mut args = vec![self.mirror(class).bits()];
        let method = match self.declared_method(natives, "linkDynamicConstant", indexed) {
            Some(method) => {
                args.push(u64::from(cp));
                method
            }
            None => self.upcall(natives, "linkDynamicConstant", plain)?,
        };
        args.extend([
            handle.bits(),
            name.bits(),
            self.mirror(ty).bits(),
            arguments.bits(),
        ]);
        let state = vec![u64::from(class.0), u64::from(cp)];
        Err(Stop::call(
            method,
            args,
            Then::RetryAfter(dynamic_constant_linked, state),
        ))
    }

    fn record_dynamic_failure(&mut self, class: ClassId, cp: u16, stop: Stop) -> Stop {
        let Stop::Throw(thrown) = stop else { return stop };
        match self.bootstrap_error(thrown) {
            Ok(error) => self.record_failure(class, cp, Stop::Throw(error)),
            Err(stop) => stop,
        }
    }

    /// What an entry was resolved to before, if it was.
    fn recorded(&mut self, class: ClassId, cp: u16) -> Result<Option<u64>, Stop> {
        match self.class(class).cp[usize::from(cp)] {
            CpEntry::Value(value) => Ok(Some(value)),
            CpEntry::Failed(error) => Err(self.throw_recorded(error, true)),
            _ => Ok(None),
        }
    }

    /// Records a linkage error for the entry; other stops pass through.
    pub(crate) fn record_failure(&mut self, class: ClassId, cp: u16, stop: Stop) -> Stop {
        if let Stop::Throw(error) = stop
            && self.is_linkage_error(error)
        {
            self.pin(class, error);
            let entry = &mut self.class_mut(class).cp[usize::from(cp)];
            if *entry == CpEntry::Unresolved {
                *entry = CpEntry::Failed(error);
            }
        }
        stop
    }

    /// Records a value for the entry, unless another thread was faster.
    fn record_value(&mut self, class: ClassId, cp: u16, value: u64, reference: bool) {
        if reference {
            self.pin(class, ObjRef::from_bits(value));
        }
        let entry = &mut self.class_mut(class).cp[usize::from(cp)];
        if *entry == CpEntry::Unresolved {
            *entry = CpEntry::Value(value);
        }
    }

    fn file(&self, class: ClassId) -> Result<&'static crate::classfile::ClassFile, Stop> {
        self.class(class)
            .file
            .ok_or_else(|| Stop::bug("a class without a class file has no constants"))
    }

    fn dynamic_entry(&self, class: ClassId, cp: u16) -> Result<(u16, &'static [u8], &'static [u8]), Stop> {
        self.file(class)?.dynamic(cp).ok_or_else(|| malformed(cp))
    }

    fn upcall(&self, class: ClassId, name: &str, desc: &str) -> Result<MethodId, Stop> {
        self.declared_method(class, name, desc).ok_or_else(|| {
            Stop::unsupported(format!("this JDK has no {}.{name}{desc}", self.class_name(class)))
        })
    }

    /// Resolves bootstrap method and static arguments; numbers are boxed last, when nothing can interrupt any more.
    fn bootstrap_arguments(
        &mut self,
        class: ClassId,
        bootstrap: u16,
    ) -> Result<(ObjRef, Vec<Argument>), Stop> {
        let (handle, constants) = self
            .file(class)?
            .bootstrap(bootstrap)
            .ok_or_else(|| malformed(bootstrap))?;
        let handle = self.method_handle_constant(class, handle)?;
        let mut arguments = Vec::with_capacity(constants.len());
        for cp in constants {
            arguments.push(self.static_argument(class, cp)?);
        }
        Ok((handle, arguments))
    }

    fn static_argument(&mut self, class: ClassId, cp: u16) -> Result<Argument, Stop> {
        let file = self.file(class)?;
        let word = |prim| {
            file.word(cp)
                .map(|v| Argument::Prim(prim, u64::from(v)))
                .ok_or_else(|| malformed(cp))
        };
        let long = |prim| {
            file.long(cp)
                .map(|v| Argument::Prim(prim, v))
                .ok_or_else(|| malformed(cp))
        };
        match file.tag(cp) {
            tag::INTEGER => word(Prim::Int),
            tag::FLOAT => word(Prim::Float),
            tag::LONG => long(Prim::Long),
            tag::DOUBLE => long(Prim::Double),
            tag::STRING => {
                let text = file.string(cp).ok_or_else(|| malformed(cp))?;
                Ok(Argument::Ref(self.intern_mutf8(text)?))
            }
            tag::CLASS => {
                let resolved = self.resolve_class(class, cp)?;
                Ok(Argument::Ref(self.mirror(resolved)))
            }
            tag::METHOD_HANDLE => Ok(Argument::Ref(self.method_handle_constant(class, cp)?)),
            tag::METHOD_TYPE => Ok(Argument::Ref(self.method_type_constant(class, cp)?)),
            tag::DYNAMIC => {
                let value = self.dynamic_constant(class, cp)?;
                let (_, _, desc) = self.dynamic_entry(class, cp)?;
                match field_type(desc) {
                    Some(Type::Prim(prim)) => Ok(Argument::Prim(prim, value)),
                    _ => Ok(Argument::Ref(ObjRef::from_bits(value))),
                }
            }
            _ => Err(malformed(cp)),
        }
    }

    /// One argument goes bare (unless it could be taken for a list), others as an array; none is an empty array.
    fn pack_arguments(&mut self, arguments: Vec<Argument>) -> Result<ObjRef, Stop> {
        if let [only] = arguments[..] {
            let object = self.boxed(only)?;
            if !object.is_null() && !self.class(self.class_of(object)).is_array() {
                return Ok(object);
            }
        }
        let mut objects = Vec::with_capacity(arguments.len());
        for argument in arguments {
            objects.push(self.boxed(argument)?);
        }
        let array = self.new_ref_array(self.known.object, objects.len() as i32)?;
        self.heap.refs_mut(array).copy_from_slice(&objects);
        Ok(array)
    }

    fn boxed(&mut self, argument: Argument) -> Result<ObjRef, Stop> {
        match argument {
            Argument::Ref(object) => Ok(object),
            Argument::Prim(prim, bits) => self.box_value(prim, bits),
        }
    }

    /// Reads MemberName and appendix that a linker upcall answered to a class.
    fn linked(&mut self, caller: ClassId, member: ObjRef, appendix: ObjRef) -> Result<LinkedSite, Stop> {
        if member.is_null() || self.heap.get_ref(member, self.known.member_method).is_null() {
            return Err(self.throw("java/lang/LinkageError", Some("bad method handle linkage")));
        }
        let appendix = self.heap.refs(appendix)[0];
        // The resolved method is named by number: its class must be kept alive, as the appendix must.
        let method = self.member_target(member);
        self.pin(caller, appendix);
        let holder = self.method(method).class;
        if self.class(holder).mortal {
            self.pin(caller, self.mirror(holder));
        }
        Ok(LinkedSite {
            method,
            appendix,
            constant: false,
        })
    }
}

/// A static bootstrap argument.
#[derive(Clone, Copy)]
enum Argument {
    Ref(ObjRef),
    Prim(Prim, u64),
}

fn call_site_linked(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let site = (MethodId(state[0] as u32), state[1] as u32);
    match done {
        Completion::Value(member) => {
            let caller = vm.method(site.0).class;
            let linked = vm.linked(caller, ObjRef::from_bits(member), ObjRef::from_bits(state[2]))?;
            vm.links.sites.entry(site).or_insert(Linkage::Done(linked));
            Ok(0)
        }
        Completion::Thrown(error) => Err(vm.record_site_failure(site, Stop::Throw(error))),
    }
}

fn method_linked(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let entry = (ClassId(state[0] as u32), state[1] as u16);
    match done {
        Completion::Value(member) => {
            let linked = vm.linked(entry.0, ObjRef::from_bits(member), ObjRef::from_bits(state[2]))?;
            vm.links.calls.entry(entry).or_insert(Linkage::Done(linked));
            Ok(0)
        }
        Completion::Thrown(error) => {
            if vm.is_linkage_error(error) {
                vm.pin(entry.0, error);
                vm.links.calls.entry(entry).or_insert(Linkage::Failed(error));
            }
            Err(Stop::Throw(error))
        }
    }
}

fn method_type_found(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(ty) => {
            let ty = ObjRef::from_bits(ty);
            let loader = LoaderId(state[0] as u32);
            match &mut vm.loaders.list[loader.index()] {
                Loader {
                    mortal: true, pins, ..
                } => pins.push(ty),
                _ => vm.pinned.push(ty),
            }
            vm.links.method_types.insert((loader, Sym(state[1] as u32)), ty);
            Ok(0)
        }
        Completion::Thrown(error) => Err(Stop::Throw(error)),
    }
}

fn constant_linked(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let (class, cp) = (ClassId(state[0] as u32), state[1] as u16);
    match done {
        Completion::Value(value) => {
            vm.record_value(class, cp, value, true);
            Ok(0)
        }
        Completion::Thrown(error) => Err(vm.record_failure(class, cp, Stop::Throw(error))),
    }
}

fn dynamic_constant_linked(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let (class, cp) = (ClassId(state[0] as u32), state[1] as u16);
    match done {
        Completion::Value(value) => {
            let (_, _, desc) = vm.dynamic_entry(class, cp)?;
            match field_type(desc) {
                Some(Type::Prim(_)) => match vm.unbox(ObjRef::from_bits(value)) {
                    Some((_, bits)) => vm.record_value(class, cp, bits, false),
                    None => return Err(Stop::bug("a primitive dynamic constant is not boxed")),
                },
                _ => vm.record_value(class, cp, value, true),
            }
            Ok(0)
        }
        Completion::Thrown(error) => Err(vm.record_dynamic_failure(class, cp, Stop::Throw(error))),
    }
}

fn malformed(cp: u16) -> Stop {
    Stop::bug(format!(
        "constant {cp} is not what the checked class file says it is"
    ))
}
