//! A corpus of suites, on one machine or on many.
//!
//! `plan` turns a corpus into a folder: jobs (a command on a suite), their inputs by digest, and batches of jobs that take
//! minutes. `task` runs one batch anywhere, `submit` hands out the batches that have no result yet, `collect` merges results in
//! the order of the plan. Nothing is held in memory between them: a job is done when its result is there. Results appear at
//! once or not at all and depend on the plan alone, so that whoever runs a job twice does no harm.

pub mod blobs;
pub mod collect;
pub mod corpus;
pub mod jobs;
pub mod local;
pub mod maven;
pub mod plan;
pub mod planner;
#[cfg(feature = "remote")]
pub mod remote;
pub mod results;
pub mod slurm;
pub mod submit;
pub mod task;
