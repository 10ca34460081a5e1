//! What the documents of all searches have in common.

use crate::{Frame, SCHEMA};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a document begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchHead {
    pub schema: u32,
    pub poldet: String,
    pub command: String,
    pub suite: String,
    pub jdk: String,
    pub seed: u64,
    pub interrupted: bool,
}

impl SearchHead {
    pub fn new(poldet: &str, command: &str, suite: String, jdk: String, seed: u64) -> SearchHead {
        SearchHead {
            schema: SCHEMA,
            poldet: poldet.to_owned(),
            command: command.to_owned(),
            suite,
            jdk,
            seed,
            interrupted: false,
        }
    }
}

/// A place of the shared state, as searches write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchPlace {
    pub root: String,
    pub path: String,
    pub before: String,
    pub after: String,
    pub written_at: Vec<Frame>,
    pub read_at: Vec<Frame>,
}

impl SearchPlace {
    /// A root of which no more is known.
    pub fn of_root(root: String) -> SearchPlace {
        SearchPlace {
            root,
            path: String::new(),
            before: String::new(),
            after: String::new(),
            written_at: Vec::new(),
            read_at: Vec::new(),
        }
    }
}

/// `pkg.Class#method[N]`.
pub fn search_name(class: &str, method: Option<&str>, invocation: Option<u32>) -> String {
    let method = method.map(|m| format!("#{m}")).unwrap_or_default();
    let number = invocation.map(|n| format!("[{n}]")).unwrap_or_default();
    format!("{class}{method}{number}")
}
