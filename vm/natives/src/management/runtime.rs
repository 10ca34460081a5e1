//! sun.management.VMManagementImpl and the operating system bean.

use super::{no, nothing, yes};
use crate::{Ctx, Native, native};
use poldet_vm::classes::class::InitState;
use poldet_vm::ids::ObjRef;
use poldet_vm::interp::threads::Status;
use poldet_vm::natives::ctx::{double, int, long};
use poldet_vm::stop::Stop;

const VM: &str = "sun/management/VMManagementImpl";
const OS: &str = "com/sun/management/internal/OperatingSystemImpl";
const FLAG: &str = "com/sun/management/internal/Flag";
const COMMANDS: &str = "com/sun/management/internal/DiagnosticCommandImpl";

pub const TABLE: &[Native] = &[
    native(VM, "getVersion0", "()Ljava/lang/String;", version),
    native(VM, "initOptionalSupportFields", "()V", init_support_fields),
    native(VM, "isThreadContentionMonitoringEnabled", "()Z", no),
    native(VM, "isThreadCpuTimeEnabled", "()Z", yes),
    native(VM, "isThreadAllocatedMemoryEnabled", "()Z", yes),
    native(VM, "getTotalClassCount", "()J", total_classes),
    native(VM, "getUnloadedClassCount", "()J", unloaded_classes),
    native(VM, "getVerboseClass", "()Z", no),
    native(VM, "getVerboseGC", "()Z", no),
    native(VM, "getProcessId", "()I", process_id),
    native(VM, "getVmArguments0", "()[Ljava/lang/String;", arguments),
    native(VM, "getStartupTime", "()J", startup_time),
    native(VM, "getUptime0", "()J", uptime),
    native(VM, "getAvailableProcessors", "()I", processors),
    native(VM, "getTotalCompileTime", "()J", nothing),
    native(VM, "getTotalThreadCount", "()J", total_threads),
    native(VM, "getLiveThreadCount", "()I", live_threads),
    native(VM, "getPeakThreadCount", "()I", live_threads),
    native(VM, "getDaemonThreadCount", "()I", daemon_threads),
    native(VM, "getSafepointCount", "()J", nothing),
    native(VM, "getTotalSafepointTime", "()J", nothing),
    native(VM, "getSafepointSyncTime", "()J", nothing),
    native(VM, "getTotalApplicationNonStoppedTime", "()J", uptime),
    native(VM, "getLoadedClassSize", "()J", nothing),
    native(VM, "getUnloadedClassSize", "()J", nothing),
    native(VM, "getClassLoadingTime", "()J", nothing),
    native(VM, "getMethodDataSize", "()J", nothing),
    native(VM, "getInitializedClassCount", "()J", initialized_classes),
    native(VM, "getClassInitializationTime", "()J", nothing),
    native(VM, "getClassVerificationTime", "()J", nothing),
    native(
        "sun/management/ClassLoadingImpl",
        "setVerboseClass",
        "(Z)V",
        nothing,
    ),
    native(
        "sun/management/HotspotThread",
        "getInternalThreadCount",
        "()I",
        nothing,
    ),
    native(
        "sun/management/HotspotThread",
        "getInternalThreadTimes0",
        "",
        nothing,
    ),
    native(OS, "initialize0", "()V", nothing),
    native(OS, "getCommittedVirtualMemorySize0", "()J", committed),
    native(OS, "getTotalSwapSpaceSize0", "()J", nothing),
    native(OS, "getFreeSwapSpaceSize0", "()J", nothing),
    native(OS, "getProcessCpuTime0", "()J", cpu_time),
    native(OS, "getFreeMemorySize0", "()J", free_memory),
    native(OS, "getTotalMemorySize0", "()J", total_memory),
    native(OS, "getOpenFileDescriptorCount0", "()J", open_files),
    native(OS, "getMaxFileDescriptorCount0", "()J", max_files),
    native(OS, "getCpuLoad0", "()D", zero_load),
    native(OS, "getProcessCpuLoad0", "()D", zero_load),
    native(OS, "getSingleCpuLoad0", "(I)D", zero_load),
    native(OS, "getHostConfiguredCpuCount0", "()I", processors),
    native(OS, "getHostOnlineCpuCount0", "()I", processors),
    native(OS, "getHostTotalCpuTicks0", "()J", nothing),
    native(FLAG, "initialize", "()V", nothing),
    native(FLAG, "getAllFlagNames", "()[Ljava/lang/String;", no_strings),
    native(FLAG, "getFlags", "", nothing),
    native(FLAG, "getInternalFlagCount", "()I", nothing),
    native(
        COMMANDS,
        "getDiagnosticCommands",
        "()[Ljava/lang/String;",
        no_strings,
    ),
    native(COMMANDS, "setNotificationEnabled", "(Z)V", nothing),
];

/// The machine the beans describe.
const PROCESSORS: i32 = 2;
const MACHINE_MEMORY: i64 = 8 << 30;

fn version(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let version = c.vm.release().management_version();
    Ok(c.vm.new_string(version)?.bits())
}

fn init_support_fields(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.load_class_by_name(poldet_vm::ids::LoaderId::BOOT, VM)?;
    let supported = [
        "compTimeMonitoringSupport",
        "currentThreadCpuTimeSupport",
        "otherThreadCpuTimeSupport",
        "threadContentionMonitoringSupport",
        "objectMonitorUsageSupport",
        "synchronizerUsageSupport",
        "threadAllocatedMemorySupport",
    ];
    for name in supported {
        if let Some(field) = c.vm.find_field(class, name, "Z") {
            let (mirror, offset) = (c.vm.mirror(class), c.vm.field(field).offset);
            c.vm.heap.put_u8(mirror, offset, 1);
        }
    }
    Ok(0)
}

fn total_classes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.classes.len() as u64)
}

fn unloaded_classes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.unloaded_classes)
}

fn initialized_classes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.classes.iter().filter(|k| k.state == InitState::Done).count() as u64)
}

fn process_id(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(std::process::id() as i32))
}

fn arguments(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    crate::jdk_internal_misc::vm_support::runtime_arguments(c)
}

fn startup_time(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(c.vm.now_millis() - (c.vm.now_nanos() / 1_000_000) as i64))
}

fn uptime(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.now_nanos() / 1_000_000)
}

fn processors(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(PROCESSORS))
}

fn total_threads(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm
        .threads
        .list
        .iter()
        .filter(|t| t.object != ObjRef::NULL)
        .count() as u64)
}

fn live_threads(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm
        .threads
        .list
        .iter()
        .filter(|t| t.status != Status::Ended)
        .count() as u64)
}

fn daemon_threads(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm
        .threads
        .list
        .iter()
        .filter(|t| t.status != Status::Ended && t.daemon)
        .count() as u64)
}

fn committed(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.heap.committed())
}

fn cpu_time(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.now_nanos())
}

fn total_memory(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(MACHINE_MEMORY))
}

fn free_memory(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(MACHINE_MEMORY / 2))
}

fn open_files(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(3))
}

fn max_files(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(1 << 20))
}

fn zero_load(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(double(0.0))
}

fn no_strings(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.new_ref_array(c.vm.known.string, 0)?.bits())
}
