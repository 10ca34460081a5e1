//! Natives of sun.instrument, and loading an agent into the running VM.

use crate::classes::class::Kind;
use crate::heap::FIELDS;
use crate::ids::{ClassId, ObjRef, ThreadId};
use crate::instrument::{Agent, IMPL};
use crate::jar::Jar;
use crate::natives::ctx::{Ctx, boolean, long};
use crate::natives::{Native, native};
use crate::stop::{Completion, Stop, Then};
use crate::vm::Vm;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub const TABLE: &[Native] = &[
    native(IMPL, "isModifiableClass0", "(JLjava/lang/Class;)Z", is_modifiable),
    native(
        IMPL,
        "isRetransformClassesSupported0",
        "(J)Z",
        retransform_supported,
    ),
    native(IMPL, "setHasTransformers", "(JZ)V", set_has_transformers),
    native(
        IMPL,
        "setHasRetransformableTransformers",
        "(JZ)V",
        set_has_retransformable,
    ),
    native(IMPL, "retransformClasses0", "(J[Ljava/lang/Class;)V", retransform),
    native(
        IMPL,
        "redefineClasses0",
        "(J[Ljava/lang/instrument/ClassDefinition;)V",
        redefine,
    ),
    native(IMPL, "getAllLoadedClasses0", "(J)[Ljava/lang/Class;", all_loaded),
    native(
        IMPL,
        "getInitiatedClasses0",
        "(JLjava/lang/ClassLoader;)[Ljava/lang/Class;",
        initiated,
    ),
    native(IMPL, "getObjectSize0", "(JLjava/lang/Object;)J", object_size),
    native(
        IMPL,
        "appendToClassLoaderSearch0",
        "(JLjava/lang/String;Z)V",
        append_to_search,
    ),
    native(
        IMPL,
        "setNativeMethodPrefixes",
        "(J[Ljava/lang/String;Z)V",
        native_prefixes,
    ),
    native(IMPL, "loadAgent0", "(Ljava/lang/String;)V", load_agent_native),
];

/// An agent on its way in.
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

/// What `VirtualMachine.loadAgent` is told.
const BAD_JAR: i32 = 100;
const NOT_ON_CLASS_PATH: i32 = 101;
const START_FAILED: i32 = 102;

impl Vm {
    /// Loads the agent `jar` or `jar=options`, running its `agentmain`; 0, or what went wrong. Runs again after each
    /// call of Java.
    pub(crate) fn load_agent(&mut self, argument: &str) -> Result<i32, Stop> {
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

    fn open_archive(&self, path: &str) -> Result<Jar, String> {
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
                let args = vec![
                    object.bits(),
                    number,
                    0,
                    u64::from(can_redefine),
                    u64::from(prefix),
                ];
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

fn load_agent_native(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.string(0)?;
    match c.vm.load_agent(&path)? {
        0 => Ok(0),
        BAD_JAR => Err(c.vm.throw(
            "java/lang/InternalError",
            Some("Agent JAR not found or no Agent-Class attribute"),
        )),
        _ => Err(c
            .vm
            .throw("java/lang/InternalError", Some("Agent failed to initialize"))),
    }
}

/// The agent a native was called for: all have its number behind the receiver.
fn agent<'a>(c: &'a mut Ctx<'_>) -> Result<&'a mut Agent, Stop> {
    let number = c.long(1);
    let at = usize::try_from(number - 1).ok();
    at.and_then(|at| c.vm.instrument.agents.get_mut(at))
        .ok_or_else(|| Stop::bug("no such agent"))
}

fn is_modifiable(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.class(3)?;
    Ok(boolean(c.vm.is_modifiable(class)))
}

fn retransform_supported(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(agent(c)?.can_retransform))
}

fn set_has_transformers(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let has = c.bool(3);
    agent(c)?.plain = has;
    Ok(0)
}

fn set_has_retransformable(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let has = c.bool(3);
    agent(c)?.again = has;
    Ok(0)
}

fn unmodifiable(vm: &mut Vm) -> Stop {
    vm.throw("java/lang/instrument/UnmodifiableClassException", None)
}

fn retransform(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.non_null(3)?;
    let start = |vm: &mut Vm| {
        let mut wanted = Vec::new();
        for i in 0..vm.heap.array_len(array) {
            let mirror = vm.heap.elem_get_ref(array, i);
            if mirror.is_null() {
                return Err(vm.throw("java/lang/NullPointerException", None));
            }
            let class = vm.class_of_mirror(mirror);
            if !vm.is_modifiable(class) {
                return Err(unmodifiable(vm));
            }
            let base = match vm.instrument.bases.get(&class) {
                Some(base) => base.clone(),
                None => vm.class(class).file.map_or(Vec::new(), |f| f.bytes.to_vec()),
            };
            wanted.push((class, base));
        }
        Ok(wanted)
    };
    let change = c.vm.change_of(start, true)?;
    c.vm.carry_out(change)?;
    Ok(0)
}

fn redefine(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    const DEFINITION: &str = "java/lang/instrument/ClassDefinition";
    let array = c.non_null(3)?;
    c.vm.boot_class(DEFINITION)?;
    let start = |vm: &mut Vm| {
        let mut wanted = Vec::new();
        for i in 0..vm.heap.array_len(array) {
            let definition = vm.heap.elem_get_ref(array, i);
            let mirror = vm.get_ref_field(definition, DEFINITION, "mClass");
            let bytes = vm.get_ref_field(definition, DEFINITION, "mClassFile");
            let class = vm.class_of_mirror(mirror);
            if !vm.is_modifiable(class) {
                return Err(unmodifiable(vm));
            }
            wanted.push((class, vm.heap.bytes(bytes).to_vec()));
        }
        Ok(wanted)
    };
    let change = c.vm.change_of(start, false)?;
    c.vm.carry_out(change)?;
    Ok(0)
}

fn mirrors(c: &mut Ctx<'_>, classes: &[ClassId]) -> Result<u64, Stop> {
    let array = c.vm.new_ref_array(c.vm.known.class, classes.len() as i32)?;
    for (at, class) in classes.iter().enumerate() {
        let mirror = c.vm.mirror(*class);
        c.vm.heap.elem_put_ref(array, at as u32, mirror);
    }
    Ok(array.bits())
}

fn all_loaded(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let classes: Vec<ClassId> = c
        .vm
        .classes
        .iter()
        .filter(|k| !matches!(k.kind, Kind::Primitive(_)) && k.version_of.is_none() && !k.mirror.is_null())
        .map(|k| k.id)
        .collect();
    mirrors(c, &classes)
}

fn initiated(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let loader = c.vm.loader_of(c.obj(3));
    let mut classes: Vec<ClassId> = c.vm.loaders.list[loader.index()]
        .classes
        .values()
        .copied()
        .collect();
    classes.sort_unstable();
    mirrors(c, &classes)
}

/// As HotSpot lays objects out, with its header of 12 bytes.
fn object_size(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let object = c.non_null(3)?;
    let class = c.vm.class_of(object);
    let class = c.vm.class(class);
    let bytes = match class.kind {
        Kind::Array { log2, .. } => 16 + (u64::from(c.vm.heap.array_len(object)) << log2),
        _ => u64::from(class.fields_end - FIELDS) + 12,
    };
    Ok(long(bytes.next_multiple_of(8) as i64))
}

fn append_to_search(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (path, boot) = (c.string(3)?, c.bool(4));
    if boot {
        return match c.vm.open_archive(&path) {
            Ok(jar) => {
                c.vm.instrument.boot_jars.push(jar);
                Ok(0)
            }
            Err(_) => Err(c.vm.throw("java/lang/IllegalArgumentException", None)),
        };
    }
    let class = c.vm.boot_class("java/lang/ClassLoader")?;
    let method =
        c.vm.find_method(class, "getSystemClassLoader", "()Ljava/lang/ClassLoader;")
            .ok_or_else(|| Stop::bug("ClassLoader.getSystemClassLoader is missing"))?;
    let path = c.vm.new_string(&path)?;
    Err(Stop::call(
        method,
        vec![],
        Then::Cont(append_to_system, vec![path.bits()]),
    ))
}

fn append_to_system(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let loader = match done {
        Completion::Value(loader) => ObjRef::from_bits(loader),
        Completion::Thrown(e) => return Err(Stop::Throw(e)),
    };
    let class = vm.heap.class_of(loader);
    let append = vm.find_method(
        class,
        "appendToClassPathForInstrumentation",
        "(Ljava/lang/String;)V",
    );
    match append {
        Some(append) => Err(Stop::call(append, vec![loader.bits(), state[0]], Then::Return)),
        None => Err(vm.throw("java/lang/UnsupportedOperationException", None)),
    }
}

/// All native methods of the JDK are ours already: there is none to look for under another name.
fn native_prefixes(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
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
