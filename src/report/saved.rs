//! A saved run: `poldet.json` read back.

use poldet_junit_shim::name::TestName;
use poldet_serializer::finding::{FileFinding, Finding, Pollution};
use poldet_serializer::rules::Rule;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where a run is looked for when nothing is said.
pub const DEFAULT_DIR: &str = "poldet-reports";
pub const FILE: &str = "poldet.json";

#[derive(Debug, Deserialize)]
pub struct Saved {
    pub schema: u32,
    pub suite: String,
    pub jdk: String,
    #[serde(default)]
    pub command: Vec<String>,
    pub capture: Option<Looked>,
    pub tests: Vec<Test>,
    #[serde(default)]
    pub fixtures: Vec<Fixture>,
}

#[derive(Debug, Deserialize)]
pub struct Looked {
    pub strict: bool,
    pub rules: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
pub struct Test {
    pub class: String,
    pub method: Option<String>,
    pub parameters: Option<String>,
    pub invocation: Option<String>,
    pub display: String,
    pub id: String,
    pub outcome: String,
    pub exception: Option<String>,
    pub message: Option<String>,
    pub stack: Vec<String>,
    pub time_ms: f64,
    #[serde(flatten)]
    pub state: State,
}

#[derive(Debug, Deserialize)]
pub struct Fixture {
    pub class: Option<String>,
    #[serde(flatten)]
    pub state: State,
}

#[derive(Debug, Default, Deserialize)]
pub struct State {
    #[serde(default)]
    pub polluter: bool,
    #[serde(default)]
    pub pollutions: Vec<Finding>,
    #[serde(default)]
    pub files: Vec<FileFinding>,
    #[serde(default)]
    pub hidden_by_rule: BTreeMap<String, u32>,
}

impl State {
    pub fn pollution(&self) -> Pollution {
        Pollution {
            pollutions: self.pollutions.clone(),
            files: self.files.clone(),
            hidden: self.hidden_by_rule.clone(),
        }
    }
}

impl Test {
    pub fn name(&self) -> TestName {
        TestName {
            root: None,
            id: self.id.clone(),
            class: self.class.clone(),
            method: self.method.clone(),
            parameters: self.parameters.clone(),
            invocation: self.invocation.clone(),
            display: self.display.clone(),
        }
    }
}

impl Saved {
    /// From a file, or from the file of that name in a folder.
    pub fn read(from: Option<&Path>) -> Result<Saved, String> {
        let given = from.map_or_else(|| PathBuf::from(DEFAULT_DIR), Path::to_owned);
        let file = if from.is_none() || given.is_dir() {
            given.join(FILE)
        } else {
            given
        };
        let name = file.display();
        let text = std::fs::read_to_string(&file).map_err(|e| {
            format!("no saved run: cannot read {name}: {e} (poldet run --report-dir DIR writes one)")
        })?;
        let saved: Saved = serde_json::from_str(&text).map_err(|e| format!("{name} is no saved run: {e}"))?;
        if saved.schema != 1 {
            return Err(format!(
                "{name} is of schema {}, which this poldet cannot read",
                saved.schema
            ));
        }
        Ok(saved)
    }
}
