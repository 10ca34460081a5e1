//! Natives of java.nio's mapped buffers, of preferences, and the view of the class library image.

use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::natives::outside::nothing;
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::{Completion, Stop, Then};
use poldet_vm::vm::Vm;

const MAPPED: &str = "java/nio/MappedMemoryUtils";
const PREFS: &str = "java/util/prefs/FileSystemPreferences";

pub const TABLE: &[Native] = &[
    native(MAPPED, "registerNatives", "()V", nothing),
    native(MAPPED, "isLoaded0", "(JJJ)Z", |_| Ok(boolean(true))),
    native(MAPPED, "load0", "(JJ)V", nothing),
    native(MAPPED, "unload0", "(JJ)V", nothing),
    native(MAPPED, "force0", "(Ljava/io/FileDescriptor;JJ)V", force),
    native(PREFS, "lockFile0", "(Ljava/lang/String;IZ)[I", lock_file),
    native(PREFS, "unlockFile0", "(I)I", unlock_file),
    native(PREFS, "chmod", "(Ljava/lang/String;I)I", chmod),
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

/// The lock's descriptor and an error number. Nobody else shares our preferences, so opening is all there is to it.
fn lock_file(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (path, mode, shared) = (c.path(0)?, c.int(1), c.bool(2));
    let array =
        c.vm.new_prim_array(poldet_vm::classfile::descriptor::Prim::Int, 2)?;
    let flags = if shared {
        libc::O_RDONLY | libc::O_CREAT
    } else {
        libc::O_RDWR | libc::O_CREAT
    };
    let (fd, error) = match c.vm.host.fs().open(&path, flags, mode as u32) {
        Ok(fd) => (fd, 0),
        Err(error) => (0, error.0),
    };
    c.vm.heap.ints_mut(array).copy_from_slice(&[fd, error]);
    Ok(array.bits())
}

fn unlock_file(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(c.close_fd(c.int(0)).map_or_else(|e| e.0, |()| 0)))
}

fn chmod(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (path, mode) = (c.path(0)?, c.int(1));
    Ok(int(c
        .vm
        .host
        .fs()
        .chmod(&path, mode as u32)
        .map_or_else(|e| e.0, |()| 0)))
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
