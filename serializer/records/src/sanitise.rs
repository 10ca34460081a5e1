//! Failures that say nothing about the code, because something outside of the suite was not there: which assumption did not
//! hold, and how that is known.

use crate::{Frame, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a test assumes of the machine it runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TestAssumption {
    /// Other machines can be reached.
    Network,
    /// The time of day.
    Clock,
    /// There is a display.
    Display,
    /// The default locale.
    Locale,
    /// Files that do not belong to the suite.
    FilesOutside,
}

impl TestAssumption {
    pub const ALL: [TestAssumption; 5] = [
        TestAssumption::Network,
        TestAssumption::Clock,
        TestAssumption::Display,
        TestAssumption::Locale,
        TestAssumption::FilesOutside,
    ];

    pub fn text(self) -> &'static str {
        match self {
            TestAssumption::Network => "network",
            TestAssumption::Clock => "clock",
            TestAssumption::Display => "display",
            TestAssumption::Locale => "locale",
            TestAssumption::FilesOutside => "files-outside",
        }
    }

    /// Names of the exceptions that say that it does not hold, subclasses included.
    pub fn exceptions(self) -> &'static [&'static str] {
        match self {
            TestAssumption::Network => &[
                "java.net.SocketException",
                "java.net.UnknownHostException",
                "java.net.NoRouteToHostException",
            ],
            TestAssumption::Clock => &[
                "java.security.cert.CertificateExpiredException",
                "java.security.cert.CertificateNotYetValidException",
            ],
            TestAssumption::Display => &["java.awt.HeadlessException", "java.awt.AWTError"],
            TestAssumption::Locale => &[],
            TestAssumption::FilesOutside => &[
                "java.io.FileNotFoundException",
                "java.nio.file.NoSuchFileException",
                "java.nio.file.AccessDeniedException",
            ],
        }
    }
}

/// How a run sanitises.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SanitiseOptions {
    pub assumptions: Vec<TestAssumption>,
    /// More exceptions that say that there is no network, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<String>,
    /// Folders and files that belong to the suite, absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<String>,
}

/// Why a failure is put down to an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SanitiseRule {
    /// The exception is what ended the test, or among its causes and suppressed exceptions.
    Thrown,
    /// It was made and thrown during the test, by a thread that works for it.
    Created,
    /// The test asked for a default that differs from machine to machine; there is no exception.
    Asked,
}

impl SanitiseRule {
    pub fn text(self) -> &'static str {
        match self {
            SanitiseRule::Thrown => "thrown",
            SanitiseRule::Created => "created",
            SanitiseRule::Asked => "asked",
        }
    }
}

/// Why a failing test was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sanitised {
    pub assumption: TestAssumption,
    /// What the test ended in.
    pub was: Outcome,
    /// Nothing where a default was asked for.
    pub exception: Option<String>,
    pub message: Option<String>,
    /// The name of the thread that made it.
    pub thread: String,
    /// Where it was made.
    pub stack: Vec<Frame>,
    pub rule: SanitiseRule,
    /// What was asked for, as far as it is known.
    pub host: Option<String>,
    pub port: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Sanitised {
    /// The exception as `Throwable.toString` shows it, or what was asked for.
    pub fn cause(&self) -> String {
        match (&self.exception, &self.message) {
            (Some(exception), Some(message)) => format!("{exception}: {message}"),
            (Some(exception), None) => exception.clone(),
            (None, _) => format!("asked for the {}", self.assumption.text()),
        }
    }

    /// The remote resource, or the file.
    pub fn resource(&self) -> Option<String> {
        match (&self.host, self.port, &self.path) {
            (Some(host), Some(port), _) if host.contains(':') => Some(format!("[{host}]:{port}")),
            (Some(host), Some(port), _) => Some(format!("{host}:{port}")),
            (Some(host), None, _) => Some(host.clone()),
            (None, _, path) => path.clone(),
        }
    }

    /// The reason in one line.
    pub fn reason(&self) -> String {
        let mut text = format!("{} assumption not met: {}", self.assumption.text(), self.cause());
        if let Some(resource) = self.resource() {
            text.push_str(&format!(" ({resource})"));
        }
        let how = match self.rule {
            SanitiseRule::Thrown => "it ended the test".to_owned(),
            SanitiseRule::Created => format!("thrown during the test by thread \"{}\"", self.thread),
            SanitiseRule::Asked => format!("by thread \"{}\"", self.thread),
        };
        text.push_str(&format!("; {how}; the test ended in {}", self.was.text()));
        text
    }
}

/// An exception that would have excused a failing test, and why it does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Considered {
    pub exception: String,
    pub message: Option<String>,
    pub thread: String,
    pub why: WhyNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhyNot {
    /// The test expected an exception and got this one.
    Expected,
    NeverThrown,
    /// It ended a server's waiting for clients.
    Server,
}

impl WhyNot {
    pub fn text(self) -> &'static str {
        match self {
            WhyNot::Expected => "the test expected it",
            WhyNot::NeverThrown => "it was never thrown",
            WhyNot::Server => "it ended a server's waiting for clients",
        }
    }
}

/// What sanitising says of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SanitiseVerdict {
    // Read by its own name, so that a record without it has no verdict.
    #[serde(deserialize_with = "Option::deserialize")]
    pub sanitised: Option<Box<Sanitised>>,
    /// Of a failing test that was not skipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_sanitised: Vec<Considered>,
}

/// A remote resource, or a file outside of the suite, and the tests that need it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resource {
    pub assumption: TestAssumption,
    pub resource: String,
    pub tests: Vec<String>,
}
