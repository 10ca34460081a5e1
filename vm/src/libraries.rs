//! Native libraries: machine code cannot run in here, so loading one fails as it does where a library is not fit for the
//! machine. Errors that come of that are remembered, so that whoever reports an exception can tell our limit from the
//! program's own mistake.

use crate::ids::ObjRef;
use crate::stop::Stop;
use crate::sym::FixedMap;
use crate::vm::Vm;

/// What every refusal says, after the library's path.
const REFUSAL: &str = ": poldet does not run native libraries";

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
        let message = format!("{path}{REFUSAL}");
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
            if let Some(library) = self.refused_by(at) {
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
        let at = self.refused_by(exception)?;
        self.libraries.refused.get(at).map(String::as_str)
    }

    /// The library whose refusal an exception is, or reports: loaders that try several places throw an error of their own
    /// in the end, with the messages of all of them and without a cause.
    fn refused_by(&self, exception: ObjRef) -> Option<usize> {
        let libraries = &self.libraries;
        if let Some(&library) = libraries.errors.get(&exception) {
            return Some(library);
        }
        if libraries.refused.is_empty() {
            return None;
        }
        let message = self.heap.get_ref(exception, self.known.throwable_message);
        if message.is_null() {
            return None;
        }
        let text = self.text(message);
        let ours = |at: usize| {
            libraries
                .refused
                .iter()
                .position(|path| text[..at].ends_with(path.as_str()))
        };
        text.match_indices(REFUSAL).find_map(|(at, _)| ours(at))
    }
}
