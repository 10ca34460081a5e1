//! Loading an agent into the running VM, and starting those of the command line.

use crate::boot::{Ended, stop_ended};
use crate::ids::{MethodId, ObjRef, ThreadId};
use crate::instrument::{Agent, IMPL};
use crate::interp::slow::Exit;
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

/// The attribute of a manifest that names the class of an agent of the command line.
const PREMAIN: &str = "Premain-Class";

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
            None => match self.open_agent(argument, "Agent-Class") {
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
    fn open_agent(&mut self, argument: &str, main: &str) -> Result<Loading, i32> {
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
        let class = value(main).ok_or(BAD_JAR)?.trim().to_string();
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
                let (method, object, args) = self.new_agent(can_redefine, can_retransform, prefix)?;
                self.instrument.loading[at].stage = Stage::Made(object);
                // Its constructor has nothing to tell.
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

    /// A new Instrumentation, with the constructor that is to be called and its arguments.
    fn new_agent(
        &mut self,
        can_redefine: bool,
        can_retransform: bool,
        prefix: bool,
    ) -> Result<(MethodId, ObjRef, Vec<u64>), Stop> {
        let class = self.boot_class(IMPL)?;
        let object = self.new_object(class)?;
        self.pinned.push(object);
        self.instrument.agents.push(Agent {
            object,
            can_retransform,
            plain: false,
            again: false,
        });
        let number = self.instrument.agents.len() as u64;
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
        let method = method.ok_or_else(|| Stop::bug("InstrumentationImpl has changed"))?;
        Ok((method, object, args))
    }

    /// Runs `premain` of the agents of the command line, in order.
    pub fn start_agents(&mut self) -> Result<(), Ended> {
        for argument in self.config.agents.clone() {
            self.start_agent(&argument)?;
        }
        Ok(())
    }

    fn start_agent(&mut self, argument: &str) -> Result<(), Ended> {
        let failed = |what: String| Ended::Agent(format!("agent '{argument}': {what}"));
        let loading = self
            .open_agent(argument, PREMAIN)
            .map_err(|_| failed(format!("no archive with a {PREMAIN} in its manifest")))?;
        self.search_for_agent(&loading.jar).and_then(|found| {
            found
                .then_some(())
                .ok_or_else(|| failed("the system class loader takes no agents".into()))
        })?;
        self.host_init(IMPL)?;
        let (constructor, object, args) = self
            .new_agent(loading.can_redefine, loading.can_retransform, loading.prefix)
            .map_err(stop_ended)?;
        let made = self.call_java(constructor, &args);
        self.host_outcome(made)?;
        let class = self.host_class(IMPL)?;
        let desc = "(Ljava/lang/String;Ljava/lang/String;)V";
        let premain = self.declared_method(class, "loadClassAndCallPremain", desc);
        let premain = premain.ok_or_else(|| Ended::Bug("InstrumentationImpl has changed".into()))?;
        let name = self.new_string(&loading.class).map_err(stop_ended)?;
        let options = match &loading.options {
            Some(text) => self.new_string(text).map_err(stop_ended)?,
            None => ObjRef::NULL,
        };
        let args = [object.bits(), name.bits(), options.bits()];
        match self.call_java(premain, &args) {
            Exit::Returned(Completion::Value(_)) => Ok(()),
            Exit::Returned(Completion::Thrown(e)) => {
                let mut text = format!("premain threw {}", self.describe_throwable(e));
                let mut at = e;
                // What it threw is inside of the exception of reflection.
                loop {
                    let cause = self.heap.get_ref(at, self.known.throwable_cause);
                    let target = self.invocation_target(at);
                    let inner = if target.is_null() { cause } else { target };
                    if inner.is_null() || inner == at {
                        break;
                    }
                    text.push_str(&format!(", caused by {}", self.describe_throwable(inner)));
                    at = inner;
                }
                Err(failed(text))
            }
            other => Err(other.into()),
        }
    }

    /// Lets the system class loader find the classes of an agent, after all others; false if it cannot.
    fn search_for_agent(&mut self, jar: &str) -> Result<bool, Ended> {
        let class = self.host_class("java/lang/ClassLoader")?;
        let loader = self.host_call(class, "getSystemClassLoader", "()Ljava/lang/ClassLoader;", &[])?;
        let loader = ObjRef::from_bits(loader);
        let append = self.find_method(
            self.heap.class_of(loader),
            "appendToClassPathForInstrumentation",
            "(Ljava/lang/String;)V",
        );
        let Some(append) = append else {
            return Ok(false);
        };
        let jar = self.new_string(jar).map_err(stop_ended)?;
        let appended = self.call_java(append, &[loader.bits(), jar.bits()]);
        self.host_outcome(appended).map(|_| true)
    }

    /// What an InvocationTargetException is about; null for any other exception.
    fn invocation_target(&mut self, e: ObjRef) -> ObjRef {
        const CLASS: &str = "java/lang/reflect/InvocationTargetException";
        if self.class_name(self.heap.class_of(e)) != CLASS {
            return ObjRef::NULL;
        }
        match self.try_off(CLASS, "target") {
            Some(off) => self.heap.get_ref(e, off),
            None => ObjRef::NULL,
        }
    }
}

/// Whether an archive can be given to `-javaagent`.
pub fn check(jar: &Path) -> Result<(), String> {
    let archive = Jar::open(jar)?;
    let manifest = match archive.get("META-INF/MANIFEST.MF") {
        Some(bytes) => manifest(&bytes?),
        None => return Err("it has no manifest".into()),
    };
    let has_premain = manifest.iter().any(|(key, _)| key.eq_ignore_ascii_case(PREMAIN));
    has_premain
        .then_some(())
        .ok_or_else(|| format!("its manifest names no {PREMAIN}"))
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
