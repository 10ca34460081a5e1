//! A plan on disk. Jobs are lines of a file, found by an index, so that a task among a hundred thousand reads its own only.
//!
//! ```text
//! env.json        what made the plan and what its jobs run with
//! tasks.jsonl     one job a line: arguments, inputs by digest, expected cost; tasks.idx: where each line begins
//! batches.idx     first job, job after the last, expected milliseconds: three numbers of 8 bytes for each batch
//! blobs/ab/…      inputs, by digest
//! results/0/7.pack results of batch 7; results/0/7.d/…: of its jobs, by key, while it is not through
//! attempts/HOST   who began and ended which batch, by host
//! jobs/           what was submitted
//! ```

use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

pub const SCHEMA: u32 = 2;
const ENV: &str = "env.json";
const TASKS: &str = "tasks.jsonl";
const TASKS_INDEX: &str = "tasks.idx";
const BATCHES: &str = "batches.idx";
/// Bytes of a number, and of a batch.
const NUMBER: u64 = 8;
const BATCH: u64 = 3 * NUMBER;

/// What made the plan, and what its jobs run with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Env {
    pub schema: u32,
    /// The version of poldet, and the digest of the program.
    pub poldet: String,
    pub program: String,
    /// The version of the JDK, and its digest.
    pub jdk_version: String,
    pub jdk: String,
    pub lang: String,
    pub tz: String,
    /// What the sandbox of tests lacks, since they can see it; nothing is said if that does not matter.
    pub sandbox: Option<Vec<String>>,
    pub jobs: u64,
    pub batches: u64,
}

/// A file or folder that a job needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Where, from the job's folder.
    pub at: String,
    pub digest: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub folder: bool,
    /// Where it came from when the plan was made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from: String,
}

/// A command on a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    pub index: u64,
    pub key: String,
    pub suite: String,
    /// What the suite belongs to.
    pub project: String,
    pub command: String,
    pub argv: Vec<String>,
    pub inputs: Vec<Input>,
    /// Seconds that it is expected to take.
    pub seconds: f64,
}

impl Job {
    /// The digest over all that the result depends on.
    pub fn key_of(env: &Env, argv: &[String], inputs: &[Input]) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut add = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        for text in ["poldet plan 1", &env.program, &env.jdk, &env.lang, &env.tz] {
            add(text);
        }
        env.sandbox.iter().flatten().for_each(|what| add(what));
        add(if env.sandbox.is_some() {
            "same sandbox"
        } else {
            "any sandbox"
        });
        add("inputs");
        for input in inputs {
            add(&input.at);
            add(&input.digest);
        }
        add("arguments");
        argv.iter().for_each(|word| add(word));
        hasher.finalize().to_hex().to_string()
    }
}

/// Jobs that one task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    pub index: u64,
    pub from: u64,
    pub to: u64,
    pub millis: u64,
}

/// Where the result of a plan of one job is.
pub const SINGLE_RESULT: &str = "results/0/0.pack";

/// The files of a plan of one job alone, without inputs. They say nothing of the plan that the job is from, nor of where its
/// inputs came from: the same job of another plan has the same files.
pub fn single(env: &Env, job: &Job) -> Vec<(&'static str, Vec<u8>)> {
    let env = Env {
        jobs: 1,
        batches: 1,
        ..env.clone()
    };
    let inputs = job.inputs.iter().map(|input| Input {
        from: String::new(),
        ..input.clone()
    });
    let job = Job {
        index: 0,
        suite: "job".into(),
        project: String::new(),
        inputs: inputs.collect(),
        seconds: 0.0,
        ..job.clone()
    };
    // Strings and numbers only: this cannot fail.
    let mut line = serde_json::to_vec(&job).unwrap_or_default();
    line.push(b'\n');
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    vec![
        (ENV, serde_json::to_vec(&env).unwrap_or_default()),
        (TASKS_INDEX, numbers(&[0, line.len() as u64])),
        (BATCHES, numbers(&[0, 1, 0])),
        (TASKS, line),
    ]
}

/// Writes a plan into a folder that nobody sees yet.
pub struct Writer {
    dir: PathBuf,
    tasks: BufWriter<File>,
    index: BufWriter<File>,
    batches: BufWriter<File>,
    offset: u64,
    jobs: u64,
    count: u64,
    open: Option<Batch>,
    most_millis: u64,
}

impl Writer {
    pub fn new(dir: &Path, batch_seconds: f64) -> std::io::Result<Writer> {
        fs::create_dir_all(dir)?;
        for name in ["blobs", "results", "attempts", "jobs"] {
            fs::create_dir_all(dir.join(name))?;
        }
        let file = |name: &str| File::create(dir.join(name)).map(BufWriter::new);
        Ok(Writer {
            dir: dir.to_owned(),
            tasks: file(TASKS)?,
            index: file(TASKS_INDEX)?,
            batches: file(BATCHES)?,
            offset: 0,
            jobs: 0,
            count: 0,
            open: None,
            most_millis: (batch_seconds * 1000.0) as u64,
        })
    }

    pub fn add(&mut self, mut job: Job) -> std::io::Result<()> {
        job.index = self.jobs;
        let mut line = serde_json::to_vec(&job)?;
        line.push(b'\n');
        self.index.write_all(&self.offset.to_le_bytes())?;
        self.tasks.write_all(&line)?;
        self.offset += line.len() as u64;
        let millis = (job.seconds * 1000.0) as u64;
        match &mut self.open {
            Some(batch) if batch.millis + millis <= self.most_millis => {
                batch.to += 1;
                batch.millis += millis;
            }
            _ => {
                self.close()?;
                self.open = Some(Batch {
                    index: self.count,
                    from: self.jobs,
                    to: self.jobs + 1,
                    millis,
                });
            }
        }
        self.jobs += 1;
        Ok(())
    }

    fn close(&mut self) -> std::io::Result<()> {
        if let Some(batch) = self.open.take() {
            for number in [batch.from, batch.to, batch.millis] {
                self.batches.write_all(&number.to_le_bytes())?;
            }
            self.count += 1;
        }
        Ok(())
    }

    /// Nothing follows.
    pub fn finish(mut self, mut env: Env) -> std::io::Result<Env> {
        self.close()?;
        self.index.write_all(&self.offset.to_le_bytes())?;
        for file in [&mut self.tasks, &mut self.index, &mut self.batches] {
            file.flush()?;
        }
        (env.jobs, env.batches) = (self.jobs, self.count);
        let mut text = serde_json::to_string_pretty(&env)?;
        text.push('\n');
        fs::write(self.dir.join(ENV), text)?;
        Ok(env)
    }
}

pub struct Plan {
    pub dir: PathBuf,
    pub env: Env,
}

impl Plan {
    pub fn open(dir: &Path) -> Result<Plan, String> {
        let name = dir.display();
        let text = fs::read_to_string(dir.join(ENV))
            .map_err(|e| format!("'{name}' is no plan: cannot read {ENV}: {e}; make one by poldet plan"))?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| format!("'{name}': {ENV} is damaged: {e}"))?;
        if value["schema"] != SCHEMA {
            let by = value["poldet"].as_str().unwrap_or("another version");
            return Err(format!(
                "'{name}' was made by poldet {by}, whose plans this poldet cannot read: plan again"
            ));
        }
        let env = serde_json::from_value(value).map_err(|e| format!("'{name}': {ENV} is damaged: {e}"))?;
        Ok(Plan {
            dir: dir.to_owned(),
            env,
        })
    }

    fn damaged(&self, what: &str, e: &std::io::Error) -> String {
        format!("'{}': {what} is damaged: {e}", self.dir.display())
    }

    /// The plan was made by this very program.
    pub fn check_program(&self, program: &str) -> Result<(), String> {
        if self.env.program == program {
            return Ok(());
        }
        Err(format!(
            "'{}' was made by another poldet ({}, {}…): use that one, or plan again",
            self.dir.display(),
            self.env.poldet,
            &self.env.program.get(..12).unwrap_or_default()
        ))
    }

    pub fn batch(&self, index: u64) -> Result<Batch, String> {
        if index >= self.env.batches {
            return Err(format!(
                "there is no task {index}: '{}' has {}, from 0 on",
                self.dir.display(),
                self.env.batches
            ));
        }
        let fail = |e| self.damaged(BATCHES, &e);
        let file = File::open(self.dir.join(BATCHES)).map_err(fail)?;
        let mut bytes = [0; BATCH as usize];
        file.read_exact_at(&mut bytes, index * BATCH).map_err(fail)?;
        Ok(batch(index, &bytes))
    }

    pub fn batches(&self) -> Result<Vec<Batch>, String> {
        let bytes = fs::read(self.dir.join(BATCHES)).map_err(|e| self.damaged(BATCHES, &e))?;
        let all: Vec<Batch> = bytes
            .chunks_exact(BATCH as usize)
            .zip(0..)
            .map(|(bytes, index)| batch(index, bytes))
            .collect();
        match all.len() as u64 == self.env.batches {
            true => Ok(all),
            false => Err(self.damaged(BATCHES, &std::io::Error::other("its length is wrong"))),
        }
    }

    /// The jobs of a batch.
    pub fn jobs(&self, batch: Batch) -> Result<Vec<Job>, String> {
        let fail = |e| self.damaged(TASKS, &e);
        let index = File::open(self.dir.join(TASKS_INDEX)).map_err(fail)?;
        let offset = |number: u64| {
            let mut bytes = [0; NUMBER as usize];
            index
                .read_exact_at(&mut bytes, number * NUMBER)
                .map(|()| u64::from_le_bytes(bytes))
        };
        let (from, to) = (offset(batch.from).map_err(fail)?, offset(batch.to).map_err(fail)?);
        let length = to.saturating_sub(from);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
        let tasks = File::open(self.dir.join(TASKS)).map_err(fail)?;
        tasks.read_exact_at(&mut bytes, from).map_err(fail)?;
        let lines = bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty());
        lines
            .map(|line| serde_json::from_slice(line).map_err(|e| fail(e.into())))
            .collect()
    }

    /// All jobs in the order of the plan, one after the other.
    pub fn all(&self) -> Result<impl Iterator<Item = Result<Job, String>> + '_, String> {
        let file = File::open(self.dir.join(TASKS)).map_err(|e| self.damaged(TASKS, &e))?;
        let lines = BufReader::new(file).lines();
        Ok(lines.map(|line| {
            let line = line.map_err(|e| self.damaged(TASKS, &e))?;
            serde_json::from_str(&line).map_err(|e| self.damaged(TASKS, &e.into()))
        }))
    }
}

fn batch(index: u64, bytes: &[u8]) -> Batch {
    let number = |at: usize| {
        let mut number = [0; NUMBER as usize];
        number.copy_from_slice(&bytes[at * 8..at * 8 + 8]);
        u64::from_le_bytes(number)
    };
    Batch {
        index,
        from: number(0),
        to: number(1),
        millis: number(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> Env {
        Env {
            schema: SCHEMA,
            poldet: "0".into(),
            program: "p".into(),
            ..Env::default()
        }
    }

    #[test]
    fn jobs_are_found_by_batch() {
        let dir = std::env::temp_dir().join(format!("poldet-plan-{}", std::process::id()));
        let mut writer = Writer::new(&dir, 10.0).unwrap();
        for number in 0..7_u64 {
            let job = Job {
                index: 0,
                key: format!("k{number}"),
                suite: format!("s{number}"),
                project: "p".into(),
                command: "run".into(),
                argv: Vec::new(),
                inputs: Vec::new(),
                seconds: if number == 4 { 60.0 } else { 4.0 },
            };
            writer.add(job).unwrap();
        }
        let made = writer.finish(env()).unwrap();
        assert_eq!((made.jobs, made.batches), (7, 4));
        let plan = Plan::open(&dir).unwrap();
        let shapes: Vec<(u64, u64)> = plan.batches().unwrap().iter().map(|b| (b.from, b.to)).collect();
        assert_eq!(shapes, [(0, 2), (2, 4), (4, 5), (5, 7)]);
        let keys = |index| -> Vec<String> {
            let batch = plan.batch(index).unwrap();
            plan.jobs(batch).unwrap().into_iter().map(|j| j.key).collect()
        };
        assert_eq!(keys(1), ["k2", "k3"]);
        assert_eq!(keys(3), ["k5", "k6"]);
        assert!(plan.batch(4).is_err_and(|e| e.contains("there is no task 4")));
        let all: Vec<u64> = plan.all().unwrap().map(|j| j.unwrap().index).collect();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6]);
        fs::write(
            dir.join(ENV),
            serde_json::to_string(&Env { schema: 9, ..env() }).unwrap(),
        )
        .unwrap();
        let other = Plan::open(&dir).err().unwrap();
        assert!(
            other.contains("made by poldet 0") && other.contains("plan again"),
            "{other}"
        );
        fs::remove_dir_all(dir).unwrap();
    }
}
