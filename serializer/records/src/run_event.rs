//! What happens in a run, as reporters get it: already put in order, whoever ran the tests. A line of `--format jsonl` is
//! one of these.

use crate::{CaptureOptions, ClassOutput, Fixture, Network, Record, SanitiseOptions, Summary, TestName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Changes when a field changes its meaning.
pub const SCHEMA: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RunEvent {
    /// The suite is known, and nothing has run.
    RunStarted {
        #[serde(flatten)]
        head: Box<RunHead>,
        /// Classes that may hold tests.
        classes: usize,
    },
    Warning {
        what: String,
    },
    /// This many more tests are known of.
    Planned {
        tests: u32,
    },
    TestStarted {
        test: TestName,
    },
    /// With the fields of the document's `tests`.
    TestFinished {
        #[serde(flatten)]
        record: Box<Record>,
    },
    /// A class is done.
    ClassFinished {
        class: String,
    },
    /// With the fields of the document's `fixtures`.
    Fixture {
        #[serde(flatten)]
        fixture: Fixture,
    },
    /// With the fields of the document's `class_output`.
    ClassOutput {
        #[serde(flatten)]
        output: ClassOutput,
    },
    /// A test, or a class outside of its tests, has connected to these real addresses.
    Connected {
        test: String,
        addresses: Vec<String>,
    },
    /// A test that would be run, or a container of tests that are not known before it runs.
    Listed {
        test: TestName,
        container: bool,
    },
    /// JUnit announced these tests, and they have no result.
    Missing {
        tests: Vec<String>,
    },
    /// The run was interrupted, in this test.
    Interrupted {
        test: Option<String>,
    },
    /// A fault of ours; the run could not go on when it is fatal.
    Fault {
        what: String,
        fatal: bool,
    },
    /// The worker is alive.
    Beat,
    RunFinished {
        summary: Summary,
    },
}

/// What is known of a run before anything has run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunHead {
    pub schema: u32,
    /// The version of poldet.
    pub poldet: String,
    pub suite: String,
    pub jdk: String,
    pub seed: u64,
    pub junit: JUnit,
    /// The words of the command that repeats the run.
    #[serde(default)]
    pub command: Vec<String>,
    #[serde(default)]
    pub sandbox: SandboxState,
    /// How the shared state is compared; nothing when it is not.
    #[serde(default, with = "reported_options", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<reported_options::Reported<'static>>")]
    pub capture: Option<CaptureOptions>,
    /// Which failures are skipped; nothing when none are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanitise: Option<SanitiseOptions>,
    /// The network that the tests see; nothing when it is closed and without faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
}

/// What kept the tests from the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SandboxState {
    /// As asked for: auto, require or off.
    pub mode: String,
    /// What the kernel does not have or allow, each with what follows from it.
    #[serde(default)]
    pub missing: Vec<String>,
}

/// What ran the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum JUnit {
    #[serde(rename = "platform")]
    Platform,
    /// There is no launcher on the class path.
    #[serde(rename = "platform engines")]
    Engines,
    #[serde(rename = "junit4")]
    JUnit4,
    #[serde(rename = "junit3")]
    JUnit3,
    #[serde(rename = "built-in")]
    BuiltIn,
}

impl JUnit {
    /// As the document names it.
    pub fn text(self) -> &'static str {
        match self {
            JUnit::Platform => "platform",
            JUnit::Engines => "platform engines",
            JUnit::JUnit4 => "junit4",
            JUnit::JUnit3 => "junit3",
            JUnit::BuiltIn => "built-in",
        }
    }
}

/// Of the options of detection, those that change what the findings mean.
mod reported_options {
    use crate::{CaptureOptions, Definition, Roots, Rule};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::borrow::Cow;

    #[derive(Serialize, Deserialize, schemars::JsonSchema)]
    pub struct Reported<'a> {
        strict: bool,
        roots: Roots,
        #[serde(default, skip_serializing_if = "is_net")]
        definition: Definition,
        #[schemars(with = "Vec<Rule>")]
        rules: Cow<'a, [Rule]>,
    }

    fn is_net(definition: &Definition) -> bool {
        *definition == Definition::Net
    }

    pub fn serialize<S: Serializer>(options: &Option<CaptureOptions>, s: S) -> Result<S::Ok, S::Error> {
        let reported = options.as_ref().map(|o| Reported {
            strict: o.strict,
            roots: o.roots,
            definition: o.definition,
            rules: Cow::Borrowed(&o.rules),
        });
        reported.serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<CaptureOptions>, D::Error> {
        let reported = Option::<Reported<'static>>::deserialize(d)?;
        Ok(reported.map(|r| CaptureOptions {
            strict: r.strict,
            roots: r.roots,
            definition: r.definition,
            rules: r.rules.into_owned(),
            ..CaptureOptions::default()
        }))
    }
}
