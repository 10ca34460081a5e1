//! Natives of the smaller jdk.internal packages: libraries, performance counters, boot loader queries, and the
//! switches of features this VM does not have.

use crate::{Ctx, Native, native};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{boolean, int, long};
use poldet_vm::stop::{Completion, Stop, Then};
use poldet_vm::vm::Vm;

const LIBRARIES: &str = "jdk/internal/loader/NativeLibraries";
const PERF: &str = "jdk/internal/perf/Perf";
const CONTINUATION: &str = "jdk/internal/vm/Continuation";
const CGROUP: &str = "jdk/internal/platform/CgroupMetrics";
const VECTOR: &str = "jdk/internal/vm/vector/VectorSupport";

pub const TABLE: &[Native] = &[
    native(
        LIBRARIES,
        "findBuiltinLib",
        "(Ljava/lang/String;)Ljava/lang/String;",
        find_builtin_lib,
    ),
    native(LIBRARIES, "load", "", load_library),
    native(LIBRARIES, "unload", "", nothing),
    native(LIBRARIES, "findEntry0", "", zero_long),
    native("jdk/internal/loader/NativeLibrary", "findEntry0", "", zero_long),
    native(
        "jdk/internal/loader/RawNativeLibraries",
        "load0",
        "",
        load_raw_library,
    ),
    native("jdk/internal/loader/RawNativeLibraries", "unload0", "", nothing),
    native(PERF, "registerNatives", "()V", nothing),
    native(
        PERF,
        "createLong",
        "(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;",
        perf_create_long,
    ),
    native(
        PERF,
        "createByteArray",
        "(Ljava/lang/String;II[BI)Ljava/nio/ByteBuffer;",
        perf_create_bytes,
    ),
    native(PERF, "attach", "", perf_attach).refused(),
    native(PERF, "attach0", "", perf_attach).refused(),
    native(PERF, "detach", "", nothing),
    native(PERF, "highResCounter", "()J", perf_counter),
    native(PERF, "highResFrequency", "()J", perf_frequency),
    native(VECTOR, "registerNatives", "()I", nothing),
    native(VECTOR, "getMaxLaneCount", "(Ljava/lang/Class;)I", minus_one),
    native(VECTOR, "getCPUFeatures", "()Ljava/lang/String;", empty_string),
    native(
        "jdk/internal/vm/VMSupport",
        "initAgentProperties",
        "",
        first_argument,
    ),
    native(
        "jdk/internal/vm/VMSupport",
        "getVMTemporaryDirectory",
        "()Ljava/lang/String;",
        temporary_directory,
    ),
    native(CONTINUATION, "registerNatives", "()V", nothing),
    native(CONTINUATION, "pin", "()V", nothing),
    native(CONTINUATION, "unpin", "()V", nothing),
    native("jdk/internal/vm/ContinuationSupport", "isSupported0", "()Z", no),
    native("jdk/internal/vm/ForeignLinkerSupport", "isSupported0", "()Z", no),
    native(
        "jdk/internal/invoke/NativeEntryPoint",
        "registerNatives",
        "()V",
        nothing,
    ),
    native(
        "jdk/internal/foreign/abi/NativeEntryPoint",
        "registerNatives",
        "()V",
        nothing,
    ),
    native(
        "jdk/internal/foreign/abi/UpcallLinker",
        "registerNatives",
        "()V",
        nothing,
    ),
    native(
        "jdk/internal/foreign/abi/UpcallStubs",
        "registerNatives",
        "()V",
        nothing,
    ),
    native("jdk/internal/foreign/abi/fallback/LibFallback", "init", "()Z", no),
    native(CGROUP, "isUseContainerSupport", "()Z", no),
    native(CGROUP, "isContainerized0", "()Z", no),
    native(CGROUP, "getTotalMemorySize0", "()J", total_memory),
    native(CGROUP, "getTotalSwapSize0", "()J", zero_long),
    native(
        "java/util/concurrent/atomic/AtomicLong",
        "VMSupportsCS8",
        "()Z",
        yes,
    ),
];

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

fn no(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(false))
}

fn yes(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(true))
}

fn zero_long(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(0))
}

fn minus_one(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(-1))
}

fn first_argument(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.raw(0))
}

fn empty_string(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.new_string("")?.bits())
}

fn temporary_directory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let dir = c.vm.host.env.tmp_dir.clone();
    Ok(c.vm.new_string(&dir)?.bits())
}

/// What a machine of fixed size would have: the program must not see how large this one is.
fn total_memory(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(8 << 30))
}

/// The JDK's own libraries count as linked into the VM: their natives are rows of our tables.
fn find_builtin_lib(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.string(0)?;
    let path = c.vm.config.java_home.join("lib").join(&name);
    let own = !name.contains('/') && path.exists();
    Ok(if own { c.raw(0) } else { ObjRef::NULL.bits() })
}

fn load_library(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (library, builtin) = (c.non_null(0)?, c.bool(2));
    let name = c.string(1)?;
    if !builtin {
        // Java code has made sure that the file is there.
        return Err(c.vm.refuse_library(&name));
    }
    c.vm.set_long_field(
        library,
        "jdk/internal/loader/NativeLibraries$NativeLibraryImpl",
        "handle",
        1,
    );
    if let Some(version) = c.vm.try_off(
        "jdk/internal/loader/NativeLibraries$NativeLibraryImpl",
        "jniVersion",
    ) {
        c.vm.heap.put_u32(library, version, 0x0001_0008);
    }
    Ok(boolean(true))
}

fn load_raw_library(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.string(1)?;
    // A file that is not there is simply not found.
    if std::path::Path::new(&name).exists() {
        return Err(Stop::unsupported(format!("native library {name}")));
    }
    Ok(boolean(false))
}

/// Asks for a direct ByteBuffer over raw memory.
fn direct_buffer(vm: &mut Vm, address: u64, capacity: u64) -> Result<Stop, Stop> {
    let class = vm.boot_class("java/nio/DirectByteBuffer")?;
    vm.ensure_initialized(class)?;
    let buffer = vm.new_object(class)?;
    // The capacity became a long in JDK 21.
    let method = vm
        .declared_method(class, "<init>", "(JI)V")
        .or_else(|| vm.declared_method(class, "<init>", "(JJ)V"));
    let method = method.ok_or_else(|| Stop::unsupported("java.nio.DirectByteBuffer(long, int)"))?;
    let args = [buffer.bits(), address, 0, capacity, 0];
    let args = args[..usize::from(vm.method(method).arg_slots)].to_vec();
    Ok(Stop::call(
        method,
        args,
        Then::Cont(constructed, vec![buffer.bits()]),
    ))
}

fn constructed(_: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => Ok(state[0]),
        Completion::Thrown(error) => Err(Stop::Throw(error)),
    }
}

fn perf_buffer(c: &mut Ctx<'_>, bytes: &[u8]) -> Result<u64, Stop> {
    let class = c.vm.boot_class("java/nio/DirectByteBuffer")?;
    c.vm.ensure_initialized(class)?;
    let Some(address) = c.vm.host.memory.alloc(bytes.len() as u64) else {
        return Err(c.vm.throw("java/lang/OutOfMemoryError", None));
    };
    if let Some(memory) = c.vm.host.memory.bytes_mut(address, bytes.len() as u64) {
        memory.copy_from_slice(bytes);
    }
    Err(direct_buffer(c.vm, address, bytes.len() as u64)?)
}

fn perf_create_long(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let value = c.long(4);
    perf_buffer(c, &value.to_le_bytes())
}

fn perf_create_bytes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (array, max) = (c.non_null(4)?, c.int(5).max(0) as usize);
    let mut bytes = c.vm.heap.load_bytes(array).to_vec();
    bytes.resize(max.max(1), 0);
    perf_buffer(c, &bytes)
}

/// No VM in sight publishes performance data.
fn perf_attach(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(c
        .vm
        .throw("java/lang/IllegalArgumentException", Some("Process not found")))
}

fn perf_counter(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.now_nanos())
}

fn perf_frequency(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(1_000_000_000))
}
