//! How the shared state is compared around every test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The options of detection, from the command line to the worker and to the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaptureOptions {
    /// Count differences that no public API shows.
    pub strict: bool,
    pub roots: Roots,
    #[serde(default)]
    pub definition: Definition,
    /// Count every finding by itself: fold nothing.
    #[serde(default)]
    pub all: bool,
    /// Also report what rules hide.
    pub show_ignored: bool,
    /// Add to each finding the difference with its surroundings.
    pub graphs: bool,
    /// Check the log against walks of the whole state: for tests of poldet itself.
    pub verify: bool,
    /// Write the whole state before and after each test to this folder.
    pub dump: Option<String>,
    pub rules: Vec<Rule>,
    /// What is known of classes and names; a document does not say it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Rule>,
}

/// Which classes' static fields count as shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Roots {
    /// All classes'; of one first used by the test, from the end of its initialiser on.
    #[default]
    FirstTouch,
    /// Only those of classes initialised before the test, as PolDet does.
    Common,
}

/// Who is a polluter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Definition {
    /// A test that leaves a difference, unless that is how the state was before an earlier test.
    #[default]
    Net,
    /// A test that leaves any difference, as PolDet does.
    Poldet,
}

/// An ignore rule, or a row of what is known of classes and names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    pub id: String,
    /// What it hides: `kind: GLOB`, several separated by `; `.
    pub pattern: String,
    pub reason: String,
}
