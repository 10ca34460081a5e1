//! What was asked for when an exception was made: the address or the file, as the arguments of the class library's frames
//! have it.

use crate::ids::{ObjRef, ThreadId};
use crate::interp::frame::Frame;
use crate::throws::Made;
use crate::vm::Vm;

const SOCKET_ADDRESS: &str = "java/net/InetSocketAddress";
const INET6: &str = "java/net/Inet6Address";
const INET: &str = "java/net/InetAddress";
const SOCKET_IMPL: &str = "java/net/SocketImpl";
const CHANNEL: &str = "sun/nio/ch/SocketChannelImpl";
/// Of `java.net.http`; it knows where it leads to before it has a channel, and when the channel is closed.
const HTTP_CONNECTION: &str = "jdk/internal/net/http/HttpConnection";
const URL_CONNECTION: &str = "java/net/URLConnection";
const SERVER_SOCKET: &str = "java/net/ServerSocket";

type Address = (Option<String>, Option<u16>);

/// One frame and its arguments, as far as they are objects.
struct Call {
    class: &'static str,
    method: &'static str,
    /// Register images, the receiver's first.
    arguments: Vec<u64>,
}

impl Vm {
    /// The frames of the class library on top of a thread's stack, innermost first.
    fn library_calls(&self, on: ThreadId) -> Vec<Call> {
        let thread = &self.threads.list[on.index()];
        let real = |f: &&Frame| f.cont.is_none() && f.method != crate::classes::loader::NO_METHOD;
        let frames = thread.frames.iter().rev().filter(real);
        let own = frames.take_while(|f| self.is_jdk_class(self.method(f.method).class));
        own.map(|f| {
            let method = self.method(f.method);
            let registers = 0..usize::from(method.arg_slots);
            Call {
                class: self.class_name(method.class),
                method: self.syms.str(method.name),
                arguments: registers.map(|r| thread.regs.get(f.base as usize + r)).collect(),
            }
        })
        .collect()
    }

    /// Was an exception made where a server waits for clients?
    pub fn waited_for_clients(&self, made: &Made) -> bool {
        made.stack.iter().any(|frame| {
            let method = self.method(frame.method);
            self.class_name(method.class) == SERVER_SOCKET && self.syms.str(method.name) == "accept"
        })
    }

    /// Host and port that the thread has asked for.
    pub(super) fn asked_address(&self, on: ThreadId) -> Address {
        let mut host = None;
        let mut port = None;
        for call in self.library_calls(on) {
            if call.method == "lookupAllHostAddr" {
                host = host.or_else(|| self.string_in(&call, 1));
            }
            if call.class == INET && matches!(call.method, "getByName" | "getAllByName") {
                host = host.or_else(|| self.string_in(&call, 0));
            }
            if call.class == SOCKET_ADDRESS && call.method == "<init>" && call.arguments.len() == 3 {
                let named = self.string_in(&call, 1);
                return (named.or(host), Some(call.arguments[2] as u16));
            }
            if call.class == "sun/nio/ch/Net" && call.method == "connect0" && call.arguments.len() == 4 {
                host = host.or_else(|| self.object_in(call.arguments[2]).and_then(|a| self.inet_host(a)));
                port = port.or(Some(call.arguments[3] as u16));
            }
            for bits in &call.arguments {
                let Some(object) = self.object_in(*bits) else {
                    continue;
                };
                if let Some((found, at)) = self.address_of(object) {
                    return (found.or(host), at.or(port));
                }
            }
        }
        (host, port)
    }

    /// The file that the thread has asked for.
    pub(super) fn asked_path(&self, on: ThreadId) -> Option<String> {
        let calls = self.library_calls(on);
        let asks = |call: &&Call| matches!(call.method, "open0" | "translateToIOException");
        let call = calls.iter().find(asks)?;
        self.string_in(call, 1)
    }

    fn string_in(&self, call: &Call, argument: usize) -> Option<String> {
        let object = self.object_in(*call.arguments.get(argument)?)?;
        (self.heap.class_of(object) == self.known.string).then(|| self.text(object))
    }

    /// Where an object of the class library leads to.
    fn address_of(&self, object: ObjRef) -> Option<Address> {
        let class = self.heap.class_of(object);
        let names: Vec<&'static str> = self
            .class(class)
            .display
            .iter()
            .map(|c| self.class_name(*c))
            .collect();
        let is = |name: &str| names.contains(&name);
        if is(SOCKET_ADDRESS) {
            return Some(self.socket_address(object));
        }
        if is(CHANNEL) {
            let remote = self.peek_ref(object, "remoteAddress");
            let named = !remote.is_null() && self.class_name(self.heap.class_of(remote)) == SOCKET_ADDRESS;
            return named.then(|| self.socket_address(remote));
        }
        if is(HTTP_CONNECTION) {
            let remote = self.peek_ref(object, "address");
            return (!remote.is_null()).then(|| self.socket_address(remote));
        }
        if is(SOCKET_IMPL) {
            let address = self.peek_ref(object, "address");
            let port = self.peek_int(object, "port");
            let host = (!address.is_null()).then(|| self.inet_host(address)).flatten();
            return (host.is_some() && port > 0).then_some((host, Some(port as u16)));
        }
        if is(URL_CONNECTION) {
            let url = self.peek_ref(object, "url");
            return (!url.is_null()).then(|| self.url_address(url));
        }
        None
    }

    fn socket_address(&self, address: ObjRef) -> Address {
        let holder = self.peek_ref(address, "holder");
        if holder.is_null() {
            return (None, None);
        }
        let port = self.peek_int(holder, "port") as u16;
        let named = self.peek_ref(holder, "hostname");
        if !named.is_null() {
            return (Some(self.text(named)), Some(port));
        }
        let inet = self.peek_ref(holder, "addr");
        let host = (!inet.is_null()).then(|| self.inet_host(inet)).flatten();
        (host, Some(port))
    }

    fn url_address(&self, url: ObjRef) -> Address {
        let host = self.peek_ref(url, "host");
        let protocol = self.peek_ref(url, "protocol");
        let port = match (self.peek_int(url, "port"), self.text(protocol).as_str()) {
            (-1, "http") => Some(80),
            (-1, "https") => Some(443),
            (-1, "ftp") => Some(21),
            (port, _) => u16::try_from(port).ok(),
        };
        let host = Some(self.text(host)).filter(|h| !h.is_empty());
        (host, port)
    }

    /// A field of an object, by its name alone; null where there is none.
    pub(super) fn peek_ref(&self, object: ObjRef, field: &str) -> ObjRef {
        if object.is_null() {
            return ObjRef::NULL;
        }
        let found = self.find_field(self.heap.class_of(object), field, "");
        found.map_or(ObjRef::NULL, |f| self.heap.get_ref(object, self.field(f).offset))
    }

    fn peek_int(&self, object: ObjRef, field: &str) -> i32 {
        let found = self.find_field(self.heap.class_of(object), field, "");
        found.map_or(0, |f| self.heap.get_i32(object, self.field(f).offset))
    }

    /// The name of an InetAddress, or its number where it has none.
    fn inet_host(&self, address: ObjRef) -> Option<String> {
        let holder = self.peek_ref(address, "holder");
        if holder.is_null() {
            return None;
        }
        let named = self.peek_ref(holder, "hostName");
        if !named.is_null() {
            return Some(self.text(named));
        }
        if self.class_name(self.heap.class_of(address)) == INET6 {
            let holder = self.peek_ref(address, "holder6");
            let bytes = self.peek_ref(holder, "ipaddress");
            if bytes.is_null() {
                return None;
            }
            let bytes: [u8; 16] = self.heap.bytes(bytes).try_into().ok()?;
            return Some(std::net::Ipv6Addr::from(bytes).to_string());
        }
        let number = self.peek_int(holder, "address") as u32;
        Some(std::net::Ipv4Addr::from(number).to_string())
    }
}
