//! Natives of java.nio's mapped buffers, and the view of the class library image.

use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean};
use poldet_vm::natives::outside::nothing;
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::{Completion, Stop, Then};
use poldet_vm::vm::Vm;

const MAPPED: &str = "java/nio/MappedMemoryUtils";

pub const TABLE: &[Native] = &[
    native(MAPPED, "registerNatives", "()V", nothing),
    native(MAPPED, "isLoaded0", "(JJJ)Z", |_| Ok(boolean(true))),
    native(MAPPED, "load0", "(JJ)V", nothing),
    native(MAPPED, "unload0", "(JJ)V", nothing),
    native(MAPPED, "force0", "(Ljava/io/FileDescriptor;JJ)V", force),
    native(
        "jdk/internal/jimage/NativeImageBuffer",
        "getNativeMap",
        "(Ljava/lang/String;)Ljava/nio/ByteBuffer;",
        image,
    ),
];

fn force(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let result = c.vm.host.memory.sync(c.long(1) as u64, c.long(3) as u64);
    c.io(result)?;
    Ok(0)
}

/// A direct buffer over the image the VM itself has mapped; null for any other file.
fn image(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.string(0)?;
    if std::path::Path::new(&path) != c.vm.config.java_home.join("lib/modules") {
        return Ok(ObjRef::NULL.bits());
    }
    let class = c.vm.boot_class("java/nio/DirectByteBuffer")?;
    c.vm.ensure_initialized(class)?;
    let bytes = c.vm.image.bytes();
    let constructor = ["(JJ)V", "(JI)V"]
        .into_iter()
        .find_map(|d| c.vm.declared_method(class, "<init>", d));
    let (Some(constructor), Ok(len)) = (constructor, i32::try_from(bytes.len())) else {
        return Ok(ObjRef::NULL.bits());
    };
    let buffer = c.vm.new_object(class)?;
    let address = c.vm.host.memory.allow_reading(bytes);
    let args = vec![buffer.bits(), address, 0, len as u64, 0];
    let slots = usize::from(c.vm.method(constructor).arg_slots);
    let args = args.into_iter().take(slots).collect();
    Err(Stop::call(
        constructor,
        args,
        Then::Cont(constructed, vec![buffer.bits()]),
    ))
}

fn constructed(_: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => Ok(state[0]),
        Completion::Thrown(exception) => Err(Stop::Throw(exception)),
    }
}
