//! The network that the tests of a run see.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Network {
    pub mode: NetworkMode,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<NetworkFault>,
}

impl Network {
    /// How far sockets of a worker reach: what a sandbox around it has to leave open.
    pub fn reach(&self) -> NetworkMode {
        self.mode
    }

    /// Whether two runs see the same: real servers may answer differently.
    pub fn is_deterministic(&self) -> bool {
        self.mode == NetworkMode::Closed
    }
}

/// A real address that was connected to, and by which tests; a class fixture counts by its class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsedAddress {
    /// `host:port`.
    pub resource: String,
    pub tests: Vec<String>,
}

/// How far sockets reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NetworkMode {
    /// Servers of the tests themselves.
    #[default]
    Closed,
    /// Real servers on this machine, too.
    Loopback,
    /// Everything that this machine reaches.
    Host,
}

impl NetworkMode {
    pub fn text(self) -> &'static str {
        match self {
            NetworkMode::Closed => "closed",
            NetworkMode::Loopback => "loopback",
            NetworkMode::Host => "host",
        }
    }
}

/// A fault that every connection to a host meets, or to any host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NetworkFault {
    pub kind: FaultKind,
    /// A host name or an address as the test writes it; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Connections are refused.
    Refuse,
    /// Connections are accepted and reset at the first byte.
    Reset,
    /// Nobody answers.
    Timeout,
    /// The name cannot be resolved.
    UnknownHost,
}

impl FaultKind {
    pub const ALL: [FaultKind; 4] = [
        FaultKind::Refuse,
        FaultKind::Reset,
        FaultKind::Timeout,
        FaultKind::UnknownHost,
    ];

    pub fn text(self) -> &'static str {
        match self {
            FaultKind::Refuse => "refuse",
            FaultKind::Reset => "reset",
            FaultKind::Timeout => "timeout",
            FaultKind::UnknownHost => "unknown-host",
        }
    }
}

impl NetworkFault {
    pub fn text(&self) -> String {
        match &self.host {
            Some(host) => format!("{}:{host}", self.kind.text()),
            None => self.kind.text().to_owned(),
        }
    }
}
