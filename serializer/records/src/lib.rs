//! What is known of tests and of what they did: plain data, defined once and used by the shim, the detector, the runner
//! and the reports.
//!
//! Nothing here knows the VM or prints. The forms that people read (`TestName::text`, `Place`'s root and path) are made
//! here and nowhere else, and nobody takes them apart to find out what they mean: the parts are fields.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod access;
mod capture;
mod document;
mod event;
mod finding;
mod fix;
pub mod graph;
mod impact;
pub mod inject;
mod name;
mod network;
mod nio;
mod od;
mod outcome;
mod place;
mod run_event;
mod sanitise;
mod search;
mod tails;
mod unique_id;
mod used;

pub use access::{
    Access, AccessReport, FileAccess, Initialised, InitialiserReads, Inside, NamedPlace, OneOfMany, Packed,
    Places, ReadPlace, ReadSoFar, SharedPlace, TestAccess, Units, Uses, Values,
};
pub use capture::{CaptureOptions, Definition, Roots, Rule};
pub use document::{ClassOutput, Document, Fixture, Record, Summary};
pub use event::{Event, Message};
pub use finding::{
    FileChange, FileFinding, Finding, Fold, Frame, Kind, Label, Origin, Pollution, ThreadFinding,
};
pub use fix::{FixDocument, FixSummary, FixTest, FixVerdict, Patch, PatchKind, PatchSide, Verified};
pub use impact::{Impact, Link, Rank};
pub use name::{TestKey, TestName, simple_type, split_invocation};
pub use network::{FaultKind, Network, NetworkFault, NetworkMode, UsedAddress};
pub use nio::{
    FailsAlone, NioDocument, NioMode, NioPair, NioSummary, NioTest, NioVerdict, UndoUnit, UnitRead,
};
pub use od::{
    Assumption, Certificate, OdDocument, OdSummary, OdTest, OdVerdict, Polluter, StateSetter, WithoutVerdict,
};
pub use outcome::{Cost, End, ExitCall, Outcome, Printed, Problem, ProblemKind};
pub use place::{PathStep, Place, Root};
pub use run_event::{JUnit, RunEvent, RunHead, SCHEMA, SandboxState};
pub use sanitise::{
    Considered, Resource, SanitiseOptions, SanitiseRule, SanitiseVerdict, Sanitised, TestAssumption, WhyNot,
};
pub use search::{SearchHead, SearchPlace, search_name};
pub use unique_id::UniqueId;
pub use used::Used;
