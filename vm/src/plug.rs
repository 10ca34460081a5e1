//! The one plug into the VM, for those who embed it.
//!
//! An embedder attaches *parts*: a test driver, a detector, whatever shows that the VM is alive. The VM tells every part what
//! happens while it stands still, and the embedder's natives find a part again by its type. A VM without parts pays nothing.
//!
//! Loads and stores of the guest are too many to be reported one by one. They are logged where a part asks for it, and the part
//! reads the log when it likes: stores to watched objects (`Heap::watch`, `Heap::log`), first reads (`Vm::log_reads`,
//! `Heap::reads`), changes of files (`Vm::keep_file_journal`).

use crate::ids::ClassId;
use crate::vm::Vm;
use std::any::Any;

/// Something that an embedder has attached to the VM.
pub trait Part: Any {
    /// The initialiser of a class, or of one above it, is about to run.
    fn class_initializing(&mut self, _vm: &mut Vm, _class: ClassId) {}

    /// The initialiser of a class has ended by an exception.
    fn class_init_failed(&mut self, _vm: &mut Vm, _class: ClassId) {}

    /// A class has been initialised; nothing has used it since.
    fn class_initialized(&mut self, _vm: &mut Vm, _class: ClassId) {}

    /// Classes are gone, with their mirrors: nothing referred to them, nor to their loaders.
    fn classes_unloaded(&mut self, _classes: &[ClassId]) {}

    /// A thread has used up its slice of ticks or given up the rest of it, or all threads wait for another process.
    fn slice_ended(&mut self, _vm: &mut Vm) {}
}

/// The parts of an embedder, and what it demands of the run.
#[derive(Default)]
pub struct Plug {
    parts: Vec<Box<dyn Part>>,
    /// Virtual time (ns) at which the run is to be ended from outside.
    pub deadline: Option<u64>,
}

impl Plug {
    pub fn attach(&mut self, part: impl Part) {
        self.parts.push(Box::new(part));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The part of this type.
    pub fn part<T: Part>(&self) -> Option<&T> {
        self.parts
            .iter()
            .find_map(|part| (&**part as &dyn Any).downcast_ref())
    }

    pub fn part_mut<T: Part>(&mut self) -> Option<&mut T> {
        let mut parts = self.parts.iter_mut();
        parts.find_map(|part| (&mut **part as &mut dyn Any).downcast_mut())
    }

    /// Takes the part of this type off; says whether there was one.
    pub fn detach<T: Part>(&mut self) -> bool {
        let before = self.parts.len();
        self.parts.retain(|part| !(&**part as &dyn Any).is::<T>());
        self.parts.len() < before
    }
}

impl Vm {
    /// Lets the part of this type work on the VM; none if there is none. Nothing is reported to it meanwhile.
    pub fn with_part<T: Part, R>(&mut self, work: impl FnOnce(&mut T, &mut Vm) -> R) -> Option<R> {
        let mut parts = self.plug.parts.iter();
        let at = parts.position(|part| (&**part as &dyn Any).is::<T>())?;
        let mut part = self.plug.parts.remove(at);
        let found = (&mut *part as &mut dyn Any).downcast_mut::<T>();
        let result = found.map(|found| work(found, self));
        let at = at.min(self.plug.parts.len());
        self.plug.parts.insert(at, part);
        result
    }

    /// Tells every part something.
    #[inline]
    pub(crate) fn tell(&mut self, what: impl FnMut(&mut dyn Part, &mut Vm)) {
        if !self.plug.parts.is_empty() {
            self.tell_parts(what);
        }
    }

    fn tell_parts(&mut self, mut what: impl FnMut(&mut dyn Part, &mut Vm)) {
        let mut parts = std::mem::take(&mut self.plug.parts);
        for part in &mut parts {
            what(&mut **part, self);
        }
        parts.append(&mut self.plug.parts);
        self.plug.parts = parts;
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Plug};

    struct One(u32);
    struct Other;
    impl Part for One {}
    impl Part for Other {}

    #[test]
    fn parts_are_found_by_their_type() {
        let mut plug = Plug::default();
        assert!(plug.part::<One>().is_none());
        plug.attach(Other);
        plug.attach(One(1));
        plug.part_mut::<One>().expect("was attached").0 += 1;
        assert_eq!(plug.part::<One>().map(|one| one.0), Some(2));
        assert!(plug.detach::<One>() && !plug.detach::<One>());
        assert!(plug.part::<Other>().is_some());
    }
}
