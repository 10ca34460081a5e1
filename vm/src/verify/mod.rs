//! The bytecode verifier (JVMS 4.10), as HotSpot has it.
//!
//! Class files from version 50 on are type-checked against their StackMapTable (`check`, `members`, `stackmap`);
//! older ones, and files of version 50 that fail, go to the type-inferring verifier (`infer`), which also knows
//! subroutines. Both ask a `World` about other classes: assignability may load classes, and loading may have to
//! run Java code first. Verification then just ends with that request and is begun again later: it changes
//! nothing but the count of methods already proven.

mod check;
mod error;
mod frame;
mod infer;
mod infer_flow;
mod infer_insn;
mod infer_types;
mod insn;
mod link;
mod members;
mod pool;
mod stackmap;
mod types;
mod updates;
mod world;

pub use link::Verifications;
pub use updates::Rules;
pub use world::{Member, World};

use crate::classfile::ClassFile;
use crate::stop::Stop;

/// Why a class is not accepted: the exception it fails with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// ClassFormatError instead of VerifyError.
    pub format: bool,
    pub message: String,
}

/// What ended a verification that did not succeed.
#[derive(Debug)]
pub enum Outcome {
    Rejected(Rejected),
    /// A class could not be loaded, or Java code must run first.
    Stop(Stop),
}

/// The first version with StackMapTable.
const STACK_MAPS: u16 = 50;
/// From this version on there is no second chance in the old verifier.
const NO_FAILOVER: u16 = 51;

/// How far a verification has come: the methods in the order they are checked, and how many are proven.
#[derive(Clone, Debug)]
pub struct Progress {
    pub order: Vec<usize>,
    pub done: usize,
}

impl Progress {
    /// In the order of the class file.
    pub fn new(file: &ClassFile) -> Progress {
        Progress {
            order: (0..file.methods.len()).collect(),
            done: 0,
        }
    }
}

/// Verifies all methods of `file`, the class the world says it is. What is proven is noted in `progress`, so that a
/// verification that had to stop goes on where it stood.
pub fn verify<W: World>(
    world: &mut W,
    file: &'static ClassFile,
    progress: &mut Progress,
) -> Result<(), Outcome> {
    if file.major < STACK_MAPS {
        return infer::verify(world, file, progress);
    }
    match check::verify(world, file, progress) {
        Ok(()) => Ok(()),
        Err(check::Failed::Rejected(first)) if file.major < NO_FAILOVER => {
            // The old verifier judges the whole class again; HotSpot then tells the first one's message.
            let mut again = Progress {
                order: progress.order.clone(),
                done: 0,
            };
            match infer::verify(world, file, &mut again) {
                Ok(()) => Ok(()),
                Err(Outcome::Rejected(second)) => Err(Outcome::Rejected(Rejected {
                    format: second.format,
                    message: first.message,
                })),
                Err(stop) => Err(stop),
            }
        }
        Err(check::Failed::Rejected(r) | check::Failed::Thrown(r)) => Err(Outcome::Rejected(r)),
        Err(check::Failed::Stop(stop)) => Err(Outcome::Stop(stop)),
    }
}
