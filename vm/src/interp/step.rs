//! The loop around the instructions: what happens when a handler of `ops.rs` leaves.
#![expect(unsafe_code, reason = "register windows are raw memory here")]

use crate::ids::{ClassId, MethodId, ObjRef};
use crate::interp::ops::{self, Regs};
use crate::interp::slow::{Exit, Flow};
use crate::link::op::Op;
use crate::stop::Stop;
use crate::vm::Vm;

pub use crate::interp::slow::thread_ended;

impl Vm {
    /// Runs the current thread, and whoever the scheduler chooses, until the program or the host's call ends.
    pub fn run(&mut self) -> Exit {
        let mut flow = self.start_running();
        loop {
            if let Flow::Leave(exit) = flow {
                return exit;
            }
            let (pc, regs, ticks) = self.load();
            ops::step(self, pc, regs, ticks);
            while let Some((pc, regs, ticks)) = self.next.take() {
                ops::step(self, pc, regs, ticks);
            }
            flow = match self.left.take() {
                Some(why) => self.slow_path(why),
                None => Flow::Leave(Exit::Bug("the loop ended without a reason".into())),
            };
        }
    }

    /// What the handlers need of the current thread.
    fn load(&mut self) -> (*const Op, Regs, i64) {
        let ticks = self.threads.slice;
        let thread = self.threads.cur();
        let stack = thread.regs.ptr();
        let len = thread.regs.len();
        let frames = &raw mut thread.frames;
        let max_frames = thread.max_frames;
        let (pc, base) = thread
            .frames
            .last()
            .map_or((std::ptr::null(), 0), |f| (f.pc, f.base));
        debug_assert!(
            !pc.is_null(),
            "the current thread has a frame while the loop runs"
        );
        self.frames = frames;
        self.threads.max_frames = max_frames;
        crate::interp::trace::set_frames(self.heap.tracer(), frames);
        // SAFETY: one past the end of the thread's register stack.
        self.limit = unsafe { stack.add(len) };
        // SAFETY: a frame's window lies inside its thread's register stack.
        (pc, Regs(unsafe { stack.add(base as usize) }), ticks)
    }

    /// Executes a static access of a class that is still being initialised by this thread.
    pub(crate) fn execute_static(&mut self, op: Op, regs: *mut u64) -> Result<(), Stop> {
        // SAFETY: the op's registers belong to the running frame's window, whose start `regs` is.
        let get = |r: u16| unsafe { *regs.add(usize::from(r)) };
        // SAFETY: as above.
        let set = |r: u16, v: u64| unsafe { *regs.add(usize::from(r)) = v };
        match op {
            Op::Gs1 { d, at } => set(d, u64::from(i32::from(self.heap.load_slot_i8(at)) as u32)),
            Op::Gs2U { d, at } => set(d, u64::from(self.heap.load_slot_u16(at))),
            Op::Gs2S { d, at } => set(d, u64::from(i32::from(self.heap.load_slot_u16(at) as i16) as u32)),
            Op::Gs4 { d, at } => set(d, u64::from(self.heap.load_slot_u32(at))),
            Op::Gs8 { d, at } => set(d, self.heap.load_slot_u64(at)),
            Op::PsZ { v, at } => self.heap.put_slot_u8(at, get(v) as u8 & 1),
            Op::Ps1 { v, at } => self.heap.put_slot_u8(at, get(v) as u8),
            Op::Ps2 { v, at } => self.heap.put_slot_u16(at, get(v) as u16),
            Op::Ps4 { v, at } => self.heap.put_slot_u32(at, get(v) as u32),
            Op::Ps8 { v, at } => self.heap.put_slot_u64(at, get(v)),
            Op::PsA { v, at } => self.heap.put_slot_ref(at, ObjRef::from_bits(get(v))),
            Op::New { d, class } => {
                let o = self.new_object(ClassId(class))?;
                set(d, o.bits());
            }
            _ => return Err(Stop::bug("not a static access")),
        }
        Ok(())
    }

    /// The object whose monitor a synchronized method takes, whose window begins at `regs`.
    pub(crate) fn lock_of(&self, m: MethodId, regs: *const u64) -> ObjRef {
        let method = self.method(m);
        if method.is_static() {
            self.mirror(method.class)
        } else {
            // SAFETY: register 0 is the receiver.
            ObjRef::from_bits(unsafe { *regs })
        }
    }

    /// The lock of a synchronized method about to start, entered.
    pub(crate) fn op_enter_sync(&mut self, regs: *mut u64) -> Result<(), Stop> {
        let frame = self
            .threads
            .cur()
            .frames
            .last()
            .ok_or_else(|| Stop::bug("no frame"))?;
        let m = frame.method;
        let lock = self.lock_of(m, regs);
        self.monitor_enter(lock)?;
        let code = self.hot[m.index()].code;
        if let Some(frame) = self.threads.cur().frames.last_mut() {
            frame.lock = lock;
            frame.pc = code;
        }
        Ok(())
    }
}
