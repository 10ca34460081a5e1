//! Verification as a part of linking.

use super::world::Loaded;
use super::{Outcome, Progress, Rejected, Rules, verify};
use crate::classes::class::acc;
use crate::classes::method_order;
use crate::classfile::ClassFile;
use crate::ids::{ClassId, LoaderId};
use crate::jdk::Version;
use crate::stop::Stop;
use crate::sym::FixedMap;
use crate::vm::Vm;

/// Verifications under way, and those that failed.
#[derive(Default)]
pub struct Verifications {
    /// Where another class had to be loaded first.
    under_way: FixedMap<ClassId, Progress>,
    /// Classes the VM has made itself.
    trusted: FixedMap<ClassId, ()>,
    /// A class that was rejected once is rejected again, each time with an error of its own.
    rejected: FixedMap<ClassId, Rejected>,
    /// As the JDK's update has them; known once a class was verified.
    rules: Option<Rules>,
}

impl Verifications {
    /// Forgets classes that are gone.
    pub(crate) fn sweep(&mut self, lives: impl Fn(ClassId) -> bool) {
        self.under_way.retain(|class, _| lives(*class));
        self.trusted.retain(|class, _| lives(*class));
        self.rejected.retain(|class, _| lives(*class));
    }
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
        let known = self.verifications.under_way.remove(&class);
        let mut progress = known.unwrap_or_else(|| Progress::new(file));
        let mut outcome = self.verify_file(class, file, &mut progress);
        if let Err(Outcome::Rejected(_)) = outcome {
            // Of several errors HotSpot tells the one of the method that comes first in its own order.
            let order = self.hotspot_order(class);
            if order != progress.order {
                progress = Progress { order, done: 0 };
                outcome = self.verify_file(class, file, &mut progress);
            }
        }
        match outcome {
            Ok(()) => Ok(()),
            Err(Outcome::Stop(stop)) => {
                self.verifications.under_way.insert(class, progress);
                Err(stop)
            }
            Err(Outcome::Rejected(rejected)) => {
                let stop = self.throw_rejected(&rejected);
                self.verifications.rejected.insert(class, rejected);
                Err(stop)
            }
        }
    }

    fn verify_file(
        &mut self,
        class: ClassId,
        file: &'static ClassFile,
        progress: &mut Progress,
    ) -> Result<(), Outcome> {
        let home = &self.config.java_home;
        let rules = *self.verifications.rules.get_or_insert_with(|| {
            let version = Version::of_home(home);
            version.map_or_else(Rules::default, Rules::of)
        });
        let mut world = Loaded {
            vm: self,
            class,
            rules,
        };
        verify(&mut world, file, progress)
    }

    fn hotspot_order(&mut self, class: ClassId) -> Vec<usize> {
        let methods = method_order::declared(self, class);
        methods.into_iter().map(|m| self.method(m).slot.into()).collect()
    }

    /// Forgets that a class was rejected: it was not its own file that was.
    pub(crate) fn forget_verification(&mut self, class: ClassId) {
        self.verifications.rejected.remove(&class);
        self.verifications.under_way.remove(&class);
    }

    /// Takes a class the VM has made itself as verified.
    pub(crate) fn trust_class(&mut self, class: ClassId) {
        self.verifications.trusted.insert(class, ());
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
        let trusted = c.loader == LoaderId::BOOT || self.verifications.trusted.contains_key(&class);
        if trusted || c.access & acc::MODULE != 0 {
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
