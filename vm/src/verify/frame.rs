//! The type checker's current frame. Popped types stay in place until the instruction is done, so that a message
//! can show the stack as it was before.

use super::error::{Context, Fault, Origin, Res, Shown};
use super::pool::Pool;
use super::types::VType;
use super::world::World;

#[derive(Default)]
pub struct Frame {
    pub bci: usize,
    pub this_uninit: bool,
    /// All local variables; those from `live` on are unusable.
    pub locals: Vec<VType>,
    pub live: usize,
    stack: Vec<VType>,
    pub depth: usize,
    /// Depth before the instruction.
    pub mark: usize,
    /// Changes with the locals, so that handlers are matched again only then.
    pub version: u32,
}

impl Frame {
    pub fn reset(&mut self, max_locals: usize, max_stack: usize) {
        self.bci = 0;
        self.this_uninit = false;
        self.locals.clear();
        self.locals.resize(max_locals, VType::TOP);
        self.live = 0;
        self.stack.clear();
        self.stack.resize(max_stack, VType::TOP);
        self.depth = 0;
        self.mark = 0;
        self.version = 1;
    }

    /// Takes over a frame of the stack map.
    pub fn assume(&mut self, locals: &[VType], stack: &[VType], this_uninit: bool) {
        for local in &mut self.locals[locals.len().min(self.live)..self.live] {
            *local = VType::TOP;
        }
        self.locals[..locals.len()].copy_from_slice(locals);
        self.live = locals.len();
        self.stack[..stack.len()].copy_from_slice(stack);
        self.depth = stack.len();
        self.mark = self.depth;
        self.this_uninit = this_uninit;
        self.version += 1;
    }

    pub fn stack(&self) -> &[VType] {
        &self.stack[..self.depth]
    }

    pub fn max_stack(&self) -> usize {
        self.stack.len()
    }

    /// The frame as it was before the instruction popped anything.
    pub fn shown(&self) -> Shown {
        Shown {
            bci: self.bci,
            this_uninit: self.this_uninit,
            locals: self.locals[..self.live].to_vec(),
            stack: self.stack[..self.mark].to_vec(),
        }
    }

    /// The type that was popped last.
    pub fn top_origin(&self) -> Origin {
        let ty = self.stack.get(self.depth).copied().unwrap_or(VType::TOP);
        Origin::Stack(self.depth, ty, self.shown())
    }

    fn local_origin(&self, index: usize) -> Origin {
        Origin::Local(index, self.locals[index], self.shown())
    }

    #[cold]
    fn sized(&self, fault: Fault, message: &str) -> super::error::Fail {
        Context::frames(self.bci, fault, self.shown(), None).fail(message)
    }

    #[inline]
    pub fn push(&mut self, ty: VType) -> Res<()> {
        match self.stack.get_mut(self.depth) {
            Some(slot) => {
                *slot = ty;
                self.depth += 1;
                Ok(())
            }
            None => Err(self.sized(Fault::Overflow, "Operand stack overflow")),
        }
    }

    pub fn push_pair(&mut self, ty: VType) -> Res<()> {
        if self.depth + 1 >= self.stack.len() {
            return Err(self.sized(Fault::Overflow, "Operand stack overflow"));
        }
        self.push(ty)?;
        self.push(ty.second())
    }

    /// Pops whatever is there.
    #[inline]
    pub fn pop_any(&mut self) -> Res<VType> {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                Ok(self.stack[depth])
            }
            None => Err(self.sized(Fault::Underflow, "Operand stack underflow")),
        }
    }

    #[inline]
    pub fn pop<W: World>(&mut self, pool: &mut Pool<'_, W>, ty: VType) -> Res<VType> {
        let top = self.pop_any()?;
        if top == ty || pool.assignable(ty, top, false)? {
            return Ok(top);
        }
        Err(Context::types(self.bci, self.top_origin(), Origin::Implied(ty))
            .fail("Bad type on operand stack"))
    }

    /// Pops a long or double, given its first half. If both halves are wrong the message is of the first.
    pub fn pop_pair<W: World>(&mut self, pool: &mut Pool<'_, W>, ty: VType) -> Res<()> {
        if self.depth >= 2 && self.stack[self.depth - 2] == ty && self.stack[self.depth - 1] == ty.second() {
            self.depth -= 2;
            return Ok(());
        }
        let second = self.pop(pool, ty.second());
        self.pop(pool, ty)?;
        second.map(|_| ())
    }

    #[cold]
    fn bad_index(&self, index: usize, message: &str) -> super::error::Fail {
        Context::of(self.bci, Fault::LocalIndex(index)).fail(message)
    }

    pub fn get<W: World>(&mut self, pool: &mut Pool<'_, W>, index: usize, ty: VType) -> Res<VType> {
        let Some(&local) = self.locals.get(index) else {
            return Err(self.bad_index(index, "Local variable table overflow"));
        };
        if !pool.assignable(ty, local, false)? {
            let (found, expected) = (self.local_origin(index), Origin::Implied(ty));
            return Err(Context::types(self.bci, found, expected).fail("Bad local variable type"));
        }
        self.live = self.live.max(index + 1);
        Ok(local)
    }

    pub fn get_pair(&mut self, index: usize, ty: VType) -> Res<()> {
        if index + 1 >= self.live {
            return Err(self.bad_index(index, "get long/double overflows locals"));
        }
        for (at, ty) in [(index, ty), (index + 1, ty.second())] {
            if self.locals[at] != ty {
                let (found, expected) = (self.local_origin(at), Origin::Implied(ty));
                return Err(Context::types(self.bci, found, expected).fail("Bad local variable type"));
            }
        }
        Ok(())
    }

    /// Makes the other half of a long or double unusable when one half at `index` is overwritten.
    fn split(&mut self, index: usize) {
        let old = self.locals[index];
        if old.is_pair() {
            if let Some(next) = self.locals.get_mut(index + 1) {
                *next = VType::TOP;
            }
        } else if old.is_second() && index > 0 {
            self.locals[index - 1] = VType::TOP;
        }
    }

    pub fn set(&mut self, index: usize, ty: VType) -> Res<()> {
        if index >= self.locals.len() {
            return Err(self.bad_index(index, "Local variable table overflow"));
        }
        self.split(index);
        if self.locals[index] != ty {
            self.locals[index] = ty;
        }
        self.live = self.live.max(index + 1);
        self.version += 1;
        Ok(())
    }

    pub fn set_pair(&mut self, index: usize, ty: VType) -> Res<()> {
        if index + 1 >= self.locals.len() {
            return Err(self.bad_index(index, "Local variable table overflow"));
        }
        if self.locals[index].is_second() {
            self.split(index);
        }
        if self.locals[index + 1].is_pair() {
            self.split(index + 1);
        }
        self.locals[index] = ty;
        self.locals[index + 1] = ty.second();
        self.live = self.live.max(index + 2);
        self.version += 1;
        Ok(())
    }

    /// A constructor has made an object of `old`, wherever it stands.
    pub fn initialize(&mut self, old: VType, new: VType) {
        let (live, depth) = (self.live, self.depth);
        for ty in self.locals[..live].iter_mut().chain(&mut self.stack[..depth]) {
            if *ty == old {
                *ty = new;
            }
        }
        if old == VType::UNINIT_THIS {
            self.this_uninit = false;
        }
        self.version += 1;
    }
}
