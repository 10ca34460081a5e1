//! Natives of jdk.internal.misc.VM, CDS, Signal, ScopedMemoryAccess and their small neighbours.

use crate::{Ctx, Native, native};
use poldet_vm::ids::{LoaderId, ObjRef};
use poldet_vm::natives::ctx::{boolean, int, long};
use poldet_vm::stop::{Stop, Then};

const VM: &str = "jdk/internal/misc/VM";
const CDS: &str = "jdk/internal/misc/CDS";
const SIGNAL: &str = "jdk/internal/misc/Signal";
const SCOPED: &str = "jdk/internal/misc/ScopedMemoryAccess";

pub const TABLE: &[Native] = &[
    native(VM, "initialize", "()V", nothing),
    native(
        VM,
        "latestUserDefinedLoader0",
        "()Ljava/lang/ClassLoader;",
        latest_user_defined_loader,
    ),
    native(VM, "getuid", "()J", uid),
    native(VM, "geteuid", "()J", uid),
    native(VM, "getgid", "()J", gid),
    native(VM, "getegid", "()J", gid),
    native(VM, "getNanoTimeAdjustment", "(J)J", nano_time_adjustment).leaf(),
    native(
        VM,
        "getRuntimeArguments",
        "()[Ljava/lang/String;",
        runtime_arguments,
    ),
    native(CDS, "isDumpingClassList0", "()Z", no),
    native(CDS, "isDumpingArchive0", "()Z", no),
    native(CDS, "isSharingEnabled0", "()Z", no),
    native(CDS, "getCDSConfigStatus", "()I", no),
    native(CDS, "needsClassInitBarrier0", "(Ljava/lang/Class;)Z", no),
    native(CDS, "logLambdaFormInvoker", "(Ljava/lang/String;)V", nothing),
    native(CDS, "initializeFromArchive", "(Ljava/lang/Class;)V", nothing),
    native(
        CDS,
        "defineArchivedModules",
        "(Ljava/lang/ClassLoader;Ljava/lang/ClassLoader;)V",
        nothing,
    ),
    native(CDS, "getRandomSeedForDumping", "()J", no),
    native(CDS, "dumpClassList", "(Ljava/lang/String;)V", nothing),
    native(CDS, "dumpDynamicArchive", "(Ljava/lang/String;)V", nothing),
    native(SIGNAL, "findSignal0", "(Ljava/lang/String;)I", find_signal),
    native(SIGNAL, "handle0", "(IJ)J", handle_signal),
    native(SIGNAL, "raise0", "(I)V", raise_signal),
    native(SCOPED, "registerNatives", "()V", nothing),
    native(SCOPED, "closeScope0", "", close_scope),
    native(
        "jdk/internal/misc/PreviewFeatures",
        "isPreviewEnabled",
        "()Z",
        preview,
    ),
];

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

fn no(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(false))
}

fn preview(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(c.vm.config.preview))
}

/// The loader of the first frame whose class is neither the boot loader's nor the platform loader's.
fn latest_user_defined_loader(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    for frame in c.vm.stack(c.thread()) {
        let class = c.vm.class(c.vm.method(frame.method).class);
        let loader = class.loader;
        if loader == LoaderId::BOOT || class.display.iter().any(|&s| is_accessor(c.vm.class_name(s))) {
            continue;
        }
        let object = c.vm.loader_object(loader);
        if !c.vm.is_platform_loader(c.vm.class_of(object)) {
            return Ok(object.bits());
        }
    }
    Ok(ObjRef::NULL.bits())
}

/// Generated accessors have a loader each, which sees no user classes.
fn is_accessor(class: &str) -> bool {
    matches!(
        class,
        "jdk/internal/reflect/MethodAccessorImpl" | "jdk/internal/reflect/ConstructorAccessorImpl"
    )
}

fn uid(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(u64::from(c.vm.host.env.uid))
}

fn gid(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(u64::from(c.vm.host.env.gid))
}

/// Nanoseconds of the wall clock after the given second; -1 if that is more than 2^32 seconds away.
fn nano_time_adjustment(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.uses.clock += 1;
    c.vm.host.clock.read();
    if c.vm.throws().is_some() {
        c.vm.note_question(poldet_vm::throws::Question::Clock);
    }
    let now = c.vm.host.clock.wall_nanos();
    let (seconds, nanos) = (now.div_euclid(1_000_000_000), now.rem_euclid(1_000_000_000));
    let apart = i128::from(seconds) - i128::from(c.long(0));
    if apart.unsigned_abs() >= 1 << 32 {
        return Ok(long(-1));
    }
    Ok(long(apart as i64 * 1_000_000_000 + nanos))
}

pub(crate) fn runtime_arguments(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let mut options: Vec<String> = Vec::new();
    if c.vm.config.assertions {
        options.push("-ea".into());
    }
    options.extend(
        c.vm.config
            .properties
            .iter()
            .map(|(key, value)| format!("-D{key}={value}")),
    );
    Ok(c.vm.string_array(&options)?.bits())
}

/// Linux signal numbers by name.
const SIGNALS: &[(&str, i32)] = &[
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("TRAP", 5),
    ("ABRT", 6),
    ("IOT", 6),
    ("BUS", 7),
    ("FPE", 8),
    ("KILL", 9),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
    ("STKFLT", 16),
    ("CHLD", 17),
    ("CLD", 17),
    ("CONT", 18),
    ("STOP", 19),
    ("TSTP", 20),
    ("TTIN", 21),
    ("TTOU", 22),
    ("URG", 23),
    ("XCPU", 24),
    ("XFSZ", 25),
    ("VTALRM", 26),
    ("PROF", 27),
    ("WINCH", 28),
    ("IO", 29),
    ("POLL", 29),
    ("PWR", 30),
    ("SYS", 31),
];

const DEFAULT_HANDLER: i64 = 0;
const IGNORE: i64 = 1;
/// The handler that calls `Signal.dispatch`.
const JAVA_HANDLER: i64 = 2;

fn find_signal(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.string(0)?;
    let found = SIGNALS.iter().find(|(known, _)| *known == name);
    Ok(int(found.map_or(-1, |(_, number)| *number)))
}

/// Signals reach the program only through `raise0`: a handler is remembered, nothing is installed. The signals
/// HotSpot keeps for itself are refused as it does.
fn handle_signal(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (signal, handler) = (c.int(0), c.long(1));
    if matches!(signal, 3 | 4 | 8 | 9 | 11 | 19) {
        return Ok(long(-1));
    }
    let old = c.vm.signal_handlers.insert(signal, handler);
    Ok(long(old.unwrap_or(DEFAULT_HANDLER)))
}

fn raise_signal(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let signal = c.int(0);
    match c
        .vm
        .signal_handlers
        .get(&signal)
        .copied()
        .unwrap_or(DEFAULT_HANDLER)
    {
        JAVA_HANDLER => {
            let class = c.vm.boot_class(SIGNAL)?;
            let dispatch = c.vm.declared_method(class, "dispatch", "(I)V");
            let dispatch = dispatch.ok_or_else(|| Stop::bug("Signal.dispatch is missing"))?;
            Err(Stop::call(dispatch, vec![int(signal)], Then::Return))
        }
        IGNORE => Ok(0),
        // Those whose default is to be ignored; all others end the process.
        DEFAULT_HANDLER if matches!(signal, 17 | 18 | 23 | 28) => Ok(0),
        _ => Err(Stop::Exit(128 + signal)),
    }
}

/// No thread can be inside an access to the scope: threads switch only between instructions.
fn close_scope(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(true))
}
