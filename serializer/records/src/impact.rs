//! Who suffers from what tests leave behind.

use crate::SearchPlace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much a finding matters, by evidence; the worst comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rank {
    /// A test that passes alone fails after it.
    Harmful,
    /// A test reads the place and behaves differently: another outcome, another failure message, other output, or other values
    /// in an assertion.
    Observed,
    /// A test reads the place, and none that was run behaves differently.
    Read,
    /// No test reads the place.
    Unread,
}

impl Rank {
    pub fn text(self) -> &'static str {
        match self {
            Rank::Harmful => "harmful",
            Rank::Observed => "observed",
            Rank::Read => "read",
            Rank::Unread => "unread",
        }
    }
}

/// What is known of the tests that read what a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Impact {
    pub rank: Rank,
    /// Tests that pass alone and fail after the polluter because of this place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub victims: Vec<String>,
    /// Tests that read the place and behave differently after the polluter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observers: Vec<String>,
    /// How many tests read the place; not known where only failing tests were examined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readers: Option<usize>,
    /// How many of them were run after the polluter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<usize>,
}

/// Why a test that passes alone failed in the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// The tests after which it fails; without any one of them it passes.
    pub tests: Vec<String>,
    /// A smallest set of places whose restoring makes it pass. Of tests with the same failure only the first has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<SearchPlace>,
    /// The command that shows it.
    pub reproduce: String,
}
