//! Natives of sun.nio.ch for sockets, over the in-VM network.

use crate::java_net::{ip_of, new_inet, new_socket_address};
use crate::sun_nio_ch::{
    INTERRUPTED, SysOr, UNAVAILABLE, open_net, out_of_patience, read_at, read_scattered, settle, wait_until,
    write, write_at, write_gathered,
};
use poldet_vm::host::errno::{Errno, SysResult};
use poldet_vm::host::net::addr::{Addr, Ip};
use poldet_vm::host::net::{self, Connect};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean, int, long};
use poldet_vm::natives::outside::nothing;
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::{BlockOn, Stop};

const NET: &str = "sun/nio/ch/Net";
const SD: &str = "sun/nio/ch/SocketDispatcher";
const DC: &str = "sun/nio/ch/DatagramChannelImpl";
const DD: &str = "sun/nio/ch/DatagramDispatcher";
const UDS: &str = "sun/nio/ch/UnixDomainSockets";
const NSA: &str = "sun/nio/ch/NativeSocketAddress";
const LSO: &str = "jdk/net/LinuxSocketOptions";

pub const TABLE: &[Native] = &[
    native(NET, "initIDs", "()V", nothing),
    native(NET, "isIPv6Available0", "()Z", |_| Ok(boolean(true))),
    native(NET, "isReusePortAvailable0", "()Z", |_| Ok(boolean(true))),
    native(NET, "isExclusiveBindAvailable", "()I", |_| Ok(int(-1))),
    native(NET, "shouldShutdownWriteBeforeClose0", "()Z", |_| {
        Ok(boolean(false))
    }),
    native(NET, "shouldSetBothIPv4AndIPv6Options0", "()Z", |_| {
        Ok(boolean(true))
    }),
    native(NET, "canIPv6SocketJoinIPv4Group0", "()Z", |_| Ok(boolean(true))),
    native(NET, "canJoin6WithIPv4Group0", "()Z", |_| Ok(boolean(false))),
    native(NET, "canUseIPv6OptionsWithIPv4LocalAddress0", "()Z", |_| {
        Ok(boolean(true))
    }),
    native(NET, "pollinValue", "()S", |_| Ok(int(i32::from(libc::POLLIN)))),
    native(NET, "polloutValue", "()S", |_| Ok(int(i32::from(libc::POLLOUT)))),
    native(NET, "pollerrValue", "()S", |_| Ok(int(i32::from(libc::POLLERR)))),
    native(NET, "pollhupValue", "()S", |_| Ok(int(i32::from(libc::POLLHUP)))),
    native(NET, "pollnvalValue", "()S", |_| {
        Ok(int(i32::from(libc::POLLNVAL)))
    }),
    native(NET, "pollconnValue", "()S", |_| Ok(int(i32::from(libc::POLLOUT)))),
    native(NET, "socket0", "(ZZZZ)I", socket),
    native(
        NET,
        "bind0",
        "(Ljava/io/FileDescriptor;ZZLjava/net/InetAddress;I)V",
        bind,
    ),
    native(NET, "listen", "(Ljava/io/FileDescriptor;I)V", listen),
    native(
        NET,
        "connect0",
        "(ZLjava/io/FileDescriptor;Ljava/net/InetAddress;I)I",
        connect,
    ),
    native(
        NET,
        "accept",
        "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;[Ljava/net/InetSocketAddress;)I",
        accept,
    ),
    native(NET, "shutdown", "(Ljava/io/FileDescriptor;I)V", shutdown),
    native(NET, "localPort", "(Ljava/io/FileDescriptor;)I", local_port),
    native(
        NET,
        "localInetAddress",
        "(Ljava/io/FileDescriptor;)Ljava/net/InetAddress;",
        local_address,
    ),
    native(NET, "remotePort", "(Ljava/io/FileDescriptor;)I", remote_port),
    native(
        NET,
        "remoteInetAddress",
        "(Ljava/io/FileDescriptor;)Ljava/net/InetAddress;",
        remote_address,
    ),
    native(NET, "getIntOption0", "(Ljava/io/FileDescriptor;ZII)I", get_option),
    native(
        NET,
        "setIntOption0",
        "(Ljava/io/FileDescriptor;ZIIIZ)V",
        set_option,
    ),
    native(NET, "poll", "(Ljava/io/FileDescriptor;IJ)I", poll),
    native(NET, "pollConnect", "(Ljava/io/FileDescriptor;J)Z", poll_connect),
    native(NET, "available", "(Ljava/io/FileDescriptor;)I", available),
    native(NET, "sendOOB", "(Ljava/io/FileDescriptor;B)I", send_urgent),
    native(NET, "discardOOB", "(Ljava/io/FileDescriptor;)Z", |_| {
        Ok(boolean(false))
    }),
    native(
        NET,
        "joinOrDrop4",
        "(ZLjava/io/FileDescriptor;III)I",
        join_or_drop4,
    ),
    native(NET, "blockOrUnblock4", "(ZLjava/io/FileDescriptor;III)I", |_| {
        Ok(int(0))
    }),
    native(
        NET,
        "joinOrDrop6",
        "(ZLjava/io/FileDescriptor;[BI[B)I",
        join_or_drop6,
    ),
    native(
        NET,
        "blockOrUnblock6",
        "(ZLjava/io/FileDescriptor;[BI[B)I",
        |_| Ok(int(0)),
    ),
    native(NET, "setInterface4", "(Ljava/io/FileDescriptor;I)V", |c| {
        set_plain_option(c, libc::IPPROTO_IP, libc::IP_MULTICAST_IF)
    }),
    native(NET, "getInterface4", "(Ljava/io/FileDescriptor;)I", |c| {
        get_plain_option(c, libc::IPPROTO_IP, libc::IP_MULTICAST_IF)
    }),
    native(NET, "setInterface6", "(Ljava/io/FileDescriptor;I)V", |c| {
        set_plain_option(c, libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_IF)
    }),
    native(NET, "getInterface6", "(Ljava/io/FileDescriptor;)I", |c| {
        get_plain_option(c, libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_IF)
    }),
    native(SD, "read0", "(Ljava/io/FileDescriptor;JI)I", socket_read),
    native(SD, "readv0", "(Ljava/io/FileDescriptor;JI)J", socket_readv),
    native(SD, "write0", "(Ljava/io/FileDescriptor;JI)I", write),
    native(SD, "writev0", "(Ljava/io/FileDescriptor;JI)J", datagram_writev),
    native(DD, "read0", "(Ljava/io/FileDescriptor;JI)I", datagram_read),
    native(DD, "readv0", "(Ljava/io/FileDescriptor;JI)J", datagram_readv),
    native(DD, "write0", "(Ljava/io/FileDescriptor;JI)I", datagram_write),
    native(DD, "writev0", "(Ljava/io/FileDescriptor;JI)J", datagram_writev),
    native(
        DD,
        "dup0",
        "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;)V",
        nothing,
    ),
    native(DC, "disconnect0", "(Ljava/io/FileDescriptor;Z)V", disconnect),
    native(DC, "receive0", "(Ljava/io/FileDescriptor;JIJZ)I", receive),
    native(DC, "send0", "(Ljava/io/FileDescriptor;JIJI)I", send),
    native(
        "sun/nio/ch/UnixAsynchronousSocketChannelImpl",
        "checkConnect",
        "(I)V",
        check_connect,
    ),
    native(UDS, "init", "()Z", |_| Ok(boolean(true))),
    native(UDS, "socket0", "()I", unix_socket),
    native(UDS, "bind0", "(Ljava/io/FileDescriptor;[B)V", unix_bind),
    native(UDS, "connect0", "(Ljava/io/FileDescriptor;[B)I", unix_connect),
    native(
        UDS,
        "accept0",
        "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;[Ljava/lang/Object;)I",
        unix_accept,
    ),
    native(UDS, "localAddress0", "(Ljava/io/FileDescriptor;)[B", unix_local),
    native(NSA, "AFINET", "()I", |_| Ok(int(libc::AF_INET))),
    native(NSA, "AFINET6", "()I", |_| Ok(int(libc::AF_INET6))),
    native(NSA, "sizeofSockAddr4", "()I", |_| Ok(int(16))),
    native(NSA, "sizeofSockAddr6", "()I", |_| Ok(int(28))),
    native(NSA, "sizeofFamily", "()I", |_| Ok(int(2))),
    native(NSA, "offsetFamily", "()I", |_| Ok(int(0))),
    native(NSA, "offsetSin4Port", "()I", |_| Ok(int(2))),
    native(NSA, "offsetSin4Addr", "()I", |_| Ok(int(4))),
    native(NSA, "offsetSin6Port", "()I", |_| Ok(int(2))),
    native(NSA, "offsetSin6FlowInfo", "()I", |_| Ok(int(4))),
    native(NSA, "offsetSin6Addr", "()I", |_| Ok(int(8))),
    native(NSA, "offsetSin6ScopeId", "()I", |_| Ok(int(24))),
    native(LSO, "keepAliveOptionsSupported0", "()Z", |_| Ok(boolean(true))),
    native(LSO, "quickAckSupported0", "()Z", |_| Ok(boolean(true))),
    native(LSO, "incomingNapiIdSupported0", "()Z", |_| Ok(boolean(true))),
    native(LSO, "getIncomingNapiId0", "(I)I", |_| Ok(int(0))),
    native(LSO, "getSoPeerCred0", "(I)J", peer_credentials),
    native(LSO, "setIpDontFragment0", "(IZZ)V", |c| {
        set_tcp(c, -libc::IP_MTU_DISCOVER)
    }),
    native(LSO, "getIpDontFragment0", "(IZ)Z", |c| {
        get_tcp(c, -libc::IP_MTU_DISCOVER, 0)
    }),
    native(LSO, "setTcpKeepAliveProbes0", "(II)V", |c| {
        set_tcp(c, libc::TCP_KEEPCNT)
    }),
    native(LSO, "getTcpKeepAliveProbes0", "(I)I", |c| {
        get_tcp(c, libc::TCP_KEEPCNT, 9)
    }),
    native(LSO, "setTcpKeepAliveTime0", "(II)V", |c| {
        set_tcp(c, libc::TCP_KEEPIDLE)
    }),
    native(LSO, "getTcpKeepAliveTime0", "(I)I", |c| {
        get_tcp(c, libc::TCP_KEEPIDLE, 7200)
    }),
    native(LSO, "setTcpKeepAliveIntvl0", "(II)V", |c| {
        set_tcp(c, libc::TCP_KEEPINTVL)
    }),
    native(LSO, "getTcpKeepAliveIntvl0", "(I)I", |c| {
        get_tcp(c, libc::TCP_KEEPINTVL, 75)
    }),
    native(LSO, "setQuickAck0", "(IZ)V", |c| set_tcp(c, libc::TCP_QUICKACK)),
    native(LSO, "getQuickAck0", "(I)Z", |c| get_tcp(c, libc::TCP_QUICKACK, 1)),
];

/// The exception HotSpot chooses for a failed socket call.
fn socket_error(c: &mut Ctx<'_>, error: Errno) -> Stop {
    let class = match error.0 {
        libc::EPROTO => "java/net/ProtocolException",
        libc::ECONNREFUSED | libc::ETIMEDOUT | libc::ENOTCONN => "java/net/ConnectException",
        libc::EHOSTUNREACH => "java/net/NoRouteToHostException",
        libc::EADDRINUSE | libc::EADDRNOTAVAIL | libc::EACCES => "java/net/BindException",
        _ => "java/net/SocketException",
    };
    // Whatever the thread waited for is over.
    let thread = c.thread().0;
    c.vm.host.net.end_wait(thread);
    c.vm.throw(class, Some(&error.text()))
}

fn checked<T>(c: &mut Ctx<'_>, result: SysResult<T>) -> Result<T, Stop> {
    c.wake_waiters();
    result.map_err(|e| socket_error(c, e))
}

/// The in-VM socket of a FileDescriptor argument.
fn socket_of(c: &mut Ctx<'_>, slot: usize) -> Result<u32, Stop> {
    let fd = c.fd(slot);
    c.net_id(fd)
        .ok_or_else(|| socket_error(c, if fd < 0 { Errno::BADF } else { Errno::NOTSOCK }))
}

// Addresses.

fn socket(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (prefer_v6, stream, reuse) = (c.bool(0), c.bool(1), c.bool(2));
    c.vm.host.uses.network += 1;
    let id = c.vm.host.net.socket(stream, prefer_v6);
    if reuse {
        let result =
            c.vm.host
                .net
                .set_option(id, libc::SOL_SOCKET, libc::SO_REUSEADDR, 1);
        checked(c, result)?;
    }
    Ok(int(open_net(c, id)?))
}

/// The wildcard as the socket's own family writes it.
fn fitting(c: &Ctx<'_>, id: u32, ip: Ip) -> Ip {
    if ip.is_any() && c.vm.host.net.is_v6(id) {
        Ip::ANY6
    } else {
        ip
    }
}

fn bind(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let address = c.non_null(3)?;
    let ip = ip_of(c, address)?;
    let ip = fitting(c, id, ip);
    let port = c.int(4) as u16;
    let result = c.vm.host.net.bind(id, Addr::inet(ip, port));
    checked(c, result)?;
    Ok(0)
}

fn listen(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let result = c.vm.host.net.listen(id, c.int(1));
    checked(c, result)?;
    Ok(0)
}

fn connect(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 1)?;
    let address = c.non_null(2)?;
    let to = Addr::inet(ip_of(c, address)?, c.int(3) as u16);
    connect_to(c, id, to)
}

fn connect_to(c: &mut Ctx<'_>, id: u32, to: Addr) -> Result<u64, Stop> {
    if c.vm.host.net.is_closing(id) {
        return Ok(int(INTERRUPTED as i32));
    }
    if !c.vm.host.net.is_stream(id) {
        let result = c.vm.host.net.connect_datagram(id, to);
        checked(c, result)?;
        return Ok(int(1));
    }
    let result = c.vm.host.net.connect(id, to);
    c.wake_waiters();
    match result {
        Ok(Connect::Done) => Ok(int(1)),
        Ok(Connect::Wait) => Err(c.wait_for(id)),
        Ok(Connect::Unanswered) => Err(unanswered(c, id)),
        Err(Errno::INPROGRESS) => Ok(int(UNAVAILABLE as i32)),
        Err(error) => Err(socket_error(c, error)),
    }
}

/// Waits for an answer that does not come, as long as the kernel does: some two minutes.
fn unanswered(c: &mut Ctx<'_>, id: u32) -> Stop {
    const PATIENCE: u64 = 127_000_000_000;
    let (now, thread) = (c.vm.now_nanos(), c.thread().0);
    let until = c.vm.host.net.deadline(thread, now + PATIENCE);
    if now >= until {
        return socket_error(c, Errno(libc::ETIMEDOUT));
    }
    Stop::Block(BlockOn::Channel {
        id: net::channel(id),
        until: Some(until),
    })
}

/// Takes a listener's next connection once everything that can fail has been done by `announce`.
fn accept_with(
    c: &mut Ctx<'_>,
    announce: impl FnOnce(&mut Ctx<'_>, &Addr) -> Result<(), Stop>,
) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    if c.vm.host.net.is_closing(id) {
        return Ok(int(INTERRUPTED as i32));
    }
    let caller = match c.vm.host.net.next_caller(id) {
        Ok(caller) => caller,
        Err(Errno::AGAIN) if c.vm.host.net.is_nonblocking(id) => return Ok(int(UNAVAILABLE as i32)),
        Err(Errno::AGAIN) => return Err(c.wait_for(id)),
        Err(error) => return Err(socket_error(c, error)),
    };
    announce(c, &caller)?;
    let result = c.vm.host.net.accept(id);
    let accepted = checked(c, result)?;
    let fd = open_net(c, accepted)?;
    let descriptor = c.obj(1);
    c.set_fd(descriptor, fd);
    Ok(int(1))
}

fn accept(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.obj(2);
    accept_with(c, |c, caller| {
        let address = new_socket_address(c, caller)?;
        c.vm.heap.elem_put_ref(array, 0, address);
        Ok(())
    })
}

fn shutdown(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let how = c.int(1);
    let result = c.vm.host.net.shutdown(id, how != 1, how != 0);
    match result {
        Err(Errno::NOTCONN) => {}
        other => checked(c, other)?,
    }
    Ok(0)
}

/// The address of a socket; the wildcard with port 0 when it has none.
fn local(c: &mut Ctx<'_>) -> Result<Addr, Stop> {
    let id = socket_of(c, 0)?;
    let none = Addr::inet(fitting(c, id, Ip::ANY4), 0);
    let result = c.vm.host.net.local(id).map(|a| a.cloned().unwrap_or(none));
    checked(c, result)
}

fn remote(c: &mut Ctx<'_>) -> Result<Addr, Stop> {
    let id = socket_of(c, 0)?;
    let result = c.vm.host.net.remote(id).cloned();
    checked(c, result)
}

fn local_port(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(i32::from(local(c)?.port())))
}

fn local_address(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let ip = local(c)?.ip();
    Ok(new_inet(c, ip, None)?.bits())
}

fn remote_port(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(i32::from(remote(c)?.port())))
}

fn remote_address(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let ip = remote(c)?.ip();
    Ok(new_inet(c, ip, None)?.bits())
}

// Options.

/// What a fresh Linux socket says of an option.
fn default_option(stream: bool, level: i32, name: i32) -> i32 {
    match (level, name) {
        (libc::SOL_SOCKET, libc::SO_RCVBUF) => {
            if stream {
                65536
            } else {
                106_496
            }
        }
        (libc::SOL_SOCKET, libc::SO_SNDBUF) => {
            if stream {
                8192
            } else {
                106_496
            }
        }
        (libc::SOL_SOCKET, libc::SO_LINGER) => -1,
        (libc::IPPROTO_IP, libc::IP_MULTICAST_TTL) | (libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_HOPS) => 1,
        (libc::IPPROTO_IP, libc::IP_MULTICAST_LOOP) | (libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_LOOP) => 1,
        _ => 0,
    }
}

fn get_option(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let (level, name) = (c.int(2), c.int(3));
    let result = c.vm.host.net.option(id, level, name);
    let stream = c.vm.host.net.is_stream(id);
    Ok(int(
        checked(c, result)?.unwrap_or_else(|| default_option(stream, level, name))
    ))
}

fn set_option(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let (level, name, value) = (c.int(2), c.int(3), c.int(4));
    let value = match (level, name) {
        (libc::SOL_SOCKET, libc::SO_LINGER) if value < 0 => -1,
        // The kernel's limits: net.core.rmem_max and wmem_max, and half its least sizes.
        (libc::SOL_SOCKET, libc::SO_RCVBUF) => value.clamp(1152, 212_992),
        (libc::SOL_SOCKET, libc::SO_SNDBUF) => value.clamp(2304, 212_992),
        _ => value,
    };
    let result = c.vm.host.net.set_option(id, level, name, value);
    checked(c, result)?;
    Ok(0)
}

fn set_plain_option(c: &mut Ctx<'_>, level: i32, name: i32) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let result = c.vm.host.net.set_option(id, level, name, c.int(1));
    checked(c, result)?;
    Ok(0)
}

fn get_plain_option(c: &mut Ctx<'_>, level: i32, name: i32) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let result = c.vm.host.net.option(id, level, name);
    Ok(int(checked(c, result)?.unwrap_or(0)))
}

fn set_tcp(c: &mut Ctx<'_>, name: i32) -> Result<u64, Stop> {
    let id = c.net_id(c.int(0)).ok_or_else(|| socket_error(c, Errno::BADF))?;
    let result = c.vm.host.net.set_option(id, libc::IPPROTO_TCP, name, c.int(1));
    checked(c, result)?;
    Ok(0)
}

fn get_tcp(c: &mut Ctx<'_>, name: i32, otherwise: i32) -> Result<u64, Stop> {
    let id = c.net_id(c.int(0)).ok_or_else(|| socket_error(c, Errno::BADF))?;
    let result = c.vm.host.net.option(id, libc::IPPROTO_TCP, name);
    Ok(int(checked(c, result)?.unwrap_or(otherwise)))
}

/// Both ends belong to this process: its user and group.
fn peer_credentials(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.net_id(c.int(0)).ok_or_else(|| socket_error(c, Errno::BADF))?;
    let (uid, gid) = (c.vm.host.env.uid, c.vm.host.env.gid);
    Ok(u64::from(uid) << 32 | u64::from(gid))
}

// Readiness.

fn poll(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(0);
    let (events, timeout) = (c.int(1) as u32, c.long(2));
    let Some(id) = c.net_id(fd) else {
        return Err(socket_error(c, Errno::BADF));
    };
    let ready = c.vm.host.net.ready(id) & (events | net::ERR | net::HUP);
    if ready == 0 && !out_of_patience(c, timeout) {
        return Err(wait_until(c, net::channel(id), timeout));
    }
    let thread = c.thread().0;
    c.vm.host.net.end_wait(thread);
    Ok(int(ready as i32))
}

fn poll_connect(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let timeout = c.long(1);
    let outcome = c.vm.host.net.finish_connect(id);
    let closing = c.vm.host.net.is_closing(id);
    if outcome == Err(Errno::AGAIN) && !closing && !out_of_patience(c, timeout) {
        return Err(wait_until(c, net::channel(id), timeout));
    }
    let thread = c.thread().0;
    c.vm.host.net.end_wait(thread);
    match outcome {
        Ok(()) => {
            c.wake_waiters();
            Ok(boolean(true))
        }
        Err(Errno::AGAIN) => Ok(boolean(false)),
        Err(error) => Err(socket_error(c, error)),
    }
}

fn check_connect(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = c.net_id(c.int(0)).ok_or_else(|| socket_error(c, Errno::BADF))?;
    match c.vm.host.net.finish_connect(id) {
        Ok(()) | Err(Errno::AGAIN) => Ok(0),
        Err(error) => Err(socket_error(c, error)),
    }
}

fn available(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let result = c.vm.host.net.available(id);
    Ok(int(checked(c, result)? as i32))
}

/// Urgent data joins the stream if the receiver wants it inline; otherwise it is lost, as nobody can ask for it.
fn send_urgent(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let result = c.vm.host.net.write_urgent(id, c.int(1) as u8);
    checked(c, result)?;
    Ok(int(1))
}

// Streams.

/// A reset connection has an exception of its own when reading.
fn reset_aware(c: &mut Ctx<'_>, fd: i32, result: Result<i64, SysOr>) -> Result<i64, Stop> {
    if let Err(SysOr::Sys(Errno::CONNRESET | Errno::PIPE)) = result {
        return Err(c
            .vm
            .throw("sun/net/ConnectionResetException", Some("Connection reset")));
    }
    settle(c, fd, result)
}

fn socket_read(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.fd(0), c.long(1), c.int(3));
    let result = read_at(c, fd, address, len, None);
    Ok(int(reset_aware(c, fd, result)? as i32))
}

fn socket_readv(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, count) = (c.fd(0), c.long(1), c.int(3));
    let result = read_scattered(c, fd, address, count);
    Ok(long(reset_aware(c, fd, result)?))
}

// Datagrams.

/// A refused datagram has an exception of its own.
fn refusal_aware(c: &mut Ctx<'_>, fd: i32, result: Result<i64, SysOr>) -> Result<i64, Stop> {
    match result {
        Err(SysOr::Sys(Errno::CONNREFUSED)) => Err(c.vm.throw("java/net/PortUnreachableException", None)),
        // An empty packet is not the end.
        Ok(super::sun_nio_ch::EOF) => Ok(0),
        Err(SysOr::Sys(Errno::AGAIN)) | Err(SysOr::Stop(_)) | Ok(_) => settle(c, fd, result),
        Err(SysOr::Sys(error)) => Err(socket_error(c, error)),
    }
}

fn datagram_read(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.fd(0), c.long(1), c.int(3));
    let result = read_at(c, fd, address, len, None);
    Ok(int(refusal_aware(c, fd, result)? as i32))
}

fn datagram_readv(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, count) = (c.fd(0), c.long(1), c.int(3));
    let result = read_scattered(c, fd, address, count);
    Ok(long(refusal_aware(c, fd, result)?))
}

fn datagram_write(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.fd(0), c.long(1), c.int(3));
    let result = write_at(c, fd, address, len, None);
    Ok(int(refusal_aware(c, fd, result)? as i32))
}

fn datagram_writev(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, count) = (c.fd(0), c.long(1), c.int(3));
    let result = write_gathered(c, fd, address, count);
    Ok(long(refusal_aware(c, fd, result)?))
}

fn disconnect(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let result = c.vm.host.net.disconnect(id);
    checked(c, result)?;
    Ok(0)
}

fn receive(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.fd(0), c.long(1), c.int(3));
    let (sender, connected) = (c.long(4), c.bool(6));
    let id = socket_of(c, 0)?;
    if c.vm.host.net.is_closing(id) {
        return Ok(int(INTERRUPTED as i32));
    }
    let mut buffer = vec![0; len.max(0) as usize];
    let received = match c.vm.host.net.receive(id, &mut buffer) {
        // Only a connected socket hears of unreachable ports.
        Err(Errno::CONNREFUSED) if !connected => c.vm.host.net.receive(id, &mut buffer),
        other => other,
    };
    match received {
        Ok((n, from)) => {
            c.native_bytes_mut(address, n as i64)?
                .copy_from_slice(&buffer[..n]);
            let encoded = encode(&from, c.vm.host.net.is_v6(id));
            c.native_bytes_mut(sender, encoded.len() as i64)?
                .copy_from_slice(&encoded);
            Ok(int(n as i32))
        }
        Err(error) => Ok(int(refusal_aware(c, fd, Err(SysOr::Sys(error)))? as i32)),
    }
}

fn send(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.fd(0), c.long(1), c.int(3));
    let (target, target_len) = (c.long(4), c.int(6));
    let id = socket_of(c, 0)?;
    let to = decode(c.native_bytes(target, i64::from(target_len))?);
    let bytes = c.native_bytes(address, i64::from(len))?.to_vec();
    let result = c.vm.host.net.send(id, &bytes, to);
    c.wake_waiters();
    let result = result.map(|n| n as i64).map_err(SysOr::Sys);
    Ok(int(refusal_aware(c, fd, result)? as i32))
}

/// An address as a sockaddr structure.
fn encode(addr: &Addr, v6: bool) -> Vec<u8> {
    let port = addr.port().to_be_bytes();
    match addr.ip() {
        Ip::V4(ip) if !v6 => {
            let mut out = vec![0; 16];
            out[..2].copy_from_slice(&(libc::AF_INET as u16).to_ne_bytes());
            out[2..4].copy_from_slice(&port);
            out[4..8].copy_from_slice(&ip);
            out
        }
        ip => {
            let mut out = vec![0; 28];
            out[..2].copy_from_slice(&(libc::AF_INET6 as u16).to_ne_bytes());
            out[2..4].copy_from_slice(&port);
            out[8..24].copy_from_slice(&ip.as_v6());
            out
        }
    }
}

fn decode(bytes: &[u8]) -> Option<Addr> {
    let family = i32::from(u16::from_ne_bytes(bytes.get(..2)?.try_into().ok()?));
    let port = u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?);
    let ip = match family {
        libc::AF_INET => Ip::V4(bytes.get(4..8)?.try_into().ok()?),
        _ => Ip::from_v6(bytes.get(8..24)?.try_into().ok()?),
    };
    Some(Addr::inet(ip, port))
}

fn join_or_drop4(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 1)?;
    let group = Ip::V4((c.int(2) as u32).to_be_bytes());
    let result = c.vm.host.net.set_member(id, group, c.bool(0));
    checked(c, result)?;
    Ok(int(0))
}

fn join_or_drop6(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 1)?;
    let bytes = c.non_null(2)?;
    let group = Ip::from_v6(c.vm.heap.load_bytes(bytes).try_into().unwrap_or_default());
    let result = c.vm.host.net.set_member(id, group, c.bool(0));
    checked(c, result)?;
    Ok(int(0))
}

// Unix domain sockets.

fn unix_path(c: &mut Ctx<'_>, slot: usize) -> Vec<u8> {
    let array = c.obj(slot);
    if array.is_null() {
        Vec::new()
    } else {
        c.vm.heap.load_bytes(array).to_vec()
    }
}

fn unix_socket(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = c.vm.host.net.socket(true, false);
    Ok(int(open_net(c, id)?))
}

fn unix_bind(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let path = unix_path(c, 1);
    // The name is a file of its own that stays when the socket goes.
    let made = match c.vm.host.fs().mknod(&path, libc::S_IFSOCK | 0o755, 0) {
        Err(Errno::EXIST) => Err(Errno::ADDRINUSE),
        other => other,
    };
    checked(c, made)?;
    let result = c.vm.host.net.bind(id, Addr::Unix(path));
    checked(c, result)?;
    Ok(0)
}

fn unix_connect(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = socket_of(c, 0)?;
    let path = unix_path(c, 1);
    let found = c.vm.host.fs().stat(&path);
    checked(c, found)?;
    connect_to(c, id, Addr::Unix(path))
}

fn unix_accept(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.obj(2);
    accept_with(c, |c, caller| {
        let path = match caller {
            Addr::Unix(path) => path.clone(),
            Addr::Inet { .. } => Vec::new(),
        };
        let bytes = c.vm.new_bytes(&path)?;
        c.vm.heap.elem_put_ref(array, 0, bytes);
        Ok(())
    })
}

fn unix_local(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let bytes: ObjRef = match local(c)? {
        Addr::Unix(path) => c.vm.new_bytes(&path)?,
        Addr::Inet { .. } => c.vm.new_bytes(&[])?,
    };
    Ok(bytes.bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn socket_addresses_survive_encoding() {
        for (ip, v6) in [
            (Ip::LOOPBACK4, false),
            (Ip::LOOPBACK4, true),
            (Ip::LOOPBACK6, true),
        ] {
            let addr = Addr::inet(ip, 4711);
            assert_eq!(decode(&encode(&addr, v6)), Some(addr));
        }
        assert_eq!(decode(&[]), None);
    }
}
