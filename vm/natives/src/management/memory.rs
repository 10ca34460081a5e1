//! The memory, memory pool and garbage collector beans.

use super::nothing;
use crate::{Ctx, Native, native};
use poldet_vm::ids::{LoaderId, MethodId, ObjRef};
use poldet_vm::natives::ctx::long;
use poldet_vm::stop::{Completion, Stop, Then};
use poldet_vm::vm::Vm;

const MEMORY: &str = "sun/management/MemoryImpl";
const POOL: &str = "sun/management/MemoryPoolImpl";
const COLLECTOR: &str = "sun/management/GarbageCollectorImpl";
const POOL_ARRAY: &str = "()[Ljava/lang/management/MemoryPoolMXBean;";
const MANAGER_ARRAY: &str = "()[Ljava/lang/management/MemoryManagerMXBean;";
const USAGE: &str = "()Ljava/lang/management/MemoryUsage;";
const BUILDER: &str = "com/sun/management/internal/GcInfoBuilder";

pub const TABLE: &[Native] = &[
    native(MEMORY, "getMemoryPools0", POOL_ARRAY, memory_pools),
    native(MEMORY, "getMemoryManagers0", MANAGER_ARRAY, memory_managers),
    native(
        MEMORY,
        "getMemoryUsage0",
        "(Z)Ljava/lang/management/MemoryUsage;",
        memory_usage,
    ),
    native(MEMORY, "setVerboseGC", "(Z)V", nothing),
    native(
        "sun/management/MemoryManagerImpl",
        "getMemoryPools0",
        POOL_ARRAY,
        managed_pools,
    ),
    native(POOL, "getMemoryManagers0", MANAGER_ARRAY, pool_managers),
    native(POOL, "getUsage0", USAGE, pool_usage),
    native(POOL, "getPeakUsage0", USAGE, pool_usage),
    native(POOL, "getCollectionUsage0", USAGE, collection_usage),
    native(POOL, "setUsageThreshold0", "(JJ)V", nothing),
    native(POOL, "setCollectionThreshold0", "(JJ)V", nothing),
    native(POOL, "resetPeakUsage0", "()V", nothing),
    native(POOL, "setPoolUsageSensor", "(Lsun/management/Sensor;)V", nothing),
    native(
        POOL,
        "setPoolCollectionSensor",
        "(Lsun/management/Sensor;)V",
        nothing,
    ),
    native(COLLECTOR, "getCollectionCount", "()J", collection_count),
    native(COLLECTOR, "getCollectionTime", "()J", nothing),
    native(
        "com/sun/management/internal/GarbageCollectorExtImpl",
        "setNotificationEnabled",
        "",
        nothing,
    ),
    native(BUILDER, "getNumGcExtAttributes", "", nothing),
    native(BUILDER, "fillGcAttributeInfo", "", nothing),
    native(BUILDER, "getLastGcInfo0", "", nothing),
];

const HEAP_POOL: &str = "Tenured Gen";
const OTHER_POOL: &str = "Metaspace";
const COLLECTOR_NAME: &str = "MarkSweepCompact";

/// Makes a MemoryUsage without running its constructor, whose checks these figures pass.
fn usage(vm: &mut Vm, used: u64, committed: u64, max: i64) -> Result<ObjRef, Stop> {
    const CLASS: &str = "java/lang/management/MemoryUsage";
    let class = vm.load_class_by_name(LoaderId::BOOT, CLASS)?;
    vm.ensure_initialized(class)?;
    let usage = vm.new_object(class)?;
    vm.set_long_field(usage, CLASS, "init", 0);
    vm.set_long_field(usage, CLASS, "used", used as i64);
    vm.set_long_field(usage, CLASS, "committed", committed.max(used) as i64);
    vm.set_long_field(usage, CLASS, "max", max);
    Ok(usage)
}

fn heap_usage(vm: &mut Vm) -> Result<ObjRef, Stop> {
    let (used, max) = (vm.heap.used_bytes(), vm.heap.max_bytes());
    let committed = vm.heap.committed().min(max);
    usage(vm, used, committed, max as i64)
}

/// A rough figure for what classes take; it only has to be plausible.
fn other_usage(vm: &mut Vm) -> Result<ObjRef, Stop> {
    let used = vm.classes.len() as u64 * 8192;
    usage(vm, used, used, -1)
}

fn memory_usage(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let usage = if c.bool(1) {
        heap_usage(c.vm)?
    } else {
        other_usage(c.vm)?
    };
    Ok(usage.bits())
}

fn is_heap_pool(c: &mut Ctx<'_>) -> Result<bool, Stop> {
    let pool = c.non_null(0)?;
    Ok(c.vm.load_bool_field(pool, POOL, "isHeap"))
}

fn pool_usage(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let usage = if is_heap_pool(c)? {
        heap_usage(c.vm)?
    } else {
        other_usage(c.vm)?
    };
    Ok(usage.bits())
}

fn collection_usage(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if !is_heap_pool(c)? {
        return Ok(ObjRef::NULL.bits());
    }
    let (live, max) = (c.vm.heap.live_bytes(), c.vm.heap.max_bytes());
    Ok(usage(c.vm, live, live, max as i64)?.bits())
}

fn collection_count(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(c.vm.collections as i64))
}

fn helper(vm: &mut Vm, class: &'static str, name: &str, desc: &str) -> Result<MethodId, Stop> {
    let id = vm.load_class_by_name(LoaderId::BOOT, class)?;
    vm.ensure_initialized(id)?;
    vm.declared_method(id, name, desc)
        .ok_or_else(|| Stop::unsupported(format!("{class}.{name}{desc}")))
}

fn create_pool(vm: &mut Vm, name: &str, heap: bool, state: Vec<u64>) -> Result<u64, Stop> {
    let method = helper(
        vm,
        "sun/management/ManagementFactoryHelper",
        "createMemoryPool",
        "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;",
    )?;
    let name = vm.new_string(name)?;
    let (usage_threshold, collection_threshold) = (long(0), if heap { long(0) } else { long(-1) });
    let args = vec![
        name.bits(),
        u64::from(heap),
        usage_threshold,
        0,
        collection_threshold,
        0,
    ];
    Err(Stop::call(method, args, Then::Cont(pool_created, state)))
}

/// Both pools, one after the other.
fn memory_pools(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class =
        c.vm.load_class_by_name(LoaderId::BOOT, "java/lang/management/MemoryPoolMXBean")?;
    let array = c.vm.new_ref_array(class, 2)?;
    create_pool(c.vm, HEAP_POOL, true, vec![array.bits(), 0])
}

fn pool_created(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let pool = match done {
        Completion::Value(pool) => ObjRef::from_bits(pool),
        Completion::Thrown(error) => return Err(Stop::Throw(error)),
    };
    let array = ObjRef::from_bits(state[0]);
    vm.heap.elem_put_ref(array, state[1] as u32, pool);
    if state[1] == 1 {
        return Ok(array.bits());
    }
    create_pool(vm, OTHER_POOL, false, vec![array.bits(), 1])
}

fn memory_managers(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class =
        c.vm.load_class_by_name(LoaderId::BOOT, "java/lang/management/MemoryManagerMXBean")?;
    // The extended bean is made where jdk.management is there, as HotSpot does.
    let extended = "com/sun/management/internal/GarbageCollectorExtImpl";
    let method = helper(
        c.vm,
        extended,
        "createGarbageCollector",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;",
    );
    let method = match method {
        Err(Stop::Unsupported(_) | Stop::Throw(_)) => helper(
            c.vm,
            "sun/management/ManagementFactoryHelper",
            "createGarbageCollector",
            "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;",
        )?,
        other => other?,
    };
    let array = c.vm.new_ref_array(class, 1)?;
    let name = c.vm.new_string(COLLECTOR_NAME)?;
    let args = vec![name.bits(), ObjRef::NULL.bits()];
    Err(Stop::call(
        method,
        args,
        Then::Cont(manager_created, vec![array.bits()]),
    ))
}

fn manager_created(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(manager) => {
            let array = ObjRef::from_bits(state[0]);
            vm.heap.elem_put_ref(array, 0, ObjRef::from_bits(manager));
            Ok(array.bits())
        }
        Completion::Thrown(error) => Err(Stop::Throw(error)),
    }
}

/// The one collector manages every pool.
fn managed_pools(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let method = helper(c.vm, MEMORY, "getMemoryPools", POOL_ARRAY)?;
    Err(Stop::call(method, vec![], Then::Return))
}

fn pool_managers(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let method = helper(c.vm, MEMORY, "getMemoryManagers", MANAGER_ARRAY)?;
    Err(Stop::call(method, vec![], Then::Return))
}
