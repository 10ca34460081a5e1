//! Natives of sun.nio.fs.LinuxWatchService.

use crate::sun_nio_ch::open_net;
use crate::sun_nio_fs::{unix, unix_error};
use poldet_vm::host::errno::Errno;
use poldet_vm::host::fs::Handle;
use poldet_vm::host::net;
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::{BlockOn, Stop};

const LWS: &str = "sun/nio/fs/LinuxWatchService";
/// How long a watching thread waits (in virtual time) between two polls for events.
const PATIENCE: u64 = 2_000_000;

pub const TABLE: &[Native] = &[
    native(LWS, "eventSize", "()I", |_| Ok(int(16))),
    native(LWS, "eventOffsets", "()[I", event_offsets),
    native(LWS, "inotifyInit", "()I", init),
    native(LWS, "inotifyAddWatch", "(IJI)I", add_watch),
    native(LWS, "inotifyRmWatch", "(II)V", remove_watch),
    native(LWS, "configureBlocking", "(IZ)V", configure_blocking),
    native(LWS, "socketpair", "([I)V", socket_pair),
    native(LWS, "poll", "(II)I", poll),
];

fn event_offsets(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array =
        c.vm.new_prim_array(poldet_vm::classfile::descriptor::Prim::Int, 5)?;
    c.vm.heap.ints_mut(array).copy_from_slice(&[0, 4, 8, 12, 16]);
    Ok(array.bits())
}

/// An instance is the reading end of a pipe; events are written to the other.
fn init(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (read, _) = c.vm.host.net.pipe();
    Ok(int(open_net(c, read)?))
}

fn instance(c: &mut Ctx<'_>, fd: i32) -> Result<u32, Stop> {
    c.net_id(fd).ok_or_else(|| unix_error(c, Errno::BADF))
}

fn add_watch(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(1))?;
    let (id, mask) = (instance(c, c.int(0))?, c.int(3) as u32);
    let result = c.vm.host.fs().watch(id, &path, mask);
    Ok(int(unix(c, result)?))
}

fn remove_watch(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (id, number) = (instance(c, c.int(0))?, c.int(1));
    if !c.vm.host.fs().watches.remove(id, number) {
        return Err(unix_error(c, Errno::INVAL));
    }
    Ok(0)
}

fn configure_blocking(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (id, blocking) = (instance(c, c.int(0))?, c.bool(1));
    let result = c.vm.host.net.set_nonblocking(id, !blocking);
    unix(c, result)?;
    Ok(0)
}

fn socket_pair(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.non_null(0)?;
    let (read, write) = c.vm.host.net.pipe();
    let (read, write) = (open_net(c, read)?, open_net(c, write)?);
    c.vm.heap.ints_mut(array)[..2].copy_from_slice(&[read, write]);
    Ok(0)
}

/// Waits for events or for the service's own wake-up.
fn poll(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.deliver_watch_events();
    c.wake_waiters();
    let mut ready = 0;
    for fd in [c.int(0), c.int(1)] {
        let Ok(Handle::Net(id)) = c.vm.host.fs.handle(fd) else {
            return Err(unix_error(c, Errno::BADF));
        };
        ready += i32::from(c.vm.host.net.ready(*id) & (net::IN | net::HUP | net::ERR) != 0);
    }
    if ready > 0 {
        return Ok(int(ready));
    }
    // Changes are noted without waking anybody: look again by and by, as long as anything is watched.
    let watching = !c.vm.host.fs.watches.is_empty();
    let until = watching.then(|| c.vm.now_nanos() + PATIENCE);
    Err(Stop::Block(BlockOn::Channel {
        id: net::ANY_CHANNEL,
        until,
    }))
}
