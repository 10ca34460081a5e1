//! What a test did to the shared state: the records, by the names this crate uses.

pub use poldet_records::graph::{Edge, Graph, Node, State};
pub use poldet_records::{
    FileChange, FileFinding, Finding, Fold, Frame, Kind, Label, Origin, Pollution, ThreadFinding,
};
