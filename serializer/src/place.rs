//! Where in the shared state something is, by the objects themselves. What a person reads is made of it last (`text.rs`).

use poldet_vm::ids::{ClassId, ObjRef};
use std::rc::Rc;

/// Where the shared state begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Root {
    Static {
        class: ClassId,
        field: &'static str,
    },
    /// The values that a live thread keeps.
    Thread(ObjRef),
}

/// An object that belongs to the shared state by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The mirror of an initialised class: its static fields are roots.
    Class(ClassId),
    /// A live thread: it is a root.
    Thread,
}

/// One step from an object to one that it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Field(&'static str),
    Index(usize),
    Key(Key),
    /// From a ThreadLocal to its value in this thread.
    Thread(ObjRef),
}

/// An object under which another is found, as it reads before or now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    pub object: ObjRef,
    pub now: bool,
}

/// A path, by its last step. Paths that begin alike share their beginning.
#[derive(Clone, Debug, Default)]
pub struct Path(Option<Rc<(Path, Step)>>);

impl Path {
    pub fn then(&self, step: Step) -> Path {
        Path(Some(Rc::new((self.clone(), step))))
    }

    pub fn of(steps: &[Step]) -> Path {
        steps.iter().fold(Path::default(), |path, step| path.then(*step))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn last(&self) -> Option<Step> {
        self.0.as_ref().map(|node| node.1)
    }

    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = self;
        while let Some(node) = &at.0 {
            steps.push(node.1);
            at = &node.0;
        }
        steps.reverse();
        steps
    }
}

/// The path to the end of a long list is as long as the list: it is not taken apart by recursion.
impl Drop for Path {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut node) = next.and_then(Rc::into_inner) {
            next = node.0.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_share_their_beginning_and_may_be_long() {
        let mut path = Path::default();
        for _ in 0..1_000_000 {
            path = path.then(Step::Field("next"));
        }
        let (a, b) = (path.then(Step::Index(1)), path.then(Step::Index(2)));
        assert_eq!(a.steps().len(), 1_000_001);
        assert_eq!(b.last(), Some(Step::Index(2)));
        drop(path);
        drop(a);
        assert_eq!(b.steps()[0], Step::Field("next"));
    }
}
