//! Who is the first to ask for certain files.

use crate::journal::Stack;
use crate::overlay::{Overlay, trim_slashes};
use poldet_base::trace::Tracer;
use std::collections::BTreeMap;

/// Canonical paths, each with the stack of the first who asked what is there.
#[derive(Debug)]
pub(super) struct Readers {
    tracer: Tracer,
    paths: BTreeMap<Vec<u8>, Option<Stack>>,
}

/// What is asked of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// What is there.
    Itself,
    /// What is in it.
    Names,
}

impl Readers {
    pub(super) fn new(tracer: Tracer, paths: Vec<Vec<u8>>) -> Readers {
        Readers {
            tracer,
            paths: paths.into_iter().map(|path| (path, None)).collect(),
        }
    }

    /// Somebody asks for a path.
    pub(super) fn note(&mut self, overlay: &Overlay, path: &[u8], asks: Asks) {
        let Ok(path) = overlay.canonical(trim_slashes(path), true) else {
            return;
        };
        let tracer = &self.tracer;
        for (watched, stack) in &mut self.paths {
            let meant = match asks {
                Asks::Itself => *watched == path,
                Asks::Names => parent(watched) == Some(&path),
            };
            if meant && stack.is_none() {
                let mut sites = Vec::new();
                tracer.stack(&mut sites);
                *stack = Some(sites.as_slice().into());
            }
        }
    }

    /// The first who asked for each path, by path; nobody has for those that are missing.
    pub(super) fn found(self) -> BTreeMap<Vec<u8>, Stack> {
        let paths = self.paths.into_iter();
        paths.filter_map(|(path, stack)| Some((path, stack?))).collect()
    }
}

fn parent(path: &[u8]) -> Option<&[u8]> {
    let at = path.iter().rposition(|b| *b == b'/')?;
    Some(if at == 0 { b"/" } else { &path[..at] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_of_a_path() {
        assert_eq!(parent(b"/a/b"), Some(&b"/a"[..]));
        assert_eq!(parent(b"/a"), Some(&b"/"[..]));
        assert_eq!(parent(b"a"), None);
    }
}
