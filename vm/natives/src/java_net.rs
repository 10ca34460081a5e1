//! Natives of java.net: addresses, names and the one network interface there is, `lo`.

use poldet_vm::host::net::addr::{Addr, Ip};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::natives::outside::nothing;
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::Stop;

const INET: &str = "java/net/InetAddress";
const INET4: &str = "java/net/Inet4Address";
const INET6: &str = "java/net/Inet6Address";
const HOLDER: &str = "java/net/InetAddress$InetAddressHolder";
const HOLDER6: &str = "java/net/Inet6Address$Inet6AddressHolder";
const SOCKET_ADDRESS: &str = "java/net/InetSocketAddress";
const SOCKET_HOLDER: &str = "java/net/InetSocketAddress$InetSocketAddressHolder";
const IMPL4: &str = "java/net/Inet4AddressImpl";
const IMPL6: &str = "java/net/Inet6AddressImpl";
const NI: &str = "java/net/NetworkInterface";
const BINDING: &str = "java/net/InterfaceAddress";

pub const TABLE: &[Native] = &[
    native(INET, "init", "()V", nothing),
    native(INET, "isIPv4Available", "()Z", |_| Ok(boolean(true))),
    native(INET, "isIPv6Supported", "()Z", |_| Ok(boolean(true))),
    native(INET4, "init", "()V", nothing),
    native(INET6, "init", "()V", nothing),
    native(
        "java/net/InetAddressImplFactory",
        "isIPv6Supported",
        "()Z",
        |_| Ok(boolean(true)),
    ),
    native(IMPL4, "getLocalHostName", "()Ljava/lang/String;", local_host_name),
    native(
        IMPL4,
        "lookupAllHostAddr",
        "(Ljava/lang/String;)[Ljava/net/InetAddress;",
        lookup,
    ),
    native(IMPL4, "getHostByAddr", "([B)Ljava/lang/String;", host_by_address),
    native(IMPL4, "isReachable0", "([BI[BI)Z", is_reachable),
    native(IMPL6, "getLocalHostName", "()Ljava/lang/String;", local_host_name),
    native(
        IMPL6,
        "lookupAllHostAddr",
        "(Ljava/lang/String;)[Ljava/net/InetAddress;",
        lookup,
    ),
    native(
        IMPL6,
        "lookupAllHostAddr",
        "(Ljava/lang/String;I)[Ljava/net/InetAddress;",
        lookup,
    ),
    native(IMPL6, "getHostByAddr", "([B)Ljava/lang/String;", host_by_address),
    native(IMPL6, "isReachable0", "([BII[BII)Z", is_reachable),
    native(NI, "init", "()V", nothing),
    native(NI, "getAll", "()[Ljava/net/NetworkInterface;", all_interfaces),
    native(
        NI,
        "getByName0",
        "(Ljava/lang/String;)Ljava/net/NetworkInterface;",
        interface_by_name,
    ),
    native(
        NI,
        "getByIndex0",
        "(I)Ljava/net/NetworkInterface;",
        interface_by_index,
    ),
    native(
        NI,
        "getByInetAddress0",
        "(Ljava/net/InetAddress;)Ljava/net/NetworkInterface;",
        interface_by_address,
    ),
    native(NI, "boundInetAddress0", "(Ljava/net/InetAddress;)Z", is_bound),
    native(NI, "isUp0", "(Ljava/lang/String;I)Z", |_| Ok(boolean(true))),
    native(NI, "isLoopback0", "(Ljava/lang/String;I)Z", |_| Ok(boolean(true))),
    native(NI, "supportsMulticast0", "(Ljava/lang/String;I)Z", |_| {
        Ok(boolean(false))
    }),
    native(NI, "isP2P0", "(Ljava/lang/String;I)Z", |_| Ok(boolean(false))),
    native(NI, "getMacAddr0", "([BLjava/lang/String;I)[B", nothing),
    native(NI, "getMTU0", "(Ljava/lang/String;I)I", |_| Ok(int(65536))),
    native("java/net/DatagramPacket", "init", "()V", nothing),
    native("java/net/SocketInputStream", "init", "()V", nothing),
    native("java/net/SocketOutputStream", "init", "()V", nothing),
    native("java/net/PlainSocketImpl", "initProto", "()V", nothing),
    native("java/net/PlainDatagramSocketImpl", "init", "()V", nothing),
    native(
        "java/net/AbstractPlainSocketImpl",
        "isReusePortAvailable0",
        "()Z",
        |_| Ok(boolean(true)),
    ),
    native(
        "java/net/AbstractPlainDatagramSocketImpl",
        "isReusePortAvailable0",
        "()Z",
        |_| Ok(boolean(true)),
    ),
    native("java/net/SocketCleanable", "cleanupClose0", "(I)V", cleanup_close),
    native("sun/net/spi/DefaultProxySelector", "init", "()Z", |_| {
        Ok(boolean(false))
    }),
    native(
        "sun/net/spi/DefaultProxySelector",
        "getSystemProxies",
        "",
        nothing,
    ),
    native("sun/net/PortConfig", "getLower0", "()I", |_| Ok(int(32768))),
    native("sun/net/PortConfig", "getUpper0", "()I", |_| Ok(int(60999))),
    native(
        "sun/net/dns/ResolverConfigurationImpl",
        "localDomain0",
        "()Ljava/lang/String;",
        nothing,
    ),
    native(
        "sun/net/dns/ResolverConfigurationImpl",
        "fallbackDomain0",
        "()Ljava/lang/String;",
        nothing,
    ),
];

fn cleanup_close(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let result = c.close_fd(c.int(0));
    c.io(result)?;
    Ok(0)
}

// Address objects.

/// The address in a java.net.InetAddress.
pub fn ip_of(c: &mut Ctx<'_>, address: ObjRef) -> Result<Ip, Stop> {
    let v6 = c.vm.boot_class(INET6)?;
    if c.vm.instance_of(address, v6) {
        c.vm.boot_class(HOLDER6)?;
        let holder = c.vm.load_ref_field(address, INET6, "holder6");
        let bytes = c.vm.load_ref_field(holder, HOLDER6, "ipaddress");
        return Ok(Ip::from_v6(
            c.vm.heap.load_bytes(bytes).try_into().unwrap_or_default(),
        ));
    }
    c.vm.boot_class(HOLDER)?;
    let holder = c.vm.load_ref_field(address, INET, "holder");
    Ok(Ip::V4(
        (c.vm.load_int_field(holder, HOLDER, "address") as u32).to_be_bytes(),
    ))
}

/// A java.net.InetAddress, with the name it was looked up by if there is one.
pub fn new_inet(c: &mut Ctx<'_>, ip: Ip, name: Option<&str>) -> Result<ObjRef, Stop> {
    let class =
        c.vm.boot_class(if matches!(ip, Ip::V4(_)) { INET4 } else { INET6 })?;
    c.vm.ensure_initialized(class)?;
    let holder_class = c.vm.boot_class(HOLDER)?;
    c.vm.ensure_initialized(holder_class)?;
    let holder = c.vm.new_object(holder_class)?;
    if let Some(name) = name {
        let name = c.vm.new_string(name)?;
        c.vm.set_ref_field(holder, HOLDER, "hostName", name);
        c.vm.set_ref_field(holder, HOLDER, "originalHostName", name);
    }
    let address = c.vm.new_object(class)?;
    c.vm.set_ref_field(address, INET, "holder", holder);
    match ip {
        Ip::V4(bytes) => {
            c.vm.set_int_field(holder, HOLDER, "family", 1);
            c.vm.set_int_field(holder, HOLDER, "address", i32::from_be_bytes(bytes));
        }
        Ip::V6(bytes) => {
            c.vm.set_int_field(holder, HOLDER, "family", 2);
            let holder6_class = c.vm.boot_class(HOLDER6)?;
            c.vm.ensure_initialized(holder6_class)?;
            let holder6 = c.vm.new_object(holder6_class)?;
            let array = c.vm.new_bytes(&bytes)?;
            c.vm.set_ref_field(holder6, HOLDER6, "ipaddress", array);
            c.vm.set_ref_field(address, INET6, "holder6", holder6);
        }
    }
    Ok(address)
}

/// A java.net.InetSocketAddress.
pub fn new_socket_address(c: &mut Ctx<'_>, addr: &Addr) -> Result<ObjRef, Stop> {
    let class = c.vm.boot_class(SOCKET_ADDRESS)?;
    c.vm.ensure_initialized(class)?;
    let holder_class = c.vm.boot_class(SOCKET_HOLDER)?;
    c.vm.ensure_initialized(holder_class)?;
    let inet = new_inet(c, addr.ip(), None)?;
    let holder = c.vm.new_object(holder_class)?;
    c.vm.set_ref_field(holder, SOCKET_HOLDER, "addr", inet);
    c.vm.set_int_field(holder, SOCKET_HOLDER, "port", i32::from(addr.port()));
    let address = c.vm.new_object(class)?;
    c.vm.set_ref_field(address, SOCKET_ADDRESS, "holder", holder);
    Ok(address)
}

// Names.

fn local_host_name(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.vm.host.env.host_name.clone();
    Ok(c.vm.new_string(&name)?.bits())
}

fn lookup(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.uses.network += 1;
    let name = c.string(1)?;
    let own = c.vm.host.env.host_name.clone();
    let Some(found) = c.vm.host.net.look_up(&name, &own) else {
        let message = format!("{name}: Name or service not known");
        return Err(c.vm.throw("java/net/UnknownHostException", Some(&message)));
    };
    let class = c.vm.boot_class(INET)?;
    let array = c.vm.new_ref_array(class, found.len() as i32)?;
    for (i, ip) in found.iter().enumerate() {
        let address = new_inet(c, *ip, Some(&name))?;
        c.vm.heap.elem_put_ref(array, i as u32, address);
    }
    Ok(array.bits())
}

/// The address in a byte array of four or sixteen.
fn ip_in(c: &Ctx<'_>, array: ObjRef) -> Option<Ip> {
    let bytes = c.vm.heap.load_bytes(array);
    match bytes.len() {
        4 => bytes.try_into().ok().map(Ip::V4),
        16 => bytes.try_into().ok().map(Ip::from_v6),
        _ => None,
    }
}

fn host_by_address(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.non_null(1)?;
    match ip_in(c, array) {
        Some(Ip::LOOPBACK4 | Ip::LOOPBACK6) => Ok(c.vm.new_string("localhost")?.bits()),
        _ => Err(c.vm.throw("java/net/UnknownHostException", None)),
    }
}

fn is_reachable(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.non_null(1)?;
    Ok(boolean(
        ip_in(c, array).is_some_and(|ip| ip.target().is_loopback()),
    ))
}

// The interface.

fn is_local(ip: Ip) -> bool {
    ip == Ip::LOOPBACK4 || ip == Ip::LOOPBACK6
}

fn new_interface(c: &mut Ctx<'_>) -> Result<ObjRef, Stop> {
    let class = c.vm.boot_class(NI)?;
    c.vm.ensure_initialized(class)?;
    let inet_class = c.vm.boot_class(INET)?;
    let binding_class = c.vm.boot_class(BINDING)?;
    c.vm.ensure_initialized(binding_class)?;
    let interface = c.vm.new_object(class)?;
    let name = c.vm.intern_str("lo")?;
    c.vm.set_ref_field(interface, NI, "name", name);
    c.vm.set_ref_field(interface, NI, "displayName", name);
    c.vm.set_int_field(interface, NI, "index", 1);
    let addresses = c.vm.new_ref_array(inet_class, 2)?;
    let bindings = c.vm.new_ref_array(binding_class, 2)?;
    let children = c.vm.new_ref_array(class, 0)?;
    for (i, (ip, bits)) in [(Ip::LOOPBACK6, 128u16), (Ip::LOOPBACK4, 8)]
        .into_iter()
        .enumerate()
    {
        let address = new_inet(c, ip, None)?;
        if matches!(ip, Ip::V6(_)) {
            // An address of an interface names it.
            let holder = c.vm.load_ref_field(address, INET6, "holder6");
            c.vm.set_ref_field(holder, HOLDER6, "scope_ifname", interface);
            c.vm.set_bool_field(holder, HOLDER6, "scope_ifname_set", true);
            c.vm.set_int_field(holder, HOLDER6, "scope_id", 1);
            c.vm.set_bool_field(holder, HOLDER6, "scope_id_set", true);
        }
        let binding = c.vm.new_object(binding_class)?;
        c.vm.set_ref_field(binding, BINDING, "address", address);
        let off = c.vm.off(BINDING, "maskLength")?;
        c.vm.heap.put_u16(binding, off, bits);
        c.vm.heap.elem_put_ref(addresses, i as u32, address);
        c.vm.heap.elem_put_ref(bindings, i as u32, binding);
    }
    c.vm.set_ref_field(interface, NI, "addrs", addresses);
    c.vm.set_ref_field(interface, NI, "bindings", bindings);
    c.vm.set_ref_field(interface, NI, "childs", children);
    Ok(interface)
}

fn interface_if(c: &mut Ctx<'_>, there: bool) -> Result<u64, Stop> {
    if there {
        Ok(new_interface(c)?.bits())
    } else {
        Ok(ObjRef::NULL.bits())
    }
}

fn all_interfaces(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let interface = new_interface(c)?;
    let class = c.vm.boot_class(NI)?;
    let array = c.vm.new_ref_array(class, 1)?;
    c.vm.heap.elem_put_ref(array, 0, interface);
    Ok(array.bits())
}

fn interface_by_name(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let there = c.string(0)? == "lo";
    interface_if(c, there)
}

fn interface_by_index(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let there = c.int(0) == 1;
    interface_if(c, there)
}

fn interface_by_address(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let address = c.non_null(0)?;
    let there = is_local(ip_of(c, address)?);
    interface_if(c, there)
}

fn is_bound(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let address = c.non_null(0)?;
    Ok(boolean(is_local(ip_of(c, address)?)))
}
