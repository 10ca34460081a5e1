//! Addresses of the in-VM network.

use std::fmt;

/// An internet address. A v4 address mapped into v6 is always kept as the v4 one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ip {
    V4([u8; 4]),
    V6([u8; 16]),
}

const V4_MAPPED: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

impl Ip {
    pub const ANY4: Ip = Ip::V4([0; 4]);
    pub const ANY6: Ip = Ip::V6([0; 16]);
    pub const LOOPBACK4: Ip = Ip::V4([127, 0, 0, 1]);
    pub const LOOPBACK6: Ip = Ip::V6([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);

    pub fn from_v6(bytes: [u8; 16]) -> Ip {
        match bytes.strip_prefix(&V4_MAPPED) {
            Some(&[a, b, c, d]) => Ip::V4([a, b, c, d]),
            _ => Ip::V6(bytes),
        }
    }

    /// The sixteen bytes a v6 socket sees.
    pub fn as_v6(self) -> [u8; 16] {
        match self {
            Ip::V6(bytes) => bytes,
            Ip::V4(v4) => {
                let mut bytes = [0; 16];
                bytes[..12].copy_from_slice(&V4_MAPPED);
                bytes[12..].copy_from_slice(&v4);
                bytes
            }
        }
    }

    pub fn is_any(self) -> bool {
        self == Ip::ANY4 || self == Ip::ANY6
    }

    pub fn is_loopback(self) -> bool {
        match self {
            Ip::V4(bytes) => bytes[0] == 127,
            Ip::V6(_) => self == Ip::LOOPBACK6,
        }
    }

    pub fn is_multicast(self) -> bool {
        match self {
            Ip::V4(bytes) => bytes[0] & 0xf0 == 0xe0,
            Ip::V6(bytes) => bytes[0] == 0xff,
        }
    }

    /// Whether a socket bound here receives what is sent there.
    pub fn covers(self, other: Ip) -> bool {
        match self {
            Ip::ANY6 => true,
            Ip::ANY4 => matches!(other, Ip::V4(_)),
            _ => self == other,
        }
    }

    /// Where a packet to this address goes: sending to the wildcard means this machine.
    pub fn target(self) -> Ip {
        match self {
            Ip::ANY4 => Ip::LOOPBACK4,
            Ip::ANY6 => Ip::LOOPBACK6,
            other => other,
        }
    }
}

/// Where a socket is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Addr {
    Inet {
        ip: Ip,
        port: u16,
    },
    /// A Unix domain socket's path; empty when unnamed.
    Unix(Vec<u8>),
}

impl Addr {
    pub fn inet(ip: Ip, port: u16) -> Addr {
        Addr::Inet { ip, port }
    }

    pub fn ip(&self) -> Ip {
        match self {
            Addr::Inet { ip, .. } => *ip,
            Addr::Unix(_) => Ip::ANY4,
        }
    }

    pub fn port(&self) -> u16 {
        match self {
            Addr::Inet { port, .. } => *port,
            Addr::Unix(_) => 0,
        }
    }
}

impl fmt::Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Addr::Inet { ip: Ip::V4(b), port } => write!(f, "{}:{port}", std::net::Ipv4Addr::from(*b)),
            Addr::Inet { ip: Ip::V6(b), port } => write!(f, "[{}]:{port}", std::net::Ipv6Addr::from(*b)),
            Addr::Unix(path) => write!(f, "{}", String::from_utf8_lossy(path)),
        }
    }
}

/// Addresses a name stands for on a machine without a network.
pub fn resolve(name: &str, own_name: &str) -> Option<Vec<Ip>> {
    if let Ok(v4) = name.parse::<std::net::Ipv4Addr>() {
        return Some(vec![Ip::V4(v4.octets())]);
    }
    if let Ok(v6) = name.parse::<std::net::Ipv6Addr>() {
        return Some(vec![Ip::from_v6(v6.octets())]);
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    if is("localhost") || name.to_ascii_lowercase().ends_with(".localhost") {
        return Some(vec![Ip::LOOPBACK4]);
    }
    if is("ip6-localhost") || is("ip6-loopback") {
        return Some(vec![Ip::LOOPBACK6]);
    }
    is(own_name).then(|| vec![Ip::LOOPBACK4])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_addresses_are_v4() {
        let mapped = Ip::LOOPBACK4.as_v6();
        assert_eq!(Ip::from_v6(mapped), Ip::LOOPBACK4);
        assert!(Ip::ANY6.covers(Ip::LOOPBACK4) && !Ip::ANY4.covers(Ip::LOOPBACK6));
    }

    #[test]
    fn only_what_is_known_offline_resolves() {
        assert_eq!(resolve("LOCALHOST", "me").unwrap()[0], Ip::LOOPBACK4);
        assert_eq!(resolve("me", "me"), Some(vec![Ip::LOOPBACK4]));
        assert_eq!(resolve("10.1.2.3", "me"), Some(vec![Ip::V4([10, 1, 2, 3])]));
        assert_eq!(resolve("example.com", "me"), None);
    }
}
