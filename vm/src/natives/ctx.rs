//! What a native may touch: its arguments and the VM behind them.

use crate::ids::{ClassId, ObjRef, ThreadId};
use crate::stop::Stop;
use crate::vm::Vm;

/// The context of one native call. Arguments are addressed by JVM slot: the receiver of an instance method is
/// slot 0, a long or double takes two slots and is read at the first.
pub struct Ctx<'a> {
    pub vm: &'a mut Vm,
    args: &'a [u64],
}

impl<'a> Ctx<'a> {
    pub fn new(vm: &'a mut Vm, args: &'a [u64]) -> Ctx<'a> {
        Ctx { vm, args }
    }

    /// All argument slots.
    #[inline]
    pub fn args(&self) -> &'a [u64] {
        self.args
    }

    #[inline]
    pub fn raw(&self, slot: usize) -> u64 {
        self.args[slot]
    }

    #[inline]
    pub fn obj(&self, slot: usize) -> ObjRef {
        ObjRef::from_bits(self.args[slot])
    }

    #[inline]
    pub fn int(&self, slot: usize) -> i32 {
        self.args[slot] as i32
    }

    #[inline]
    pub fn bool(&self, slot: usize) -> bool {
        self.args[slot] as u32 != 0
    }

    #[inline]
    pub fn long(&self, slot: usize) -> i64 {
        self.args[slot] as i64
    }

    #[inline]
    pub fn float(&self, slot: usize) -> f32 {
        f32::from_bits(self.args[slot] as u32)
    }

    #[inline]
    pub fn double(&self, slot: usize) -> f64 {
        f64::from_bits(self.args[slot])
    }

    /// The argument, or a NullPointerException.
    pub fn non_null(&mut self, slot: usize) -> Result<ObjRef, Stop> {
        let o = self.obj(slot);
        if o.is_null() {
            Err(self.vm.throw("java/lang/NullPointerException", None))
        } else {
            Ok(o)
        }
    }

    /// The class a java.lang.Class argument stands for; a NullPointerException for null.
    pub fn class(&mut self, slot: usize) -> Result<ClassId, Stop> {
        let mirror = self.non_null(slot)?;
        Ok(self.vm.class_of_mirror(mirror))
    }

    /// A String argument as UTF-8 (unpaired surrogates become U+FFFD); a NullPointerException for null.
    pub fn string(&mut self, slot: usize) -> Result<String, Stop> {
        let s = self.non_null(slot)?;
        Ok(self.vm.load_text(s))
    }

    pub fn thread(&self) -> ThreadId {
        self.vm.threads.current
    }
}

/// Register images of results.
#[inline]
pub fn int(v: i32) -> u64 {
    u64::from(v as u32)
}

#[inline]
pub fn boolean(v: bool) -> u64 {
    u64::from(v)
}

#[inline]
pub fn long(v: i64) -> u64 {
    v as u64
}

#[inline]
pub fn float(v: f32) -> u64 {
    u64::from(v.to_bits())
}

#[inline]
pub fn double(v: f64) -> u64 {
    v.to_bits()
}
