//! Code that is made ready ahead of its first call: what another process of the same program was seen to link, lower, resolve and
//! compile is done here, before it is forked, so that no child has to do it again.
//!
//! No program can see it. Lowering depends on the class file alone; linking and resolution happen here only where all classes they ask
//! for are loaded, and no initialiser runs; compiled code does what the interpreter does, tick by tick. Whatever cannot be done so is left
//! to whoever needs it.

use crate::classes::class::{CpEntry, InitState, acc};
use crate::classfile::tag;
use crate::ids::{ClassId, MethodId};
use crate::jit::is_unresolved;
use crate::link::op::Op;
use crate::vm::Vm;

/// The methods of a class that a process has run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Internal form.
    pub class: String,
    pub methods: Vec<RanMethod>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RanMethod {
    /// Its number in the class file.
    pub slot: u16,
    /// Ops that were not resolved, by index.
    pub left: Vec<u32>,
    pub compiled: bool,
}

/// How much of each method was ready at some time: the ops left to be resolved, if it was lowered.
pub struct Readiness(Vec<Option<usize>>);

impl Vm {
    pub fn readiness(&self) -> Readiness {
        let left = |ops: &[Op]| (!ops.is_empty()).then(|| ops.iter().filter(|op| is_unresolved(op)).count());
        Readiness(self.methods.iter().map(|m| left(&m.ops)).collect())
    }

    /// The methods that more is known of than at some time before, by class.
    pub fn ran_since(&self, before: &Readiness) -> Vec<Ran> {
        let mut found: Vec<Ran> = Vec::new();
        for class in self.classes.iter().filter(|c| c.version_of.is_none()) {
            let mut methods = Vec::new();
            for &m in &class.methods {
                let method = self.method(m);
                let left: Vec<u32> = (0..)
                    .zip(&*method.ops)
                    .filter(|(_, op)| is_unresolved(op))
                    .map(|(i, _)| i)
                    .collect();
                let known = before.0.get(m.index()).copied().flatten();
                if !method.ops.is_empty() && known.is_none_or(|count| left.len() < count) {
                    methods.push(RanMethod {
                        slot: method.slot,
                        left,
                        compiled: self.is_compiled(m),
                    });
                }
            }
            if !methods.is_empty() {
                found.push(Ran {
                    class: self.syms.str(class.name).to_owned(),
                    methods,
                });
            }
        }
        found
    }

    /// Makes ready what another process ran, as far as that cannot be seen. Only for an embedder while no compiled code is under way, as for
    /// `log_reads`.
    pub fn make_ready(&mut self, ran: &[Ran]) {
        let mut by_name: crate::sym::FixedMap<crate::ids::Sym, Vec<ClassId>> = Default::default();
        for class in self
            .classes
            .iter()
            .filter(|c| c.version_of.is_none() && c.file.is_some() && !c.unloaded)
        {
            by_name.entry(class.name).or_default().push(class.id);
        }
        let mut compiled = Vec::new();
        for ran in ran {
            let name = self.sym(&ran.class);
            for &class in by_name.get(&name).into_iter().flatten() {
                // One that cannot be linked says so when it is used.
                if self.class(class).state == InitState::Loaded && self.link_class(class).is_err() {
                    continue;
                }
                for method in &ran.methods {
                    compiled.extend(self.ready_method(class, method).filter(|_| method.compiled));
                }
            }
        }
        for m in compiled {
            self.compile_ahead(m);
        }
    }

    fn ready_method(&mut self, class: ClassId, ran: &RanMethod) -> Option<MethodId> {
        let methods = &self.class(class).methods;
        let m = methods
            .iter()
            .copied()
            .find(|m| self.method(*m).slot == ran.slot)?;
        let method = self.method(m);
        if method.is_native() || method.is_abstract() {
            return None;
        }
        if method.ops.is_empty() {
            self.lower_method(m);
        }
        for i in 0..self.method(m).ops.len() {
            let op = self.method(m).ops[i];
            let wanted = is_unresolved(&op) && ran.left.binary_search(&(i as u32)).is_err();
            if wanted && let Some(resolved) = self.resolve_ahead(class, op) {
                self.method_mut(m).ops[i] = resolved;
            }
        }
        self.note_accessor_of(m);
        Some(m)
    }

    /// The resolved form of an op of a class, if all it needs is loaded, and initialised where it must be.
    fn resolve_ahead(&mut self, from: ClassId, op: Op) -> Option<Op> {
        match op {
            Op::LdcU { cp, .. } => {
                let is_class = self.class(from).file?.tag(cp) == tag::CLASS;
                (is_class && self.names_loaded(from, cp)).then(|| self.quicken_in(from, op).ok())?
            }
            Op::CheckCastU { cp, .. } | Op::InstanceOfU { cp, .. } => self
                .names_loaded(from, cp)
                .then(|| self.quicken_in(from, op).ok())?,
            Op::PutFieldU { cp, .. } => {
                let owner = self.owner_loaded(from, cp)?;
                let f = self.resolve_field(from, cp).ok()?;
                // Who may write a final field is asked of the method that does.
                let plain = self.field(f).access & acc::FINAL == 0;
                (plain && !self.is_handle(owner)).then(|| self.quicken_in(from, op).ok())?
            }
            Op::GetFieldU { cp, .. }
            | Op::InvokeVirtualU { cp, .. }
            | Op::InvokeSpecialU { cp, .. }
            | Op::InvokeInterfaceU { cp, .. } => {
                let owner = self.owner_loaded(from, cp)?;
                (!self.is_handle(owner)).then(|| self.quicken_in(from, op).ok())?
            }
            Op::GetStaticU { cp, .. } => {
                self.owner_loaded(from, cp)?;
                let f = self.resolve_field(from, cp).ok()?;
                self.resolve_initialized(from, op, self.field(f).class)
            }
            Op::PutStaticU { cp, .. } => {
                self.owner_loaded(from, cp)?;
                let f = self.resolve_field(from, cp).ok()?;
                let (access, class) = (self.field(f).access, self.field(f).class);
                (access & acc::FINAL == 0).then(|| self.resolve_initialized(from, op, class))?
            }
            Op::InvokeStaticU { cp, .. } => {
                let owner = self.owner_loaded(from, cp)?;
                if self.is_handle(owner) {
                    return None;
                }
                let interface = self.class(from).file?.tag(cp) == tag::INTERFACE_METHOD;
                let m = self.resolve_method(from, cp, interface).ok()?;
                self.resolve_initialized(from, op, self.method(m).class)
            }
            Op::NewU { cp, .. } => {
                let loaded = self.names_loaded(from, cp);
                let class = loaded.then(|| self.resolve_class(from, cp).ok())??;
                self.resolve_initialized(from, op, class)
            }
            _ => None,
        }
    }

    fn resolve_initialized(&mut self, from: ClassId, op: Op, class: ClassId) -> Option<Op> {
        if self.class(class).state != InitState::Done {
            return None;
        }
        let (op, done) = self.quicken_static_in(from, op).ok()?;
        done.then_some(op)
    }

    /// Whether the class that a constant names is loaded.
    fn names_loaded(&mut self, from: ClassId, cp: u16) -> bool {
        let class = self.class(from);
        if let CpEntry::Class(_) = class.cp[usize::from(cp)] {
            return true;
        }
        let (loader, file) = (class.loader, class.file);
        let Some(name) = file.and_then(|f| f.class_name(cp)) else {
            return false;
        };
        let name = self.syms.intern(name);
        self.find_loaded(loader, name).is_some()
    }

    /// The class that has the member which a constant names, if it is loaded.
    fn owner_loaded(&mut self, from: ClassId, cp: u16) -> Option<ClassId> {
        let (class, ..) = self.class(from).file?.member(cp)?;
        let loaded = self.names_loaded(from, class);
        loaded.then(|| self.resolve_class(from, class).ok())?
    }

    /// Calls of these have types of their own, which are linked by Java.
    fn is_handle(&self, class: ClassId) -> bool {
        matches!(
            self.class_name(class),
            "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle"
        )
    }
}
