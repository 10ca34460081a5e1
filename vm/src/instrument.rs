//! Agents: what java.lang.instrument needs of the VM. An agent's transformers see each class file before it becomes a
//! class, and may have loaded classes changed (`classes/redefine.rs`).
//!
//! Transformers are Java: every step asks for the call, its continuation records what came of it here, and whoever
//! needed the class runs again. While a thread runs a transformer, classes it loads are not shown to any.

use crate::classfile::ClassFile;
use crate::ids::{ClassId, LoaderId, ObjRef, Sym, ThreadId};
use crate::jar::Jar;
use crate::stop::{Completion, Stop, Then};
use crate::sym::FixedMap;
use crate::vm::Vm;

pub const IMPL: &str = "sun/instrument/InstrumentationImpl";
const TRANSFORM: &str = "(Ljava/lang/Module;Ljava/lang/ClassLoader;Ljava/lang/String;Ljava/lang/Class;\
                         Ljava/security/ProtectionDomain;[BZ)[B";

/// One sun.instrument.InstrumentationImpl.
pub struct Agent {
    /// Pinned.
    pub object: ObjRef,
    pub can_retransform: bool,
    /// It has transformers that see a class once.
    pub plain: bool,
    /// It has transformers that may see a class again.
    pub again: bool,
}

/// A class file on its way through the transformers.
#[derive(Clone)]
pub(crate) struct Passage {
    id: u64,
    pub bytes: Vec<u8>,
    /// As it was before transformers that may see it again: where the next transformation starts.
    pub base: Vec<u8>,
    /// Agents, and whether it is the turn of those transformers that may see a class again.
    steps: Vec<(usize, bool)>,
    at: usize,
}

/// A class being defined.
struct Load {
    thread: ThreadId,
    loader: LoaderId,
    name: Option<String>,
    original: Vec<u8>,
    passage: Passage,
}

/// Loaded classes about to change, by one call of a native.
pub(crate) struct Change {
    thread: ThreadId,
    depth: usize,
    pub classes: Vec<(ClassId, Passage)>,
    pub versions: Option<Vec<(ClassId, &'static ClassFile)>>,
}

/// A conversation over the attach protocol.
#[derive(Default)]
pub struct Talk {
    pub fd: i32,
    pub request: Vec<u8>,
    pub answer: Option<Vec<u8>>,
    pub read: usize,
}

#[derive(Default)]
pub struct Instrument {
    pub agents: Vec<Agent>,
    loads: Vec<Load>,
    changes: Vec<Change>,
    /// Threads inside a transformer.
    busy: Vec<ThreadId>,
    serial: u64,
    /// What loaded classes were before transformers that may see them again.
    pub bases: FixedMap<ClassId, Vec<u8>>,
    /// Archives added to the boot loader's search.
    pub boot_jars: Vec<Jar>,
    pub(crate) loading: Vec<crate::agents::Loading>,
    pub talks: Vec<Talk>,
}

impl Instrument {
    fn passage(&mut self, bytes: &[u8], steps: Vec<(usize, bool)>) -> Passage {
        self.serial += 1;
        Passage {
            id: self.serial,
            bytes: bytes.to_vec(),
            base: bytes.to_vec(),
            steps,
            at: 0,
        }
    }

    /// Whose turn it is, in order; only those who may see a class again when it is being retransformed.
    fn steps(&self, retransform: bool) -> Vec<(usize, bool)> {
        let plain = self
            .agents
            .iter()
            .enumerate()
            .filter(|(_, a)| a.plain && !retransform);
        let again = self.agents.iter().enumerate().filter(|(_, a)| a.again);
        plain
            .map(|(i, _)| (i, false))
            .chain(again.map(|(i, _)| (i, true)))
            .collect()
    }

    fn find_passage(&mut self, id: u64) -> Option<&mut Passage> {
        let loads = self.loads.iter_mut().map(|l| &mut l.passage);
        let changes = self
            .changes
            .iter_mut()
            .flat_map(|c| c.classes.iter_mut().map(|c| &mut c.1));
        loads.chain(changes).find(|p| p.id == id)
    }
}

impl Vm {
    /// Is there anyone to show a class file to, on this thread?
    #[inline]
    fn has_transformers(&self) -> bool {
        let i = &self.instrument;
        i.agents.iter().any(|a| a.plain || a.again) && !i.busy.contains(&self.threads.current)
    }

    /// What the transformers make of a class file that is to be defined; none if it stays as it is.
    pub(crate) fn transformed(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        bytes: &[u8],
        protection_domain: ObjRef,
    ) -> Result<Option<Vec<u8>>, Stop> {
        if self.instrument.agents.is_empty() {
            return Ok(None);
        }
        let at = match self.find_load(loader, name, bytes) {
            Some(at) => at,
            None if !self.has_transformers() => return Ok(None),
            None => {
                let steps = self.instrument.steps(false);
                let passage = self.instrument.passage(bytes, steps);
                let thread = self.threads.current;
                let load = Load {
                    thread,
                    loader,
                    name: name.map(str::to_string),
                    original: bytes.to_vec(),
                    passage,
                };
                self.instrument.loads.push(load);
                self.instrument.loads.len() - 1
            }
        };
        let passage = self.instrument.loads[at].passage.clone();
        let sym = name.map(|n| self.sym(n));
        self.pass_on_class(&passage, loader, sym, None, protection_domain)?;
        Ok((passage.bytes != bytes).then_some(passage.bytes))
    }

    fn find_load(&self, loader: LoaderId, name: Option<&str>, bytes: &[u8]) -> Option<usize> {
        let me = self.threads.current;
        self.instrument.loads.iter().position(|l| {
            l.thread == me && l.loader == loader && l.name.as_deref() == name && l.original == bytes
        })
    }

    /// The definition has come to an end; a class that came of it may be transformed again from where it was.
    pub(crate) fn end_of_load(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        bytes: &[u8],
        result: &Result<ClassId, Stop>,
    ) {
        if self.instrument.agents.is_empty()
            || matches!(
                result,
                Err(Stop::Call(_) | Stop::Block(_) | Stop::OutOfMemory { .. })
            )
        {
            return;
        }
        if let Some(at) = self.find_load(loader, name, bytes) {
            let passage = self.instrument.loads.remove(at).passage;
            if let Ok(class) = result
                && passage.bytes != bytes
            {
                let module = self.module_of(*class);
                self.modules.changed_by_agent(module);
            }
            if let Ok(class) = result
                && passage.base != passage.bytes
            {
                self.instrument.bases.insert(*class, passage.base);
            }
        }
    }

    /// Asks the next transformer, if one is left.
    fn pass_on_class(
        &mut self,
        passage: &Passage,
        loader: LoaderId,
        name: Option<Sym>,
        class: Option<ClassId>,
        protection_domain: ObjRef,
    ) -> Result<(), Stop> {
        let Some(&(agent, again)) = passage.steps.get(passage.at) else {
            return Ok(());
        };
        let id = self.boot_class(IMPL)?;
        let transform = self
            .declared_method(id, "transform", TRANSFORM)
            .ok_or_else(|| Stop::bug("InstrumentationImpl.transform is missing"))?;
        let module = match (class, name) {
            (None, Some(name)) => {
                let package = self.syms.str(name).rsplit_once('/').map_or("", |(p, _)| p);
                let package = self.sym(package);
                self.modules.module_of_package(loader, package)
            }
            _ => ObjRef::NULL,
        };
        let text = match name {
            Some(name) => self.new_string(self.syms.str(name))?,
            None => ObjRef::NULL,
        };
        let bytes = self.new_bytes(&passage.bytes)?;
        let args = vec![
            self.instrument.agents[agent].object.bits(),
            module.bits(),
            self.loader_object(loader).bits(),
            text.bits(),
            class.map_or(0, |c| self.mirror(c).bits()),
            protection_domain.bits(),
            bytes.bits(),
            u64::from(again),
        ];
        let me = self.threads.current;
        self.instrument.busy.push(me);
        Err(Stop::call(
            transform,
            args,
            Then::RetryAfter(transformer_done, vec![passage.id]),
        ))
    }

    /// The change that this run of a native is about; made by `start` the first time.
    pub fn change_of(
        &mut self,
        start: impl FnOnce(&mut Vm) -> Result<Vec<(ClassId, Vec<u8>)>, Stop>,
        retransform: bool,
    ) -> Result<usize, Stop> {
        let thread = self.threads.current;
        let depth = self.threads.cur().frames.len();
        let same = |c: &Change| c.thread == thread && c.depth == depth;
        if let Some(at) = self.instrument.changes.iter().position(same) {
            return Ok(at);
        }
        let wanted = start(self)?;
        let steps = if self.has_transformers() {
            self.instrument.steps(retransform)
        } else {
            Vec::new()
        };
        let classes = wanted
            .into_iter()
            .map(|(class, bytes)| (class, self.instrument.passage(&bytes, steps.clone())))
            .collect();
        self.instrument.changes.push(Change {
            thread,
            depth,
            classes,
            versions: None,
        });
        Ok(self.instrument.changes.len() - 1)
    }

    /// Takes a change through the transformers, the checks and into place.
    pub fn carry_out(&mut self, at: usize) -> Result<(), Stop> {
        let result = self.carry_on(at);
        if !matches!(
            result,
            Err(Stop::Call(_) | Stop::Block(_) | Stop::OutOfMemory { .. })
        ) {
            self.instrument.changes.remove(at);
        }
        result
    }

    fn carry_on(&mut self, at: usize) -> Result<(), Stop> {
        for i in 0..self.instrument.changes[at].classes.len() {
            let (class, passage) = self.instrument.changes[at].classes[i].clone();
            let c = self.class(class);
            let (loader, name, domain) = (c.loader, c.name, c.protection_domain);
            self.pass_on_class(&passage, loader, Some(name), Some(class), domain)?;
        }
        if self.instrument.changes[at].versions.is_none() {
            let wanted: Vec<(ClassId, Vec<u8>)> = self.instrument.changes[at]
                .classes
                .iter()
                .map(|(class, passage)| (*class, passage.bytes.clone()))
                .collect();
            let versions = self.parse_versions(&wanted)?;
            self.instrument.changes[at].versions = Some(versions);
        }
        let versions = self.instrument.changes[at].versions.clone().unwrap_or_default();
        self.verify_versions(&versions)?;
        self.install_versions(&versions);
        for (class, _) in &versions {
            let module = self.module_of(*class);
            self.modules.changed_by_agent(module);
        }
        for (class, passage) in self.instrument.changes[at].classes.clone() {
            if passage.base == passage.bytes {
                self.instrument.bases.remove(&class);
            } else {
                self.instrument.bases.insert(class, passage.base);
            }
        }
        Ok(())
    }
}

/// Records what a transformer answered; an exception leaves the class as it was.
fn transformer_done(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let me = vm.threads.current;
    if let Some(at) = vm.instrument.busy.iter().rposition(|t| *t == me) {
        vm.instrument.busy.remove(at);
    }
    let new = match done {
        Completion::Value(bits) if bits != 0 => Some(vm.heap.bytes(ObjRef::from_bits(bits)).to_vec()),
        _ => None,
    };
    if let Some(passage) = vm.instrument.find_passage(state[0]) {
        let again = passage.steps[passage.at].1;
        if let Some(bytes) = new {
            if !again {
                passage.base.clone_from(&bytes);
            }
            passage.bytes = bytes;
        }
        passage.at += 1;
    }
    Ok(0)
}
