//! The options about what lies outside of a suite: the network, and failures that are put down to it.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Clone, Default)]
pub struct OutsideArgs {
    /// Skip tests that fail because of what they assume of the machine: network, clock, display, locale, files-outside
    #[arg(
        long,
        value_name = "ASSUMPTION",
        value_delimiter = ',',
        help_heading = "Outside of the suite"
    )]
    pub sanitise: Vec<String>,

    /// More exceptions that say that there is no network: a file with the name of a class on each line
    #[arg(long, value_name = "FILE", help_heading = "Outside of the suite")]
    pub sanitise_exceptions: Vec<PathBuf>,

    /// How far sockets reach: closed (servers of the tests themselves), loopback (servers on this machine), host (everything)
    #[arg(
        long,
        value_name = "REACH",
        default_value = "closed",
        help_heading = "Outside of the suite"
    )]
    pub network: String,

    /// Make connections fail: refuse, reset, timeout or unknown-host, to every host or to the one named
    #[arg(long, value_name = "FAULT[:HOST]", help_heading = "Outside of the suite")]
    pub network_fault: Vec<String>,
}

impl OutsideArgs {
    /// The same as words of a command line, but for what is as it is by default.
    pub fn words(&self, absolute: impl Fn(&std::path::Path) -> String) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        if !self.sanitise.is_empty() {
            option("sanitise", self.sanitise.join(","));
        }
        for file in &self.sanitise_exceptions {
            option("sanitise-exceptions", absolute(file));
        }
        if self.network != "closed" {
            option("network", self.network.clone());
        }
        for fault in &self.network_fault {
            option("network-fault", fault.clone());
        }
        words
    }
}
