//! A small piece of the state before and after a test, drawn over each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    pub id: u32,
    /// One line: a class name for a root, `ArrayList(2)` for an object, the value for a value.
    pub label: String,
    pub state: State,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// A field's name, an index or a key.
    pub label: String,
    pub state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// There before and after.
    Same,
    /// There before and after, with another value.
    Changed,
    /// Only after the test.
    Added,
    /// Only before it.
    Removed,
}
