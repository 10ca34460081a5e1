//! Native libraries: machine code cannot run in here, so loading one fails as it does where a library is not fit for the
//! machine. Errors that come of that are remembered, so that whoever reports an exception can tell our limit from the
//! program's own mistake.

use crate::ids::ObjRef;
use crate::stop::Stop;
use crate::sym::FixedMap;
use crate::vm::Vm;

/// The most causes that are followed: a chain of causes may be a ring.
const MOST_CAUSES: usize = 64;

#[derive(Default)]
pub(crate) struct Libraries {
    /// Those that were asked for, in order.
    refused: Vec<String>,
    /// Exceptions that a refusal led to, and by which one. Pinned.
    errors: FixedMap<ObjRef, usize>,
}

impl Vm {
    /// The UnsatisfiedLinkError of a library that is there.
    pub fn refuse_library(&mut self, path: &str) -> Stop {
        let refused = &mut self.libraries.refused;
        let at = refused.iter().position(|known| known == path).unwrap_or_else(|| {
            refused.push(path.to_owned());
            refused.len() - 1
        });
        let message = format!("{path}: poldet does not run native libraries");
        let stop = self.throw("java/lang/UnsatisfiedLinkError", Some(&message));
        self.mark_library_error(&stop, at);
        stop
    }

    /// The UnsatisfiedLinkError of a native method that has no body: if a library was refused, it may be for that.
    pub(crate) fn unbound_native(&mut self, text: &str) -> Stop {
        let stop = self.throw("java/lang/UnsatisfiedLinkError", Some(&format!("'{text}'")));
        if let Some(last) = self.libraries.refused.len().checked_sub(1) {
            self.mark_library_error(&stop, last);
        }
        stop
    }

    fn mark_library_error(&mut self, stop: &Stop, library: usize) {
        if let Stop::Throw(error) = *stop {
            self.pinned.push(error);
            self.libraries.errors.insert(error, library);
        }
    }

    /// An exception that stands for another one, as those of class initialisers do, has the same reason.
    pub(crate) fn stands_for(&mut self, copy: ObjRef, original: ObjRef) {
        let mut at = original;
        for _ in 0..MOST_CAUSES {
            if let Some(&library) = self.libraries.errors.get(&at) {
                self.mark_library_error(&Stop::Throw(copy), library);
                return;
            }
            let cause = self.heap.get_ref(at, self.known.throwable_cause);
            if cause.is_null() || cause == at {
                return;
            }
            at = cause;
        }
    }

    /// The library that would have had to be loaded for this exception not to be thrown.
    pub fn library_behind(&self, exception: ObjRef) -> Option<&str> {
        let at = *self.libraries.errors.get(&exception)?;
        self.libraries.refused.get(at).map(String::as_str)
    }
}
