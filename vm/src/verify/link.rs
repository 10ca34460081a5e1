//! Verification as a part of linking.

use super::world::Loaded;
use super::{Outcome, Rejected, verify};
use crate::classes::class::acc;
use crate::ids::{ClassId, LoaderId};
use crate::stop::Stop;
use crate::sym::FixedMap;
use crate::vm::Vm;

/// Verifications under way, and those that failed.
#[derive(Default)]
pub struct Verifications {
    /// Methods proven so far, where another class had to be loaded first.
    done: FixedMap<ClassId, usize>,
    /// A class that was rejected once is rejected again, each time with an error of its own.
    rejected: FixedMap<ClassId, Rejected>,
}

impl Vm {
    /// Verifies a class that has not been linked yet, if it is one that HotSpot verifies.
    pub(crate) fn verify_class(&mut self, class: ClassId) -> Result<(), Stop> {
        if let Some(rejected) = self.verifications.rejected.get(&class).cloned() {
            return Err(self.throw_rejected(&rejected));
        }
        let Some(file) = self.class(class).file.filter(|_| self.is_to_verify(class)) else {
            return Ok(());
        };
        let mut done = self.verifications.done.remove(&class).unwrap_or(0);
        match verify(&mut Loaded { vm: self, class }, file, &mut done) {
            Ok(()) => Ok(()),
            Err(Outcome::Stop(stop)) => {
                self.verifications.done.insert(class, done);
                Err(stop)
            }
            Err(Outcome::Rejected(rejected)) => {
                let stop = self.throw_rejected(&rejected);
                self.verifications.rejected.insert(class, rejected);
                Err(stop)
            }
        }
    }

    /// Takes a class the VM has made itself as verified.
    pub(crate) fn trust_class(&mut self, class: ClassId) {
        self.verifications.done.insert(class, usize::MAX);
    }

    fn throw_rejected(&mut self, rejected: &Rejected) -> Stop {
        let class = if rejected.format {
            "java/lang/ClassFormatError"
        } else {
            "java/lang/VerifyError"
        };
        self.throw(class, Some(&rejected.message))
    }

    fn is_to_verify(&self, class: ClassId) -> bool {
        let c = self.class(class);
        if c.loader == LoaderId::BOOT || c.access & acc::MODULE != 0 {
            return false;
        }
        if matches!(
            self.class_name(class),
            "java/lang/Object" | "java/lang/Class" | "java/lang/String" | "java/lang/Throwable"
        ) {
            return false;
        }
        // The accessors that reflection generates break the rules on purpose.
        let magic = self.syms.get(b"jdk/internal/reflect/MagicAccessorImpl");
        let magic = magic.and_then(|name| self.find_loaded(LoaderId::BOOT, name));
        !magic.is_some_and(|magic| self.is_subclass(class, magic))
    }
}
