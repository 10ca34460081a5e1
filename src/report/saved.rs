//! A saved run: `poldet.json` read back.

use crate::last;
use poldet_records::{Document, SCHEMA};
use std::path::{Path, PathBuf};

/// Where a run is looked for when nothing is said.
pub const DEFAULT_DIR: &str = "poldet-reports";
pub const FILE: &str = "poldet.json";

/// From a file, or from the file of that name in a folder.
pub fn read(from: Option<&Path>) -> Result<Document, String> {
    let file = match from {
        Some(dir) if dir.is_dir() => dir.join(FILE),
        Some(file) => file.to_owned(),
        None => {
            let file = PathBuf::from(DEFAULT_DIR).join(FILE);
            last::find().filter(|_| !file.is_file()).unwrap_or(file)
        }
    };
    let name = file.display();
    let text = std::fs::read_to_string(&file).map_err(|e| {
        format!("no saved run: cannot read {name}: {e} (poldet run keeps the last one, --report-dir DIR writes one)")
    })?;
    let mut document: Document =
        serde_json::from_str(&text).map_err(|e| format!("{name} is no saved run: {e}"))?;
    document.restore_tails();
    if document.head.schema != SCHEMA {
        return Err(format!(
            "{name} is of schema {}, which this poldet cannot read",
            document.head.schema
        ));
    }
    Ok(document)
}
