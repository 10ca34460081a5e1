//! Class initialisation by the book (JVMS 5.5): superclass, superinterfaces with default methods, then `<clinit>`;
//! recursion by the initialising thread passes, other threads wait, failures are remembered.

use crate::classes::class::InitState;
use crate::classfile::tag;
use crate::ids::{ClassId, ObjRef};
use crate::stop::{BlockOn, Completion, Stop, Then};
use crate::vm::Vm;

impl Vm {
    /// Makes sure `class` is initialised, or being initialised by this thread.
    #[inline]
    pub fn ensure_initialized(&mut self, class: ClassId) -> Result<(), Stop> {
        match self.class(class).state {
            InitState::Done => Ok(()),
            _ => self.initialize(class),
        }
    }

    /// Links a class: its supertypes first, then verification, once. A class that fails stays unlinked.
    pub fn link_class(&mut self, class: ClassId) -> Result<(), Stop> {
        if self.class(class).state == InitState::Loaded {
            if let Some(s) = self.class(class).super_class {
                self.link_class(s)?;
            }
            for i in 0..self.class(class).interfaces.len() {
                self.link_class(self.class(class).interfaces[i])?;
            }
            self.verify_class(class)?;
            self.check_table_loaders(class)?;
            self.class_mut(class).state = InitState::Linked;
        }
        Ok(())
    }

    fn initialize(&mut self, class: ClassId) -> Result<(), Stop> {
        self.link_class(class)?;
        match self.class(class).state {
            InitState::Done => Ok(()),
            InitState::Running(t) if t == self.threads.current => Ok(()),
            InitState::Running(_) => Err(Stop::Block(BlockOn::ClassInit(class))),
            InitState::Failed(cause) => {
                let message = format!("Could not initialize class {}", self.java_name(class));
                Err(if cause.is_null() {
                    self.throw("java/lang/NoClassDefFoundError", Some(&message))
                } else {
                    self.throw_cause("java/lang/NoClassDefFoundError", Some(&message), cause)
                })
            }
            InitState::Loaded | InitState::Linked => {
                self.class_mut(class).state = InitState::Running(self.threads.current);
                self.tell(|part, vm| part.class_initializing(vm, class));
                self.constant_values(class)?;
                self.init_from(class, 0)
            }
        }
    }

    /// The supertypes to initialise before a class, in order.
    fn init_before(&self, class: ClassId) -> Vec<ClassId> {
        let c = self.class(class);
        let mut list = Vec::new();
        if c.is_interface() {
            return list;
        }
        list.extend(c.super_class);
        let inherited: &[ClassId] = c.super_class.map_or(&[], |s| &self.class(s).all_interfaces);
        for &i in &c.all_interfaces {
            if self.declares_defaults(i) && !inherited.contains(&i) {
                list.push(i);
            }
        }
        list
    }

    fn declares_defaults(&self, interface: ClassId) -> bool {
        self.class(interface).has_defaults
    }

    /// Goes on initialising at step `step`: the n-th supertype, or the class's own initialiser after the last.
    fn init_from(&mut self, class: ClassId, step: usize) -> Result<(), Stop> {
        let before = self.init_before(class);
        for (i, &s) in before.iter().enumerate().skip(step) {
            if matches!(self.class(s).state, InitState::Done) {
                continue;
            }
            match self.initialize(s) {
                Ok(()) => {}
                Err(Stop::Call(mut call)) => {
                    // The supertype's initialiser runs first; then we go on.
                    call.outer
                        .push((super_done, vec![u64::from(class.0), i as u64 + 1], false));
                    return Err(Stop::Call(call));
                }
                Err(Stop::Throw(e)) => {
                    self.init_failed(class, e);
                    return Err(Stop::Throw(e));
                }
                Err(other) => {
                    // Another thread initialises the supertype: start over when it is done.
                    self.class_mut(class).state = InitState::Linked;
                    return Err(other);
                }
            }
        }
        match self.class(class).clinit {
            Some(clinit) => Err(Stop::call(
                clinit,
                vec![],
                Then::RetryAfter(clinit_done, vec![u64::from(class.0)]),
            )),
            None => {
                self.init_done(class);
                Ok(())
            }
        }
    }

    fn init_done(&mut self, class: ClassId) {
        self.class_mut(class).state = InitState::Done;
        self.wake_class_init(class);
        self.tell(|part, vm| part.class_initialized(vm, class));
    }

    /// Remembers a failure: later uses name a copy of the exception as their cause, which holds on to nothing.
    fn init_failed(&mut self, class: ClassId, thrown: ObjRef) {
        let cause = self.initializer_copy(thrown).unwrap_or(ObjRef::NULL);
        self.pin(class, cause);
        if self.throws.is_some() {
            self.note_stand_in(cause, thrown);
        }
        self.class_mut(class).state = InitState::Failed(cause);
        self.wake_class_init(class);
        self.tell(|part, vm| part.class_init_failed(vm, class));
    }

    /// HotSpot's stand-in for what an initialiser threw: its text and stack trace in a new error.
    fn initializer_copy(&mut self, thrown: ObjRef) -> Result<ObjRef, Stop> {
        let name = self.java_name(self.heap.class_of(thrown));
        let message = self.heap.get_ref(thrown, self.known.throwable_message);
        let thread = self.thread_object();
        let thread = self.thread_name(thread);
        let text = if message.is_null() {
            format!("Exception {name} [in thread \"{thread}\"]")
        } else {
            format!(
                "Exception {name}: {} [in thread \"{thread}\"]",
                self.text(message)
            )
        };
        // The class of the copy need not be initialised: after an error, nothing has asked for it yet.
        let class = self.boot_class("java/lang/ExceptionInInitializerError")?;
        self.link_class(class)?;
        let text = self.new_string(&text)?;
        let copy = self.new_throwable(class, text)?;
        self.heap.put_ref(copy, self.known.throwable_cause, ObjRef::NULL);
        for field in [self.known.throwable_backtrace, self.known.throwable_stack] {
            let value = self.heap.get_ref(thrown, field);
            self.heap.put_ref(copy, field, value);
        }
        let depth = self.heap.get_u32(thrown, self.known.throwable_depth);
        self.heap.put_u32(copy, self.known.throwable_depth, depth);
        self.stands_for(copy, thrown);
        Ok(copy)
    }

    /// ConstantValue attributes of static fields.
    fn constant_values(&mut self, class: ClassId) -> Result<(), Stop> {
        let Some(file) = self.class(class).file else {
            return Ok(());
        };
        let mirror = self.mirror(class);
        for i in 0..self.class(class).fields.len() {
            let field = self.field(self.class(class).fields[i]);
            if !field.is_static() {
                continue;
            }
            let (offset, slot, letter) = (field.offset, field.slot, field.letter);
            let info = &file.fields[usize::from(slot)];
            let Some(value) = file.attr(info.attrs, "ConstantValue") else {
                continue;
            };
            let Some(&[a, b]) = value.first_chunk::<2>() else {
                continue;
            };
            let index = u16::from_be_bytes([a, b]);
            match (file.tag(index), letter) {
                (tag::INTEGER, b'Z' | b'B') => {
                    self.heap
                        .put_u8(mirror, offset, file.word(index).unwrap_or(0) as u8);
                }
                (tag::INTEGER, b'C' | b'S') => {
                    self.heap
                        .put_u16(mirror, offset, file.word(index).unwrap_or(0) as u16);
                }
                (tag::INTEGER, b'I') | (tag::FLOAT, b'F') => {
                    self.heap.put_u32(mirror, offset, file.word(index).unwrap_or(0));
                }
                (tag::LONG, b'J') | (tag::DOUBLE, b'D') => {
                    self.heap.put_u64(mirror, offset, file.long(index).unwrap_or(0));
                }
                (tag::STRING, b'L') => {
                    let string = self.intern_mutf8(file.string(index).unwrap_or(b""))?;
                    self.heap.put_ref(mirror, offset, string);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn super_done(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let class = ClassId(state[0] as u32);
    match done {
        // Run again after the class's own initialiser: nothing is left to do then.
        Completion::Value(_) if vm.is_initialized(class) => Ok(0),
        Completion::Value(_) => vm.init_from(class, state[1] as usize).map(|()| 0),
        Completion::Thrown(e) => {
            vm.init_failed(class, e);
            Err(Stop::Throw(e))
        }
    }
}

fn clinit_done(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let class = ClassId(state[0] as u32);
    match done {
        Completion::Value(_) => {
            vm.init_done(class);
            Ok(0)
        }
        Completion::Thrown(e) => {
            let error = vm.boot_class("java/lang/Error")?;
            let thrown = if vm.instance_of(e, error) {
                e
            } else {
                vm.new_initializer_error(e)?
            };
            vm.init_failed(class, e);
            Err(Stop::Throw(thrown))
        }
    }
}
