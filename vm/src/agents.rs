//! Loading an agent into the running VM.

use crate::ids::{ObjRef, ThreadId};
use crate::instrument::{Agent, IMPL};
use crate::jar::Jar;
use crate::stop::{Completion, Stop, Then};
use crate::vm::Vm;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// An agent that is being loaded.
pub(crate) struct Loading {
    thread: ThreadId,
    depth: usize,
    /// Full path of its archive.
    jar: String,
    options: Option<String>,
    class: String,
    can_redefine: bool,
    can_retransform: bool,
    prefix: bool,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    /// With the system class loader.
    Loader(ObjRef),
    OnClassPath,
    /// With the Instrumentation.
    Made(ObjRef),
    Ended(i32),
}

/// What `VirtualMachine.loadAgent` gets as its answer.
pub const BAD_JAR: i32 = 100;
const NOT_ON_CLASS_PATH: i32 = 101;
const START_FAILED: i32 = 102;

impl Vm {
    /// Loads the agent `jar` or `jar=options`, running its `agentmain`; 0, or what went wrong. Runs again after each
    /// call of Java.
    pub fn load_agent(&mut self, argument: &str) -> Result<i32, Stop> {
        let thread = self.threads.current;
        let depth = self.threads.cur().frames.len();
        let same = |l: &Loading| l.thread == thread && l.depth == depth;
        let at = match self.instrument.loading.iter().position(same) {
            Some(at) => at,
            None => match self.open_agent(argument) {
                Ok(loading) => {
                    self.instrument.loading.push(loading);
                    self.instrument.loading.len() - 1
                }
                Err(code) => return Ok(code),
            },
        };
        match self.agent_stage(at) {
            Ok(code) => {
                self.instrument.loading.remove(at);
                Ok(code)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Reads the archive's manifest.
    fn open_agent(&mut self, argument: &str) -> Result<Loading, i32> {
        let (jar, options) = match argument.split_once('=') {
            Some((jar, options)) => (jar, Some(options.to_string())),
            None => (argument, None),
        };
        let archive = self.open_archive(jar).map_err(|_| BAD_JAR)?;
        let manifest = match archive.get("META-INF/MANIFEST.MF") {
            Some(Ok(bytes)) => manifest(&bytes),
            _ => return Err(BAD_JAR),
        };
        let value = |key: &str| {
            manifest
                .iter()
                .find(|(k, _)| k.eq_ignore_ascii_case(key))
                .map(|(_, v)| v)
        };
        let is = |key: &str| value(key).is_some_and(|v| v.trim().eq_ignore_ascii_case("true"));
        let class = value("Agent-Class").ok_or(BAD_JAR)?.trim().to_string();
        for part in value("Boot-Class-Path")
            .map_or("", String::as_str)
            .split_whitespace()
        {
            let folder = jar.rsplit_once('/').map_or("", |(f, _)| f);
            let path = if part.starts_with('/') {
                part.into()
            } else {
                format!("{folder}/{part}")
            };
            if let Ok(more) = self.open_archive(&path) {
                self.instrument.boot_jars.push(more);
            }
        }
        Ok(Loading {
            thread: self.threads.current,
            depth: self.threads.cur().frames.len(),
            jar: jar.into(),
            options,
            class,
            can_redefine: is("Can-Redefine-Classes"),
            can_retransform: is("Can-Retransform-Classes"),
            prefix: is("Can-Set-Native-Method-Prefix"),
            stage: Stage::Start,
        })
    }

    pub fn open_archive(&self, path: &str) -> Result<Jar, String> {
        let place = self.host.fs.place(path.as_bytes()).map_err(|e| e.text())?;
        Jar::open(Path::new(OsStr::from_bytes(&place)))
    }

    /// The next step of an agent's loading.
    fn agent_stage(&mut self, at: usize) -> Result<i32, Stop> {
        let Loading {
            can_redefine,
            can_retransform,
            prefix,
            stage,
            ..
        } = self.instrument.loading[at];
        let (method, args) = match stage {
            Stage::Start => {
                let class = self.boot_class("java/lang/ClassLoader")?;
                let method = self.find_method(class, "getSystemClassLoader", "()Ljava/lang/ClassLoader;");
                (method, vec![])
            }
            Stage::Loader(loader) => {
                let class = self.heap.class_of(loader);
                let method = self.find_method(
                    class,
                    "appendToClassPathForInstrumentation",
                    "(Ljava/lang/String;)V",
                );
                if method.is_none() {
                    return Ok(NOT_ON_CLASS_PATH);
                }
                let jar = self.instrument.loading[at].jar.clone();
                let jar = self.new_string(&jar)?;
                (method, vec![loader.bits(), jar.bits()])
            }
            Stage::OnClassPath => {
                let class = self.boot_class(IMPL)?;
                self.ensure_initialized(class)?;
                let object = self.new_object(class)?;
                self.pinned.push(object);
                self.instrument.agents.push(Agent {
                    object,
                    can_retransform,
                    plain: false,
                    again: false,
                });
                let number = self.instrument.agents.len() as u64;
                self.instrument.loading[at].stage = Stage::Made(object);
                let method = self.declared_method(class, "<init>", "(JZZ)V");
                let mut args = vec![
                    object.bits(),
                    number,
                    0,
                    u64::from(can_redefine),
                    u64::from(prefix),
                ];
                // In newer releases an argument says whether to warn of agents.
                let method = method.or_else(|| {
                    args.push(0);
                    self.declared_method(class, "<init>", "(JZZZ)V")
                });
                // Its constructor has nothing to tell.
                let method = method.ok_or_else(|| Stop::bug("InstrumentationImpl has changed"))?;
                return Err(Stop::call(method, args, Then::Retry));
            }
            Stage::Made(object) => {
                let class = self.boot_class(IMPL)?;
                let loading = &self.instrument.loading[at];
                let (name, options) = (loading.class.clone(), loading.options.clone());
                let name = self.new_string(&name)?;
                let options = match options {
                    Some(text) => self.new_string(&text)?,
                    None => ObjRef::NULL,
                };
                let method = self.declared_method(
                    class,
                    "loadClassAndCallAgentmain",
                    "(Ljava/lang/String;Ljava/lang/String;)V",
                );
                (method, vec![object.bits(), name.bits(), options.bits()])
            }
            Stage::Ended(code) => return Ok(code),
        };
        let method = method.ok_or_else(|| Stop::bug("the JDK lacks a method agents need"))?;
        Err(Stop::call(
            method,
            args,
            Then::RetryAfter(stage_done, vec![at as u64]),
        ))
    }
}

fn stage_done(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let stage = &mut vm.instrument.loading[state[0] as usize].stage;
    *stage = match (*stage, done) {
        (Stage::Start, Completion::Value(loader)) => Stage::Loader(ObjRef::from_bits(loader)),
        (Stage::Loader(_), Completion::Value(_)) => Stage::OnClassPath,
        (Stage::Loader(_), Completion::Thrown(_)) => Stage::Ended(NOT_ON_CLASS_PATH),
        (Stage::Made(_), Completion::Value(_)) => Stage::Ended(0),
        _ => Stage::Ended(START_FAILED),
    };
    Ok(0)
}

/// The main attributes of a manifest, continuation lines joined.
fn manifest(bytes: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(bytes)
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let joined = text.replace("\n ", "");
    joined
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.to_string(), value.trim_start().to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::manifest;

    #[test]
    fn manifest_lines_are_joined() {
        let text = b"Manifest-Version: 1.0\r\nAgent-Class: a.very.long\r\n .Name\r\n\r\nName: other\r\n";
        let manifest = manifest(text);
        assert_eq!(manifest[1], ("Agent-Class".into(), "a.very.long.Name".into()));
        assert_eq!(manifest.len(), 2);
    }
}
